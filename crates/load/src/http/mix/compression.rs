//! What is known of compressed responses.

use serde::{Deserialize, Serialize};

use crate::http::answer::Answer;
use crate::http::body::Coding;

/// Counts of correct responses to requests for compressed ones, or of one such response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compression {
    /// Answers that were not compressed all the same.
    pub plain_answers: u64,
    wire_bytes: u64,
    inflated_bytes: u64,
}

impl Compression {
    /// The counts of one response.
    pub fn of(answer: &Answer) -> Self {
        let inflated = match answer.inflated_bytes {
            Some(Ok(bytes)) if answer.coding != Coding::Plain => Some(bytes),
            _ => None,
        };
        Self {
            plain_answers: u64::from(answer.coding == Coding::Plain),
            wire_bytes: inflated.map_or(0, |_| answer.length_bytes),
            inflated_bytes: inflated.unwrap_or(0),
        }
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.plain_answers += other.plain_answers;
        self.wire_bytes += other.wire_bytes;
        self.inflated_bytes += other.inflated_bytes;
    }

    /// Bytes once inflated for each byte that came, over the sample; `None` if nothing was inflated.
    // Exact up to 2^53 bytes, which no sample reaches.
    #[allow(clippy::cast_precision_loss)]
    pub fn ratio(&self) -> Option<f64> {
        (self.wire_bytes > 0).then(|| self.inflated_bytes as f64 / self.wire_bytes as f64)
    }
}
