//! The users of one thread, and what they wait for other than the network: their pauses, their timeouts, their looks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use base::clock::now_ns;
use rustix::event::epoll::EventFlags;

use crate::dialogue::Dialogue;
use crate::drive::thread_state::ThreadState;
use crate::drive::user::{IntendedRequest, RequestEnd, User};

/// The users of one thread.
pub struct Pool<D: Dialogue> {
    /// What they share.
    pub thread: ThreadState<D>,
    users: Vec<User<D>>,
    most: u32,
    /// Who waits until when before the next request.
    pauses: BinaryHeap<Reverse<(u64, u32)>>,
    /// Requests that ended as soon as they began, and were not looked after yet.
    ended: Vec<(u32, RequestEnd)>,
    /// Whether the load is over, whatever the time is.
    pub over: bool,
}

impl<D: Dialogue> Pool<D> {
    /// A pool without users, which may have this many.
    pub fn new(thread: ThreadState<D>, most: u32) -> Self {
        Self {
            thread,
            users: Vec::new(),
            most,
            pauses: BinaryHeap::new(),
            ended: Vec::new(),
            over: false,
        }
    }

    /// A new user; `None` if the pool is full.
    pub fn enroll(&mut self) -> Option<u32> {
        let number = u32::try_from(self.users.len()).ok()?;
        (number < self.most).then(|| {
            self.users.push(User::new(number));
            number
        })
    }

    /// A user that was enrolled.
    pub fn user(&mut self, number: u32) -> &mut User<D> {
        &mut self.users[usize::try_from(number).unwrap_or(usize::MAX)]
    }

    /// Lets a user send a request, and counts it. The clock has just been read.
    pub fn ask(&mut self, number: u32, ask: IntendedRequest) {
        self.thread.tally.began(ask.intended_ns, self.thread.now_ns);
        self.ask_counted(number, ask);
    }

    /// Lets a user send a request that is counted already.
    pub fn ask_counted(&mut self, number: u32, ask: IntendedRequest) {
        let user = &mut self.users[usize::try_from(number).unwrap_or(usize::MAX)];
        if let Some(ending) = user.ask(ask, &mut self.thread) {
            self.ended.push((number, ending));
        }
    }

    /// Lets a user wait until the instant comes.
    pub fn pause(&mut self, number: u32, until_ns: u64) {
        self.pauses.push(Reverse((until_ns, number)));
    }

    /// When the first pause is over.
    pub fn pause_over_ns(&self) -> Option<u64> {
        self.pauses.peek().map(|&Reverse((until_ns, _))| until_ns)
    }

    /// When the first request's time is over. To the instant: a server that responds as fast as it can would else spend
    /// itself on requests that were given up already.
    pub fn timeout_ns(&self) -> u64 {
        let first_ns = self.thread.timeouts.first_since_ns();
        first_ns.map_or(u64::MAX, |since_ns| {
            since_ns.saturating_add(self.thread.timeout_ns)
        })
    }

    /// A user whose pause is over, and since when. The clock is read anew.
    pub fn resumes(&mut self) -> Option<(u32, u64)> {
        let first_ns = self.pause_over_ns()?;
        if first_ns > self.thread.now_ns {
            self.thread.now_ns = now_ns();
            if first_ns > self.thread.now_ns {
                return None;
            }
        }
        self.pauses
            .pop()
            .map(|Reverse((until_ns, number))| (number, until_ns))
    }

    /// Something has happened to the connection with this event data.
    pub fn event(&mut self, event: u64, flags: EventFlags) -> Option<(u32, RequestEnd)> {
        let number = u32::try_from(event & u64::from(u32::MAX)).unwrap_or(0);
        if let Some(links) = &mut self.thread.http2 {
            links.event(event, flags);
            return self.ending();
        }
        let user = self.users.get_mut(usize::try_from(number).ok()?)?;
        if user.event() != event {
            self.thread.lingering.closed(event);
            return None;
        }
        user.ready(flags, &mut self.thread)
            .map(|ending| (number, ending))
    }

    /// A request that ended as soon as it began, or without an event of its own, if there is one.
    pub fn ending(&mut self) -> Option<(u32, RequestEnd)> {
        self.ended.pop().or_else(|| self.ending_on_shared())
    }

    /// Lets users of shared connections take what has come for them, and then the connections go on: what all users
    /// send leaves together.
    fn ending_on_shared(&mut self) -> Option<(u32, RequestEnd)> {
        loop {
            let thread = &mut self.thread;
            let links = thread.http2.as_mut()?;
            if let Some(number) = links.next_user() {
                let user = &mut self.users[usize::try_from(number).unwrap_or(usize::MAX)];
                if let Some(ending) = user.rang(thread) {
                    return Some((number, ending));
                }
            } else {
                let link = links.next_link()?;
                links.advance(link, &thread.epoll, &mut thread.tally);
            }
        }
    }

    /// A request that has ended and whose user had to be looked after, as it had waited for too long.
    pub fn overdue(&mut self) -> Option<(u32, RequestEnd)> {
        let now_ns = self.thread.now_ns;
        let overdue_ns = now_ns.saturating_sub(self.thread.wake_threshold.look_ns());
        while let Some(number) = self.thread.looks.next_since(overdue_ns) {
            let user = &mut self.users[usize::try_from(number).unwrap_or(usize::MAX)];
            if let Some(ending) = user.look(&mut self.thread) {
                return Some((number, ending));
            }
        }
        let too_late_ns = now_ns.saturating_sub(self.thread.timeout_ns);
        let number = self.thread.timeouts.next_since(too_late_ns)?;
        let user = &mut self.users[usize::try_from(number).unwrap_or(usize::MAX)];
        Some((number, user.give_up(&mut self.thread)))
    }

    /// Closes connections that the server should have closed by now; the clock has just been read.
    pub fn tidy(&mut self) {
        let now_ns = self.thread.now_ns;
        self.thread.lingering.tidy(now_ns);
    }
}
