//! What watches over a run on its host: `supervise` owns it, `watch` reads the machine, `witness` checks from inside.

mod account;
mod cgroup;
mod cpus;
mod domain;
#[cfg(test)]
mod fake_folder;
mod limit_check;
mod network;
mod numa_policy;
mod private_files;
mod procfs;
mod remote;
mod remove_tree;
mod settings;
mod supervise;
mod syscalls;
mod tree;
mod userland;
mod watch;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use base::error::Error;
use clap::{Parser, Subcommand};

/// Owns a run's processes, monitors the machine, and checks limits from inside.
#[derive(Debug, Parser)]
#[command(name = "h2h-probe", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Own everything of one run; requests come in on standard input, one JSON document a line
    Supervise(supervise::Options),
    /// Carry out one order of a controller, a JSON document on standard input
    Remote,
    /// Run the monitors by hand and write their readings
    Watch(watch::Options),
    /// Spin, and print one record with the CPUs and limits that apply to this program
    Witness(limit_check::Options),
}

fn main() -> ExitCode {
    base::panics::end_the_process();
    match Cli::parse().command {
        Command::Supervise(options) => supervise::run(options),
        Command::Remote => remote::run(),
        Command::Watch(options) => watch::run(&options),
        Command::Witness(options) => limit_check::run(&options),
    }
}

/// Print an error on standard error. If that is closed too, nothing can be shown.
fn print_error(error: &Error) {
    let _ = writeln!(io::stderr(), "h2h-probe: {error}");
}

/// Seconds of the command line as a duration.
fn seconds_given(name: &str, seconds: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        Error::failure(
            format!("{name} {seconds} is not a time"),
            "Seconds are expected.",
            "Give a number that is not negative.",
        )
    })
}
