//! Histograms as text, so that the counts of several hosts can be added: each is encoded in `HdrHistogram`'s own format.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Deserializer, Serializer, V2Serializer};
use serde::{Deserialize, Serialize};

use super::histograms::{DIGITS, Histograms};

/// The bytes before the counts in format V2: cookie, length of the counts, offset, digits, bounds and ratio.
const HEADER_BYTES: usize = 40;

/// Where they state how many bytes of counts follow, and the significant digits.
const LENGTH_AT: usize = 4;
const DIGITS_AT: usize = 12;

/// The times of one kind: base64 of the whole window's histogram and of each interval's, and the exact figures.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoded {
    window: String,
    intervals: Vec<String>,
    sum_ns: u128,
    longest_ns: u64,
}

impl From<&Histograms> for Encoded {
    fn from(times: &Histograms) -> Self {
        Self {
            window: STANDARD.encode(encode(&times.window)),
            intervals: times
                .encoded
                .iter()
                .map(|each| STANDARD.encode(each))
                .collect(),
            sum_ns: times.sum_ns,
            longest_ns: times.longest_ns,
        }
    }
}

impl TryFrom<Encoded> for Histograms {
    type Error = String;

    /// Decodes every histogram once, so that later reads cannot fail.
    fn try_from(encoded: Encoded) -> Result<Self, String> {
        let window = decode(&bytes(&encoded.window)?)?;
        let intervals: Vec<Vec<u8>> = encoded
            .intervals
            .iter()
            .map(|text| bytes(text))
            .collect::<Result<_, _>>()?;
        for interval in &intervals {
            if !have_equal_bounds(&decode(interval)?, &window) {
                return Err("an interval's histogram has other bounds than the window's".to_owned());
            }
        }
        let mut interval = window.clone();
        interval.reset();
        Ok(Self {
            interval,
            window,
            encoded: intervals,
            sum_ns: encoded.sum_ns,
            longest_ns: encoded.longest_ns,
        })
    }
}

/// The histogram in `HdrHistogram`'s format V2, without compression.
pub fn encode(histogram: &Histogram<u64>) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A vector takes what is written to it: it cannot fail.
    let encoded = V2Serializer::new().serialize(histogram, &mut bytes);
    debug_assert!(encoded.is_ok());
    bytes
}

/// Whether one histogram can be added to another without loss.
pub fn have_equal_bounds(one: &Histogram<u64>, other: &Histogram<u64>) -> bool {
    (one.low(), one.high(), one.sigfig()) == (other.low(), other.high(), other.sigfig())
}

fn bytes(text: &str) -> Result<Vec<u8>, String> {
    STANDARD
        .decode(text)
        .map_err(|error| format!("a histogram is not base64: {error}"))
}

fn decode(bytes: &[u8]) -> Result<Histogram<u64>, String> {
    // The decoder allocates what the header states before it reads on.
    if stated(bytes, LENGTH_AT) != bytes.len().checked_sub(HEADER_BYTES) {
        return Err("a histogram is not as long as it states".to_owned());
    }
    if stated(bytes, DIGITS_AT) != Some(usize::from(DIGITS)) {
        return Err("a histogram has other significant digits than ours".to_owned());
    }
    Deserializer::new()
        .deserialize(&mut &bytes[..])
        .map_err(|error| format!("a histogram cannot be decoded: {error}"))
}

/// A number in the header; `None` if the header ends before it.
fn stated(bytes: &[u8], at: usize) -> Option<usize> {
    let four = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes(*four)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_histogram_that_states_another_length_or_other_digits_is_refused_before_memory_is_taken_for_it()
     {
        let mut histogram = Histogram::new_with_bounds(1, 1_000_000, DIGITS).expect("bounds");
        histogram.record(1000).expect("within bounds");
        let right = encode(&histogram);
        let spoiled = |at: usize, byte: u8| {
            let mut bytes = right.clone();
            bytes[at] = byte;
            decode(&bytes)
        };
        assert_eq!(decode(&right).expect("right"), histogram);
        assert!(spoiled(LENGTH_AT, 0xff).is_err());
        assert!(spoiled(DIGITS_AT + 3, 5).is_err());
        assert!(decode(&right[..HEADER_BYTES - 1]).is_err());
    }
}
