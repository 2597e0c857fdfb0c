//! How a thread waits for its connections, and the time that it spent in vain.
//!
//! A thread that sleeps must be woken by the server's CPU for every response, which costs the server time. A thread with
//! a CPU of its own need not sleep: it asks the kernel again and again, and what it asked in vain is not its work.

use std::hint::spin_loop;

use base::clock::now_ns;
use clap::ValueEnum;
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, Event};
use rustix::fd::AsFd;
use rustix::io::Errno;

/// How a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Poll {
    /// It polls again and again, for a CPU that nothing else needs.
    Busy,
    /// It sleeps until something happens.
    Sleep,
}

/// An empty poll takes about a microsecond. One that seems to take longer than this was interrupted: by another program or
/// the hypervisor, which had the CPU then.
const LONGEST_NS: u64 = 20_000;

/// At once.
const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Sleeps until there are events.
///
/// # Errors
/// The kernel refuses to wait.
pub fn sleep(epoll: impl AsFd, events: &mut Vec<Event>) -> Result<(), Errno> {
    look(epoll, events, None)
}

/// Polls until there are events or the instant has come. Returns the time now and how long polls found nothing, in ns.
///
/// # Errors
/// The kernel refuses to look.
pub fn busy(epoll: impl AsFd, events: &mut Vec<Event>, until_ns: u64) -> Result<(u64, u64), Errno> {
    let (mut at_ns, mut empty_ns) = (now_ns(), 0);
    loop {
        look(&epoll, events, Some(&NOW))?;
        if !events.is_empty() {
            return Ok((at_ns, empty_ns));
        }
        // The other thread of this core, if it has one, gets what this one does not need.
        spin_loop();
        let after_ns = now_ns();
        empty_ns += (after_ns - at_ns).min(LONGEST_NS);
        at_ns = after_ns;
        if at_ns >= until_ns {
            return Ok((at_ns, empty_ns));
        }
    }
}

fn look(epoll: impl AsFd, events: &mut Vec<Event>, within: Option<&Timespec>) -> Result<(), Errno> {
    match epoll::wait(epoll, spare_capacity(events), within) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(errno) => Err(errno),
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NS, busy, now_ns};
    use crate::drive::timer::Timer;
    use base::clock::thread_cpu_ns;
    use rustix::event::epoll::{self, CreateFlags, EventData, EventFlags};

    #[test]
    fn polls_that_find_nothing_are_nearly_all_that_such_a_wait_uses() {
        let epoll = epoll::create(CreateFlags::CLOEXEC).expect("an epoll");
        let mut events = Vec::with_capacity(1);
        let (began_ns, before_ns) = (now_ns(), thread_cpu_ns());
        let until_ns = began_ns + 50_000_000;
        let (at_ns, empty_ns) = busy(&epoll, &mut events, until_ns).expect("a look");
        let used_ns = thread_cpu_ns() - before_ns;
        assert!(at_ns >= until_ns && events.is_empty());
        assert!(empty_ns <= at_ns - began_ns);
        // Each time that another program had the CPU, it is wrong by at most the longest poll.
        let off_ns = used_ns.abs_diff(empty_ns);
        assert!(
            off_ns < used_ns / 10 + 20 * LONGEST_NS,
            "{empty_ns} of {used_ns} ns"
        );
    }

    #[test]
    fn what_is_there_already_is_found_at_once() {
        let epoll = epoll::create(CreateFlags::CLOEXEC).expect("an epoll");
        let mut timer = Timer::new().expect("a timer");
        epoll::add(&epoll, &timer, EventData::new_u64(7), EventFlags::IN).expect("watched");
        timer.set(1).expect("set");
        let mut events = Vec::with_capacity(1);
        let (_, empty_ns) = busy(&epoll, &mut events, u64::MAX).expect("a look");
        assert_eq!((events.len(), empty_ns), (1, 0));
    }
}
