//! The measured stretch of time, and what was under way in it.

use serde::{Deserialize, Serialize};

/// From one instant (included) to another (excluded), in ns of `CLOCK_MONOTONIC`.
// The unit rides in the name.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The first instant that belongs to it.
    pub from_ns: u64,
    /// The first that no longer does; the end of time if the number of requests ends it.
    pub until_ns: u64,
}

impl Window {
    /// Whether the instant is in the window.
    pub fn holds(&self, at_ns: u64) -> bool {
        self.from_ns <= at_ns && at_ns < self.until_ns
    }

    /// How far into the window the instant is: 0 before it, its whole length after it.
    pub fn offset_ns(&self, at_ns: u64) -> u64 {
        at_ns.clamp(self.from_ns, self.until_ns) - self.from_ns
    }
}

/// Requests under way: their number summed over time. It knows neither response times nor
/// counts, so that Little's law has something to be checked with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnderWay {
    count: i64,
    /// What has ended less what has begun, each as far into the window as it happened.
    area_ns: i128,
}

impl UnderWay {
    /// A request begins at this instant.
    pub fn begin(&mut self, window: &Window, at_ns: u64) {
        self.count += 1;
        self.area_ns -= i128::from(window.offset_ns(at_ns));
    }

    /// One ends at this instant.
    pub fn end(&mut self, window: &Window, at_ns: u64) {
        self.count -= 1;
        self.area_ns += i128::from(window.offset_ns(at_ns));
    }

    /// Adds what another thread had under way.
    pub fn add(&mut self, other: &Self) {
        self.count += other.count;
        self.area_ns += other.area_ns;
    }

    /// The time that all requests together were under way within a window of this length, in ns.
    pub fn total_ns(&self, length_ns: u64) -> i128 {
        self.area_ns + i128::from(self.count) * i128::from(length_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::{UnderWay, Window};

    const WINDOW: Window = Window {
        from_ns: 100,
        until_ns: 200,
    };

    #[test]
    fn a_window_holds_its_beginning_and_not_its_end() {
        let held: Vec<u64> = [99, 100, 199, 200]
            .into_iter()
            .filter(|&at| WINDOW.holds(at))
            .collect();
        assert_eq!(held, [100, 199]);
        assert_eq!(
            [0, 100, 150, 200, 900].map(|at| WINDOW.offset_ns(at)),
            [0, 0, 50, 100, 100]
        );
    }

    #[test]
    fn what_is_under_way_counts_for_its_time_within_the_window() {
        let mut under_way = UnderWay::default();
        for (begin, end) in [(10, 20), (90, 110), (120, 150), (190, 260), (210, 220)] {
            under_way.begin(&WINDOW, begin);
            under_way.end(&WINDOW, end);
        }
        under_way.begin(&WINDOW, 170);
        assert_eq!(under_way.total_ns(100), 10 + 30 + 10 + 30);
    }
}
