//! Signals: received through a descriptor, ignored, reset for a child.

use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

/// The size of one record that a signal descriptor gives (`man 2 signalfd`).
const SIGNAL_RECORD_BYTES: usize = 128;

/// Block these signals in this thread, and in those it starts later, and receive them through a descriptor.
///
/// That of children is ignored no longer: ignored, it would have the kernel forget how they ended.
///
/// # Errors
/// The kernel's, when a signal cannot be blocked or no descriptor is left.
pub fn signal_descriptor(signals: &[i32]) -> io::Result<OwnedFd> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset fills `set` before anything reads it; the descriptor is new and has no other owner.
    unsafe {
        let _ = libc::signal(libc::SIGCHLD, libc::SIG_DFL);
        let _ = libc::sigemptyset(set.as_mut_ptr());
        for &signal in signals {
            let _ = libc::sigaddset(set.as_mut_ptr(), signal);
        }
        if libc::sigprocmask(libc::SIG_BLOCK, set.as_ptr(), std::ptr::null_mut()) != 0 {
            return Err(io::Error::last_os_error());
        }
        let flags = libc::SFD_CLOEXEC | libc::SFD_NONBLOCK;
        match libc::signalfd(-1, set.as_ptr(), flags) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd)),
        }
    }
}

/// Whether we were started to ignore this signal (`nohup`). Once blocked, even an ignored one comes through a
/// descriptor.
#[must_use]
pub fn is_ignored(signal: i32) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is set; the kernel fills `action`, which is all zeros (a valid sigaction) if the call fails.
    unsafe {
        let _ = libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// The next signal that waits in the descriptor, or `None`.
pub fn next_signal(descriptor: impl AsFd) -> Option<i32> {
    let mut record = [0_u8; SIGNAL_RECORD_BYTES];
    match rustix::io::read(descriptor, &mut record) {
        Ok(SIGNAL_RECORD_BYTES) => {
            let number = u32::from_ne_bytes([record[0], record[1], record[2], record[3]]);
            i32::try_from(number).ok()
        }
        _ => None,
    }
}

/// Let every signal through again, each with its default action; for the child between fork and exec, so it calls nothing
/// that allocates. A program keeps what its starter ignores: under `nohup`, or a script's `&`, a server would never stop by INT.
///
/// # Errors
/// The kernel's.
pub fn reset_signals() -> io::Result<()> {
    let mut set = MaybeUninit::<libc::sigset_t>::uninit();
    // SAFETY: sigemptyset makes `set` whole before sigprocmask reads it; all three are safe to call after a fork. The
    // kernel refuses the numbers of KILL, STOP and the C library's own, and changes nothing.
    let done = unsafe {
        for signal in 1..=libc::SIGRTMAX() {
            let _ = libc::signal(signal, libc::SIG_DFL);
        }
        let _ = libc::sigemptyset(set.as_mut_ptr());
        libc::sigprocmask(libc::SIG_SETMASK, set.as_ptr(), std::ptr::null_mut())
    };
    if done == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

#[cfg(test)]
mod tests {
    use super::{next_signal, signal_descriptor};

    #[test]
    fn no_signal_is_none() {
        let descriptor = signal_descriptor(&[libc::SIGWINCH]).expect("a descriptor");
        assert_eq!(next_signal(&descriptor), None);
    }
}
