//! The head of the previous response: servers send the same one for a second at a time, and comparing is cheaper than
//! reading.

use super::head::Head;

/// A longer head is read anew each time.
const LIMIT_BYTES: usize = 1024;

/// The last whole head of a connection, and its meaning.
#[derive(Debug, Default)]
pub struct HeadCache {
    bytes: Vec<u8>,
    head: Option<Head>,
}

impl HeadCache {
    /// If `bytes` begins with the cached head: its meaning and its length.
    pub fn read(&self, bytes: &[u8]) -> Option<(Head, usize)> {
        let head = self.head?;
        bytes
            .starts_with(&self.bytes)
            .then_some((head, self.bytes.len()))
    }

    /// From now on this head is known, blank line included.
    pub fn keep(&mut self, bytes: &[u8], head: Head) {
        self.head = (bytes.len() <= LIMIT_BYTES).then_some(head);
        self.bytes.clear();
        if self.head.is_some() {
            self.bytes.extend_from_slice(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{HeadCache, LIMIT_BYTES};
    use crate::http::head;

    const TEXT: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n";

    #[test]
    fn a_head_is_known_again_and_another_is_not() {
        let mut known = HeadCache::default();
        assert_eq!(known.read(TEXT), None);
        let head = head::parse(TEXT).expect("a head");
        known.keep(TEXT, head);
        assert_eq!(known.read(TEXT), Some((head, TEXT.len())));
        assert_eq!(
            known.read(&[TEXT, b"abc"].concat()),
            Some((head, TEXT.len()))
        );
        assert_eq!(known.read(&TEXT[..TEXT.len() - 1]), None);
        assert_eq!(
            known.read(b"HTTP/1.1 500 OK\r\nContent-Length: 3\r\n\r\n"),
            None
        );
        assert_eq!(known.read(b""), None);
    }

    #[test]
    fn a_long_head_is_not_kept() {
        let mut known = HeadCache::default();
        let head = head::parse(TEXT).expect("a head");
        known.keep(TEXT, head);
        let long = vec![b'x'; LIMIT_BYTES + 1];
        known.keep(&long, head);
        assert_eq!((known.read(TEXT), known.read(&long)), (None, None));
    }
}
