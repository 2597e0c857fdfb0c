//! `h2h-known`: servers of exactly known behavior, for tests and benches of the load generator.

mod cli;
mod client;
mod queue;
mod server;
mod timer;

use std::io::{Write, stderr, stdout};
use std::net::SocketAddrV4;
use std::process::ExitCode;

use clap::Parser;
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::cli::{Behavior, Cli, RateOptions, ServerOptions};
use crate::queue::{Queue, Rule};
use crate::server::{ClientId, Server};

fn main() -> ExitCode {
    base::panics::end_the_process();
    let (line, common) = match Cli::parse().behavior {
        Behavior::Bucket(options) => (spaced(&options, false), options.common),
        Behavior::Wasteful(options) => (spaced(&options, true), options.common),
        Behavior::Stall(options) if options.lasts >= options.every => {
            let _ = writeln!(
                stderr(),
                "h2h-known: the stall is as long as its period. Give --for less than --every."
            );
            return ExitCode::from(2);
        }
        Behavior::Stall(options) => {
            let rule = Rule::Stalls {
                began_ns: base::clock::now_ns(),
                lasts_ns: options.lasts,
                every_ns: options.every,
            };
            (Queue::new(rule, usize::MAX), options.common)
        }
    };
    match serve(line, common) {
        Ok(()) => ExitCode::SUCCESS,
        Err(errno) => {
            let at = SocketAddrV4::new(common.address, common.port);
            let _ = writeln!(
                stderr(),
                "h2h-known: {at}: {errno}. Give another --port, or 0 for any free one; \
                 more clients than descriptors need a higher `ulimit -n`."
            );
            ExitCode::FAILURE
        }
    }
}

fn spaced(options: &RateOptions, wasteful: bool) -> Queue<ClientId> {
    let rule = Rule::Spaced {
        gap_ns: options.gap_ns,
        wasteful,
    };
    let most = options.line.and_then(|most| usize::try_from(most).ok());
    Queue::new(rule, most.unwrap_or(usize::MAX))
}

fn serve(line: Queue<ClientId>, common: ServerOptions) -> Result<(), Errno> {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // If the limit cannot be raised, a client beyond it ends the server, with that reason.
    let _ = setrlimit(Resource::Nofile, most);
    let server = Server::listen(
        SocketAddrV4::new(common.address, common.port),
        line,
        common.body_bytes,
    )?;
    // Nobody may read it: the port may be known already.
    let _ = writeln!(stdout(), "listening on {}", server.address()?);
    server.serve()
}
