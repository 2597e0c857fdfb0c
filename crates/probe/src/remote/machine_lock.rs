//! The lock of the machine, whoever measures: a listening abstract socket, the same as `hosts/machine_lock.py`'s.

use std::fs::{self, File};
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::{SocketAddr, UnixListener};

use base::error::{Error, kernel_text};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketAddrUnix, SocketFlags, SocketType};
use serde_json::{Value, json};

use crate::syscalls::peer;

const NAME: &str = "headtohead-measuring-";
/// Of the part of a name that is its own, in hexadecimal digits.
const DIGITS: usize = 16;
const SOCKETS: &str = "/proc/net/unix";
/// The field of a line there.
const INODE: usize = 6;
/// Nobody can take a name beforehand that nobody can guess.
const RANDOM: &str = "/dev/urandom";

/// Take the lock, or return who has it. It is held while the listener lives.
pub fn take() -> Result<Result<UnixListener, Value>, Error> {
    take_named(NAME)
}

fn take_named(name: &str) -> Result<Result<UnixListener, Value>, Error> {
    let mut random = [0; size_of::<u64>()];
    let own = File::open(RANDOM)
        .and_then(|mut file| file.read_exact(&mut random))
        .map(|()| format!("{name}{:016x}", u64::from_ne_bytes(random)))
        .map_err(|error| unusable(&kernel_text(&error)))?;
    let listener = address(&own)
        .and_then(|address| UnixListener::bind_addr(&address))
        .map_err(|error| unusable(&kernel_text(&error)))?;
    let listed = fs::read(SOCKETS).map_err(|error| unusable(&kernel_text(&error)))?;
    let listed = String::from_utf8_lossy(&listed);
    let mut others = names(&listed, name).filter(|each| *each != own);
    let held = others.find_map(|each| holder(each, &listed));
    Ok(held.map_or(Ok(listener), Err))
}

/// The names of that kind that somebody has.
fn names<'a>(listed: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    let last = listed
        .lines()
        .filter_map(|line| line.rsplit(' ').next()?.strip_prefix('@'));
    last.filter(move |each| {
        each.strip_prefix(name).is_some_and(|rest| {
            rest.len() == DIGITS
                && rest
                    .bytes()
                    .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        })
    })
}

/// Who listens there; none if that has ended, or never listened.
fn holder(name: &str, listed: &str) -> Option<Value> {
    let (pid, uid) = match call(name) {
        Ok(calling) => peer(calling.as_fd()).ok()?,
        // More callers than it takes: it is there.
        Err(Errno::AGAIN) => match opener(name, listed) {
            Some(found) => found,
            None => return Some(json!({"user": "a user who cannot be seen"})),
        },
        Err(_) => return None,
    };
    Some(json!({"pid": pid, "user": format!("the user with number {uid}")}))
}

/// The process and the user that have the socket of that name open; root sees whoever it is.
fn opener(name: &str, listed: &str) -> Option<(i32, u32)> {
    let sockets: Vec<String> = listed
        .lines()
        .filter(|line| {
            line.strip_suffix(name)
                .is_some_and(|rest| rest.ends_with(" @"))
        })
        .filter_map(|line| line.split_whitespace().nth(INODE))
        .map(|inode| format!("socket:[{inode}]"))
        .collect();
    let processes = fs::read_dir("/proc").ok()?.flatten();
    let mut numbered = processes.filter_map(|each| {
        let pid: i32 = each.file_name().to_str()?.parse().ok()?;
        Some((pid, each.path()))
    });
    numbered.find_map(|(pid, folder)| {
        let mut open = fs::read_dir(folder.join("fd")).ok()?.flatten();
        open.any(|file| {
            fs::read_link(file.path()).is_ok_and(|to| {
                sockets
                    .iter()
                    .any(|socket| to.as_os_str() == socket.as_str())
            })
        })
        .then(|| Some((pid, fs::metadata(&folder).ok()?.uid())))?
    })
}

/// Calls who listens there, without waiting: nobody takes callers.
fn call(name: &str) -> Result<OwnedFd, Errno> {
    let calling = unix_socket()?;
    net::connect(
        &calling,
        &SocketAddrUnix::new_abstract_name(name.as_bytes())?,
    )?;
    Ok(calling)
}

fn unix_socket() -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    net::socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)
}

fn address(name: &str) -> std::io::Result<SocketAddr> {
    SocketAddr::from_abstract_name(name)
}

fn unusable(why: &str) -> Error {
    Error::failure(
        "whether another measurement is going on here is not known",
        why,
        "Mount /proc as the system does by default.",
    )
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;
    use std::time::Duration;

    use base::error::Error;
    use rustix::io::Errno;
    use rustix::net::{self, SocketAddrUnix};

    use serde_json::json;

    use super::{address, call, holder, names, take_named, unix_socket};

    #[test]
    fn whoever_listens_first_has_the_lock_and_is_named() -> Result<(), Error> {
        let name = format!("h2h-test-{}-", std::process::id());
        let first = address(&format!("{name}{:016x}", 0))
            .and_then(|address| UnixListener::bind_addr(&address));
        assert!(first.is_ok());
        let busy = take_named(&name)?.err();
        assert_eq!(
            busy.map(|holder| holder["pid"].clone()),
            Some(std::process::id().into())
        );
        drop(first);
        // A child that another test forks meanwhile holds what we hold until it becomes another program.
        let free = (0..100).any(|_| {
            std::thread::sleep(Duration::from_millis(10));
            take_named(&name).is_ok_and(|taken| taken.is_ok())
        });
        assert!(free);
        Ok(())
    }

    #[test]
    fn whoever_takes_no_more_callers_has_the_lock_too() -> Result<(), Error> {
        let name = format!("h2h-full-{}-", std::process::id());
        let own = format!("{name}{:016x}", 0);
        let full = unix_socket().and_then(|socket| {
            net::bind(&socket, &SocketAddrUnix::new_abstract_name(own.as_bytes())?)?;
            net::listen(&socket, 0)?;
            Ok(socket)
        });
        assert!(full.is_ok());
        assert!(call(&own).is_ok());
        let caller = call(&own);
        assert_eq!(
            caller.err(),
            Some(Errno::AGAIN),
            "there is room for one caller"
        );
        let busy = take_named(&name)?.err();
        assert_eq!(
            busy.map(|holder| holder["pid"].clone()),
            Some(std::process::id().into()),
            "it has the socket open"
        );
        let listed = std::fs::read_to_string(super::SOCKETS).unwrap_or_default();
        let renamed = listed.replace(own.as_str(), "another");
        assert_eq!(
            holder(&own, &renamed),
            Some(json!({"user": "a user who cannot be seen"})),
            "no process is known to have the socket open"
        );
        Ok(())
    }

    #[test]
    fn only_names_of_the_whole_form_count() {
        let listed = "Num\n0: 0 @lock-0123456789abcdef\n0: 0 @lock-0123\n0: 0 @lock-0123456789abcdeg\n0: 0 /lock";
        assert_eq!(
            names(listed, "lock-").collect::<Vec<_>>(),
            ["lock-0123456789abcdef"]
        );
    }
}
