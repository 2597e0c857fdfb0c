//! One answer, read piece by piece as the network delivers it; bodies are compared in passing and never kept.

use super::Malformed;
use super::chunks::Chunks;
use super::head::{self, Framing, HEAD_LIMIT_BYTES};

/// What a whole answer was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The length of the body, decoded where it came in chunks.
    pub length_bytes: u64,
    /// Whether the body was compared and found to differ from the expected one, as far as it came.
    pub differs: bool,
    /// Whether the server means to keep the connection open.
    pub keep_alive: bool,
}

/// Reads one answer after another from one connection; after an error only [`Reader::begin`] may follow.
#[derive(Debug)]
pub struct Reader {
    part: Part,
    kept: Vec<u8>,
    started: bool,
    answer: Answer,
}

#[derive(Debug)]
enum Part {
    Head,
    Length(u64),
    Chunks(Chunks),
    UntilClose,
    Whole,
}

const NONE_YET: Answer = Answer {
    status: 0,
    length_bytes: 0,
    differs: false,
    keep_alive: false,
};

impl Default for Reader {
    fn default() -> Self {
        Self {
            part: Part::Head,
            kept: Vec::new(),
            started: false,
            answer: NONE_YET,
        }
    }
}

impl Reader {
    /// Makes ready for the next answer.
    pub fn begin(&mut self) {
        self.part = Part::Head;
        self.kept.clear();
        self.started = false;
        self.answer = NONE_YET;
    }

    /// Whether any byte of the answer has come.
    pub fn started(&self) -> bool {
        self.started
    }

    /// Takes the next bytes; gives the answer once it is whole. With `expected` the body is compared with it.
    ///
    /// # Errors
    /// The bytes are not HTTP/1.1, or go on after the answer's end.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        expected: Option<&[u8]>,
    ) -> Result<Option<Answer>, Malformed> {
        self.started |= !bytes.is_empty();
        let mut rest = bytes;
        while matches!(self.part, Part::Head) {
            let Some(used) = self.feed_head(rest)? else {
                return Ok(None);
            };
            rest = &rest[used..];
        }
        let used = self.feed_body(rest, expected)?;
        match (&self.part, used == rest.len()) {
            (Part::Whole, true) => Ok(Some(self.answer)),
            (Part::Whole, false) => Err(Malformed),
            _ => Ok(None),
        }
    }

    /// The server closed the connection: gives the answer where that is its rightful end.
    pub fn close(&mut self) -> Option<Answer> {
        matches!(self.part, Part::UntilClose).then(|| {
            self.part = Part::Whole;
            self.answer
        })
    }

    /// Takes bytes up to the end of the head; gives how many it took once the head is whole.
    fn feed_head(&mut self, bytes: &[u8]) -> Result<Option<usize>, Malformed> {
        if self.kept.is_empty()
            && let Some(end) = head::end(bytes, 0)
        {
            self.take_head(head::parse(&bytes[..end.min(HEAD_LIMIT_BYTES)])?, end)?;
            return Ok(Some(end));
        }
        let before = self.kept.len();
        let room = HEAD_LIMIT_BYTES.saturating_sub(before).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        // The blank line may have begun in the last two bytes of the piece before.
        let Some(end) = head::end(&self.kept, before.saturating_sub(2)) else {
            let full = self.kept.len() >= HEAD_LIMIT_BYTES;
            return if full || !head::may_begin(&self.kept) {
                Err(Malformed)
            } else {
                Ok(None)
            };
        };
        let read = head::parse(&self.kept[..end])?;
        self.kept.clear();
        self.take_head(read, end)?;
        Ok(Some(end - before))
    }

    fn take_head(&mut self, read: head::Head, bytes: usize) -> Result<(), Malformed> {
        if bytes > HEAD_LIMIT_BYTES || read.status == 101 {
            return Err(Malformed);
        }
        if read.status < 200 {
            return Ok(());
        }
        self.answer = Answer {
            status: read.status,
            keep_alive: read.keep_alive,
            ..NONE_YET
        };
        self.part = match read.framing {
            Framing::Length(0) => Part::Whole,
            Framing::Length(length) => Part::Length(length),
            Framing::Chunked => Part::Chunks(Chunks::default()),
            Framing::UntilClose => Part::UntilClose,
        };
        Ok(())
    }

    /// Takes bytes of the body; gives how many belonged to it.
    fn feed_body(&mut self, bytes: &[u8], expected: Option<&[u8]>) -> Result<usize, Malformed> {
        let answer = &mut self.answer;
        match &mut self.part {
            Part::Length(left) => {
                let used = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                take_body(answer, &bytes[..used], expected);
                *left -= u64::try_from(used).unwrap_or(0);
                if *left == 0 {
                    self.part = Part::Whole;
                }
                Ok(used)
            }
            Part::Chunks(chunks) => {
                let end = chunks.feed(bytes, |part| take_body(answer, part, expected))?;
                if end.is_some() {
                    self.part = Part::Whole;
                }
                Ok(end.unwrap_or(bytes.len()))
            }
            Part::UntilClose => {
                take_body(answer, bytes, expected);
                Ok(bytes.len())
            }
            Part::Head | Part::Whole => Ok(0),
        }
    }
}

fn take_body(answer: &mut Answer, part: &[u8], expected: Option<&[u8]>) {
    let from = usize::try_from(answer.length_bytes).unwrap_or(usize::MAX);
    if let Some(expected) = expected {
        let due = expected.get(from..from.saturating_add(part.len()));
        answer.differs |= due != Some(part);
    }
    answer.length_bytes = answer
        .length_bytes
        .saturating_add(u64::try_from(part.len()).unwrap_or(0));
}

#[cfg(test)]
mod tests;
