//! The one clock: nanoseconds of `CLOCK_MONOTONIC`, and the CPU time of a thread.

use rustix::io::Errno;
use rustix::thread::clock_nanosleep_absolute;
use rustix::time::{ClockId, Timespec, clock_gettime};

/// Nanoseconds in a second.
pub const SECOND_NS: u64 = 1_000_000_000;

/// Now, in ns of `CLOCK_MONOTONIC`.
pub fn now_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// CPU time that this thread has used so far, user and system, in ns.
pub fn thread_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// CPU time that all threads of this process have used so far, user and system, in ns.
pub fn process_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

/// Sleeps until the instant, in ns of `CLOCK_MONOTONIC`; not at all where that is over.
pub fn sleep_until(at_ns: u64) {
    let at = timespec(at_ns);
    while clock_nanosleep_absolute(ClockId::Monotonic, &at) == Err(Errno::INTR) {}
}

/// `duration_ns` as the kernel wants it.
pub fn timespec(duration_ns: u64) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration_ns / SECOND_NS).unwrap_or(i64::MAX),
        tv_nsec: i64::try_from(duration_ns % SECOND_NS).unwrap_or(0),
    }
}

fn nanoseconds(time: Timespec) -> u64 {
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    seconds * SECOND_NS + u64::try_from(time.tv_nsec).unwrap_or(0)
}
