//! The one timer of a thread: an event among the others at a given instant.
//!
//! A timer of the kernel's own (timerfd) rings at its instant to within the time of a wake-up, is free of the slack
//! that timeouts of a wait have (50 us), and is not set and cleared at every wait as a timeout would be.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use base::clock::timespec;
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

/// A timer that can be waited for.
#[derive(Debug)]
pub struct Timer {
    timer: OwnedFd,
    set_ns: u64,
}

impl Timer {
    /// One that is not set.
    ///
    /// # Errors
    /// No descriptor is left.
    pub fn new() -> Result<Self, Errno> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        Ok(Self {
            timer: timerfd_create(TimerfdClockId::Monotonic, flags)?,
            set_ns: 0,
        })
    }

    /// Sets it to `at_ns` of `CLOCK_MONOTONIC`; it expires at once if that has passed. Costs nothing if it is set so
    /// already.
    ///
    /// # Errors
    /// The kernel refuses, which it has no reason to.
    pub fn set(&mut self, at_ns: u64) -> Result<(), Errno> {
        // 0 would switch it off.
        let at_ns = at_ns.max(1);
        if at_ns == self.set_ns {
            return Ok(());
        }
        let once = Itimerspec {
            it_interval: timespec(0),
            it_value: timespec(at_ns),
        };
        let _ = timerfd_settime(&self.timer, TimerfdTimerFlags::ABSTIME, &once)?;
        self.set_ns = at_ns;
        Ok(())
    }

    /// It has rung, and will not again before it is set anew.
    pub fn rang(&mut self) {
        self.set_ns = 0;
    }
}

impl AsFd for Timer {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.timer.as_fd()
    }
}
