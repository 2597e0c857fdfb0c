//! SQLite in process: driver and subject are one program, and each connection is a thread of its own, as an application
//! with an embedded database has it. There is nothing to wait for but SQLite itself.

mod arrival_queue;
mod counts;
mod deadline;
mod engine;
mod load;
mod user;

use std::io;
use std::num::NonZeroU64;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use base::clock::{now_ns, sleep_until};
use base::error::Error;
use base::random::Random;
use rustix::thread::set_current_timer_slack;

use crate::distribution::arrivals::Arrivals;
use crate::drive::poll::Poll;
use crate::drive::{Drive, LoadModel, Outcome, allow_descriptors, beginning, rules};
use crate::sql::mix::Queries;
use crate::tally::usage::ProcessUsage;
use arrival_queue::ArrivalQueue;
use counts::Counts;
use engine::Engine;
use load::{Load, RequestSource};
use user::User;

/// Making room for the counts of one CPU takes at most this long, with a dozen queries.
const ROOM_NS: u64 = 5_000_000;

/// The number of threads that take arrivals if none is given.
const MOST_CONNECTIONS: u32 = 50;

/// Descriptors of a connection: the file, its journal, and what threads share of it.
const OF_A_CONNECTION: u64 = 4;

/// Descriptors of the program itself.
const OTHER_DESCRIPTORS: u64 = 14;

/// The version of SQLite that this program has within itself.
pub fn version() -> &'static str {
    rusqlite::version()
}

/// Return the load as it is driven in process: each of its connections has its own thread. Arrivals have the given
/// number of them, or those of the articles' highest level.
///
/// # Errors
/// Another number of threads is given, or threads that do not sleep: a usage error.
pub fn seated(mut drive: Drive, connections: Option<u32>) -> Result<Drive, Error> {
    if drive.threads > 1 {
        return Err(Error::usage(
            format!("{} threads", drive.threads),
            "SQLite runs in this program, and each of its connections is a thread",
            "Leave --threads out, and give that many --connections.",
        ));
    }
    if drive.poll == Poll::Busy {
        return Err(Error::usage(
            "--poll busy",
            "SQLite runs in this program, and polling would take its CPUs",
            "Leave --poll out.",
        ));
    }
    drive.connections = connections.unwrap_or(MOST_CONNECTIONS);
    drive.threads = drive.connections;
    Ok(drive)
}

/// Asks the database in this file and measures it. CPU time and delay are those of all threads: SQLite's work is done
/// in them.
///
/// # Errors
/// The file is no database, SQLite does not understand a query, a thread cannot be started, or the instant has passed.
pub fn run(drive: &Drive, file: &Path, queries: &Queries) -> Result<Outcome, Error> {
    allow_descriptors(u64::from(drive.connections) * OF_A_CONNECTION + OTHER_DESCRIPTORS)?;
    // Timers of this thread, and of those that it starts, ring at their instant; else they may be 50 us late.
    let _ = set_current_timer_slack(NonZeroU64::new(1));
    thread::scope(|scope| {
        let (sender, messages) = channel();
        let mut threads = Vec::new();
        for number in 0..threads_of(drive) {
            let (order, orders) = channel();
            let share = Share {
                drive,
                file,
                queries,
                number,
                orders,
                sender: sender.clone(),
            };
            let spawned = thread::Builder::new().spawn_scoped(scope, move || share.run());
            let _ = spawned.map_err(|error| no_thread(number, &error))?;
            threads.push(order);
        }
        drop(sender);
        // If one is not ready, all others end as their orders' senders are dropped.
        for _ in &threads {
            match messages.recv() {
                Ok(ThreadMessage::Ready) => {}
                Ok(ThreadMessage::Wrong(error)) => return Err(error),
                Ok(ThreadMessage::Done(_)) | Err(_) => {
                    unreachable!("no thread ends before it has begun")
                }
            }
        }
        let load = Arc::new(load(drive, queries)?);
        for thread in &threads {
            // A thread that panics ends the process: all are there.
            let _ = thread.send(Arc::clone(&load));
        }
        Ok(watch(&load, &messages, threads.len()))
    })
}

fn threads_of(drive: &Drive) -> usize {
    usize::try_from(drive.connections).unwrap_or(usize::MAX)
}

fn no_thread(number: usize, error: &io::Error) -> Error {
    Error::failure(
        format!("a thread for connection {}", number + 1),
        error.to_string(),
        "Use fewer connections, or raise the limit of processes (`ulimit -u`).",
    )
}

/// The load, which begins at the given instant, or as soon as there is room for its counts.
fn load(drive: &Drive, queries: &Queries) -> Result<Load, Error> {
    let threads = threads_of(drive);
    let tallies = u64::try_from(counts::tallies(threads)).unwrap_or(1);
    let room_ns = drive.at_ns.map_or(ROOM_NS * tallies, |_| 0);
    let began_ns = beginning(drive)? + room_ns;
    let rules = rules(drive, began_ns);
    let names = queries.iter().map(|query| query.name.clone()).collect();
    let counts = Counts::new(rules, names, threads);
    let requests = match drive.asked {
        LoadModel::Closed { requests } => requests,
        _ => None,
    };
    let (asks, drains) = match drive.asked {
        LoadModel::Closed { .. } => {
            let think_ns = drive.think_ns;
            (RequestSource::Users { think_ns }, false)
        }
        LoadModel::Open(rate) | LoadModel::Sessions(rate) => {
            let random = Random::stream(drive.seed, 1);
            let arrivals = Arrivals::new(rate, began_ns, 0, 1, random);
            let until_ns = rules.window.until_ns;
            let line = ArrivalQueue::new(arrivals, threads, until_ns, drive.drains);
            (RequestSource::ArrivalQueue(line), drive.drains)
        }
    };
    Ok(Load::new(began_ns, counts, asks, drains, requests))
}

/// Reads what all threads use at the window's edges, and puts their counts together.
fn watch(load: &Load, messages: &Receiver<ThreadMessage>, threads: usize) -> Outcome {
    let window = load.rules.window;
    sleep_until(window.from_ns);
    let before = ProcessUsage::read();
    let timed = window.until_ns < u64::MAX;
    let at_end = timed.then(|| {
        sleep_until(window.until_ns);
        ProcessUsage::read()
    });
    let said: Vec<String> = (0..threads).filter_map(|_| done(messages)).collect();
    let after = at_end.unwrap_or_else(ProcessUsage::read);
    if let RequestSource::ArrivalQueue(line) = &load.asks {
        // They came in time, and no thread was free for them.
        let left = line.left().into_iter();
        left.for_each(|at_ns| load.counts.count(0, |tally| tally.began(at_ns, at_ns)));
    }
    let to_ns = load.closes_ns();
    Outcome {
        from_ns: window.from_ns,
        to_ns,
        tally: load.counts.together(to_ns),
        cpu_s: after.cpu_s_since(&before),
        empty_polls_s: None,
        busiest_share: None,
        delay_s: after.delay_s_since(&before),
        encrypted: None,
        said: said.into_iter().next(),
    }
}

/// SQLite's error text for the next thread that ends, if there was an error.
fn done(messages: &Receiver<ThreadMessage>) -> Option<String> {
    match messages.recv() {
        Ok(ThreadMessage::Done(said)) => said,
        _ => unreachable!("a thread that panics ends the process"),
    }
}

/// What a thread reports.
enum ThreadMessage {
    /// Its statements are prepared.
    Ready,
    /// It cannot begin.
    Wrong(Error),
    /// Its part of the load is over; with SQLite's text for the first error.
    Done(Option<String>),
}

/// One thread's share of the load.
struct Share<'a> {
    drive: &'a Drive,
    file: &'a Path,
    queries: &'a Queries,
    number: usize,
    /// The load, once all are ready; and the end of it, once what all have used is read.
    orders: Receiver<Arc<Load>>,
    sender: Sender<ThreadMessage>,
}

impl Share<'_> {
    fn run(self) {
        // If another program has locked the file, no thread waits longer than for a request.
        deadline::set_until_ns(now_ns().saturating_add(self.drive.timeout_ns));
        if let Err(error) = self.asks() {
            // If the receiver is gone, another thread has failed before.
            let _ = self.sender.send(ThreadMessage::Wrong(error));
        }
    }

    fn asks(&self) -> Result<(), Error> {
        let connection = engine::open(self.file, self.queries.writes())?;
        let engine = Engine::prepare(&connection, self.queries)?;
        let _ = self.sender.send(ThreadMessage::Ready);
        let Ok(load) = self.orders.recv() else {
            return Ok(());
        };
        let number = u64::try_from(self.number).unwrap_or(0);
        let random = Random::stream(self.drive.seed, 2 * number);
        let threads = threads_of(self.drive);
        let mut user = User {
            thread: self.number,
            queries: self.queries,
            draws: self.queries.draws(random, self.number, threads),
            engine,
            load,
            said: None,
        };
        user.run();
        let _ = self.sender.send(ThreadMessage::Done(user.said));
        // The kernel reports how long a thread was kept from its CPU only as long as the thread lives.
        let _ = self.orders.recv();
        Ok(())
    }
}
