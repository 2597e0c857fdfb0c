//! Durations: whole nanoseconds inside, text with a unit on the command line, seconds in figures.

use std::time::Duration;

/// Nanoseconds in a second.
pub const SECOND_NS: u64 = 1_000_000_000;

/// Nanoseconds in a millisecond.
pub const MS_NS: u64 = 1_000_000;

/// The longest duration that a command line may give, in seconds.
const MOST_S: u64 = 999_999;

/// Read a duration such as `5s`, `0.5s` or `250ms` and return it in ns.
///
/// # Errors
/// The text has no unit, is no duration, or is longer than 999999s.
pub fn parse_ns(text: &str) -> Result<u64, String> {
    if !text.ends_with(|last: char| last.is_ascii_alphabetic()) {
        return Err("it has no unit; write 5s or 250ms".to_owned());
    }
    let duration = humantime::parse_duration(text).ok();
    match duration.filter(|duration| *duration <= Duration::from_secs(MOST_S)) {
        Some(duration) => Ok(whole_ns(duration)),
        None => Err("it is not a time; write 5s, 0.5s or 250ms, at most 999999s".to_owned()),
    }
}

/// Read a duration as [`parse_ns`] does, but refuse 0.
///
/// # Errors
/// As of [`parse_ns`], or the duration is 0.
pub fn parse_above_0_ns(text: &str) -> Result<u64, String> {
    match parse_ns(text)? {
        0 => Err("it must be longer than 0".to_owned()),
        ns => Ok(ns),
    }
}

/// Return nanoseconds as seconds.
#[must_use]
pub fn seconds(ns: u64) -> f64 {
    Duration::from_nanos(ns).as_secs_f64()
}

/// Return a duration in whole nanoseconds, or the largest number if it does not fit (584 years).
#[must_use]
pub fn whole_ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::{parse_above_0_ns, parse_ns, seconds};

    #[test]
    fn durations_are_written_with_their_unit() {
        for (text, ns) in [
            ("5s", 5_000_000_000),
            ("250ms", 250_000_000),
            ("0.25s", 250_000_000),
            ("0.5ms", 500_000),
            ("0s", 0),
            ("2m", 120_000_000_000),
            ("999999s", 999_999_000_000_000),
        ] {
            assert_eq!(parse_ns(text), Ok(ns), "{text}");
        }
    }

    #[test]
    fn text_that_is_no_duration_is_refused() {
        for wrong in [
            "", "5", "s", "ms", ".5s", "-1s", "+1s", "1e3s", "1_0s", "9999999s", "½s", "nan s",
        ] {
            assert!(parse_ns(wrong).is_err(), "{wrong} was taken for a duration");
        }
        assert!(parse_above_0_ns("0ms").is_err() && parse_above_0_ns("1ms").is_ok());
    }

    #[test]
    fn nanoseconds_become_seconds() {
        assert!((seconds(3_000_123_456) - 3.000_123_456).abs() < 1e-12);
    }
}
