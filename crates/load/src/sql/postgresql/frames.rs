//! Messages (a letter, four bytes of length, the content), taken from the bytes as they come. Content that is not
//! needed is passed over by its length; needed content that is in one piece is not copied.

use super::super::message_head::Head;
use crate::dialogue::Malformed;

/// More content than this is wanted of no message.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// One message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The letter, which gives its kind.
    pub kind: u8,
    /// The content, if it is needed.
    pub content: &'a [u8],
}

/// The position in the stream of messages.
#[derive(Debug, Default)]
pub struct Frames {
    head: Head<5>,
    /// Of the message whose head was read: its letter, and how much of its content is to come.
    inside: Option<(u8, usize)>,
    wanted: bool,
    /// What came before of content that is wanted.
    kept: Vec<u8>,
}

impl Frames {
    /// Takes the next whole message from the front of the bytes; `None` if more of them must come first, and all are
    /// taken. `wants` gets a message's letter and its content's length as soon as they are there, and returns whether
    /// the content is wanted.
    ///
    /// # Errors
    /// A message is too long, or `wants` does not know it.
    pub fn next<'s, 'b: 's>(
        &'s mut self,
        bytes: &mut &'b [u8],
        wants: impl Fn(u8, usize) -> Result<bool, Malformed>,
    ) -> Result<Option<Frame<'s>>, Malformed> {
        if self.inside.is_none() {
            let Some((kind, length)) = self.head(bytes)? else {
                return Ok(None);
            };
            self.wanted = wants(kind, length)?;
            if self.wanted && length > MOST_BYTES {
                return Err(Malformed);
            }
            self.kept.clear();
            self.inside = Some((kind, length));
        }
        let Some((kind, left)) = self.inside else {
            return Ok(None);
        };
        let (piece, rest) = bytes.split_at(left.min(bytes.len()));
        *bytes = rest;
        let whole = piece.len() == left;
        if self.wanted && (!whole || !self.kept.is_empty()) {
            self.kept.extend_from_slice(piece);
        }
        if !whole {
            self.inside = Some((kind, left - piece.len()));
            return Ok(None);
        }
        self.inside = None;
        let content = match (self.wanted, self.kept.is_empty()) {
            (false, _) => &[],
            (true, true) => piece,
            (true, false) => &self.kept,
        };
        Ok(Some(Frame { kind, content }))
    }

    /// Reads a head: the letter, and the length of the content after it.
    fn head(&mut self, bytes: &mut &[u8]) -> Result<Option<(u8, usize)>, Malformed> {
        let Some([kind, length @ ..]) = self.head.next(bytes) else {
            return Ok(None);
        };
        // The length counts itself, and is signed.
        let length = i32::from_be_bytes(length).checked_sub(4);
        let length = length.and_then(|length| usize::try_from(length).ok());
        Ok(Some((kind, length.ok_or(Malformed)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Frames, Malformed};

    type Seen = Vec<(u8, Vec<u8>)>;

    fn seen(bytes: &[u8], piece: usize, wanted: bool) -> Result<Seen, Malformed> {
        let mut frames = Frames::default();
        let mut seen = Vec::new();
        for mut rest in bytes.chunks(piece) {
            while let Some(frame) = frames.next(&mut rest, |_, _| Ok(wanted))? {
                seen.push((frame.kind, frame.content.to_vec()));
            }
            assert!(rest.is_empty());
        }
        Ok(seen)
    }

    #[test]
    fn messages_are_the_same_however_their_bytes_come() {
        let bytes = b"2\0\0\0\x04D\0\0\0\x0a\0\x01\0\0\0\0N\0\0\0\x05xZ\0\0\0\x05I";
        let due = vec![
            (b'2', vec![]),
            (b'D', b"\0\x01\0\0\0\0".to_vec()),
            (b'N', b"x".to_vec()),
            (b'Z', b"I".to_vec()),
        ];
        let passed: Seen = due.iter().map(|&(kind, _)| (kind, Vec::new())).collect();
        for piece in 1..=bytes.len() {
            assert_eq!(
                seen(bytes, piece, true).as_ref(),
                Ok(&due),
                "in pieces of {piece}"
            );
            assert_eq!(
                seen(bytes, piece, false).as_ref(),
                Ok(&passed),
                "in pieces of {piece}"
            );
        }
    }

    #[test]
    fn a_length_that_cannot_be_is_malformed_at_once() {
        for bytes in [
            b"D\0\0\0\x03",
            b"D\0\0\0\0",
            b"D\xff\xff\xff\xff",
            b"D\x80\0\0\0",
        ] {
            assert_eq!(seen(bytes, 5, false), Err(Malformed), "{bytes:?}");
        }
        assert_eq!(
            seen(b"D\x01\0\0\x05", 5, true),
            Err(Malformed),
            "more than is wanted of any"
        );
        assert_eq!(seen(b"D\x01\0\0\x05", 5, false), Ok(Vec::new()));
    }
}
