//! Namespaces of the calling thread's own: network, IPC, mounts.

use std::io;

use rustix::io::Errno;
use rustix::thread::{UnshareFlags, unshare_unsafe};

/// Move the calling thread into a network namespace of its own, new and without a name.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`, or without network namespaces.
pub fn unshare_network() -> io::Result<()> {
    // SAFETY: of what this process has, only which network its calling thread sees changes: no memory, no descriptor.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWNET) }?)
}

/// Give the calling thread System V's shared memory, semaphores and queues of its own: they are gone with the last
/// process that has them. For the child between fork and exec too, so it allocates nothing.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`. A kernel without such namespaces is none.
pub fn unshare_ipc() -> io::Result<()> {
    // SAFETY: of what this process has, only which such objects its calling thread sees changes: no memory, no
    // descriptor.
    match unsafe { unshare_unsafe(UnshareFlags::NEWIPC) } {
        Err(Errno::INVAL) => Ok(()),
        done => Ok(done?),
    }
}

/// Move the calling thread into a mount namespace of its own: what it mounts, nobody else sees.
///
/// # Errors
/// The kernel's: without `CAP_SYS_ADMIN`, or without mount namespaces.
pub fn unshare_mounts() -> io::Result<()> {
    // SAFETY: of what this process has, only the mounts and the folder of its calling thread change: no memory, no
    // descriptor.
    Ok(unsafe { unshare_unsafe(UnshareFlags::NEWNS | UnshareFlags::FS) }?)
}
