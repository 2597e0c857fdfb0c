//! Packets (three bytes of length, one of number, then the content), taken from the bytes as they come. Content
//! that is not needed is passed over by its length; needed content that is in one piece is not copied.

use super::super::message_head::Head;
use crate::dialogue::Malformed;

/// A packet of this length goes on in the next one.
const FULL: usize = 0xff_ff_ff;

/// More content than this is wanted of no packet.
const MOST_BYTES: usize = 16 * 1024 * 1024;

const HEAD_BYTES: usize = 4;

/// One packet, or several that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// The number of the last one.
    pub number: u8,
    /// The first byte of the content, which gives its kind.
    pub first: u8,
    /// How long the content is.
    pub length: usize,
    /// The content, if it is needed.
    pub content: &'a [u8],
}

/// The position in the stream of packets.
#[derive(Debug, Default)]
pub struct Packets {
    head: Head<HEAD_BYTES>,
    /// Whether the head was read, and how much of its content is to come.
    left: Option<usize>,
    /// Whether the content goes on in the next packet.
    goes_on: bool,
    first: Option<u8>,
    length: usize,
    wanted: bool,
    /// What came before of content that is wanted.
    kept: Vec<u8>,
    /// The number that the next packet must have.
    due: u8,
}

impl Packets {
    /// The next packet must have this number.
    pub fn expect(&mut self, number: u8) {
        self.due = number;
    }

    /// Takes the next whole packet from the front of the bytes; `None` if more of them must come first, and all are
    /// taken. `wants` gets a content's first byte as soon as it is there, and returns whether the content is needed.
    ///
    /// # Errors
    /// A packet is empty, too long or out of its order, or `wants` does not know it.
    pub fn next<'s, 'b: 's>(
        &'s mut self,
        bytes: &mut &'b [u8],
        wants: impl Fn(u8) -> Result<bool, Malformed>,
    ) -> Result<Option<Packet<'s>>, Malformed> {
        loop {
            if self.left.is_none() {
                self.head(bytes)?;
            }
            let (Some(left), Some(first)) = (self.left, self.first(bytes, &wants)?) else {
                return Ok(None);
            };
            let (piece, rest) = bytes.split_at(left.min(bytes.len()));
            *bytes = rest;
            self.length += piece.len();
            let whole = piece.len() == left;
            if self.wanted && (!whole || self.goes_on || !self.kept.is_empty()) {
                self.keep(piece)?;
            }
            if !whole {
                self.left = Some(left - piece.len());
                return Ok(None);
            }
            self.left = None;
            if self.goes_on {
                continue;
            }
            self.first = None;
            return Ok(Some(Packet {
                number: self.due.wrapping_sub(1),
                first,
                length: self.length,
                content: match (self.wanted, self.kept.is_empty()) {
                    (false, _) => &[],
                    (true, true) => piece,
                    (true, false) => &self.kept,
                },
            }));
        }
    }

    /// Reads a head, if all of it has come.
    fn head(&mut self, bytes: &mut &[u8]) -> Result<(), Malformed> {
        let Some([low, middle, high, number]) = self.head.next(bytes) else {
            return Ok(());
        };
        if number != self.due {
            return Err(Malformed);
        }
        self.due = self.due.wrapping_add(1);
        let length = usize::from(low) | usize::from(middle) << 8 | usize::from(high) << 16;
        if !self.goes_on {
            self.first = None;
            self.length = 0;
            self.kept.clear();
            if length == 0 {
                return Err(Malformed);
            }
        }
        self.goes_on = length == FULL;
        self.left = Some(length);
        Ok(())
    }

    /// The first byte of the content, if it has come; it decides whether the content is needed.
    fn first(
        &mut self,
        bytes: &[u8],
        wants: impl Fn(u8) -> Result<bool, Malformed>,
    ) -> Result<Option<u8>, Malformed> {
        if let (Some(_), None, Some(&first)) = (self.left, self.first, bytes.first()) {
            self.wanted = wants(first)?;
            self.first = Some(first);
        }
        Ok(self.first)
    }

    fn keep(&mut self, piece: &[u8]) -> Result<(), Malformed> {
        if self.kept.len() + piece.len() > MOST_BYTES {
            return Err(Malformed);
        }
        self.kept.extend_from_slice(piece);
        Ok(())
    }
}

/// Adds a packet of this number to `say`, with the content that `content` adds. One that is longer than a packet can be
/// (16 MB) is cut, and no server understands it.
pub fn write(number: u8, say: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    let from = say.len();
    say.extend_from_slice(&[0; HEAD_BYTES]);
    content(say);
    let length = (say.len() - from - HEAD_BYTES).min(FULL - 1);
    let [low, middle, high, ..] = length.to_le_bytes();
    say[from..][..HEAD_BYTES].copy_from_slice(&[low, middle, high, number]);
}

#[cfg(test)]
mod tests {
    use super::{FULL, Malformed, Packets, write};

    /// The first byte, the length and the wanted content of each packet, from bytes that come in pieces.
    type Seen = Vec<(u8, usize, Vec<u8>)>;

    fn seen(bytes: &[u8], piece: usize, wanted: bool) -> Result<Seen, Malformed> {
        let mut packets = Packets::default();
        let mut seen = Vec::new();
        for mut rest in bytes.chunks(piece) {
            while let Some(packet) = packets.next(&mut rest, |_| Ok(wanted))? {
                seen.push((packet.first, packet.length, packet.content.to_vec()));
            }
            assert!(rest.is_empty());
        }
        Ok(seen)
    }

    #[test]
    fn packets_are_the_same_however_their_bytes_come() {
        let mut bytes = Vec::new();
        for (number, content) in [b"a".as_slice(), b"bcd", &[b'e'; 300]]
            .into_iter()
            .enumerate()
        {
            let number = u8::try_from(number).expect("a number");
            write(number, &mut bytes, |say| say.extend_from_slice(content));
        }
        let due = vec![
            (b'a', 1, b"a".to_vec()),
            (b'b', 3, b"bcd".to_vec()),
            (b'e', 300, vec![b'e'; 300]),
        ];
        let passed: Seen = due
            .iter()
            .map(|&(first, length, _)| (first, length, Vec::new()))
            .collect();
        for piece in 1..=bytes.len() {
            assert_eq!(
                seen(&bytes, piece, true).as_ref(),
                Ok(&due),
                "in pieces of {piece}"
            );
            assert_eq!(
                seen(&bytes, piece, false).as_ref(),
                Ok(&passed),
                "in pieces of {piece}"
            );
        }
    }

    #[test]
    fn a_full_packet_goes_on_in_the_next_even_where_that_is_empty() {
        for (more, length) in [(&b""[..], FULL), (b"xy", FULL + 2)] {
            let mut bytes = vec![0xff, 0xff, 0xff, 0];
            bytes.extend(vec![b'z'; FULL]);
            write(1, &mut bytes, |say| say.extend_from_slice(more));
            write(2, &mut bytes, |say| say.push(b'n'));
            for piece in [1 << 20, bytes.len()] {
                let seen = seen(&bytes, piece, false).expect("packets");
                assert_eq!(seen, [(b'z', length, Vec::new()), (b'n', 1, Vec::new())]);
            }
            assert!(
                more.is_empty() || seen(&bytes, bytes.len(), true).is_err(),
                "it is too long"
            );
        }
    }

    #[test]
    fn packets_that_are_empty_or_out_of_order_are_malformed() {
        for bytes in [
            b"\0\0\0\0".as_slice(),
            b"\x01\0\0\x01a",
            b"\x01\0\0\0a\x01\0\0\0b",
        ] {
            assert_eq!(seen(bytes, bytes.len(), true), Err(Malformed), "{bytes:?}");
        }
    }
}
