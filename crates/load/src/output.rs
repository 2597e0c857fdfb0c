//! What the load writes: log, intervals, tally and record, according to the options.

pub mod hlog;
pub mod measured;
pub mod merge;
pub mod print;
pub mod record;

use std::io::{Write, stderr};
use std::num::NonZeroU32;
use std::path::Path;

use base::error::Error;

use crate::cli::Output;
use crate::drive::{Drive, Outcome};
use hlog::Log;
use measured::{CaseContext, Measured};
use print::NewFile;
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

/// Writes the record to the file, or prints its summary without one.
///
/// # Errors
/// It cannot be written, or a summary would be of no correct response.
pub fn write_record(measured: &Measured, json: Option<&Path>) -> Result<(), Error> {
    let record = record::record(measured);
    match json {
        Some(to) => print::json(&record, to),
        None => print::summary(&record).and_then(|()| some_right(&record)),
    }
}

/// The log and the intervals, opened before the load so that what cannot be written is found out in time.
pub struct Files {
    log: Option<Log>,
    intervals: Option<NewFile>,
}

impl Files {
    /// Opens the files that are wanted.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn open(hlog: Option<&Path>, intervals: Option<&Path>) -> Result<Self, Error> {
        let create = |path| NewFile::create(path, "intervals", "--intervals");
        Ok(Self {
            log: hlog.map(Log::open).transpose()?,
            intervals: intervals.map(create).transpose()?,
        })
    }

    /// Writes them.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn write(self, measured: &Measured) -> Result<(), Error> {
        if let Some(log) = self.log {
            log.append(measured)?;
        }
        if let Some(intervals) = self.intervals {
            let polling = NonZeroU32::new(measured.threads).filter(|_| measured.polls);
            let seconds = &measured.tally.seconds;
            intervals.write(&seconds.csv(measured.elapsed_ns(), polling))?;
        }
        Ok(())
    }
}

/// Everything that is written, opened before the load.
pub struct Outputs {
    options: Output,
    zero_ns: u64,
    files: Files,
    tally: Option<NewFile>,
}

impl Outputs {
    /// Opens the files. Times count from `began_ns` on `CLOCK_MONOTONIC` if the options give no other instant.
    ///
    /// # Errors
    /// One of them cannot be written.
    pub fn open(options: Output, began_ns: u64) -> Result<Self, Error> {
        let create = |path| NewFile::create(path, "tally", "--tally");
        Ok(Self {
            zero_ns: options.zero_ns.unwrap_or(began_ns),
            files: Files::open(options.hlog.as_deref(), options.intervals.as_deref())?,
            tally: options.tally.as_deref().map(create).transpose()?,
            options,
        })
    }

    /// Whether what happens in each second is wanted.
    pub fn wants_seconds(&self) -> bool {
        self.files.intervals.is_some()
    }

    /// Writes the result of the load. Nothing is written before the whole window was measured. The server's first error
    /// text goes to standard error, so that the run's log names the cause.
    ///
    /// # Errors
    /// A file, or standard output, cannot be written.
    pub fn write(self, drive: &Drive, outcome: Outcome) -> Result<(), Error> {
        if let Some(said) = &outcome.said {
            // If standard error is closed, the counts still show it.
            let _ = writeln!(stderr(), "h2h-load: {said}");
        }
        let context = CaseContext {
            driver: self.options.driver,
            case: self.options.case,
            zero_ns: self.zero_ns,
        };
        let measured = Measured::new(context, drive, outcome);
        self.files.write(&measured)?;
        if let Some(tally) = self.tally {
            tally.write(&print::line(&measured)?)?;
        }
        write_record(&measured, self.options.json.as_deref())
    }
}
