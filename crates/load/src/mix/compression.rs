//! What is known of compressed answers.

use crate::http::answer::Answer;
use crate::http::body::Coding;

/// Counts of right answers to requests that asked for compressed ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compression {
    /// Answers that were not compressed all the same.
    pub plain_answers: u64,
    wire_bytes: u64,
    inflated_bytes: u64,
}

impl Compression {
    /// Counts a right answer.
    pub fn count(&mut self, answer: &Answer) {
        if answer.coding == Coding::Plain {
            self.plain_answers += 1;
        } else if let Some(Ok(bytes)) = answer.inflated_bytes {
            self.wire_bytes += answer.length_bytes;
            self.inflated_bytes += bytes;
        }
    }

    /// Adds the counts of another thread.
    pub fn add(&mut self, other: &Self) {
        self.plain_answers += other.plain_answers;
        self.wire_bytes += other.wire_bytes;
        self.inflated_bytes += other.inflated_bytes;
    }

    /// Bytes once inflated for each byte that came, over the sample; `None` where nothing was inflated.
    // Exact up to 2^53 bytes, which no sample reaches.
    #[allow(clippy::cast_precision_loss)]
    pub fn ratio(&self) -> Option<f64> {
        (self.wire_bytes > 0).then(|| self.inflated_bytes as f64 / self.wire_bytes as f64)
    }
}
