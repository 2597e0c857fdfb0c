//! What the program writes when it is done: the record for programs, a few lines for people.

use std::fs;
use std::io::{self, Write, stdout};
use std::path::Path;

use base::error::Error;
use serde::Serialize;
use wire::{LoadRecord, QueryRecord};

/// Writes the record as one line to a file, or to standard output for `-`.
///
/// # Errors
/// It cannot be written there.
pub fn json(record: &impl Serialize, to: &Path) -> Result<(), Error> {
    let text = line(record)?;
    let written = if to == Path::new("-") {
        out(&text)
    } else {
        fs::write(to, text)
    };
    written.map_err(|error| unwritable(&to.display().to_string(), &error))
}

/// The record as one line.
///
/// # Errors
/// It holds something that JSON has not.
pub fn line(record: &impl Serialize) -> Result<String, Error> {
    let line = wire::line(record).map_err(io::Error::from);
    line.map(|line| format!("{line}\n"))
        .map_err(|error| unwritable("the load", &error))
}

/// Prints the record's main figures on standard output.
///
/// # Errors
/// Standard output is gone.
pub fn summary(record: &LoadRecord) -> Result<(), Error> {
    people(&text(record))
}

/// Prints lines for people on standard output.
///
/// # Errors
/// Standard output is gone.
pub fn people(text: &str) -> Result<(), Error> {
    out(text).map_err(|error| unwritable("standard output", &error))
}

/// A file that an option names.
pub struct NewFile {
    file: fs::File,
    what: &'static str,
    option: &'static str,
    name: String,
}

impl NewFile {
    /// Creates the file, so that one that cannot be written is found out before the load starts.
    ///
    /// # Errors
    /// It cannot be created.
    pub fn create(path: &Path, what: &'static str, option: &'static str) -> Result<Self, Error> {
        let name = path.display().to_string();
        match fs::File::create(path) {
            Ok(file) => Ok(Self {
                file,
                what,
                option,
                name,
            }),
            Err(error) => Err(unwritten(what, option, &name, &error)),
        }
    }

    /// Writes the whole text.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(mut self, text: &str) -> Result<(), Error> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| unwritten(self.what, self.option, &self.name, &error))
    }
}

fn unwritten(what: &str, option: &str, name: &str, error: &io::Error) -> Error {
    Error::failure(
        format!("the {what} {name}"),
        error.to_string(),
        format!("Name a file that can be written with {option}."),
    )
}

fn out(text: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

fn text(record: &LoadRecord) -> String {
    let errors: Vec<String> = record
        .errors
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    let errors = if errors.is_empty() {
        "none".to_owned()
    } else {
        errors.join(", ")
    };
    let offered = record
        .offered_load_per_s
        .map_or_else(String::new, |offered| {
            format!("offered load   {offered:.1} requests per second\n")
        });
    let queries = record.queries.iter().flatten();
    let queries: Vec<String> = queries
        .map(|(name, figures)| query(name, figures))
        .collect();
    let queries = queries.concat();
    format!(
        "{offered}goodput        {:.1} correct responses per second\n\
         response time  p50 {}  p99 {}  p99.9 {}  longest {}\n\
         requests       {}, of which correct {}; errors: {errors}\n{queries}",
        record.goodput_per_s,
        time(record.response_time_p50_ns),
        time(record.response_time_p99_ns),
        time(record.response_time_p999_ns),
        time(record.response_time_max_ns),
        record.sent,
        record.right,
    )
}

fn query(name: &str, figures: &QueryRecord) -> String {
    let (p50, p99) = (figures.response_time_p50_ns, figures.response_time_p99_ns);
    let (right, sent) = (figures.right, figures.sent);
    let (p50, p99) = (time(p50), time(p99));
    format!("  {name}: correct {right} of {sent}; response time  p50 {p50}  p99 {p99}\n")
}

/// A time in ms, or that there is none.
pub fn time(time_ns: Option<u64>) -> String {
    time_ns.map_or_else(
        || "not seen".to_owned(),
        |time_ns| format!("{:.3} ms", base::durations::seconds(time_ns) * 1e3),
    )
}

fn unwritable(name: &str, error: &io::Error) -> Error {
    Error::failure(
        format!("the record for {name}"),
        error.to_string(),
        "Name another file, or - for standard output.",
    )
}
