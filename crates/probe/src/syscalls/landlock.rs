//! Entering a Landlock domain.

use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Put the calling thread, and what it starts, into a new Landlock domain with these rules, for good. For the child
/// between fork and exec too, so it allocates nothing. The thread must have given up new privileges.
///
/// # Errors
/// The kernel's: more than 16 domains, one inside another.
pub fn enter_domain(rules: BorrowedFd) -> io::Result<()> {
    // SAFETY: the kernel reads two numbers, and changes what the calling thread may do: no memory, no descriptor.
    let done = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
