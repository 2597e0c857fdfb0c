//! The one clock: nanoseconds of `CLOCK_MONOTONIC`.

use rustix::time::{ClockId, clock_gettime};

/// Nanoseconds in a millisecond.
pub const MS: u64 = 1_000_000;

/// Now, in ns of `CLOCK_MONOTONIC`.
pub fn now_ns() -> u64 {
    let time = clock_gettime(ClockId::Monotonic);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let rest = u64::try_from(time.tv_nsec).unwrap_or(0);
    seconds * 1_000_000_000 + rest
}
