//! Sessions: users arrive, each makes so many calls on a connection of its own, and leaves.

use std::collections::VecDeque;

use super::Loop;
use crate::clock::now_ns;
use crate::pool::Pool;
use crate::schedule::Arrivals;
use crate::tally::Course;
use crate::user::{Ask, Ending};

/// The sessions of one thread.
#[derive(Debug)]
pub struct Sessions {
    arrivals: Arrivals,
    until_ns: u64,
    calls: u32,
    think_ns: u64,
    /// Users without a session.
    free: Vec<u32>,
    /// The arrivals of sessions for which there is no connection, in their order.
    queue: VecDeque<u64>,
}

impl Sessions {
    /// Sessions of so many calls arrive until `until_ns`; between an answer and the next call lies this pause.
    pub fn new(arrivals: Arrivals, until_ns: u64, calls: u32, think_ns: u64) -> Self {
        Self {
            arrivals,
            until_ns,
            calls,
            think_ns,
            free: Vec::new(),
            queue: VecDeque::new(),
        }
    }

    fn arrival(&mut self, pool: &mut Pool, intended_ns: u64) {
        let handled_ns = pool.common.now_ns;
        pool.common.tally.began(intended_ns, handled_ns);
        match self.free.pop().or_else(|| pool.enroll()) {
            Some(user) => self.begin(pool, user, intended_ns, handled_ns - intended_ns, false),
            None => self.queue.push_back(intended_ns),
        }
    }

    fn begin(&self, pool: &mut Pool, user: u32, intended_ns: u64, lag_ns: u64, queued: bool) {
        pool.user(user).calls = 1;
        let ask = Ask {
            intended_ns,
            lag_ns,
            queued,
            last: self.calls == 1,
        };
        pool.ask_counted(user, ask);
    }

    fn call(&self, pool: &mut Pool, number: u32, intended_ns: u64) {
        let lag_ns = pool.common.now_ns.saturating_sub(intended_ns);
        let user = pool.user(number);
        user.calls += 1;
        let ask = Ask {
            intended_ns,
            lag_ns,
            queued: false,
            last: user.calls == self.calls,
        };
        pool.ask(number, ask);
    }

    /// The user's session is over; the next one in the queue takes its place.
    fn leave(&mut self, pool: &mut Pool, user: u32) {
        pool.user(user).leave();
        self.tidy(pool);
        match self.queue.pop_front() {
            Some(intended_ns) => self.begin(pool, user, intended_ns, 0, true),
            None => self.free.push(user),
        }
    }

    /// When the next one arrives; none does behind the window.
    fn next_ns(&self) -> u64 {
        match self.arrivals.next_ns() {
            next_ns if next_ns < self.until_ns => next_ns,
            _ => u64::MAX,
        }
    }

    /// Gives up the sessions in the queue whose first call's time is over.
    fn tidy(&mut self, pool: &mut Pool) {
        let done_ns = pool.common.now_ns;
        let too_late_ns = done_ns.saturating_sub(pool.common.timeout_ns);
        while let Some(&intended_ns) = self.queue.front()
            && intended_ns <= too_late_ns
        {
            let _ = self.queue.pop_front();
            let tally = &mut pool.common.tally;
            tally.timed_out(&Course {
                intended_ns,
                queued: true,
                done_ns,
                ..Course::default()
            });
            tally.skipped(u64::from(self.calls - 1), done_ns);
        }
    }
}

impl Loop for Sessions {
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
            pool.common.now_ns = now_ns();
        }
    }

    fn resume(&mut self, pool: &mut Pool, user: u32, since_ns: u64) {
        self.call(pool, user, since_ns);
    }

    fn after(&mut self, pool: &mut Pool, user: u32, ending: &Ending) {
        let made = pool.user(user).calls;
        let next_ns = ending.done_ns + self.think_ns;
        if ending.lost.is_some() {
            let skipped = u64::from(self.calls - made);
            pool.common.tally.skipped(skipped, ending.done_ns);
            self.leave(pool, user);
        } else if made == self.calls || next_ns >= self.until_ns {
            // What would be asked behind the window is asked by nobody.
            self.leave(pool, user);
        } else if self.think_ns == 0 {
            self.call(pool, user, next_ns);
        } else {
            pool.pause(user, next_ns);
        }
    }
}
