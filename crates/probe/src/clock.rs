//! The one clock: nanoseconds of `CLOCK_MONOTONIC`, and CPU time in the same unit.

use std::time::Duration;

use rustix::time::{ClockId, Timespec, clock_gettime};

/// One tick of `/proc`'s CPU times: `USER_HZ` is 100 on every architecture that Debian builds for.
pub const TICK_NS: u64 = 10_000_000;

/// Now, on `CLOCK_MONOTONIC`.
#[must_use]
pub fn now_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// CPU time of this process so far, all of its threads together.
#[must_use]
pub fn own_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ProcessCPUTime))
}

/// CPU time of the calling thread so far.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// Nanoseconds as seconds.
#[must_use]
pub fn seconds(ns: u64) -> f64 {
    Duration::from_nanos(ns).as_secs_f64()
}

/// A duration in whole nanoseconds; the largest number where it does not fit (584 years).
#[must_use]
pub fn whole_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn nanoseconds(time: Timespec) -> u64 {
    let whole = u64::try_from(time.tv_sec).unwrap_or(0);
    let rest = u64::try_from(time.tv_nsec).unwrap_or(0);
    whole * 1_000_000_000 + rest
}
