//! The head of an answer: status line and header lines (RFC 9112).

use super::Malformed;

/// A head longer than this is malformed; nginx and Apache send at most 8 KiB.
pub const HEAD_LIMIT_BYTES: usize = 16 * 1024;

const VERSION: &[u8] = b"HTTP/1.";

/// How the end of the body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// After so many bytes.
    Length(u64),
    /// After a chunk of length 0.
    Chunked,
    /// When the server closes the connection.
    UntilClose,
}

/// What a head says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The status code, 100 to 999.
    pub status: u16,
    /// How the end of the body is known.
    pub framing: Framing,
    /// Whether the server means to keep the connection open.
    pub keep_alive: bool,
}

/// The position behind the blank line that ends a head, looked for from `from` on.
pub fn end(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'\n') {
        at += found + 1;
        match &bytes[at..] {
            [b'\n', ..] => return Some(at + 1),
            [b'\r', b'\n', ..] => return Some(at + 2),
            _ => {}
        }
    }
    None
}

/// Whether `bytes`, an unfinished head, may still become one.
pub fn may_begin(bytes: &[u8]) -> bool {
    let known = bytes.len().min(VERSION.len());
    bytes[..known] == VERSION[..known]
}

/// Reads a whole head, blank line included.
///
/// # Errors
/// A status line or a header line is not as RFC 9112 has it, or the length of the body is told in two ways.
pub fn parse(bytes: &[u8]) -> Result<Head, Malformed> {
    let mut lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let (minor, status) = status_line(lines.next().unwrap_or_default())?;
    let mut said = Said {
        keep_alive: minor >= 1,
        ..Said::default()
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        said.header(line)?;
    }
    Ok(Head {
        status,
        framing: said.framing(status),
        keep_alive: said.keep_alive && !said.until_close(status),
    })
}

fn status_line(line: &[u8]) -> Result<(u8, u16), Malformed> {
    let rest = line.strip_prefix(VERSION).ok_or(Malformed)?;
    let [
        minor @ b'0'..=b'9',
        b' ',
        first @ b'1'..=b'9',
        second @ b'0'..=b'9',
        third @ b'0'..=b'9',
        rest @ ..,
    ] = rest
    else {
        return Err(Malformed);
    };
    if !matches!(rest, [] | [b' ', ..]) {
        return Err(Malformed);
    }
    let digit = |byte: &u8| u16::from(byte - b'0');
    Ok((
        minor - b'0',
        digit(first) * 100 + digit(second) * 10 + digit(third),
    ))
}

/// What the header lines have said so far.
#[derive(Default)]
struct Said {
    length: Option<u64>,
    chunked: bool,
    coded: bool,
    keep_alive: bool,
}

impl Said {
    fn header(&mut self, line: &[u8]) -> Result<(), Malformed> {
        let colon = line
            .iter()
            .position(|&byte| byte == b':')
            .ok_or(Malformed)?;
        let (name, value) = (&line[..colon], line[colon + 1..].trim_ascii());
        if name.is_empty() || name.iter().any(|byte| !byte.is_ascii_graphic()) {
            return Err(Malformed);
        }
        if name.eq_ignore_ascii_case(b"content-length") {
            let length = decimal(value)?;
            if self.length.is_some_and(|before| before != length) {
                return Err(Malformed);
            }
            self.length = Some(length);
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            self.coded = true;
            self.chunked = tokens(value)
                .last()
                .is_some_and(|token| token.eq_ignore_ascii_case(b"chunked"));
        } else if name.eq_ignore_ascii_case(b"connection") {
            for token in tokens(value) {
                if token.eq_ignore_ascii_case(b"close") {
                    self.keep_alive = false;
                } else if token.eq_ignore_ascii_case(b"keep-alive") {
                    self.keep_alive = true;
                }
            }
        }
        Ok(())
    }

    /// The framing by the order of RFC 9112, section 6.3.
    fn framing(&self, status: u16) -> Framing {
        if matches!(status, 100..=199 | 204 | 304) {
            return Framing::Length(0);
        }
        match (self.coded, self.chunked, self.length) {
            (true, true, _) => Framing::Chunked,
            (false, _, Some(length)) => Framing::Length(length),
            (true, false, _) | (false, _, None) => Framing::UntilClose,
        }
    }

    fn until_close(&self, status: u16) -> bool {
        self.framing(status) == Framing::UntilClose
    }
}

fn tokens(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii)
}

/// At most 18 digits, so that no sum of two can overflow.
fn decimal(digits: &[u8]) -> Result<u64, Malformed> {
    if digits.is_empty() || digits.len() > 18 || digits.iter().any(|byte| !byte.is_ascii_digit()) {
        return Err(Malformed);
    }
    Ok(digits
        .iter()
        .fold(0, |number, byte| number * 10 + u64::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::{Framing, Head, end, may_begin, parse};
    use crate::http::Malformed;

    fn head(text: &str) -> Result<Head, Malformed> {
        parse(format!("{text}\r\n\r\n").as_bytes())
    }

    #[test]
    fn the_length_is_read_whatever_the_case_of_the_name() {
        let read = head("HTTP/1.1 200 OK\r\nCONTENT-length:  42 ").expect("a head");
        assert_eq!(
            read,
            Head {
                status: 200,
                framing: Framing::Length(42),
                keep_alive: true
            }
        );
    }

    #[test]
    fn a_reason_may_be_missing_and_lines_may_end_without_a_carriage_return() {
        assert_eq!(
            parse(b"HTTP/1.1 404\nContent-Length: 0\n\n")
                .expect("a head")
                .status,
            404
        );
        assert_eq!(end(b"HTTP/1.1 404\nA: b\n\nbody", 0), Some(19));
    }

    #[test]
    fn chunks_go_before_a_length() {
        let read = head("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: gzip, Chunked")
            .expect("a head");
        assert_eq!(read.framing, Framing::Chunked);
    }

    #[test]
    fn without_a_length_the_body_ends_with_the_connection() {
        let read = head("HTTP/1.1 200 OK\r\nConnection: keep-alive").expect("a head");
        assert_eq!(
            (read.framing, read.keep_alive),
            (Framing::UntilClose, false)
        );
    }

    #[test]
    fn no_content_and_not_modified_have_no_body() {
        for status in [204, 304] {
            let read = head(&format!("HTTP/1.1 {status} x\r\nContent-Length: 7")).expect("a head");
            assert_eq!(read.framing, Framing::Length(0));
        }
    }

    #[test]
    fn the_connection_stays_open_unless_the_server_says_otherwise() {
        for (text, keeps) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 0", true),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close",
                false,
            ),
            ("HTTP/1.0 200 OK\r\nContent-Length: 0", false),
            (
                "HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: x, Keep-Alive",
                true,
            ),
        ] {
            assert_eq!(head(text).expect("a head").keep_alive, keeps, "{text}");
        }
    }

    #[test]
    fn what_is_no_head_is_malformed() {
        for text in [
            "",
            "HTTP/2 200 OK",
            "HTTP/1.1  200",
            "HTTP/1.1 20",
            "HTTP/1.1 2000 OK",
            "HTTP/1.1 099 x",
            "HTTP/1.1 abc",
            "HTTP/1.1 200 OK\r\nno colon",
            "HTTP/1.1 200 OK\r\n: no name",
            "HTTP/1.1 200 OK\r\nA : space",
            "HTTP/1.1 200 OK\r\nA: b\r\n folded: line",
            "HTTP/1.1 200 OK\r\nContent-Length: -1",
            "HTTP/1.1 200 OK\r\nContent-Length: +1",
            "HTTP/1.1 200 OK\r\nContent-Length: 1, 1",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2",
            "HTTP/1.1 200 OK\r\nContent-Length:",
            "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616",
        ] {
            assert_eq!(head(text), Err(Malformed), "{text:?}");
        }
    }

    #[test]
    fn garbage_is_known_by_its_first_bytes() {
        assert!(may_begin(b"") && may_begin(b"HTT") && may_begin(b"HTTP/1.1 2"));
        assert!(!may_begin(b"S") && !may_begin(b"HTTP/2"));
    }
}
