//! A network namespace without a name: it exists as long as a descriptor or a process of this run is in it, and no
//! longer.

use std::fs::{self, File};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::thread;

use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::syscalls::unshare_network;

/// Device and inode of a namespace's file: which namespace it is.
pub type Id = (u64, u64);

/// A namespace, kept by its descriptor.
#[derive(Debug)]
pub struct Namespace {
    file: File,
    id: Id,
}

impl Namespace {
    /// Make one: a thread leaves ours, and only the descriptor of the new one is kept.
    ///
    /// # Errors
    /// The kernel's: without `CAP_SYS_ADMIN`, or without namespaces.
    pub fn make() -> io::Result<Self> {
        let file = in_thread(|| {
            unshare_network()?;
            File::open("/proc/thread-self/ns/net")
        })??;
        let id = id_at(&file.metadata()?);
        Ok(Self { file, id })
    }

    /// Do something inside: a thread enters it, and with it every program that the thread starts.
    ///
    /// # Errors
    /// The kernel's, if it cannot be entered.
    pub fn inside<T: Send>(&self, act: impl FnOnce() -> T + Send) -> io::Result<T> {
        in_thread(|| {
            enter(self.file.as_fd())?;
            Ok(act())
        })?
    }

    /// A descriptor of it for a child that is to enter it.
    ///
    /// # Errors
    /// The kernel's, if no descriptor is left.
    pub fn descriptor(&self) -> io::Result<OwnedFd> {
        self.file.as_fd().try_clone_to_owned()
    }

    /// Where other programs can open it as long as this process lives.
    #[must_use]
    pub fn path(&self) -> String {
        format!("/proc/{}/fd/{}", std::process::id(), self.file.as_raw_fd())
    }

    /// Which namespace it is.
    #[must_use]
    pub fn id(&self) -> Id {
        self.id
    }
}

/// Move the calling thread; for the child between fork and exec too, so it allocates nothing.
///
/// # Errors
/// The kernel's.
pub fn enter(namespace: BorrowedFd) -> io::Result<()> {
    Ok(move_into_link_name_space(
        namespace,
        Some(LinkNameSpaceType::Network),
    )?)
}

/// The namespace of a process; `None` once it is gone, or if we may not read it.
#[must_use]
pub fn id_of(process: &str) -> Option<Id> {
    let path = Path::new("/proc").join(process).join("ns/net");
    fs::metadata(path).ok().as_ref().map(id_at)
}

fn id_at(file: &fs::Metadata) -> Id {
    (file.dev(), file.ino())
}

/// Run something in a thread of its own, which alone changes its namespace, and wait for it.
fn in_thread<T: Send>(act: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("network".to_owned())
            .spawn_scoped(scope, act)?;
        thread
            .join()
            .map_err(|_| io::Error::other("the thread panicked"))
    })
}
