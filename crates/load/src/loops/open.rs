//! The open loop: requests arrive whether or not earlier ones were answered, and take any connection that is free.

use std::collections::VecDeque;

use super::Loop;
use crate::clock::now_ns;
use crate::pool::Pool;
use crate::schedule::Arrivals;
use crate::tally::Course;
use crate::user::{Ask, Ending};

/// The open loop of one thread.
#[derive(Debug)]
pub struct Open {
    arrivals: Arrivals,
    until_ns: u64,
    /// Users with a connection and no request; the one used last is asked first.
    idle: Vec<u32>,
    /// Users with neither.
    bare: Vec<u32>,
    /// The intended instants of requests for which no connection is free, in their order.
    queue: VecDeque<u64>,
}

impl Open {
    /// Requests arrive until `until_ns`.
    pub fn new(arrivals: Arrivals, until_ns: u64) -> Self {
        Self {
            arrivals,
            until_ns,
            idle: Vec::new(),
            bare: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    fn arrival(&mut self, pool: &mut Pool, intended_ns: u64) {
        let handled_ns = pool.common.now_ns;
        let free = self.idle.pop().or_else(|| self.bare.pop());
        let Some(user) = free.or_else(|| pool.enroll()) else {
            pool.common.tally.began(intended_ns, handled_ns);
            self.queue.push_back(intended_ns);
            return;
        };
        let ask = Ask {
            intended_ns,
            lag_ns: handled_ns - intended_ns,
            queued: false,
            last: false,
        };
        pool.ask(user, ask);
    }

    /// When the next one arrives; none does behind the window.
    fn next_ns(&self) -> u64 {
        match self.arrivals.next_ns() {
            next_ns if next_ns < self.until_ns => next_ns,
            _ => u64::MAX,
        }
    }

    /// Gives up those in the queue whose time is over.
    fn tidy(&mut self, pool: &mut Pool) {
        let done_ns = pool.common.now_ns;
        let too_late_ns = done_ns.saturating_sub(pool.common.timeout_ns);
        while let Some(&intended_ns) = self.queue.front()
            && intended_ns <= too_late_ns
        {
            let _ = self.queue.pop_front();
            pool.common.tally.timed_out(&Course {
                intended_ns,
                queued: true,
                done_ns,
                ..Course::default()
            });
        }
    }
}

impl Loop for Open {
    fn due_ns(&self, pool: &Pool) -> u64 {
        let timeout_ns = pool.common.timeout_ns;
        let timeout = self
            .queue
            .front()
            .map(|intended_ns| intended_ns + timeout_ns);
        self.next_ns().min(timeout.unwrap_or(u64::MAX))
    }

    fn arrive(&mut self, pool: &mut Pool) {
        self.tidy(pool);
        loop {
            let next_ns = self.next_ns();
            if next_ns > pool.common.now_ns {
                return;
            }
            self.arrivals.advance();
            self.arrival(pool, next_ns);
            // Sending took its time: the next one's lag is told from here.
            pool.common.now_ns = now_ns();
        }
    }

    fn resume(&mut self, _pool: &mut Pool, _user: u32, _since_ns: u64) {
        unreachable!("nobody pauses in the open loop");
    }

    fn after(&mut self, pool: &mut Pool, user: u32, ending: &Ending) {
        self.tidy(pool);
        if let Some(intended_ns) = self.queue.pop_front() {
            let ask = Ask {
                intended_ns,
                lag_ns: 0,
                queued: true,
                last: false,
            };
            pool.ask_counted(user, ask);
        } else if ending.lost.is_some() {
            self.bare.push(user);
        } else {
            self.idle.push(user);
        }
    }
}
