//! The one clock: nanoseconds of `CLOCK_MONOTONIC`, and CPU time in the same unit.

use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

use crate::durations::SECOND_NS;

/// Return the time now, in ns of `CLOCK_MONOTONIC`.
#[must_use]
pub fn now_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Return the CPU time that this thread has used so far, user and system, in ns.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// Return the CPU time that all threads of this process have used so far, user and system, in ns.
#[must_use]
pub fn process_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

/// Sleep until an instant of `CLOCK_MONOTONIC`, in ns. Return at once if it has passed.
pub fn sleep_until(at_ns: u64) {
    let at = timespec(at_ns);
    while clock_nanosleep_absolute(ClockId::Monotonic, &at) == Err(Errno::INTR) {}
}

/// Return nanoseconds as the kernel's structure.
#[must_use]
pub fn timespec(ns: u64) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(ns / SECOND_NS).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(ns % SECOND_NS).unwrap_or(0),
    }
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds * SECOND_NS + u64::try_from(time.tv_nsec).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{now_ns, process_cpu_ns, sleep_until, thread_cpu_ns};

    #[test]
    fn a_sleep_ends_at_its_instant_or_later() {
        let at_ns = now_ns() + 2_000_000;
        sleep_until(at_ns);
        assert!(now_ns() >= at_ns);
        sleep_until(0);
    }

    #[test]
    fn a_process_has_used_at_least_the_cpu_time_of_its_threads() {
        let thread_ns = thread_cpu_ns();
        assert!(thread_ns > 0 && process_cpu_ns() >= thread_ns);
    }
}
