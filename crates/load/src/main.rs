//! `h2h-load`: asks a server, checks its answers, and says how long they took.

mod cli;
mod clock;
mod common;
mod complaint;
mod drive;
mod fault;
mod hlog;
mod http;
mod mix;
mod print;
mod random;
mod record;
mod schedule;
mod serve;
mod socket;
mod tally;
mod times;
mod transport;
mod url;
mod usage;
mod user;
mod words;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command, Http};
use crate::complaint::Complaint;
use crate::drive::Drive;
use crate::hlog::Log;
use crate::mix::Mix;
use crate::record::Told;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Http(words) => http(*words),
        Command::Respond(words) => serve::respond(&words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            // Where standard error is gone too, the exit code still tells.
            let _ = writeln!(stderr(), "h2h-load: {complaint}");
            complaint.exit_code()
        }
    }
}

/// Drives one case. Nothing is written unless the whole window was measured: TERM and INT end the process at once.
fn http(words: Http) -> Result<(), Complaint> {
    let zero_ns = words.zero_ns.unwrap_or_else(clock::now_ns);
    let mix = match &words.mix {
        Some(file) => Mix::read(file, &words.url, words.gzip)?,
        None => Mix::single(&words.url, words.gzip),
    };
    let log = words.hlog.as_deref().map(Log::open).transpose()?;
    let case = words.case.unwrap_or_else(|| {
        wire::Case::from_iter([("connections".to_owned(), words.connections.into())])
    });
    let drive = Drive {
        peer: words.url.peer,
        connections: words.connections,
        warm_up_ns: words.warm_up,
        duration_ns: words.duration,
        timeout_ns: words.timeout,
        seed: words.seed,
    };
    let outcome = drive::run(&drive, &mix)?;
    if let Some(log) = log {
        log.append(&case, zero_ns, &outcome)?;
    }
    let record = record::record(
        Told {
            driver: words.driver,
            case,
            zero_ns,
        },
        &outcome,
    );
    match words.json {
        Some(to) => print::json(&record, &to),
        None => print::summary(&record),
    }
}
