//! The head of a response: status line and header lines (RFC 9112).

#[cfg(test)]
mod tests;

use super::Malformed;
use super::body::Coding;

/// A head longer than this is malformed; nginx and Apache send at most 8 KiB.
pub const HEAD_LIMIT_BYTES: usize = 16 * 1024;

const VERSION: &[u8] = b"HTTP/1.";

/// How the end of the body is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// After this many bytes.
    Length(u64),
    /// After a chunk of length 0.
    Chunked,
    /// When the server closes the connection.
    UntilClose,
}

/// The meaning of a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The status code, 100 to 999.
    pub status: u16,
    /// How the end of the body is known.
    pub framing: Framing,
    /// Whether the server means to keep the connection open.
    pub keep_alive: bool,
    /// How the body is compressed.
    pub coding: Coding,
}

/// The position after the blank line that ends a head, looked for from `from` on.
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
/// A status line or a header line is not as in RFC 9112, or the length of the body is given twice.
pub fn parse(bytes: &[u8]) -> Result<Head, Malformed> {
    let mut lines = bytes
        .split(|&byte| byte == b'\n')
        .map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let (minor, status) = status_line(sound(lines.next().unwrap_or_default())?)?;
    let mut said = HeaderLines {
        keep_alive: minor >= 1,
        ..HeaderLines::default()
    };
    for line in lines.take_while(|line| !line.is_empty()) {
        said.header(sound(line)?)?;
    }
    let framing = said.framing(minor, status)?;
    Ok(Head {
        status,
        framing,
        keep_alive: said.keep_alive && framing != Framing::UntilClose,
        coding: said.coding,
    })
}

/// A line may hold neither a bare carriage return nor a NUL (RFC 9112, section 2.2; RFC 9110, section 5.5).
fn sound(line: &[u8]) -> Result<&[u8], Malformed> {
    if line.iter().any(|byte| matches!(byte, b'\r' | 0)) {
        return Err(Malformed);
    }
    Ok(line)
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

/// What the header lines have given so far.
#[derive(Default)]
struct HeaderLines {
    length: Option<u64>,
    chunked: bool,
    keep_alive: bool,
    coding: Coding,
}

impl HeaderLines {
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
            // Even if both are equal: a proxy in between might read another one.
            if self.length.replace(decimal(value)?).is_some() {
                return Err(Malformed);
            }
        } else if name.eq_ignore_ascii_case(b"transfer-encoding") {
            // No other coding may come unasked (RFC 9112, section 7.4), and this one not twice.
            if self.chunked || !value.eq_ignore_ascii_case(b"chunked") {
                return Err(Malformed);
            }
            self.chunked = true;
        } else if name.eq_ignore_ascii_case(b"content-encoding") {
            tokens(value).for_each(|token| self.coding = coding(self.coding, token));
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

    /// The framing by RFC 9112, section 6. Chunks together with a length, or in HTTP/1.0, are how responses are
    /// smuggled past a proxy: no sound server sends them.
    fn framing(&self, minor: u8, status: u16) -> Result<Framing, Malformed> {
        match (self.chunked, self.length) {
            (true, Some(_)) => Err(Malformed),
            (true, None) if minor == 0 => Err(Malformed),
            _ if matches!(status, 100..=199 | 204 | 304) => Ok(Framing::Length(0)),
            (true, None) => Ok(Framing::Chunked),
            (false, Some(length)) => Ok(Framing::Length(length)),
            (false, None) => Ok(Framing::UntilClose),
        }
    }
}

/// `coding` with one more on top of it.
fn coding(coding: Coding, token: &[u8]) -> Coding {
    let is = |name: &str| token.eq_ignore_ascii_case(name.as_bytes());
    match coding {
        _ if is("identity") || token.is_empty() => coding,
        Coding::Plain if is("gzip") || is("x-gzip") => Coding::Gzip,
        _ => Coding::Other,
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
