//! Who comes and who waits: arrivals until the window ends, and those of them that no connection was free for.

use std::collections::VecDeque;

use crate::dialogue::Dialogue;
use crate::distribution::arrivals::Arrivals;
use crate::drive::pool::Pool;
use crate::tally::RequestTimes;

/// The arrivals of one thread, to come and waiting.
#[derive(Debug)]
pub(super) struct ArrivalQueue {
    arrivals: Arrivals,
    until_ns: u64,
    /// The intended instants of those that wait, in their order.
    waiting: VecDeque<u64>,
}

impl ArrivalQueue {
    /// Arrivals come until `until_ns`.
    pub(super) fn new(arrivals: Arrivals, until_ns: u64) -> Self {
        Self {
            arrivals,
            until_ns,
            waiting: VecDeque::new(),
        }
    }

    /// Whether something arrives at this instant, in ns of `CLOCK_MONOTONIC`; nothing does after the window.
    pub(super) fn takes(&self, instant_ns: u64) -> bool {
        instant_ns < self.until_ns
    }

    /// When the next one arrives or the first that waits is given up, in ns of `CLOCK_MONOTONIC`.
    pub(super) fn due_ns(&self, timeout_ns: u64) -> u64 {
        let given_up = self.waiting.front().map(|since_ns| since_ns + timeout_ns);
        self.next_ns().min(given_up.unwrap_or(u64::MAX))
    }

    /// The intended instant of the next one, if it has arrived by `now_ns`.
    pub(super) fn arrived(&mut self, now_ns: u64) -> Option<u64> {
        let next_ns = self.next_ns();
        if next_ns > now_ns {
            return None;
        }
        self.arrivals.advance();
        Some(next_ns)
    }

    /// Lets one wait that was meant to be sent at this instant.
    pub(super) fn wait(&mut self, intended_ns: u64) {
        self.waiting.push_back(intended_ns);
    }

    /// The first that waits, after those whose time is over were given up.
    pub(super) fn first<D: Dialogue>(&mut self, pool: &mut Pool<D>, calls: u32) -> Option<u64> {
        self.give_up(pool, calls);
        self.waiting.pop_front()
    }

    /// Gives up those that wait and whose time is over; each has this many calls, of which the first timed out.
    pub(super) fn give_up<D: Dialogue>(&mut self, pool: &mut Pool<D>, calls: u32) {
        let done_ns = pool.thread.now_ns;
        let too_late_ns = done_ns.saturating_sub(pool.thread.timeout_ns);
        while let Some(&intended_ns) = self.waiting.front()
            && intended_ns <= too_late_ns
        {
            let _ = self.waiting.pop_front();
            let tally = &mut pool.thread.tally;
            tally.timed_out(&RequestTimes {
                intended_ns,
                queued: true,
                done_ns,
                ..RequestTimes::default()
            });
            tally.skipped(u64::from(calls - 1), done_ns);
        }
    }

    fn next_ns(&self) -> u64 {
        let next_ns = self.arrivals.next_ns();
        if self.takes(next_ns) {
            next_ns
        } else {
            u64::MAX
        }
    }
}
