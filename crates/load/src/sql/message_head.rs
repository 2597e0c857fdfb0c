//! The few bytes in front of every message, which may come in pieces.

/// A head of N bytes, as far as it has come.
#[derive(Debug)]
pub struct Head<const BYTES: usize> {
    came: [u8; BYTES],
    count: usize,
}

impl<const BYTES: usize> Default for Head<BYTES> {
    fn default() -> Self {
        Self {
            came: [0; BYTES],
            count: 0,
        }
    }
}

impl<const BYTES: usize> Head<BYTES> {
    /// Takes the next head from the front of the bytes; `None` if more of it must come first, and all are taken.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<[u8; BYTES]> {
        if let (0, Some((head, rest))) = (self.count, bytes.split_first_chunk()) {
            *bytes = rest;
            return Some(*head);
        }
        let missing = BYTES - self.count;
        let (piece, rest) = bytes.split_at(missing.min(bytes.len()));
        *bytes = rest;
        self.came[self.count..][..piece.len()].copy_from_slice(piece);
        self.count += piece.len();
        if self.count < BYTES {
            return None;
        }
        self.count = 0;
        Some(self.came)
    }
}

#[cfg(test)]
mod tests {
    use super::Head;

    #[test]
    fn a_head_is_the_same_however_its_bytes_come() {
        for cut in 0..=4 {
            let mut head = Head::<4>::default();
            let (mut first, mut second) = b"abcdefgh".split_at(cut);
            let mut heads: Vec<_> = head.next(&mut first).into_iter().collect();
            while let Some(next) = head.next(&mut second) {
                heads.push(next);
            }
            assert_eq!(heads, [*b"abcd", *b"efgh"], "cut at {cut}");
            assert!(first.is_empty() && second.is_empty());
        }
    }
}
