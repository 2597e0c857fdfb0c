//! `h2h-memory`: bandwidth and latency of a machine's memory, and of the way between its CPUs.

mod access;
mod bandwidth;
mod cases;
mod cli;
mod core_to_core;
mod latency;
mod loaded_latency;
mod machine;
mod nodes;
mod numbers;
mod record;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};

/// TERM and INT end the process at once: the kernel takes back everything that it leaves.
fn main() -> ExitCode {
    base::panics::end_the_process();
    let done = match Cli::parse().command {
        Command::Bandwidth(options) => bandwidth::bandwidth(&options),
        Command::Latency(options) => latency::latency(&options),
        Command::LoadedLatency(options) => loaded_latency::loaded(&options),
        Command::Nodes(options) => nodes::nodes(&options),
        Command::CoreToCore(options) => core_to_core::core_to_core(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, the exit code still shows it.
            let _ = writeln!(stderr(), "h2h-memory: {error}");
            error.exit_code()
        }
    }
}

/// Print what people should know of a case that was measured all the same.
fn remark(text: &str) {
    // If standard error is closed, the record still has the figures.
    let _ = writeln!(stderr(), "h2h-memory: {text}");
}
