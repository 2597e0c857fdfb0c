//! The response to a query: its rows, how many it affected, or an error.

use super::super::bytes::Bytes;
use super::super::mix::{Answer, Rows};
use super::frames::Frame;
use super::{is_aside, said};
use crate::dialogue::Malformed;

/// A short message is no longer than this (libpq has the same limit); rows, errors and notices may be.
const SHORT_BYTES: usize = 30_000;

/// How much of a response has come.
#[derive(Debug, Default)]
pub struct Reading {
    part: Part,
    sampled: bool,
    rows: Rows,
    has_rows: bool,
    affected: u64,
    failed: bool,
    said: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// No query is under way.
    #[default]
    Idle,
    /// The values are to be taken.
    Values,
    /// Rows come, or the count of those affected.
    Rows,
    /// The end is to come, or one more error before it: what a statement puts off may fail.
    Done,
}

impl Reading {
    /// Prepares for the next response.
    pub fn begin(&mut self, sampled: bool) {
        self.part = Part::Values;
        self.sampled = sampled;
        self.rows.begin(sampled);
        self.has_rows = false;
        self.affected = 0;
        self.failed = false;
    }

    /// The server's text the last time that it returned an error.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Whether the content of a message of this kind and length is looked at.
    ///
    /// # Errors
    /// No such message belongs here.
    pub fn keeps(&self, kind: u8, length: usize) -> Result<bool, Malformed> {
        match (self.part, kind) {
            (Part::Rows, b'D') => Ok(self.sampled),
            // Between two requests it is a farewell.
            (_, b'E') => Ok(self.part != Part::Idle),
            _ if is_aside(kind) => Ok(false),
            (Part::Values, b'2') | (Part::Rows, b'I') if length == 0 => Ok(false),
            (Part::Rows, b'C') if length <= SHORT_BYTES => Ok(true),
            (Part::Done, b'Z') if length == 1 => Ok(false),
            _ => Err(Malformed),
        }
    }

    /// Takes the next message; returns the response once it is whole.
    ///
    /// # Errors
    /// Its content is not what such a message has.
    pub fn take(&mut self, frame: &Frame) -> Result<Option<Answer>, Malformed> {
        match frame.kind {
            b'2' => self.part = Part::Rows,
            b'D' => {
                self.has_rows = true;
                if self.sampled {
                    row(frame.content, &mut self.rows)?;
                } else {
                    self.rows.skip_row();
                }
            }
            b'C' => {
                self.affected = affected(frame.content)?;
                self.part = Part::Done;
            }
            b'I' => self.part = Part::Done,
            b'E' if self.part != Part::Idle => {
                self.said = said(frame.content)?;
                self.failed = true;
                self.part = Part::Done;
            }
            b'Z' => {
                self.part = Part::Idle;
                return Ok(Some(self.answer()));
            }
            _ => {}
        }
        Ok(None)
    }

    fn answer(&mut self) -> Answer {
        let answer = self.rows.finish();
        Answer {
            rows: if self.has_rows {
                answer.rows
            } else {
                self.affected
            },
            stated: !self.has_rows,
            error: self.failed,
            ..answer
        }
    }
}

/// How many rows a command affected, by its last word: `INSERT 0 1`, `UPDATE 3`; 0 if that is no number.
fn affected(content: &[u8]) -> Result<u64, Malformed> {
    let mut bytes = Bytes(content);
    let text = bytes.text()?;
    bytes.end()?;
    let last = text.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let digits = last.iter().take_while(|byte| byte.is_ascii_digit());
    Ok(digits.fold(0_u64, |sum, digit| {
        sum.saturating_mul(10)
            .saturating_add(u64::from(digit - b'0'))
    }))
}

/// Passes the fields of a row to `rows`: how many there are, then each after its length, which is -1 for NULL.
fn row(content: &[u8], rows: &mut Rows) -> Result<(), Malformed> {
    let mut bytes = Bytes(content);
    let count = u16::from_be_bytes(bytes.array()?);
    for _ in 0..count {
        match i32::from_be_bytes(bytes.array()?) {
            -1 => rows.null(),
            length => {
                let length = usize::try_from(length).map_err(|_| Malformed)?;
                rows.field(bytes.take(length)?);
            }
        }
    }
    bytes.end()?;
    rows.end_row();
    Ok(())
}
