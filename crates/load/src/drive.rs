//! The closed loop: all users on one thread, a warm-up, a measured window.

use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::clock::{now_ns, timespec};
use crate::common::Common;
use crate::complaint::Complaint;
use crate::mix::Mix;
use crate::random::Random;
use crate::schedule::Closed;
use crate::tally::Tally;
use crate::transport::Endpoint;
use crate::usage::Usage;
use crate::user::User;

/// Answers are read in pieces of at most this; three of the articles' 18.8 KB pages fit.
const BUFFER_BYTES: usize = 64 * 1024;

/// So many ready connections are taken from the kernel at once.
const EVENTS: usize = 256;

/// Descriptors that are not connections: standard streams, epoll, the log.
const OTHER_DESCRIPTORS: u64 = 16;

/// What is to be driven. All times are in ns.
#[derive(Clone, Copy, Debug)]
pub struct Drive {
    /// Where the server is.
    pub peer: SocketAddr,
    /// How many users there are.
    pub connections: u32,
    /// How long the load runs before anything counts.
    pub warm_up_ns: u64,
    /// How long it is then measured.
    pub duration_ns: u64,
    /// How long a request may take.
    pub timeout_ns: u64,
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
    /// CPU time that the driver used between the two, in seconds.
    pub cpu_s: f64,
    /// Time between the two for which the driver was kept from its CPU, in seconds.
    pub delay_s: Option<f64>,
}

/// Drives the load and measures it.
///
/// # Errors
/// The server cannot be reached at the start, or this process may not have so many connections.
pub fn run(drive: &Drive, mix: &Mix) -> Result<Outcome, Complaint> {
    allow_descriptors(u64::from(drive.connections) + OTHER_DESCRIPTORS)?;
    first_connection(drive)?;
    let kernel = |errno: Errno| {
        Complaint::failure("the load", format!("epoll: {errno}"), "See `man 7 epoll`.")
    };
    let mut common = Common {
        epoll: epoll::create(CreateFlags::CLOEXEC).map_err(kernel)?,
        endpoint: Endpoint { peer: drive.peer },
        mix,
        draws: mix.draws(Random::stream(drive.seed, 0), 0, 1),
        schedule: &mut Closed,
        timeout_ns: drive.timeout_ns,
        tally: Tally::new(drive.timeout_ns),
        buffer: vec![0; BUFFER_BYTES].into_boxed_slice(),
        tick_ns: u64::MAX,
    };
    common.tally.compression = mix.compression();
    let mut users: Vec<User> = (0..u64::from(drive.connections)).map(User::new).collect();
    let began_ns = now_ns();
    for user in &mut users {
        user.start(began_ns, began_ns, &mut common);
    }
    let _ = turn(&mut users, &mut common, began_ns + drive.warm_up_ns).map_err(kernel)?;
    let before = Usage::read();
    let from_ns = now_ns();
    let until_ns = from_ns + drive.duration_ns;
    common.tally.open(from_ns, until_ns);
    let to_ns = turn(&mut users, &mut common, until_ns).map_err(kernel)?;
    common.tally.close();
    let after = Usage::read();
    let (cpu_s, delay_s) = (after.cpu_s_since(&before), after.delay_s_since(&before));
    Ok(Outcome {
        from_ns,
        to_ns,
        tally: common.tally,
        cpu_s,
        delay_s,
    })
}

/// Serves the users until `until_ns`; gives the instant at which it stopped, which is never earlier.
fn turn(users: &mut [User], common: &mut Common, until_ns: u64) -> Result<u64, Errno> {
    let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
    loop {
        let now = now_ns();
        if now >= until_ns {
            return Ok(now);
        }
        if now >= common.tick_ns {
            tick(users, common, now);
        }
        let wait_ns = until_ns.min(common.tick_ns).saturating_sub(now);
        match epoll::wait(
            &common.epoll,
            spare_capacity(&mut events),
            Some(&timespec(wait_ns)),
        ) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(errno) => return Err(errno),
        }
        for event in events.drain(..) {
            let number = usize::try_from(event.data.u64()).unwrap_or(usize::MAX);
            if let Some(user) = users.get_mut(number) {
                user.ready(common);
            }
        }
    }
}

/// Looks after every user whose time has come, and finds out when the next one's comes. As all requests have the same
/// timeout, none that is sent later needs looking after earlier: this happens about once in a timeout.
fn tick(users: &mut [User], common: &mut Common, now_ns: u64) {
    common.tick_ns = u64::MAX;
    for user in users {
        user.tick(now_ns, common);
        common.tick_ns = common.tick_ns.min(user.tick_ns(common.timeout_ns));
    }
}

/// The first connection is made before anything starts, so that a server that is not there is told from one that fails.
fn first_connection(drive: &Drive) -> Result<(), Complaint> {
    let connected = TcpStream::connect_timeout(&drive.peer, Duration::from_nanos(drive.timeout_ns));
    connected.map(drop).map_err(|error| {
        let what = format!("no connection to {}", drive.peer);
        Complaint::failure(
            what,
            error.to_string(),
            "Start the server, or check address and port of the URL.",
        )
    })
}

fn allow_descriptors(needed: u64) -> Result<(), Complaint> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if limit.maximum.is_none_or(|maximum| maximum >= needed)
        && setrlimit(Resource::Nofile, raised).is_ok()
    {
        return Ok(());
    }
    let why = format!(
        "{needed} file descriptors are needed, and {} are allowed",
        limit.maximum.unwrap_or(u64::MAX)
    );
    Err(Complaint::failure(
        "too many connections",
        why,
        "Ask for fewer, or raise the hard limit (`ulimit -Hn`).",
    ))
}
