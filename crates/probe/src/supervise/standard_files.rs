//! Opening the files that a program gets as its standard input, output and error.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::Stdio;

use base::error::Error;
use rustix::fs::{CWD, Mode, OFlags, ResolveFlags, openat, openat2};
use rustix::io::Errno;

use crate::account::Account;

/// Open what a program reads; nothing if there is no path.
///
/// # Errors
/// A file that is not there or may not be read, or a link in its path below the run's folder.
pub fn input(path: Option<&Path>, run_dir: &Path) -> Result<Stdio, Error> {
    let Some(path) = path else {
        return Ok(Stdio::null());
    };
    opened(path, OFlags::RDONLY, run_dir)
        .map(|file| Stdio::from(File::from(file)))
        .map_err(|error| unopened(path, &error))
}

/// Open for appending, never through a link. A new file belongs to the program's user, so that it can open
/// `/dev/stderr` again by name, as Apache does.
///
/// # Errors
/// A file that cannot be written, or a link in its path below the run's folder.
pub fn output(path: &Path, run_dir: &Path, account: Option<Account>) -> Result<Stdio, Error> {
    let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW;
    let made = opened(path, flags | OFlags::CREATE | OFlags::EXCL, run_dir);
    let file = match made {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            opened(path, flags, run_dir).map_err(|error| unopened(path, &error))?
        }
        outcome => {
            let made = outcome.map_err(|error| unopened(path, &error))?;
            if let Some(Account { uid, gid }) = account {
                rustix::fs::fchown(&made, Some(uid), Some(gid))
                    .map_err(|error| unopened(path, &error.into()))?;
            }
            made
        }
    };
    Ok(Stdio::from(File::from(file)))
}

/// Open a file. Below the run's folder no part of the path may be a link, not even while it is walked.
fn opened(path: &Path, flags: OFlags, run_dir: &Path) -> io::Result<OwnedFd> {
    let flags = flags | OFlags::CLOEXEC;
    let mode = if flags.contains(OFlags::CREATE) {
        Mode::from_raw_mode(0o644)
    } else {
        Mode::empty()
    };
    let Ok(below) = path.strip_prefix(run_dir) else {
        return Ok(openat(CWD, path, flags, mode)?);
    };
    let only = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
    let folder = openat(
        CWD,
        run_dir,
        OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    match openat2(&folder, below, flags, mode, only) {
        // Before Linux 5.6. The folders of the paths that we are given belong to us, so no program can replace them.
        Err(Errno::NOSYS) => Ok(openat(&folder, below, flags | OFlags::NOFOLLOW, mode)?),
        outcome => Ok(outcome?),
    }
}

/// A file that a program was to get could not be opened.
pub fn unopened(path: &Path, error: &io::Error) -> Error {
    Error::io(
        format!("{} cannot be opened", path.display()),
        error,
        "Check the path and its permissions.",
    )
}
