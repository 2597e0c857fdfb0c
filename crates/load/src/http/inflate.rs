//! A body compressed with gzip (RFC 1952), inflated as it passes and never kept.

use flate2::{Decompress, FlushDecompress, Status};

/// So much is inflated at a time, whatever the compressed bytes would grow to.
const PIECE_BYTES: usize = 16 * 1024;

/// The exponent of the largest window, 32 KiB: that of every gzip program.
const WINDOW_BITS: u8 = 15;

/// One compressed body. Its memory is bounded: a window and a piece.
pub struct Inflater {
    stream: Decompress,
    piece: [u8; PIECE_BYTES],
    part: Part,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Running,
    Whole,
    /// The sink needs no more of it.
    Enough,
    Damaged,
}

impl Inflater {
    /// A body of which nothing has come yet.
    pub fn new() -> Box<Self> {
        Box::new(Self {
            stream: Decompress::new_gzip(WINDOW_BITS),
            piece: [0; PIECE_BYTES],
            part: Part::Running,
        })
    }

    /// Inflates the next bytes and passes them on piece by piece, as long as `sink` takes more.
    pub fn feed(&mut self, mut bytes: &[u8], mut sink: impl FnMut(&[u8]) -> bool) {
        while self.part == Part::Running {
            let before = (self.stream.total_in(), self.stream.total_out());
            let status = self
                .stream
                .decompress(bytes, &mut self.piece, FlushDecompress::None);
            let used = distance(before.0, self.stream.total_in()).min(bytes.len());
            let made = distance(before.1, self.stream.total_out()).min(PIECE_BYTES);
            bytes = &bytes[used..];
            self.part = match status {
                _ if !sink(&self.piece[..made]) => Part::Enough,
                Err(_) => Part::Damaged,
                Ok(Status::StreamEnd) => Part::Whole,
                Ok(_) if made < PIECE_BYTES && (bytes.is_empty() || used == 0) => return,
                Ok(_) => Part::Running,
            };
        }
        if self.part == Part::Whole && !bytes.is_empty() {
            self.part = Part::Damaged;
        }
    }

    /// Whether exactly one compressed body has come, whole, with nothing after it.
    pub fn is_whole(&self) -> bool {
        self.part == Part::Whole
    }
}

fn distance(from: u64, to: u64) -> usize {
    usize::try_from(to - from).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::{Inflater, PIECE_BYTES};

    fn gzip(body: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(body).expect("a vector takes it");
        encoder.finish().expect("a vector takes it")
    }

    /// What comes out of the pieces, and whether it is whole.
    fn inflate<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<u8>, bool) {
        let (mut inflater, mut body) = (Inflater::new(), Vec::new());
        for piece in pieces {
            inflater.feed(piece, |part| {
                body.extend_from_slice(part);
                true
            });
        }
        (body, inflater.is_whole())
    }

    #[test]
    fn a_body_inflates_wherever_it_is_cut() {
        let body = b"hello world, hello world".repeat(5);
        let wire = gzip(&body);
        for cut in 0..=wire.len() {
            let (first, second) = wire.split_at(cut);
            assert_eq!(inflate([first, second]), (body.clone(), true), "at {cut}");
        }
        assert_eq!(inflate(wire.chunks(1)), (body, true));
    }

    #[test]
    fn a_body_of_many_pieces_inflates_whole() {
        for bytes in [
            PIECE_BYTES - 1,
            PIECE_BYTES,
            PIECE_BYTES + 1,
            10 * PIECE_BYTES,
        ] {
            let body: Vec<u8> = (0..=255).cycle().take(bytes).collect();
            assert_eq!(inflate([gzip(&body).as_slice()]), (body, true), "{bytes}");
        }
        assert_eq!(inflate([gzip(b"").as_slice()]), (Vec::new(), true));
    }

    #[test]
    fn what_is_cut_short_spoiled_or_longer_is_not_whole() {
        let wire = gzip(b"hello world");
        for end in 0..wire.len() {
            assert!(!inflate([&wire[..end]]).1, "whole after {end} bytes");
        }
        let longer = [&wire[..], b"x"].concat();
        assert!(!inflate([longer.as_slice()]).1);
        assert!(!inflate([wire.as_slice(), b"x"]).1);
        let twice = [&wire[..], &wire[..]].concat();
        assert!(
            !inflate([twice.as_slice()]).1,
            "browsers show the first alone"
        );
        for at in wire.len() - 8..wire.len() {
            let mut spoiled = wire.clone();
            spoiled[at] ^= 1;
            assert!(
                !inflate([spoiled.as_slice()]).1,
                "byte {at} is of the checksum"
            );
        }
        assert!(!inflate([b"hello world".as_slice()]).1);
    }

    #[test]
    fn a_bomb_ends_when_nobody_wants_more() {
        let bomb = gzip(&vec![0; 64 * 1024 * 1024]);
        let (mut inflater, mut bytes) = (Inflater::new(), 0);
        inflater.feed(&bomb, |part| {
            bytes += part.len();
            bytes <= 100_000
        });
        assert!(
            bytes <= 100_000 + PIECE_BYTES,
            "{bytes} bytes were inflated"
        );
        assert!(!inflater.is_whole());
    }
}
