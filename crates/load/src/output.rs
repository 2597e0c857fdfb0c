//! What the load writes: log, intervals and record, according to the options.

pub mod hlog;
pub mod print;
pub mod record;

use std::io::{Write, stderr};
use std::num::NonZeroU32;

use base::error::Error;

use crate::cli::Output;
use crate::cli::load_options;
use crate::drive::poll::Poll;
use crate::drive::{Drive, Outcome};
use hlog::Log;
use print::Csv;
use record::CaseContext;
use wire::LoadRecord;

/// Fails if no response was correct: a person who measures by hand must not take such figures for a result.
fn some_right(record: &LoadRecord) -> Result<(), Error> {
    if record.right > 0 {
        return Ok(());
    }
    Err(Error::failure(
        "no response was correct",
        "every request failed, or its response was another one than expected",
        "See the errors above; send the request by hand.",
    ))
}

/// Everything that is written, opened before the load so that what cannot be written is found out in time.
pub struct Outputs {
    options: Output,
    zero_ns: u64,
    log: Option<Log>,
    intervals: Option<Csv>,
}

impl Outputs {
    /// Opens the files. Times count from `began_ns` on `CLOCK_MONOTONIC` if the options give no other instant.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn open(options: Output, began_ns: u64) -> Result<Self, Error> {
        Ok(Self {
            zero_ns: options.zero_ns.unwrap_or(began_ns),
            log: options.hlog.as_deref().map(Log::open).transpose()?,
            intervals: options.intervals.as_deref().map(Csv::create).transpose()?,
            options,
        })
    }

    /// Whether what happens in each second is wanted.
    pub fn wants_seconds(&self) -> bool {
        self.intervals.is_some()
    }

    /// Writes the result of the load. Nothing is written before the whole window was measured. The server's first error
    /// text goes to standard error, so that the run's log names the cause.
    ///
    /// # Errors
    /// A file, or standard output, cannot be written.
    pub fn write(self, drive: &Drive, outcome: &Outcome) -> Result<(), Error> {
        if let Some(said) = &outcome.said {
            // If standard error is closed, the counts still show it.
            let _ = writeln!(stderr(), "h2h-load: {said}");
        }
        let case = self
            .options
            .case
            .unwrap_or_else(|| load_options::case(drive));
        if let Some(log) = self.log {
            log.append(&case, self.zero_ns, outcome)?;
        }
        if let Some(intervals) = self.intervals {
            let length_ns = outcome.to_ns - outcome.from_ns;
            let polling = NonZeroU32::new(drive.threads).filter(|_| drive.poll == Poll::Busy);
            intervals.write(&outcome.tally.seconds.csv(length_ns, polling))?;
        }
        let told = CaseContext {
            driver: self.options.driver,
            case,
            zero_ns: self.zero_ns,
        };
        let record = record::record(told, drive, outcome);
        match self.options.json {
            Some(to) => print::json(&record, &to),
            None => print::summary(&record).and_then(|()| some_right(&record)),
        }
    }
}
