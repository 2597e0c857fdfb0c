//! The options of `h2h-load repeat`.

use base::durations::parse_above_0_ns;
use clap::Args;

use super::arguments::{self, Program};

/// Options of `h2h-load repeat`. Times of setup, prepare and cleanup do not count.
#[derive(Args, Debug)]
pub struct Repeat {
    /// How long the program is run again and again; a run that has begun is finished
    #[arg(long, value_name = "TIME", default_value = "3s", value_parser = parse_above_0_ns)]
    pub duration: u64,
    /// Runs before those that count
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub warm_up_runs: u32,
    /// A program to run once at the start, as a JSON list
    #[arg(long, value_name = "JSON", value_parser = arguments::program)]
    pub setup: Option<Program>,
    /// A program to run before each run
    #[arg(long, value_name = "JSON", value_parser = arguments::program)]
    pub prepare: Option<Program>,
    /// A program to run once at the end
    #[arg(long, value_name = "JSON", value_parser = arguments::program)]
    pub cleanup: Option<Program>,
    /// Report the checksum of the output, which must be the same in every run
    #[arg(long)]
    pub compare: bool,
    /// Text that the output of every run contains
    #[arg(long, value_name = "TEXT")]
    pub expect: Option<String>,
    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub argv: Vec<String>,
}
