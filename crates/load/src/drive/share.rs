//! One thread's share of the load: its users, and when they send requests.

use std::num::NonZeroU32;

use base::clock::now_ns;
use base::random::Random;
use rustix::event::epoll::{self, CreateFlags};
use rustix::io::Errno;

use super::{Drive, LoadModel};
use crate::connection::transport::Endpoint;
use crate::dialogue::Dialogue;
use crate::distribution::arrivals::Arrivals;
use crate::drive::deadline_queue::DeadlineQueue;
use crate::drive::lingering::Lingering;
use crate::drive::loops::{Closed, Open, Sessions};
use crate::drive::pool::Pool;
use crate::drive::thread_state::ThreadState;
use crate::drive::wake_threshold::WakeThreshold;
use crate::drive::worker::{ThreadResult, Worker};
use crate::http2::links::Links;
use crate::tally::{Rules, Tally};

/// Answers are read in pieces of at most this; three of the articles' 18.8 KB pages fit.
const BUFFER_BYTES: usize = 64 * 1024;

/// One thread's share of the load.
pub struct Share<'a, D> {
    /// The load.
    pub drive: &'a Drive,
    /// Where connections lead to.
    pub endpoint: &'a Endpoint,
    /// The conversation on them.
    pub talk: D,
    /// What is counted, and how.
    pub rules: Rules,
    /// When it begins.
    pub began_ns: u64,
    /// The thread's number, from 0.
    pub number: u32,
}

impl<D: Dialogue> Share<'_, D> {
    /// Drives it.
    ///
    /// # Errors
    /// No descriptor is left, or the kernel refuses to wait.
    pub fn run(self) -> Result<ThreadResult, Errno> {
        let Drive {
            asked,
            calls,
            think_ns,
            threads,
            drains,
            poll,
            ..
        } = *self.drive;
        let calls = calls.map(NonZeroU32::get);
        let most = self.of(u64::from(self.drive.connections));
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let most = most.saturating_mul(self.drive.streams.unwrap_or(1));
        let (until_ns, began_ns) = (self.rules.window.until_ns, self.began_ns);
        let (number, seed) = (self.number, self.drive.seed);
        let arrivals = |rate| {
            let random = Random::stream(seed, u64::from(2 * number + 1));
            Arrivals::new(rate, began_ns, number, threads, random)
        };
        match asked {
            LoadModel::Closed { requests } => {
                let closed = Closed {
                    users: most,
                    think_ns,
                    calls,
                    requests: requests.map(|requests| self.of(requests)),
                };
                Worker::new(self.pool(most)?, closed, false, poll)?.run(began_ns)
            }
            LoadModel::Open(rate) => {
                let open = Open::new(arrivals(rate), until_ns);
                Worker::new(self.pool(most)?, open, drains, poll)?.run(began_ns)
            }
            LoadModel::Sessions(rate) => {
                let calls = calls.unwrap_or(1);
                let sessions = Sessions::new(arrivals(rate), until_ns, calls, think_ns);
                Worker::new(self.pool(most)?, sessions, drains, poll)?.run(began_ns)
            }
        }
    }

    /// This thread's share of something that is dealt out in turn.
    fn of(&self, all: u64) -> u64 {
        let (threads, number) = (u64::from(self.drive.threads), u64::from(self.number));
        all / threads + u64::from(number < all % threads)
    }

    /// Its users, at most this many.
    fn pool(self, most: u32) -> Result<Pool<D>, Errno> {
        let (kinds, compression) = (self.talk.kinds(), self.talk.compression());
        let thread = ThreadState {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            endpoint: self.endpoint.for_thread(),
            http2: self.drive.streams.map(Links::new),
            talk: self.talk,
            timeout_ns: self.rules.timeout_ns,
            timeouts: DeadlineQueue::default(),
            looks: DeadlineQueue::default(),
            wake_threshold: WakeThreshold::default(),
            lingering: Lingering::default(),
            tally: Tally::new(self.rules, kinds, compression),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            scratch: Vec::new(),
            now_ns: now_ns(),
        };
        Ok(Pool::new(thread, most))
    }
}
