//! The options of `h2h-load merge`.

use std::path::PathBuf;

use clap::Args;

/// Options of `h2h-load merge`.
#[derive(Args, Debug)]
pub struct Merge {
    /// Add histograms (`HdrHistogram`) of every second to this file
    #[arg(long, value_name = "FILE")]
    pub hlog: Option<PathBuf>,
    /// Write what happened in each second to this file, as CSV; each driver needs --intervals as well
    #[arg(long, value_name = "FILE")]
    pub intervals: Option<PathBuf>,
    /// Write the record to this file, or to standard output for - (default: print a summary)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// The files that the drivers wrote with --tally
    #[arg(required = true, value_name = "TALLY")]
    pub tallies: Vec<PathBuf>,
}
