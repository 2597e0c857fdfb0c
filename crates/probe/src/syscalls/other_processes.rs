//! Other processes: a child that has ended, CPU time, and who is at the other end of a socket.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};

/// A child that has ended and was not waited for yet; it stays so, and its last figures stay in `/proc`.
///
/// rustix's `waitid` does the same but does not return which child it found.
#[must_use]
pub fn ended_child() -> Option<i32> {
    let mut info = MaybeUninit::<libc::siginfo_t>::zeroed();
    let look = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `info` is all zeros, a valid siginfo_t, and outlives the call; after success its fields are those of
    // SIGCHLD.
    let pid = unsafe {
        if libc::waitid(libc::P_ALL, 0, info.as_mut_ptr(), look) != 0 {
            return None;
        }
        info.assume_init().si_pid()
    };
    (pid != 0).then_some(pid)
}

/// CPU time of another process so far, all of its threads together, to the nanosecond; `None` once it is gone.
///
/// `/proc/PID/stat` would round it to 10 ms, more than the gate can bear.
#[must_use]
pub fn cpu_ns_of(pid: i32) -> Option<u64> {
    let mut clock: libc::clockid_t = 0;
    let mut time = MaybeUninit::<libc::timespec>::zeroed();
    // SAFETY: both calls write only into the places given, which live until they return.
    let time = unsafe {
        if libc::clock_getcpuclockid(pid, &raw mut clock) != 0
            || libc::clock_gettime(clock, time.as_mut_ptr()) != 0
        {
            return None;
        }
        time.assume_init()
    };
    let whole = u64::try_from(time.tv_sec).ok()?;
    Some(whole * 1_000_000_000 + u64::try_from(time.tv_nsec).ok()?)
}

/// Who listens at the other end of a connected Unix socket: its process, 0 if it has no number here, and its user.
///
/// # Errors
/// The kernel's: the socket is not connected.
pub fn peer(socket: BorrowedFd<'_>) -> io::Result<(i32, u32)> {
    let mut found = libc::ucred {
        pid: 0,
        uid: 0,
        gid: 0,
    };
    let mut bytes = libc::socklen_t::try_from(size_of::<libc::ucred>()).unwrap_or(0);
    // SAFETY: the kernel writes at most `bytes` bytes, the size of `found`, of which every value is a valid one.
    let done = unsafe {
        libc::getsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_PEERCRED,
            (&raw mut found).cast(),
            &raw mut bytes,
        )
    };
    if done == 0 {
        Ok((found.pid, found.uid))
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::cpu_ns_of;
    use crate::procfs::TICK_NS;
    use base::clock::process_cpu_ns;

    /// No process has this number or a higher one (`PID_MAX_LIMIT` of the kernel).
    const PID_LIMIT: i32 = 1 << 22;

    #[test]
    fn a_process_clock_agrees_with_its_own() {
        let pid = i32::try_from(std::process::id()).expect("a pid");
        // The threads of other tests use CPU time meanwhile, however many there are.
        let before = process_cpu_ns();
        let read = cpu_ns_of(pid).expect("a living process has a clock");
        let after = process_cpu_ns();
        assert!(before <= read + TICK_NS && read <= after + TICK_NS);
    }

    #[test]
    fn a_process_that_is_not_there_has_no_clock() {
        assert_eq!(cpu_ns_of(PID_LIMIT), None);
    }
}
