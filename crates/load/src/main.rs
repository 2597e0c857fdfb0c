//! `h2h-load`: asks a server, checks its answers, and says how long they took.

mod alarm;
mod asked;
mod cli;
mod clock;
mod common;
mod complaint;
mod drive;
mod fault;
mod hlog;
mod http;
mod lane;
mod leaving;
mod loops;
mod mix;
mod patience;
mod pool;
mod print;
mod random;
mod record;
mod schedule;
mod seconds;
mod secure;
mod selftest;
mod serve;
mod socket;
mod tally;
mod times;
mod tls;
mod transport;
mod url;
mod usage;
mod user;
mod window;
mod words;
mod worker;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command, Http};
use crate::complaint::Complaint;
use crate::hlog::Log;
use crate::mix::Mix;
use crate::print::Csv;
use crate::record::Told;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Http(words) => http(*words),
        Command::Respond(words) => serve::respond(&words),
        Command::Selftest(words) => selftest::selftest(&words),
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
    let drive = asked::drive(&words)?;
    let mix = match &words.mix {
        Some(file) => Mix::read(file, &words.url, words.gzip)?,
        None => Mix::single(&words.url, words.gzip),
    };
    let log = words.hlog.as_deref().map(Log::open).transpose()?;
    let intervals = words.intervals.as_deref().map(Csv::create).transpose()?;
    let case = words.case.unwrap_or_else(|| asked::case(&drive));
    let outcome = drive::run(&drive, &mix)?;
    if let Some(log) = log {
        log.append(&case, zero_ns, &outcome)?;
    }
    if let Some(intervals) = intervals {
        let length_ns = outcome.to_ns - outcome.from_ns;
        intervals.write(&outcome.tally.seconds.csv(length_ns))?;
    }
    let told = Told {
        driver: words.driver,
        case,
        zero_ns,
    };
    let record = record::record(told, &drive, &outcome);
    match words.json {
        Some(to) => print::json(&record, &to),
        None => print::summary(&record),
    }
}
