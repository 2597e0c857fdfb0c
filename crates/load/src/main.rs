//! `h2h-load`: asks a server, checks its answers, and says how long they took.

mod checksum;
mod cli;
mod connection;
mod dialogue;
mod distribution;
mod drive;
mod http;
mod output;
mod schedule;
mod selftest;
mod serve;
mod sql;
mod sqlite;
mod tally;

use std::io::{Write, stderr};
use std::process::ExitCode;

use base::error::Error;
use clap::Parser;

use crate::cli::{Cli, Command, Http};
use crate::drive::Drive;
use crate::http::dialogue::HttpDialogue;
use crate::http::mix::Mix;
use crate::output::Outputs;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Http(words) => http(*words),
        Command::Sql(words) => sql::sql(*words),
        Command::Respond(words) => serve::respond(&words),
        Command::Selftest(words) => selftest::selftest(&words),
        Command::SqliteVersion => output::print::people(&format!("SQLite {}\n", sqlite::version())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, the exit code still shows it.
            let _ = writeln!(stderr(), "h2h-load: {error}");
            error.exit_code()
        }
    }
}

/// Drives one case of HTTP. TERM and INT end the process at once, with nothing written.
fn http(words: Http) -> Result<(), Error> {
    let began_ns = base::clock::now_ns();
    let calls = words.calls.or_else(|| words.handshake?.calls());
    let drive = cli::load_options::drive(&words.load, calls)?;
    let endpoint = cli::endpoint::endpoint(&words.url, words.ca.as_deref(), words.handshake)?;
    let mix = match &words.mix {
        Some(file) => Mix::read(file, &words.url, words.gzip)?,
        None => Mix::single(&words.url, words.gzip),
    };
    let outputs = Outputs::open(words.output, began_ns)?;
    let drive = Drive {
        keeps_seconds: outputs.wants_seconds(),
        ..drive
    };
    let outcome = drive::run(&drive, &endpoint, &|context| {
        HttpDialogue::new(&mix, context)
    })?;
    outputs.write(&drive, &outcome)
}
