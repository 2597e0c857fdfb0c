//! Sessions: users arrive, each makes a number of calls on its own connection, and leaves.

use base::clock::now_ns;

use super::Loop;
use super::arrival_queue::ArrivalQueue;
use crate::dialogue::Dialogue;
use crate::distribution::arrivals::Arrivals;
use crate::drive::pool::Pool;
use crate::drive::user::{IntendedRequest, RequestEnd};

/// The sessions of one thread.
#[derive(Debug)]
pub struct Sessions {
    line: ArrivalQueue,
    calls: u32,
    think_ns: u64,
    /// Users without a session.
    free: Vec<u32>,
}

impl Sessions {
    /// Sessions of `calls` calls arrive until `until_ns`; `think_ns` is the pause between a response and the next call.
    pub fn new(arrivals: Arrivals, until_ns: u64, calls: u32, think_ns: u64) -> Self {
        Self {
            line: ArrivalQueue::new(arrivals, until_ns),
            calls,
            think_ns,
            free: Vec::new(),
        }
    }

    fn arrival<D: Dialogue>(&mut self, pool: &mut Pool<D>, intended_ns: u64) {
        let handled_ns = pool.thread.now_ns;
        pool.thread.tally.began(intended_ns, handled_ns);
        match self.free.pop().or_else(|| pool.enroll()) {
            Some(user) => self.begin(pool, user, intended_ns, handled_ns - intended_ns, false),
            None => self.line.wait(intended_ns),
        }
    }

    fn begin<D: Dialogue>(
        &self,
        pool: &mut Pool<D>,
        user: u32,
        intended_ns: u64,
        lag_ns: u64,
        queued: bool,
    ) {
        pool.user(user).calls = 1;
        let ask = IntendedRequest {
            intended_ns,
            lag_ns,
            queued,
            first: true,
            last: self.calls == 1,
        };
        pool.ask_counted(user, ask);
    }

    fn call<D: Dialogue>(&self, pool: &mut Pool<D>, number: u32, intended_ns: u64) {
        let lag_ns = pool.thread.now_ns.saturating_sub(intended_ns);
        let user = pool.user(number);
        user.calls += 1;
        let ask = IntendedRequest {
            intended_ns,
            lag_ns,
            queued: false,
            first: false,
            last: user.calls == self.calls,
        };
        pool.ask(number, ask);
    }

    /// The user's session is over; the next one in the queue takes its place.
    fn leave<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32) {
        pool.user(user).leave();
        match self.line.first(pool, self.calls) {
            Some(intended_ns) => self.begin(pool, user, intended_ns, 0, true),
            None => self.free.push(user),
        }
    }
}

impl Loop for Sessions {
    fn due_ns<D: Dialogue>(&self, pool: &Pool<D>) -> u64 {
        self.line.due_ns(pool.thread.timeout_ns)
    }

    fn arrive<D: Dialogue>(&mut self, pool: &mut Pool<D>) {
        self.line.give_up(pool, self.calls);
        while let Some(intended_ns) = self.line.arrived(pool.thread.now_ns) {
            self.arrival(pool, intended_ns);
            pool.thread.now_ns = now_ns();
        }
    }

    fn resume<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, since_ns: u64) {
        self.call(pool, user, since_ns);
    }

    fn after<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, ending: &RequestEnd) {
        let made = pool.user(user).calls;
        let next_ns = ending.done_ns + self.think_ns;
        if ending.ends_session {
            let skipped = u64::from(self.calls - made);
            pool.thread.tally.skipped(skipped, ending.done_ns);
            self.leave(pool, user);
        } else if made == self.calls || !self.line.takes(next_ns) {
            // Requests after the window are not sent.
            self.leave(pool, user);
        } else if self.think_ns == 0 {
            self.call(pool, user, next_ns);
        } else {
            pool.pause(user, next_ns);
        }
    }
}
