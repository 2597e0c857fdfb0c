//! `h2h-known`: servers of exactly known behavior, for tests and benches of the load generator.

mod cli;
mod client;
mod clock;
mod line;
mod server;
mod timer;

use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use clap::Parser;
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::cli::{Behavior, Cli, Common};
use crate::line::Rule;
use crate::server::Server;

fn main() -> ExitCode {
    let (rule, common) = match Cli::parse().behavior {
        Behavior::Bucket(words) => (spaced(words.rate, false), words.common),
        Behavior::Wasteful(words) => (spaced(words.rate, true), words.common),
        Behavior::Stall(words) if words.lasts >= words.every => {
            let _ = writeln!(
                stderr(),
                "h2h-known: the stall: it lasts as long as its period. Give --for less than --every."
            );
            return ExitCode::from(2);
        }
        Behavior::Stall(words) => {
            let rule = Rule::Stalls {
                began_ns: clock::now_ns(),
                lasts_ns: words.lasts,
                every_ns: words.every,
            };
            (rule, words.common)
        }
    };
    match serve(rule, common) {
        Ok(()) => ExitCode::SUCCESS,
        Err(errno) => {
            let port = common.port;
            let _ = writeln!(
                stderr(),
                "h2h-known: port {port} of 127.0.0.1: {errno}. Give another --port, or 0 for any free one; \
                 more clients than descriptors need a higher `ulimit -n`."
            );
            ExitCode::FAILURE
        }
    }
}

fn spaced(gap_ns: u64, wasteful: bool) -> Rule {
    Rule::Spaced { gap_ns, wasteful }
}

fn serve(rule: Rule, common: Common) -> Result<(), Errno> {
    let limit = getrlimit(Resource::Nofile);
    let most = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // Where the limit cannot be raised, a client beyond it ends the server, with that reason.
    let _ = setrlimit(Resource::Nofile, most);
    let server = Server::listen(common.port, rule, common.body_bytes)?;
    // Nobody may read it: the port may be known already.
    let _ = writeln!(stdout(), "listening on {}", server.address()?);
    server.serve()
}
