//! The last response of a session's user, as a whole: values are looked for in it.

use crate::http::answer::Keep;

/// No more of a body is kept; what is after that is not found.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The last response. Its memory is used again for the next one.
#[derive(Debug, Default)]
pub struct Kept {
    head: Vec<u8>,
    body: Vec<u8>,
    keeps_body: bool,
}

impl Kept {
    /// The next response follows; `keeps_body` if its body is looked at.
    pub fn begin(&mut self, keeps_body: bool) {
        self.head.clear();
        self.body.clear();
        self.keeps_body = keeps_body;
    }

    /// The body; empty if it is not looked at.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The values of all header lines with this name, in any case.
    pub fn headers<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a [u8]> {
        let lines = self.head.split(|&byte| byte == b'\n').skip(1);
        lines.filter_map(move |line| {
            let (own, value) = (line.get(..name.len())?, line.get(name.len()..)?);
            let value = value.strip_prefix(b":")?;
            own.eq_ignore_ascii_case(name.as_bytes())
                .then(|| value.trim_ascii())
        })
    }
}

impl Keep for Kept {
    fn head(&mut self, bytes: &[u8]) {
        self.head.clear();
        self.head.extend_from_slice(bytes);
    }

    fn body(&mut self, part: &[u8]) {
        if self.keeps_body {
            let room = MOST_BYTES.saturating_sub(self.body.len()).min(part.len());
            self.body.extend_from_slice(&part[..room]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Keep, Kept};

    #[test]
    fn headers_are_found_in_any_case_and_as_often_as_they_are_there() {
        let mut kept = Kept::default();
        kept.begin(true);
        kept.head(b"HTTP/1.1 102 Wait\r\nX-A: interim\r\n\r\n");
        kept.head(b"HTTP/1.1 200 X-A: no\r\nx-a:  one \r\nX-Ab: no\r\nX-A:two\nX-A : no\r\n\r\n");
        let found: Vec<&[u8]> = kept.headers("X-A").collect();
        assert_eq!(found, [b"one".as_slice(), b"two"]);
        assert_eq!(kept.headers("X-None").count(), 0);
    }

    #[test]
    fn a_body_is_kept_if_it_is_looked_at() {
        let mut kept = Kept::default();
        for (keeps, due) in [(true, b"ab".as_slice()), (false, b"")] {
            kept.begin(keeps);
            Keep::body(&mut kept, b"a");
            Keep::body(&mut kept, b"b");
            assert_eq!(kept.body(), due);
        }
    }
}
