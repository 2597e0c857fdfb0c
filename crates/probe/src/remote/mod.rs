//! `h2h-probe remote`: carries out orders of a controller on this host, one after the other (`docs/reference/remote.md`).
//!
//! Every order comes as a JSON document on standard input, so that no data ever becomes a word of a shell.

mod files;
mod hold;
mod lock;
mod machine_lock;
mod order;
mod place;
mod program;
mod receive;
mod recorded;
mod sweep;
pub mod sweep_signs;

use std::io::{self, Write};
use std::process::ExitCode;

use base::error::Error;
use serde_json::{Value, json};

use self::order::{Input, Order};

/// Read orders from standard input and carry them out, until it closes or one fails.
#[must_use]
pub fn run() -> ExitCode {
    match carry_out_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            // The controller waits for a line: this is it.
            let _ = reply(&json!({"error": problem}));
            problem.exit_code()
        }
    }
}

fn carry_out_all() -> Result<(), Error> {
    while let Some(order) = order::read(Input)? {
        carry_out(order)?;
    }
    Ok(())
}

fn carry_out(order: Order) -> Result<(), Error> {
    match order {
        Order::Facts {} => answer(&place::facts()?),
        Order::Exec { argv } => program::exec(&argv),
        Order::Run { argv, within_s } => answer(&program::run(&argv, within_s)?),
        Order::Kill { pid } => program::kill(pid).and_then(|()| answer(&json!({}))),
        Order::Put { path, file } => files::put(&path, &file).and_then(|()| answer(&json!({}))),
        Order::Fetch { path, within } => files::fetch(&path, within.as_deref()),
        Order::Receive { into, files } => receive::receive(&into, &files),
        Order::Record { patterns } => answer(&recorded::record(&patterns)),
        Order::Keep { lease_s } => hold::keep(lease_s),
        Order::Hold(request) => hold::hold(&request),
        Order::Sweep { patience_s } => answer(&sweep::sweep(patience_s)?),
        Order::EndRun { id } => answer(&sweep::end_run(&id)?),
    }
}

fn answer(value: &Value) -> Result<(), Error> {
    reply(value).map_err(|error| {
        Error::io(
            "the controller does not read the response",
            &error,
            "See whether the connection is still there.",
        )
    })
}

/// Write one line to the controller.
fn reply(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    out.flush()
}
