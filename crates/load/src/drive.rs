//! The load as a whole: its threads, each with a share of it, and their counts put together.

mod beforehand;

use std::num::NonZeroU32;
use std::thread;

use rustix::event::epoll::{self, CreateFlags};
use rustix::io::Errno;

use crate::clock::now_ns;
use crate::common::Common;
use crate::complaint::Complaint;
use crate::lane::Lane;
use crate::leaving::{self, Leaving};
use crate::loops::{Closed, Open, Sessions};
use crate::mix::Mix;
use crate::patience::Patience;
use crate::pool::Pool;
use crate::random::Random;
use crate::schedule::{Arrivals, Rate};
use crate::tally::{Rules, Tally};
use crate::transport::Endpoint;
use crate::window::Window;
use crate::worker::{Part, Worker};
use beforehand::{allow_descriptors, beginning, first_connection};

/// Answers are read in pieces of at most this; three of the articles' 18.8 KB pages fit.
const BUFFER_BYTES: usize = 64 * 1024;

/// Descriptors that are not connections: standard streams, the log.
const OTHER_DESCRIPTORS: u64 = 14;

/// Descriptors that every thread has: epoll and timer.
const OF_A_THREAD: u32 = 2;

/// Who asks when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Asked {
    /// Users who wait for their answers.
    Closed {
        /// So many requests end the window, where time does not.
        requests: Option<u64>,
    },
    /// Requests that arrive.
    Open(Rate),
    /// Sessions that arrive.
    Sessions(Rate),
}

impl Asked {
    /// The loop as the record names it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Closed { .. } => "closed",
            Self::Open(_) => "open",
            Self::Sessions(_) => "sessions",
        }
    }
}

/// What is to be driven. All times are in ns.
#[derive(Clone, Debug)]
pub struct Drive {
    /// Where connections lead to.
    pub endpoint: Endpoint,
    /// Who asks when.
    pub asked: Asked,
    /// How many users there are, or connections at most.
    pub connections: u32,
    /// Calls on a connection, where there is a limit.
    pub calls: Option<NonZeroU32>,
    /// Between an answer and the same user's next request.
    pub think_ns: u64,
    /// How many threads drive it.
    pub threads: u32,
    /// The instant of `CLOCK_MONOTONIC` at which it begins; without it at once.
    pub at_ns: Option<u64>,
    /// How long the load runs before anything counts.
    pub warm_up_ns: u64,
    /// How long it is then measured.
    pub duration_ns: u64,
    /// How long a request may take.
    pub timeout_ns: u64,
    /// Above this response time a right answer is late.
    pub late_after_ns: Option<u64>,
    /// Whether what is under way at the window's end is waited for.
    pub drains: bool,
    /// Whether what happens in each second is kept.
    pub keeps_seconds: bool,
    /// Whether every instant at which a counted request left is kept.
    pub keeps_instants: bool,
    /// Where chance comes from.
    pub seed: u64,
}

/// What came of it.
#[derive(Debug)]
pub struct Outcome {
    /// The instant at which the window opened, on `CLOCK_MONOTONIC`.
    pub from_ns: u64,
    /// The instant at which it closed.
    pub to_ns: u64,
    /// What was counted between the two.
    pub tally: Tally,
    /// CPU time that the driver's threads used between the two, in seconds.
    pub cpu_s: f64,
    /// Time between the two for which they were kept from their CPUs, in seconds.
    pub delay_s: Option<f64>,
}

/// Drives the load and measures it.
///
/// # Errors
/// The server cannot be reached at the start, this process may not have so many connections, or the instant is over.
pub fn run(drive: &Drive, mix: &Mix) -> Result<Outcome, Complaint> {
    allow_descriptors(descriptors(drive))?;
    first_connection(drive)?;
    let began_ns = beginning(drive)?;
    let rules = rules(drive, began_ns);
    let parts = parts(drive, |number| Share {
        drive,
        mix,
        rules,
        began_ns,
        number,
    });
    let failed = |why: String| Complaint::failure("the load", why, "See `man 7 epoll`.");
    parts
        .map(|parts| together(rules.window.from_ns, parts))
        .map_err(|errno| failed(errno.to_string()))?
        .ok_or_else(|| failed("no thread drove it".to_owned()))
}

fn descriptors(drive: &Drive) -> u64 {
    let leaving = drive.calls.map_or(0, |_| leaving::MOST);
    let of_threads = (OF_A_THREAD + leaving) * drive.threads;
    u64::from(drive.connections + of_threads) + OTHER_DESCRIPTORS
}

fn rules(drive: &Drive, began_ns: u64) -> Rules {
    let from_ns = began_ns + drive.warm_up_ns;
    let until_ns = match drive.asked {
        Asked::Closed { requests: Some(_) } => u64::MAX,
        _ => from_ns + drive.duration_ns,
    };
    Rules {
        window: Window { from_ns, until_ns },
        scheduled: !matches!(drive.asked, Asked::Closed { .. }),
        timeout_ns: drive.timeout_ns,
        late_after_ns: drive.late_after_ns,
        keeps_seconds: drive.keeps_seconds,
        keeps_instants: drive.keeps_instants,
    }
}

/// Lets every thread drive its share; one alone is this thread.
fn parts<'a>(drive: &Drive, share: impl Fn(u32) -> Share<'a>) -> Result<Vec<Part>, Errno> {
    if drive.threads == 1 {
        return share(0).run().map(|part| vec![part]);
    }
    thread::scope(|scope| {
        let threads: Vec<_> = (0..drive.threads)
            .map(|number| {
                let share = share(number);
                scope.spawn(move || share.run())
            })
            .collect();
        // A thread that panics ends the process.
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    })
}

fn together(from_ns: u64, parts: Vec<Part>) -> Option<Outcome> {
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    let mut outcome = Outcome {
        from_ns,
        to_ns: first.to_ns,
        tally: first.tally,
        cpu_s: first.cpu_s,
        delay_s: first.delay_s,
    };
    for part in parts {
        outcome.to_ns = outcome.to_ns.max(part.to_ns);
        outcome.tally.add(&part.tally);
        outcome.cpu_s += part.cpu_s;
        outcome.delay_s = outcome
            .delay_s
            .zip(part.delay_s)
            .map(|(own, more)| own + more);
    }
    Some(outcome)
}

/// One thread's share of the load.
#[derive(Clone, Copy)]
struct Share<'a> {
    drive: &'a Drive,
    mix: &'a Mix,
    rules: Rules,
    began_ns: u64,
    number: u32,
}

impl Share<'_> {
    fn run(self) -> Result<Part, Errno> {
        let Drive {
            asked,
            calls,
            think_ns,
            threads,
            drains,
            ..
        } = *self.drive;
        let calls = calls.map(NonZeroU32::get);
        let most = self.of(u64::from(self.drive.connections));
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let pool = Pool::new(self.common()?, most);
        let until_ns = self.rules.window.until_ns;
        let arrivals = |rate| {
            let random = Random::stream(self.drive.seed, u64::from(2 * self.number + 1));
            Arrivals::new(rate, self.began_ns, self.number, threads, random)
        };
        match asked {
            Asked::Closed { requests } => {
                let closed = Closed {
                    users: most,
                    think_ns,
                    calls,
                    requests: requests.map(|requests| self.of(requests)),
                };
                Worker::new(pool, closed, false)?.run(self.began_ns)
            }
            Asked::Open(rate) => {
                let open = Open::new(arrivals(rate), until_ns);
                Worker::new(pool, open, drains)?.run(self.began_ns)
            }
            Asked::Sessions(rate) => {
                let calls = calls.unwrap_or(1);
                let sessions = Sessions::new(arrivals(rate), until_ns, calls, think_ns);
                Worker::new(pool, sessions, drains)?.run(self.began_ns)
            }
        }
    }

    /// This thread's share of something that is dealt out in turn.
    fn of(&self, all: u64) -> u64 {
        let (threads, number) = (u64::from(self.drive.threads), u64::from(self.number));
        all / threads + u64::from(number < all % threads)
    }

    fn common(&self) -> Result<Common<'_>, Errno> {
        let random = Random::stream(self.drive.seed, u64::from(2 * self.number));
        let thread = usize::try_from(self.number).unwrap_or(0);
        let threads = usize::try_from(self.drive.threads).unwrap_or(1);
        Ok(Common {
            epoll: epoll::create(CreateFlags::CLOEXEC)?,
            endpoint: self.drive.endpoint.for_thread(),
            mix: self.mix,
            draws: self.mix.draws(random, thread, threads),
            timeout_ns: self.rules.timeout_ns,
            timeouts: Lane::default(),
            looks: Lane::default(),
            patience: Patience::default(),
            leaving: Leaving::default(),
            tally: Tally::new(self.rules, self.mix.compression()),
            buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
            scratch: Vec::new(),
            now_ns: now_ns(),
        })
    }
}
