//! `h2h-load`: asks a server, checks its answers, and says how long they took.

mod alarm;
mod asked;
mod cli;
mod clock;
mod common;
mod complaint;
mod dialogue;
mod drive;
mod fault;
mod hlog;
mod http;
mod lane;
mod leaving;
mod loops;
mod mix;
mod output;
mod patience;
mod peer;
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
mod sql;
mod sqlite;
mod sum;
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
use crate::drive::Drive;
use crate::http::talk::Talk;
use crate::mix::Mix;
use crate::output::Outputs;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Http(words) => http(*words),
        Command::Sql(words) => sql::sql(*words),
        Command::Respond(words) => serve::respond(&words),
        Command::Selftest(words) => selftest::selftest(&words),
        Command::SqliteVersion => print::people(&format!("SQLite {}\n", sqlite::version())),
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

/// Drives one case of HTTP. TERM and INT end the process at once, with nothing written.
fn http(words: Http) -> Result<(), Complaint> {
    let began_ns = clock::now_ns();
    let calls = words.calls.or_else(|| words.handshake?.calls());
    let drive = asked::drive(&words.load, calls)?;
    let endpoint = secure::endpoint(&words.url, words.ca.as_deref(), words.handshake)?;
    let mix = match &words.mix {
        Some(file) => Mix::read(file, &words.url, words.gzip)?,
        None => Mix::single(&words.url, words.gzip),
    };
    let outputs = Outputs::open(words.output, began_ns)?;
    let drive = Drive {
        keeps_seconds: outputs.wants_seconds(),
        ..drive
    };
    let outcome = drive::run(&drive, &endpoint, &|seat| Talk::new(&mix, seat))?;
    outputs.write(&drive, &outcome)
}
