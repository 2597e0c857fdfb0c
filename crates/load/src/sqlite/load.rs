//! The load as all threads see it: when it begins and ends.

use std::sync::atomic::{AtomicU64, Ordering};

use base::clock::{now_ns, sleep_until};

use super::arrival_queue::ArrivalQueue;
use super::counts::Counts;
use crate::tally::Rules;

/// If a number of requests ends the load, how often a thread that sleeps checks whether it has ended.
const LOOK_NS: u64 = 10_000_000;

/// When requests are sent.
#[derive(Debug)]
pub enum RequestSource {
    /// Each thread is a user, who pauses this long between a response and the next request.
    Users {
        /// The pause in ns.
        think_ns: u64,
    },
    /// Requests arrive, and are handed to whichever thread is free.
    ArrivalQueue(ArrivalQueue),
}

/// The load.
#[derive(Debug)]
pub struct Load {
    /// When it begins.
    pub began_ns: u64,
    /// What is counted, and how.
    pub rules: Rules,
    /// The counts so far.
    pub counts: Counts,
    /// When requests are sent.
    pub asks: RequestSource,
    /// When requests under way are abandoned; the end of time if they are waited for.
    abandons_ns: u64,
    /// The number of requests of the window that ends it, if time does not.
    requests: Option<u64>,
    /// Requests of the window that have ended.
    ended: AtomicU64,
    /// When that many had ended; the end of time before.
    ended_ns: AtomicU64,
}

impl Load {
    /// A load that has not begun. Requests under way at the window's end are waited for if `drains` is true.
    pub fn new(
        began_ns: u64,
        counts: Counts,
        asks: RequestSource,
        drains: bool,
        requests: Option<u64>,
    ) -> Self {
        let rules = counts.rules;
        Self {
            began_ns,
            rules,
            counts,
            asks,
            abandons_ns: if drains {
                u64::MAX
            } else {
                rules.window.until_ns
            },
            requests,
            ended: AtomicU64::new(0),
            ended_ns: AtomicU64::new(u64::MAX),
        }
    }

    /// When all stop, whatever is under way then.
    pub fn stops_ns(&self) -> u64 {
        self.abandons_ns.min(self.ended_ns.load(Ordering::Relaxed))
    }

    /// When the window closes, or has closed.
    pub fn closes_ns(&self) -> u64 {
        let ended_ns = self.ended_ns.load(Ordering::Relaxed);
        self.rules.window.until_ns.min(ended_ns)
    }

    /// A request has ended at `done_ns`, and is one of the requested number; false if it is one too many.
    pub fn is_one(&self, done_ns: u64) -> bool {
        let Some(most) = self.requests else {
            return true;
        };
        if done_ns < self.rules.window.from_ns {
            return true;
        }
        let number = 1 + self.ended.fetch_add(1, Ordering::SeqCst);
        if number == most {
            // Read only now, no instant of a request that counts is later.
            self.ended_ns.store(now_ns() + 1, Ordering::SeqCst);
        }
        number <= most
    }

    /// Sleeps until the instant, or until all stop; false if they have.
    pub fn sleep_until(&self, at_ns: u64) -> bool {
        loop {
            let (now_ns, stops_ns) = (now_ns(), self.stops_ns());
            if now_ns >= stops_ns {
                return false;
            }
            if now_ns >= at_ns {
                return true;
            }
            let next_ns = at_ns.min(stops_ns);
            let look_ns = self.requests.map_or(u64::MAX, |_| now_ns + LOOK_NS);
            sleep_until(next_ns.min(look_ns));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Counts, Load, RequestSource, Rules, now_ns};
    use crate::tally::window::Window;
    use base::durations::SECOND_NS;

    fn load(until_ns: u64, drains: bool, requests: Option<u64>) -> Load {
        let rules = Rules {
            window: Window {
                from_ns: 100,
                until_ns,
            },
            scheduled: false,
            timeout_ns: SECOND_NS,
            late_after_ns: None,
            keeps_seconds: false,
            keeps_instants: false,
        };
        let counts = Counts::new(rules, Vec::new(), 1);
        let asks = RequestSource::Users { think_ns: 0 };
        Load::new(0, counts, asks, drains, requests)
    }

    #[test]
    fn the_number_of_requests_ends_the_load_and_no_more_count() {
        let load = load(u64::MAX, false, Some(3));
        assert!(load.is_one(99), "before the window all may end");
        let before_ns = now_ns();
        let counted: Vec<bool> = [100, 101, 102, 103]
            .map(|done_ns| load.is_one(done_ns))
            .into();
        assert_eq!(counted, [true, true, true, false]);
        assert!((before_ns..=now_ns() + 1).contains(&load.stops_ns()));
        assert_eq!(load.closes_ns(), load.stops_ns());
        assert!(!load.sleep_until(u64::MAX), "it would sleep for ever");
    }

    #[test]
    fn time_ends_the_load_where_no_number_does() {
        let soon_ns = now_ns() + 20_000_000;
        let abandoning = load(soon_ns, false, None);
        assert!((0..10).all(|_| abandoning.is_one(500)));
        assert_eq!(
            (abandoning.stops_ns(), abandoning.closes_ns()),
            (soon_ns, soon_ns)
        );
        assert!(!abandoning.sleep_until(u64::MAX));
        assert!(now_ns() >= soon_ns);
        let draining = load(soon_ns, true, None);
        assert_eq!(
            (draining.stops_ns(), draining.closes_ns()),
            (u64::MAX, soon_ns)
        );
        assert!(draining.sleep_until(now_ns() + 1000));
    }
}
