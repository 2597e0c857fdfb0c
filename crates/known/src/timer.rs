//! Wakes the server in time for a response: the kernel's timer up to a little before it, spinning for the rest.

use std::os::fd::OwnedFd;

use base::clock::timespec;
use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

/// The timer wakes us this long before a response is due: it is late by 5 to 60 us on a virtual CPU that has gone to
/// sleep.
const SPIN_NS: u64 = 60_000;

/// One timer of the kernel, watched by the server's epoll.
#[derive(Debug)]
pub struct Timer {
    descriptor: OwnedFd,
    set_ns: u64,
}

impl Timer {
    /// A timer that is not set. Its events, which carry `data`, mean nothing but that it is time to look again.
    ///
    /// # Errors
    /// The kernel's.
    pub fn new(epoll: &OwnedFd, data: u64) -> Result<Self, Errno> {
        let flags = TimerfdFlags::NONBLOCK | TimerfdFlags::CLOEXEC;
        let descriptor = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        // Edges only: an expiry is reported once and need not be read.
        let flags = EventFlags::IN | EventFlags::ET;
        epoll::add(epoll, &descriptor, EventData::new_u64(data), flags)?;
        Ok(Self {
            descriptor,
            set_ns: 0,
        })
    }

    /// Makes sure that we wake for `due_ns`; false if that is so near that there is no time to sleep.
    ///
    /// # Errors
    /// The kernel's.
    pub fn may_sleep(&mut self, due_ns: u64, now_ns: u64) -> Result<bool, Errno> {
        if due_ns <= now_ns + SPIN_NS {
            return Ok(false);
        }
        if self.set_ns != due_ns {
            self.set_ns = due_ns;
            let when = Itimerspec {
                it_interval: timespec(0),
                it_value: timespec(due_ns - SPIN_NS),
            };
            let _ = timerfd_settime(&self.descriptor, TimerfdTimerFlags::ABSTIME, &when)?;
        }
        Ok(true)
    }
}
