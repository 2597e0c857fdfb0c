//! The interval log: histograms of each second, in the log format that every `HdrHistogram` library reads.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use base::durations::SECOND_NS;
use base::error::Error;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use super::measured::Measured;

/// The log holds ns; its column of maxima, which only people read, is in ms.
const NS_PER_MS: f64 = 1e6;

/// A log that the cases of a run share: each adds to its end.
pub struct Log {
    file: File,
    name: String,
}

impl Log {
    /// Opens the log, so that one that cannot be written is found out before the load starts.
    ///
    /// # Errors
    /// The file cannot be opened for writing.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| unwritable(&name, &error))?;
        Ok(Self { file, name })
    }

    /// Adds the intervals of one case, all at once. Times count from the run's start.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(mut self, measured: &Measured) -> Result<(), Error> {
        let written = self
            .text(measured)
            .and_then(|text| self.file.write_all(&text));
        written.map_err(|error| unwritable(&self.name, &error))
    }

    fn text(&self, measured: &Measured) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let mut header = IntervalLogWriterBuilder::new();
        let _ = header.with_max_value_divisor(NS_PER_MS);
        if self.file.metadata()?.len() == 0 {
            let zero = UNIX_EPOCH + Duration::from_nanos(measured.zero_unix_ns);
            let _ = header
                .add_comment("[Histogram log format version 1.3]")
                .with_base_time(zero);
        }
        let mut log = header.begin_log_with(&mut text, &mut serializer)?;
        log.write_comment(&format!(
            "[Case: {}]",
            serde_json::Value::Object(measured.case.clone())
        ))?;
        let all = [
            ("response_time", &measured.tally.response),
            ("service_time", &measured.tally.service),
        ];
        let kinds = measured.tally.kinds.iter();
        let kinds = kinds.map(|kind| (kind.name.as_str(), &kind.response));
        for (name, times) in all.into_iter().chain(kinds) {
            let intervals: Vec<_> = times.intervals().collect();
            for (number, histogram) in intervals.iter().enumerate() {
                let is_last = number + 1 == intervals.len();
                let (from_ns, length_ns) = stretch(number, is_last, measured);
                let start = Duration::from_nanos(from_ns);
                let length = Duration::from_nanos(length_ns);
                log.write_histogram(histogram, start, length, Tag::new(name))
                    .map_err(|error| io::Error::other(error.to_string()))?;
            }
        }
        Ok(text)
    }
}

/// When the interval of this number begins, and how long it is: a second, but for the last.
fn stretch(number: usize, is_last: bool, measured: &Measured) -> (u64, u64) {
    let from_ns = measured.from_ns + SECOND_NS * u64::try_from(number).unwrap_or(0);
    if is_last {
        (from_ns, measured.to_ns.saturating_sub(from_ns))
    } else {
        (from_ns, SECOND_NS)
    }
}

fn unwritable(name: &str, error: &io::Error) -> Error {
    Error::failure(
        format!("the log {name}"),
        error.to_string(),
        "Name a file that can be written with --hlog.",
    )
}
