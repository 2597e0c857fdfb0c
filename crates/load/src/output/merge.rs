//! `h2h-load merge`: adds what several drivers measured in one case into one record, as if one driver had sent it all.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::Path;

use base::error::Error;

use super::measured::Measured;
use super::{Files, write_record};
use crate::cli::merge::Merge;

/// Adds the files and writes the result.
///
/// # Errors
/// A file cannot be read or written, or the drivers did not measure the same case, with the same rules, from the same
/// instant.
pub fn merge(options: &Merge) -> Result<(), Error> {
    let files = Files::open(options.hlog.as_deref(), options.intervals.as_deref())?;
    let all = options.tallies.iter().map(|path| {
        let text = fs::read_to_string(path).map_err(|error| unreadable(path, error.to_string()))?;
        Ok((path.as_path(), read(path, &text)?))
    });
    let sum = sum(all.collect::<Result<_, Error>>()?)?;
    if options.intervals.is_some() && !sum.tally.rules.keeps_seconds {
        return Err(Error::failure(
            "--intervals",
            "the drivers did not keep what happened in each second",
            "Give --intervals to each driver as well.",
        ));
    }
    files.write(&sum)?;
    write_record(&sum, options.json.as_deref())
}

/// Returns what a driver wrote with `--tally`.
fn read(path: &Path, text: &str) -> Result<Measured, Error> {
    let measured: Measured =
        serde_json::from_str(text).map_err(|error| unreadable(path, error.to_string()))?;
    if measured.format == wire::FORMAT && measured.from_ns < measured.to_ns {
        return Ok(measured);
    }
    let why = "its format is another one, or its window is empty";
    Err(unreadable(path, why.to_owned()))
}

/// Returns what all drivers measured together. There is at least one.
fn sum(all: Vec<(&Path, Measured)>) -> Result<Measured, Error> {
    let added = all.into_iter().try_fold(None, |sum: Option<Measured>, (path, other)| {
        let Some(mut sum) = sum else {
            return Ok(Some(other));
        };
        if let Some(why) = refusal(&sum, &other) {
            return Err(Error::failure(
                format!("{} cannot be added", path.display()),
                why,
                "Give one file for each driver, of the same case and the same --at, with --zero-ns on the clock of each.",
            ));
        }
        sum.add(&other);
        Ok(Some(sum))
    });
    added?.ok_or_else(|| Error::usage("no tally", "there is nothing to add", "Name a file."))
}

/// Why this cannot be added to the sum; `None` if it can.
fn refusal(sum: &Measured, other: &Measured) -> Option<String> {
    let known = sum.by_driver();
    let twice = other
        .by_driver()
        .into_keys()
        .find(|name| known.contains_key(name));
    match twice {
        Some(name) => Some(format!("driver {name} was added already")),
        None => sum
            .difference(other)
            .map(|why| format!("compared with the files before it, {why}")),
    }
}

fn unreadable(path: &Path, why: String) -> Error {
    Error::failure(
        format!("the tally {}", path.display()),
        why,
        "Give a file that the same version of h2h-load wrote with --tally.",
    )
}
