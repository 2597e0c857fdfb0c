//! What the load leaves behind: log, intervals and record, as the words say it.

pub mod hlog;
pub mod print;
pub mod record;

use std::io::{Write, stderr};

use base::error::Error;

use crate::cli::Output;
use crate::cli::load_options;
use crate::drive::{Drive, Outcome};
use hlog::Log;
use print::Csv;
use record::CaseContext;

/// Everything that is written, opened before the load so that what cannot be written is found out in time.
pub struct Outputs {
    words: Output,
    zero_ns: u64,
    log: Option<Log>,
    intervals: Option<Csv>,
}

impl Outputs {
    /// Opens the files. Times count from `began_ns` on `CLOCK_MONOTONIC` where the words give no other instant.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn open(words: Output, began_ns: u64) -> Result<Self, Error> {
        Ok(Self {
            zero_ns: words.zero_ns.unwrap_or(began_ns),
            log: words.hlog.as_deref().map(Log::open).transpose()?,
            intervals: words.intervals.as_deref().map(Csv::create).transpose()?,
            words,
        })
    }

    /// Whether what happens in each second is wanted.
    pub fn wants_seconds(&self) -> bool {
        self.intervals.is_some()
    }

    /// Writes what came of the load. Nothing is written before all of the window was measured. What a server said that
    /// could not answer goes to standard error, so that the run's log names the cause.
    ///
    /// # Errors
    /// A file, or standard output, cannot be written.
    pub fn write(self, drive: &Drive, outcome: &Outcome) -> Result<(), Error> {
        if let Some(said) = &outcome.said {
            // Where standard error is gone, the counts still tell.
            let _ = writeln!(stderr(), "h2h-load: {said}");
        }
        let case = self.words.case.unwrap_or_else(|| load_options::case(drive));
        if let Some(log) = self.log {
            log.append(&case, self.zero_ns, outcome)?;
        }
        if let Some(intervals) = self.intervals {
            let length_ns = outcome.to_ns - outcome.from_ns;
            intervals.write(&outcome.tally.seconds.csv(length_ns))?;
        }
        let told = CaseContext {
            driver: self.words.driver,
            case,
            zero_ns: self.zero_ns,
        };
        let record = record::record(told, drive, outcome);
        match self.words.json {
            Some(to) => print::json(&record, &to),
            None => print::summary(&record),
        }
    }
}
