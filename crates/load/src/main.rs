//! `h2h-load`: sends requests to a server, checks the responses, and reports how long they took.

mod checksum;
mod cli;
mod connection;
mod dialogue;
mod distribution;
mod drive;
mod http;
mod http2;
mod output;
mod repeat;
mod request;
mod selftest;
mod serve;
#[cfg(test)]
mod spoiled;
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
use crate::http::session::Session;
use crate::http::session::dialogue::SessionDialogue;
use crate::output::Outputs;

fn main() -> ExitCode {
    base::panics::end_the_process();
    let done = match Cli::parse().command {
        Command::Http(options) => http(*options),
        Command::Request(options) => request::request(&options),
        Command::Sql(options) => sql::sql(*options),
        Command::Merge(options) => output::merge::merge(&options),
        Command::Repeat(options) => repeat::repeat(&options),
        Command::Respond(options) => serve::respond(&options),
        Command::Selftest(options) => selftest::selftest(&options),
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
fn http(options: Http) -> Result<(), Error> {
    let began_ns = base::clock::now_ns();
    let url = &options.server.url;
    let session = match &options.mix {
        Some(file) => Session::read(file, url)?,
        None => None,
    };
    let calls = cli::load_options::calls(&options, session.as_ref().map(Session::calls))?;
    let drive = cli::load_options::drive(&options.load, calls)?;
    let streams = cli::load_options::streams(&options, session.is_some())?;
    let endpoint = cli::endpoint::endpoint(&options.server, options.handshake)?;
    let mix = match &options.mix {
        Some(file) if session.is_none() => Mix::read(file, url, options.gzip)?,
        _ => Mix::single(url, options.gzip),
    };
    if streams.is_some() {
        mix.check_for_http2()?;
    }
    let outputs = Outputs::open(options.output, began_ns)?;
    let drive = Drive {
        keeps_seconds: outputs.wants_seconds(),
        streams,
        ..drive
    };
    let outcome = match &session {
        Some(session) => drive::run(&drive, &endpoint, &|context| {
            SessionDialogue::new(session, context)
        })?,
        None => drive::run(&drive, &endpoint, &|context| {
            HttpDialogue::new(&mix, context)
        })?,
    };
    outputs.write(&drive, outcome)
}
