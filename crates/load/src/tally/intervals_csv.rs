//! The interval log for people and spreadsheets (`--intervals`): what happened in each second of the window, as CSV.

use std::fmt::Write as _;
use std::num::NonZeroU32;

use base::durations::{SECOND_NS, seconds};
use serde::{Deserialize, Serialize};

use crate::tally::window::Window;

/// What happened in one second, each thing at its own instant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Second {
    /// Requests intended.
    pub scheduled: u64,
    /// Requests that left.
    pub sent: u64,
    /// Correct responses.
    pub right: u64,
    /// Errors.
    pub errors: u64,
    /// Correct responses that came late.
    pub late: u64,
    begun: u64,
    ended: u64,
    /// How long polls found nothing; a stretch of them counts in the second in which it ended.
    empty_ns: u64,
}

/// The seconds of a window.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seconds {
    /// Before the window: only what was still under way when it opened is of interest.
    before: Second,
    seconds: Vec<Second>,
}

impl Seconds {
    /// A request begins, and is scheduled if there is a schedule.
    pub fn begin(&mut self, window: &Window, at_ns: u64, scheduled: bool) {
        if let Some(second) = self.at(window, at_ns) {
            second.begun += 1;
            second.scheduled += u64::from(scheduled);
        }
    }

    /// A request ends, which was sent at some time or never.
    pub fn end(
        &mut self,
        window: &Window,
        sent_ns: Option<u64>,
        ended_ns: u64,
        right: bool,
        late: bool,
    ) {
        if let Some(second) = sent_ns.and_then(|at_ns| self.at(window, at_ns)) {
            second.sent += 1;
        }
        if let Some(second) = self.at(window, ended_ns) {
            second.ended += 1;
            second.right += u64::from(right);
            second.errors += u64::from(!right);
            second.late += u64::from(late);
        }
    }

    /// Polls that ended at this instant found nothing for so long.
    pub fn wait(&mut self, window: &Window, at_ns: u64, empty_ns: u64) {
        if let Some(second) = self.at(window, at_ns) {
            second.empty_ns += empty_ns;
        }
    }

    /// Adds the seconds of another thread.
    pub fn add(&mut self, other: &Self) {
        let more = other.seconds.len().max(self.seconds.len());
        self.seconds.resize(more, Second::default());
        let pairs = self.seconds.iter_mut().zip(&other.seconds);
        for (own, other) in pairs.chain([(&mut self.before, &other.before)]) {
            own.scheduled += other.scheduled;
            own.sent += other.sent;
            own.right += other.right;
            own.errors += other.errors;
            own.late += other.late;
            own.begun += other.begun;
            own.ended += other.ended;
            own.empty_ns += other.empty_ns;
        }
    }

    /// One line a second of a window of this length, after a line of names; `t_s` is the second's beginning, counted
    /// from the window's, and `in_flight` what was under way at its end. `idle_share` is the share of the second that polls
    /// found nothing, the mean over this many threads that poll; empty without such.
    pub fn csv(&self, length_ns: u64, polling: Option<NonZeroU32>) -> String {
        let mut text = "t_s,scheduled,sent,right,errors,late,in_flight,idle_share\n".to_owned();
        let (mut begun, mut ended) = (self.before.begun, self.before.ended);
        let count = usize::try_from(length_ns.div_ceil(SECOND_NS)).unwrap_or(usize::MAX);
        let none = std::iter::repeat(Second::default());
        for (number, second) in self
            .seconds
            .iter()
            .copied()
            .chain(none)
            .take(count)
            .enumerate()
        {
            begun += second.begun;
            ended += second.ended;
            let Second {
                scheduled,
                sent,
                right,
                errors,
                late,
                ..
            } = second;
            let in_flight = begun.saturating_sub(ended);
            let from_ns = number_ns(number);
            let idle = polling.map_or_else(String::new, |threads| {
                let time_ns = (length_ns - from_ns).min(SECOND_NS) * u64::from(threads.get());
                format!(
                    "{:.3}",
                    (seconds(second.empty_ns) / seconds(time_ns)).min(1.0)
                )
            });
            // Writing to a text cannot fail.
            let _ = writeln!(
                text,
                "{number},{scheduled},{sent},{right},{errors},{late},{in_flight},{idle}"
            );
        }
        text
    }

    /// The second of this instant; `None` after the window.
    fn at(&mut self, window: &Window, at_ns: u64) -> Option<&mut Second> {
        if at_ns < window.from_ns {
            return Some(&mut self.before);
        }
        if at_ns >= window.until_ns {
            return None;
        }
        let number = usize::try_from((at_ns - window.from_ns) / SECOND_NS).ok()?;
        if number >= self.seconds.len() {
            self.seconds.resize(number + 1, Second::default());
        }
        self.seconds.get_mut(number)
    }
}

/// The beginning of the second of this number, from the window's.
fn number_ns(number: usize) -> u64 {
    u64::try_from(number).map_or(u64::MAX, |number| number.saturating_mul(SECOND_NS))
}

#[cfg(test)]
mod tests {
    use super::{NonZeroU32, SECOND_NS, Seconds, Window};

    #[test]
    fn each_second_has_what_happened_in_it_and_what_was_under_way_at_its_end() {
        let window = Window {
            from_ns: SECOND_NS,
            until_ns: 4 * SECOND_NS,
        };
        let s = |tenths: u64| tenths * SECOND_NS / 10;
        let mut one = Seconds::default();
        one.begin(&window, s(9), true);
        one.end(&window, Some(s(9)), s(11), true, true);
        one.begin(&window, s(15), true);
        one.end(&window, Some(s(16)), s(35), false, false);
        let mut other = Seconds::default();
        other.begin(&window, s(39), true);
        other.end(&window, None, s(45), false, false);
        one.add(&other);
        let text = one.csv(3 * SECOND_NS, None);
        assert_eq!(
            text,
            "t_s,scheduled,sent,right,errors,late,in_flight,idle_share\n\
             0,1,1,1,0,1,1,\n1,0,0,0,0,0,1,\n2,1,0,0,1,0,1,\n"
        );
    }

    #[test]
    fn seconds_in_which_nothing_happened_are_there_too() {
        let text = Seconds::default().csv(1_500_000_000, None);
        assert_eq!(text.lines().count(), 3);
        assert!(text.ends_with("1,0,0,0,0,0,0,\n"));
    }

    #[test]
    fn polls_that_found_nothing_are_a_share_of_their_second_and_of_all_threads() {
        let window = Window {
            from_ns: SECOND_NS,
            until_ns: 2 * SECOND_NS + SECOND_NS / 2,
        };
        let (mut one, mut other) = (Seconds::default(), Seconds::default());
        one.wait(&window, SECOND_NS - 1, SECOND_NS);
        one.wait(&window, SECOND_NS + 1, SECOND_NS / 4);
        other.wait(&window, 2 * SECOND_NS, SECOND_NS / 2);
        one.add(&other);
        let text = one.csv(SECOND_NS + SECOND_NS / 2, NonZeroU32::new(2));
        let shares: Vec<_> = text
            .lines()
            .filter_map(|line| line.rsplit(',').next())
            .collect();
        assert_eq!(shares, ["idle_share", "0.125", "0.500"]);
    }
}
