//! `h2h-memory`: bandwidth and latency of a machine's memory, and of the way between its CPUs.

mod bandwidth;
mod cases;
mod chase;
mod cli;
mod clock;
mod complaint;
mod gate;
mod latency;
mod loaded;
mod machine;
mod map;
mod nodes;
mod numbers;
mod pairs;
mod plateau;
mod random;
mod record;
mod vector;
mod words;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};

/// TERM and INT end the process at once: nothing is left behind that the kernel does not take back.
fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Bandwidth(words) => bandwidth::bandwidth(&words),
        Command::Latency(words) => latency::latency(&words),
        Command::LoadedLatency(words) => loaded::loaded(&words),
        Command::Nodes(words) => nodes::nodes(&words),
        Command::CoreToCore(words) => pairs::core_to_core(&words),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(complaint) => {
            // Where standard error is gone too, the exit code still tells.
            let _ = writeln!(stderr(), "h2h-memory: {complaint}");
            complaint.exit_code()
        }
    }
}
