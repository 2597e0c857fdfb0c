//! The load as a whole: its threads, each with a share of it, and their counts put together.

pub mod deadline_queue;
pub mod lingering;
pub mod loops;
pub mod poll;
pub mod pool;
mod preflight;
mod share;
mod start;
pub mod thread_state;
pub mod timer;
pub mod user;
pub mod wake_threshold;
pub mod worker;

use std::num::NonZeroU32;
use std::thread;

use base::error::Error;
use base::random::Random;
use rustix::io::Errno;

use crate::connection::transport::Endpoint;
use crate::dialogue::{Dialogue, ThreadContext};
use crate::distribution::arrivals::Rate;
use crate::drive::poll::Poll;
use crate::drive::worker::ThreadResult;
use crate::tally::window::Window;
use crate::tally::{Rules, Tally};
use preflight::first_connection;
use share::Share;

pub use start::{allow_descriptors, beginning};

/// Descriptors that are not connections: standard streams, the log.
const OTHER_DESCRIPTORS: u64 = 14;

/// Descriptors that every thread has: epoll and timer.
const OF_A_THREAD: u32 = 2;

/// When requests are sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoadModel {
    /// Users who wait for their responses.
    Closed {
        /// The number of requests that ends the window, if time does not.
        requests: Option<u64>,
    },
    /// Requests that arrive.
    Open(Rate),
    /// Sessions that arrive.
    Sessions(Rate),
}

impl LoadModel {
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
    /// When requests are sent.
    pub asked: LoadModel,
    /// How many users there are, or connections at most.
    pub connections: u32,
    /// Requests at once on each connection, if they speak HTTP/2.
    pub streams: Option<u32>,
    /// Calls on a connection, if there is a limit.
    pub calls: Option<NonZeroU32>,
    /// Between a response and the same user's next request.
    pub think_ns: u64,
    /// How many threads drive it.
    pub threads: u32,
    /// How they wait for responses; in process nothing is waited for.
    pub poll: Poll,
    /// The instant of `CLOCK_MONOTONIC` at which it begins; without it at once.
    pub at_ns: Option<u64>,
    /// How long the load runs before anything counts.
    pub warm_up_ns: u64,
    /// How long it is then measured.
    pub duration_ns: u64,
    /// How long a request may take.
    pub timeout_ns: u64,
    /// Above this response time a correct response is late.
    pub late_after_ns: Option<u64>,
    /// Whether what is under way at the window's end is waited for.
    pub drains: bool,
    /// Whether what happens in each second is kept.
    pub keeps_seconds: bool,
    /// Whether every instant at which a counted request left is kept.
    pub keeps_instants: bool,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// The result.
#[derive(Debug)]
pub struct Outcome {
    /// The instant at which the window opened, on `CLOCK_MONOTONIC`.
    pub from_ns: u64,
    /// The instant at which it closed.
    pub to_ns: u64,
    /// What was counted between the two.
    pub tally: Tally,
    /// CPU time that the driver's threads used between the two but for polls that found nothing, in seconds.
    pub cpu_s: f64,
    /// Time of their polls between the two that found nothing, in seconds; `None` if they slept.
    pub empty_polls_s: Option<f64>,
    /// The share of the time between the two that the busiest of them worked; `None` in process.
    pub busiest_share: Option<f64>,
    /// Time between the two for which they were kept from their CPUs, in seconds.
    pub delay_s: Option<f64>,
    /// Whether connections were made with a handshake; `None` in process, which makes none.
    pub encrypted: Option<bool>,
    /// The server's text the first time that it returned an error.
    pub said: Option<String>,
}

/// Drives the load and measures it. Each thread has a conversation of its own, made by `talk`.
///
/// # Errors
/// The server cannot be reached at the start or refuses the login, this process may not have this many connections, or the
/// instant is over.
pub fn run<D: Dialogue>(
    drive: &Drive,
    endpoint: &Endpoint,
    talk: &(impl Fn(ThreadContext) -> D + Sync),
) -> Result<Outcome, Error> {
    allow_descriptors(descriptors(drive))?;
    first_connection(endpoint, &talk(context(drive, 0)), drive.timeout_ns)?;
    let began_ns = beginning(drive)?;
    let rules = rules(drive, began_ns);
    let parts = parts(drive, |number| Share {
        drive,
        endpoint,
        talk: talk(context(drive, number)),
        rules,
        began_ns,
        number,
    });
    let failed = |why: String| Error::failure("the load", why, "See `man 7 epoll`.");
    let outcome = parts
        .map(|parts| together(rules.window.from_ns, parts))
        .map_err(|errno| failed(errno.to_string()))?
        .ok_or_else(|| failed("no thread drove it".to_owned()))?;
    Ok(Outcome {
        encrypted: Some(endpoint.is_encrypted()),
        ..outcome
    })
}

/// The number and the random numbers of a thread's conversation.
fn context(drive: &Drive, number: u32) -> ThreadContext {
    ThreadContext {
        thread: usize::try_from(number).unwrap_or(0),
        threads: usize::try_from(drive.threads).unwrap_or(1),
        random: Random::stream(drive.seed, u64::from(2 * number)),
    }
}

fn descriptors(drive: &Drive) -> u64 {
    let lingering = drive.calls.map_or(0, |_| lingering::MOST);
    let of_threads = (OF_A_THREAD + lingering) * drive.threads;
    u64::from(drive.connections + of_threads) + OTHER_DESCRIPTORS
}

/// What is counted, and how, if the load begins at this instant.
pub fn rules(drive: &Drive, began_ns: u64) -> Rules {
    let from_ns = began_ns + drive.warm_up_ns;
    let until_ns = match drive.asked {
        LoadModel::Closed { requests: Some(_) } => u64::MAX,
        _ => from_ns + drive.duration_ns,
    };
    Rules {
        window: Window { from_ns, until_ns },
        scheduled: !matches!(drive.asked, LoadModel::Closed { .. }),
        timeout_ns: drive.timeout_ns,
        late_after_ns: drive.late_after_ns,
        keeps_seconds: drive.keeps_seconds,
        keeps_instants: drive.keeps_instants,
    }
}

/// Lets every thread drive its share; one alone is this thread.
fn parts<'a, D: Dialogue>(
    drive: &Drive,
    share: impl Fn(u32) -> Share<'a, D> + Sync,
) -> Result<Vec<ThreadResult>, Errno> {
    if drive.threads == 1 {
        return share(0).run().map(|part| vec![part]);
    }
    let share = &share;
    thread::scope(|scope| {
        let threads: Vec<_> = (0..drive.threads)
            .map(|number| scope.spawn(move || share(number).run()))
            .collect();
        // A thread that panics ends the process.
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    })
}

fn together(from_ns: u64, parts: Vec<ThreadResult>) -> Option<Outcome> {
    let mut parts = parts.into_iter();
    let first = parts.next()?;
    let mut outcome = Outcome {
        from_ns,
        to_ns: first.to_ns,
        tally: first.tally,
        cpu_s: first.cpu_s,
        empty_polls_s: first.empty_polls_s,
        busiest_share: Some(first.busy_share),
        delay_s: first.delay_s,
        encrypted: None,
        said: first.said,
    };
    for part in parts {
        outcome.to_ns = outcome.to_ns.max(part.to_ns);
        outcome.tally.add(&part.tally);
        outcome.cpu_s += part.cpu_s;
        outcome.said = outcome.said.or(part.said);
        outcome.empty_polls_s = sum(outcome.empty_polls_s, part.empty_polls_s);
        outcome.busiest_share = outcome
            .busiest_share
            .map(|share| share.max(part.busy_share));
        outcome.delay_s = sum(outcome.delay_s, part.delay_s);
    }
    Some(outcome)
}

/// `None` if one of them is not known.
fn sum(own: Option<f64>, more: Option<f64>) -> Option<f64> {
    own.zip(more).map(|(own, more)| own + more)
}
