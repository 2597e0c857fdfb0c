//! How long requests took, as histograms: one for each second, and one for the whole window.

use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use serde::{Deserialize, Serialize};

use super::encoded::{Encoded, encode, have_equal_bounds};

/// The longest time that is separate from longer ones: a minute, or twice the timeout if that is longer.
const LONGEST_NS: u64 = 60_000_000_000;

/// Three significant digits: quantiles are exact to 0.1 %.
pub(super) const DIGITS: u8 = 3;

const DECILES: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// The times of one kind within a window. Recording allocates nothing.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Encoded")]
pub struct Histograms {
    pub(super) interval: Histogram<u64>,
    pub(super) window: Histogram<u64>,
    pub(super) encoded: Vec<Vec<u8>>,
    pub(super) sum_ns: u128,
    pub(super) longest_ns: u64,
}

/// The summary of a window's times, in ns.
// The unit rides in the name.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Summary {
    /// The arithmetic mean, exact.
    pub mean_ns: u64,
    /// 10, 20, ... 90 of 100 took at most this.
    pub deciles_ns: [u64; 9],
    /// Half took at most this.
    pub p50_ns: u64,
    /// 90 of 100 took at most this.
    pub p90_ns: u64,
    /// 99 of 100 took at most this.
    pub p99_ns: u64,
    /// 999 of 1000 took at most this.
    pub p999_ns: u64,
    /// The longest, exact.
    pub max_ns: u64,
}

impl Serialize for Histograms {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        Encoded::from(self).serialize(to)
    }
}

impl Histograms {
    /// Empty, for requests with this timeout.
    pub fn new(timeout_ns: u64) -> Self {
        let interval = empty(LONGEST_NS.max(timeout_ns.saturating_mul(2)));
        let window = interval.clone();
        Self {
            interval,
            window,
            encoded: Vec::new(),
            sum_ns: 0,
            longest_ns: 0,
        }
    }

    /// Records one time.
    pub fn record(&mut self, time_ns: u64) {
        self.interval.saturating_record(time_ns);
        self.sum_ns += u128::from(time_ns);
        self.longest_ns = self.longest_ns.max(time_ns);
    }

    /// Ends the interval: what came since the one before is kept as a histogram of its own.
    pub fn end_interval(&mut self) {
        // Equal bounds: it cannot fail.
        let added = self.window.add(&self.interval);
        debug_assert!(added.is_ok());
        self.encoded.push(encode(&self.interval));
        self.interval.reset();
    }

    /// Adds the times of another thread, interval by interval; neither has one that has not ended.
    pub fn add(&mut self, other: &Self) {
        let mut intervals: Vec<_> = self.intervals().collect();
        for (number, histogram) in other.intervals().enumerate() {
            match intervals.get_mut(number) {
                Some(own) => {
                    // Equal bounds: it cannot fail.
                    let added = own.add(histogram);
                    debug_assert!(added.is_ok());
                }
                None => intervals.push(histogram),
            }
        }
        self.encoded = intervals.iter().map(encode).collect();
        let added = self.window.add(&other.window);
        debug_assert!(added.is_ok());
        self.sum_ns += other.sum_ns;
        self.longest_ns = self.longest_ns.max(other.longest_ns);
    }

    /// Whether other times can be added to these: whether both were recorded with the same timeout.
    pub fn fits(&self, other: &Self) -> bool {
        have_equal_bounds(&self.window, &other.window)
    }

    /// The histograms of the intervals that have ended, in order.
    pub fn intervals(&self) -> impl Iterator<Item = Histogram<u64>> {
        self.encoded
            .iter()
            .filter_map(|bytes| Deserializer::new().deserialize(&mut bytes.as_slice()).ok())
    }

    /// The summary of the intervals that have ended; `None` if nothing was recorded.
    pub fn summary(&self) -> Option<Summary> {
        if self.window.is_empty() {
            return None;
        }
        let at_most = |share| self.window.value_at_quantile(share).min(self.longest_ns);
        let mean = self.sum_ns / u128::from(self.window.len());
        Some(Summary {
            mean_ns: u64::try_from(mean).unwrap_or(u64::MAX),
            deciles_ns: DECILES.map(at_most),
            p50_ns: at_most(0.5),
            p90_ns: at_most(0.9),
            p99_ns: at_most(0.99),
            p999_ns: at_most(0.999),
            max_ns: self.longest_ns,
        })
    }
}

/// An empty histogram from 1 ns to `longest_ns`.
fn empty(longest_ns: u64) -> Histogram<u64> {
    Histogram::new_with_bounds(1, longest_ns, DIGITS)
        .unwrap_or_else(|error| unreachable!("1 to {longest_ns} ns in 3 digits: {error}"))
}

#[cfg(test)]
mod tests {
    use super::Histograms;

    #[test]
    fn nothing_recorded_is_no_summary() {
        let mut times = Histograms::new(1);
        times.end_interval();
        assert_eq!(times.summary(), None);
    }

    #[test]
    fn quantiles_mean_and_maximum_are_those_of_all_intervals() {
        let mut times = Histograms::new(5_000_000_000);
        for time in 1..=1000 {
            times.record(time * 1000);
            if time % 300 == 0 {
                times.end_interval();
            }
        }
        times.end_interval();
        let summary = times.summary().expect("a summary");
        assert_eq!((summary.mean_ns, summary.max_ns), (500_500, 1_000_000));
        for (seen, due) in [
            (summary.p50_ns, 500_000),
            (summary.p90_ns, 900_000),
            (summary.p99_ns, 990_000),
        ] {
            assert!(
                seen.abs_diff(due) <= due / 1000,
                "{seen} is not {due} within 0.1 %"
            );
        }
        assert_eq!(
            times.intervals().map(|each| each.len()).collect::<Vec<_>>(),
            [300, 300, 300, 100]
        );
    }

    #[test]
    fn a_time_beyond_the_longest_is_counted_and_its_maximum_exact() {
        let mut times = Histograms::new(1_000_000);
        times.record(500_000_000_000);
        times.end_interval();
        let summary = times.summary().expect("a summary");
        assert_eq!(
            (summary.max_ns, summary.mean_ns),
            (500_000_000_000, 500_000_000_000)
        );
    }
}
