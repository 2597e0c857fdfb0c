//! The closed loop: users who wait for their response, think, and send the next request.

use super::Loop;
use crate::dialogue::Dialogue;
use crate::drive::pool::Pool;
use crate::drive::user::{IntendedRequest, RequestEnd};
use crate::tally::fault::Fault;

/// How long a user waits after a request that failed otherwise than by time or content. A refusal takes microseconds:
/// without a pause, a server that is away would get a hundred thousand requests a second.
const PAUSE_NS: u64 = 10_000_000;

/// The closed loop of one thread.
#[derive(Debug)]
pub struct Closed {
    /// How many users there are.
    pub users: u32,
    /// How long a user thinks between a response and the next request, in ns.
    pub think_ns: u64,
    /// After this many calls a user opens a new connection.
    pub calls: Option<u32>,
    /// The number of requests that ends the window, if time does not.
    pub requests: Option<u64>,
}

impl Closed {
    /// Whether the requests that end the window have ended.
    fn is_over<D: Dialogue>(&self, pool: &Pool<D>) -> bool {
        self.requests
            .is_some_and(|most| pool.thread.tally.sent >= most)
    }

    /// The user begins another session; what a script has left is not sent.
    fn end_session<D: Dialogue>(&self, pool: &mut Pool<D>, user: u32, at_ns: u64) {
        let made = std::mem::take(&mut pool.user(user).calls);
        if let Some(calls) = self.calls.filter(|_| made > 0)
            && pool.thread.talk.is_scripted()
        {
            let left = u64::from(calls.saturating_sub(made));
            pool.thread.tally.skipped(left, at_ns);
        }
    }

    fn ask<D: Dialogue>(&self, pool: &mut Pool<D>, number: u32, intended_ns: u64) {
        let user = pool.user(number);
        user.calls += 1;
        let first = user.calls == 1;
        let last = self.calls.is_some_and(|most| user.calls >= most);
        if last {
            user.calls = 0;
        }
        let ask = IntendedRequest {
            intended_ns,
            lag_ns: 0,
            queued: false,
            first,
            last,
        };
        pool.ask(number, ask);
    }
}

impl Loop for Closed {
    fn start<D: Dialogue>(&mut self, pool: &mut Pool<D>, began_ns: u64) {
        // A thread that got its CPU late keeps its users waiting, and that counts.
        for _ in 0..self.users {
            if let Some(number) = pool.enroll().filter(|_| !self.is_over(pool)) {
                self.ask(pool, number, began_ns);
            }
        }
    }

    fn resume<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, since_ns: u64) {
        self.ask(pool, user, since_ns);
    }

    fn after<D: Dialogue>(&mut self, pool: &mut Pool<D>, user: u32, ending: &RequestEnd) {
        if ending.ends_session {
            self.end_session(pool, user, ending.done_ns);
        }
        pool.over |= self.is_over(pool);
        if pool.over {
            return;
        }
        let pause_ns = match ending.lost {
            None | Some(Fault::Timeout) => self.think_ns,
            Some(_) => PAUSE_NS.max(self.think_ns),
        };
        if pause_ns == 0 {
            self.ask(pool, user, ending.done_ns);
        } else {
            pool.pause(user, ending.done_ns + pause_ns);
        }
    }
}
