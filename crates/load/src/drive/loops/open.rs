//! The open loop: requests arrive whether or not earlier ones were answered, and take any connection that is free.

use base::clock::now_ns;

use super::Loop;
use super::arrival_queue::ArrivalQueue;
use crate::dialogue::Dialogue;
use crate::distribution::arrivals::Arrivals;
use crate::drive::pool::Pool;
use crate::drive::user::{IntendedRequest, RequestEnd};

/// The open loop of one thread.
#[derive(Debug)]
pub struct Open {
    line: ArrivalQueue,
    /// Users with a connection and no request; the one used last is used first.
    idle: Vec<u32>,
    /// Users with neither.
    bare: Vec<u32>,
}

impl Open {
    /// Requests arrive until `until_ns`.
    pub fn new(arrivals: Arrivals, until_ns: u64) -> Self {
        Self {
            line: ArrivalQueue::new(arrivals, until_ns),
            idle: Vec::new(),
            bare: Vec::new(),
        }
    }

    fn arrival<D: Dialogue>(&mut self, pool: &mut Pool<D>, intended_ns: u64) {
        let handled_ns = pool.thread.now_ns;
        let free = self.idle.pop().or_else(|| self.bare.pop());
        let Some(user) = free.or_else(|| pool.enroll()) else {
            pool.thread.tally.began(intended_ns, handled_ns);
            self.line.wait(intended_ns);
            return;
        };
        let ask = IntendedRequest {
            intended_ns,
            lag_ns: handled_ns - intended_ns,
            queued: false,
            first: true,
            last: false,
        };
        pool.ask(user, ask);
    }
}

impl Loop for Open {
    fn due_ns<D: Dialogue>(&self, pool: &Pool<D>) -> u64 {
        self.line.due_ns(pool.thread.timeout_ns)
    }

    fn arrive<D: Dialogue>(&mut self, pool: &mut Pool<D>) {
        self.line.give_up(pool, 1);
        while let Some(intended_ns) = self.line.arrived(pool.thread.now_ns) {
            self.arrival(pool, intended_ns);
            // Sending took its time: the next one's lag is measured from here.
            pool.thread.now_ns = now_ns();
        }
    }

    fn resume<D: Dialogue>(&mut self, _pool: &mut Pool<D>, _user: u32, _since_ns: u64) {
        unreachable!("nobody pauses in the open loop");
    }

    fn after<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, ending: &RequestEnd) {
        if let Some(intended_ns) = self.line.first(pool, 1) {
            let ask = IntendedRequest {
                intended_ns,
                lag_ns: 0,
                queued: true,
                first: true,
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
