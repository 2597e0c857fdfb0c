//! One response, read piece by piece as the network delivers it; bodies are compared in passing and never kept.

#[cfg(test)]
mod corpus;
#[cfg(test)]
mod tests;

use super::Malformed;
use super::body::{Body, Check, Coding, NotInflated};
use super::chunks::Chunks;
use super::head::{self, Framing, HEAD_LIMIT_BYTES, Head};
use super::head_cache::HeadCache;

/// A whole response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The status code.
    pub status: u16,
    /// The length of the body as it came, chunks joined and still compressed.
    pub length_bytes: u64,
    /// How the body is compressed.
    pub coding: Coding,
    /// Its length once inflated, or, if it is too long, one byte more than the correct one has; `None` if it was not
    /// looked at, or not compressed.
    pub inflated_bytes: Option<Result<u64, NotInflated>>,
    /// Whether the body was looked at and is not the right one, as far as it came.
    pub differs: bool,
    /// Whether the server means to keep the connection open.
    pub keep_alive: bool,
}

/// Keeps responses that are looked at as a whole; `()` keeps nothing.
pub trait Keep {
    /// A whole head, blank line included; the last one is that of the response.
    fn head(&mut self, _bytes: &[u8]) {}

    /// The next part of the body as it came, chunks joined.
    fn body(&mut self, _part: &[u8]) {}
}

impl Keep for () {}

/// Reads one response after another from one connection; after an error only [`Reader::begin`] may follow.
pub struct Reader {
    part: Part,
    kept: Vec<u8>,
    started: bool,
    known: HeadCache,
    head: Head,
    body: Body,
}

enum Part {
    Head,
    Length(u64),
    Chunks(Chunks),
    UntilClose,
    Whole,
}

const NONE_YET: Head = Head {
    status: 0,
    framing: Framing::UntilClose,
    keep_alive: false,
    coding: Coding::Plain,
};

impl Default for Reader {
    fn default() -> Self {
        Self {
            part: Part::Head,
            kept: Vec::new(),
            started: false,
            known: HeadCache::default(),
            head: NONE_YET,
            body: Body::default(),
        }
    }
}

impl Reader {
    /// Prepares for the next response.
    pub fn begin(&mut self) {
        self.part = Part::Head;
        self.kept.clear();
        self.started = false;
        self.head = NONE_YET;
        self.body = Body::default();
    }

    /// Whether any byte of the response has come.
    pub fn started(&self) -> bool {
        self.started
    }

    /// Takes the next bytes; returns the response once it is whole. With `check` the body is checked; `check` must be
    /// the same for all bytes of a response.
    ///
    /// # Errors
    /// The bytes are not HTTP/1.1, or go on after the response's end.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        check: Option<&Check>,
    ) -> Result<Option<Answer>, Malformed> {
        self.feed_kept(bytes, check, &mut ())
    }

    /// Like [`Reader::feed`], and keeps the response.
    ///
    /// # Errors
    /// As there.
    pub fn feed_kept(
        &mut self,
        bytes: &[u8],
        check: Option<&Check>,
        keep: &mut impl Keep,
    ) -> Result<Option<Answer>, Malformed> {
        self.started |= !bytes.is_empty();
        let mut rest = bytes;
        while matches!(self.part, Part::Head) {
            let Some(used) = self.feed_head(rest, check, keep)? else {
                return Ok(None);
            };
            rest = &rest[used..];
        }
        let used = self.feed_body(rest, check, keep)?;
        match (&self.part, used == rest.len()) {
            (Part::Whole, true) => Ok(Some(self.answer(check))),
            (Part::Whole, false) => Err(Malformed),
            _ => Ok(None),
        }
    }

    /// How many bytes of the body are still to come, if that is known. If the body is not checked, they need not
    /// be seen: see [`Reader::pass`].
    pub fn left_bytes(&self) -> Option<u64> {
        match self.part {
            Part::Length(left) => Some(left),
            _ => None,
        }
    }

    /// This many bytes came unseen after the last ones fed; returns the response once it is whole. Only while
    /// [`Reader::left_bytes`] knows how many are to come, and without a check.
    ///
    /// # Errors
    /// The bytes go on after the response's end.
    pub fn pass(&mut self, bytes: u64) -> Result<Option<Answer>, Malformed> {
        let Part::Length(left) = &mut self.part else {
            return Err(Malformed);
        };
        *left = left.checked_sub(bytes).ok_or(Malformed)?;
        self.body.pass(bytes);
        if *left > 0 {
            return Ok(None);
        }
        self.part = Part::Whole;
        Ok(Some(self.answer(None)))
    }

    /// The server closed the connection: returns the response if this is its correct end.
    pub fn close(&mut self, check: Option<&Check>) -> Option<Answer> {
        matches!(self.part, Part::UntilClose).then(|| {
            self.part = Part::Whole;
            self.answer(check)
        })
    }

    fn answer(&mut self, check: Option<&Check>) -> Answer {
        Answer {
            status: self.head.status,
            length_bytes: self.body.wire_bytes,
            coding: self.head.coding,
            inflated_bytes: self.body.inflated_bytes(check),
            differs: self.body.differs(check),
            keep_alive: self.head.keep_alive,
        }
    }

    /// Takes bytes up to the end of the head; gives how many it took once the head is whole.
    fn feed_head(
        &mut self,
        bytes: &[u8],
        check: Option<&Check>,
        keep: &mut impl Keep,
    ) -> Result<Option<usize>, Malformed> {
        if self.kept.is_empty() {
            if let Some((head, end)) = self.known.read(bytes) {
                keep.head(&bytes[..end]);
                self.take_head(head, end, check)?;
                return Ok(Some(end));
            }
            if let Some(end) = head::end(bytes, 0) {
                let text = &bytes[..end.min(HEAD_LIMIT_BYTES)];
                let read = head::parse(text)?;
                self.known.keep(text, read);
                keep.head(text);
                self.take_head(read, end, check)?;
                return Ok(Some(end));
            }
        }
        let before = self.kept.len();
        let room = HEAD_LIMIT_BYTES.saturating_sub(before).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        // The blank line may have begun in the last two bytes of the previous piece.
        let Some(end) = head::end(&self.kept, before.saturating_sub(2)) else {
            let full = self.kept.len() >= HEAD_LIMIT_BYTES;
            return if full || !head::may_begin(&self.kept) {
                Err(Malformed)
            } else {
                Ok(None)
            };
        };
        let read = head::parse(&self.kept[..end])?;
        keep.head(&self.kept[..end]);
        self.kept.clear();
        self.take_head(read, end, check)?;
        Ok(Some(end - before))
    }

    fn take_head(
        &mut self,
        read: Head,
        bytes: usize,
        check: Option<&Check>,
    ) -> Result<(), Malformed> {
        if bytes > HEAD_LIMIT_BYTES || read.status == 101 {
            return Err(Malformed);
        }
        if read.status < 200 {
            return Ok(());
        }
        self.head = read;
        self.body = Body::begin(read.coding, check);
        self.part = match read.framing {
            Framing::Length(0) => Part::Whole,
            Framing::Length(length) => Part::Length(length),
            Framing::Chunked => Part::Chunks(Chunks::default()),
            Framing::UntilClose => Part::UntilClose,
        };
        Ok(())
    }

    /// Takes bytes of the body; gives how many belonged to it.
    fn feed_body(
        &mut self,
        bytes: &[u8],
        check: Option<&Check>,
        keep: &mut impl Keep,
    ) -> Result<usize, Malformed> {
        let body = &mut self.body;
        match &mut self.part {
            Part::Length(left) => {
                let used = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                body.take(&bytes[..used], check);
                keep.body(&bytes[..used]);
                *left -= u64::try_from(used).unwrap_or(0);
                if *left == 0 {
                    self.part = Part::Whole;
                }
                Ok(used)
            }
            Part::Chunks(chunks) => {
                let end = chunks.feed(bytes, |part| {
                    body.take(part, check);
                    keep.body(part);
                })?;
                if end.is_some() {
                    self.part = Part::Whole;
                }
                Ok(end.unwrap_or(bytes.len()))
            }
            Part::UntilClose => {
                body.take(bytes, check);
                keep.body(bytes);
                Ok(bytes.len())
            }
            Part::Head | Part::Whole => Ok(0),
        }
    }
}
