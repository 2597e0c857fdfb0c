//! One body as it passes: its length, and its content if the response is sampled. Nothing is kept.

use sha2::{Digest, Sha256};

use super::inflate::Inflater;

/// If the length of a body is not known, inflating ends here: no page is longer.
const INFLATED_LIMIT_BYTES: u64 = 64 * 1024 * 1024;

/// How the body was compressed, according to the head.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Coding {
    /// Not at all.
    #[default]
    Plain,
    /// With gzip.
    Gzip,
    /// In another way, or in several.
    Other,
}

/// What is checked in the body of a sampled response.
#[derive(Clone, Copy, Debug)]
pub struct Check<'a> {
    /// Whether compressed bodies were requested: they are then inflated first.
    pub inflates: bool,
    /// Length of the correct body, if it is known; bytes beyond it are not inflated.
    pub length_bytes: Option<u64>,
    /// What it holds.
    pub content: Content<'a>,
}

/// What the right body holds.
#[derive(Clone, Copy, Debug)]
pub enum Content<'a> {
    /// Nobody knows.
    Any,
    /// These bytes.
    Bytes(&'a [u8]),
    /// Bytes with this SHA-256.
    Sha256(&'a [u8; 32]),
}

/// How much of a body has come.
#[derive(Default)]
pub struct Body {
    /// Bytes that came, chunks joined and still compressed.
    pub wire_bytes: u64,
    /// The content, inflated if it was compressed; only of a response that is checked.
    seen: Seen,
    inflater: Option<Box<Inflater>>,
}

#[derive(Default)]
struct Seen {
    bytes: u64,
    differs: bool,
    sum: Option<Sha256>,
}

impl Body {
    /// A body compressed like this, of which nothing has come yet. Only one that is to be inflated allocates.
    pub fn begin(coding: Coding, check: Option<&Check>) -> Self {
        let inflates = coding == Coding::Gzip && check.is_some_and(|check| check.inflates);
        Self {
            inflater: inflates.then(Inflater::new),
            ..Self::default()
        }
    }

    /// Takes the next part of the body.
    pub fn take(&mut self, part: &[u8], check: Option<&Check>) {
        self.wire_bytes = self.wire_bytes.saturating_add(length(part));
        let (Some(check), seen) = (check, &mut self.seen) else {
            return;
        };
        match &mut self.inflater {
            Some(inflater) => inflater.feed(part, |piece| seen.take(piece, check)),
            None => {
                let _ = seen.take(part, check);
            }
        }
    }

    /// So many bytes of the body came unseen.
    pub fn pass(&mut self, bytes: u64) {
        self.wire_bytes = self.wire_bytes.saturating_add(bytes);
    }

    /// Whether the content, as far as it came, is not the right one.
    pub fn differs(&mut self, check: Option<&Check>) -> bool {
        if let Some(Content::Sha256(sum)) = check.map(|check| check.content) {
            let seen = self.seen.sum.take().unwrap_or_default().finalize();
            self.seen.differs |= seen.as_slice() != sum;
        }
        self.seen.differs
    }

    /// The length once inflated, or, if that is too long, one byte more than the correct one has. `None` if nothing
    /// was to be inflated; an error if it did not inflate.
    pub fn inflated_bytes(&self, check: Option<&Check>) -> Option<Result<u64, NotInflated>> {
        let inflater = self.inflater.as_ref()?;
        let due = check.and_then(|check| check.length_bytes);
        Some(match due {
            Some(due) if self.seen.bytes > due => Ok(due.saturating_add(1)),
            _ if inflater.is_whole() => Ok(self.seen.bytes),
            _ => Err(NotInflated),
        })
    }
}

/// A body declared as gzip is not gzip, ends too early, goes on after its end, or is a bomb.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotInflated;

impl Seen {
    /// Takes bytes of the content; false once it is longer than the right one.
    fn take(&mut self, part: &[u8], check: &Check) -> bool {
        match check.content {
            Content::Any => {}
            Content::Bytes(right) => {
                let from = usize::try_from(self.bytes).unwrap_or(usize::MAX);
                let due = right.get(from..from.saturating_add(part.len()));
                self.differs |= due != Some(part);
            }
            Content::Sha256(_) => self.sum.get_or_insert_default().update(part),
        }
        self.bytes = self.bytes.saturating_add(length(part));
        self.bytes <= check.length_bytes.unwrap_or(INFLATED_LIMIT_BYTES)
    }
}

fn length(part: &[u8]) -> u64 {
    u64::try_from(part.len()).unwrap_or(u64::MAX)
}
