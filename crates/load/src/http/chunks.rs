//! A body in chunks (RFC 9112, section 7.1), decoded as it comes.

use super::Malformed;

/// A line between chunks (size, extension, trailer) longer than this is malformed, and so are more trailers in all.
const LINES_LIMIT_BYTES: usize = 16 * 1024;

/// The position in a chunked body.
#[derive(Debug, Default)]
pub struct Chunks {
    part: Part,
    left: u64,
    digits: u8,
    line_bytes: usize,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Part {
    #[default]
    Size,
    Padding,
    Extension,
    SizeEnd,
    Data,
    DataEnd,
    DataEndLine,
    TrailerStart,
    TrailerName,
    Trailer,
    TrailerEnd,
    LastLine,
}

impl Chunks {
    /// Takes the next bytes, passes the body's to `sink`, and returns how many belonged to the body once it is whole.
    ///
    /// # Errors
    /// A size is not a hexadecimal number of at most 15 digits, a line is too long, or a chunk does not end where it should.
    pub fn feed(
        &mut self,
        bytes: &[u8],
        mut sink: impl FnMut(&[u8]),
    ) -> Result<Option<usize>, Malformed> {
        let mut at = 0;
        while at < bytes.len() {
            if self.part == Part::Data {
                let rest = &bytes[at..];
                let taken = usize::try_from(self.left)
                    .unwrap_or(usize::MAX)
                    .min(rest.len());
                sink(&rest[..taken]);
                at += taken;
                self.left -= u64::try_from(taken).unwrap_or(0);
                if self.left == 0 {
                    self.part = Part::DataEnd;
                }
                continue;
            }
            let whole = self.line_byte(bytes[at])?;
            at += 1;
            if whole {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Takes one byte that is not of the body; true when it was the last one. Lines end with CR LF: a bare LF here is
    /// read in two ways by servers and proxies, so no sound one sends it.
    fn line_byte(&mut self, byte: u8) -> Result<bool, Malformed> {
        self.line_bytes += 1;
        if self.line_bytes > LINES_LIMIT_BYTES {
            return Err(Malformed);
        }
        self.part = match (self.part, byte) {
            (Part::Size, _) if byte.is_ascii_hexdigit() => return self.digit(byte).map(|()| false),
            (Part::Size, b'\r') if self.digits > 0 => Part::SizeEnd,
            (Part::Size, b' ' | b'\t') if self.digits > 0 => Part::Padding,
            (Part::Size, b';') if self.digits > 0 => Part::Extension,
            (Part::Padding, b' ' | b'\t') => Part::Padding,
            (Part::Padding, b';') | (Part::Extension, b'\t' | b' '..=b'~' | 0x80..) => {
                Part::Extension
            }
            (Part::Padding | Part::Extension, b'\r') => Part::SizeEnd,
            (Part::SizeEnd, b'\n') => self.after_size(),
            (Part::DataEnd, b'\r') => Part::DataEndLine,
            (Part::DataEndLine, b'\n') => self.next_chunk(),
            (Part::TrailerStart, b'\r') => Part::LastLine,
            (Part::LastLine, b'\n') => return Ok(true),
            (Part::TrailerName, b':') => Part::Trailer,
            (Part::TrailerStart | Part::TrailerName, b'!'..=b'~') if byte != b':' => {
                Part::TrailerName
            }
            (Part::Trailer, b'\r') => Part::TrailerEnd,
            (Part::TrailerEnd, b'\n') => Part::TrailerStart,
            (Part::Trailer, 1..=b'\t' | 0x0b..) => Part::Trailer,
            _ => return Err(Malformed),
        };
        Ok(false)
    }

    /// 15 digits at most: the sum of all chunks of a response then stays far below 2^64.
    fn digit(&mut self, byte: u8) -> Result<(), Malformed> {
        let value = char::from(byte).to_digit(16).ok_or(Malformed)?;
        self.digits += 1;
        if self.digits > 15 {
            return Err(Malformed);
        }
        self.left = self.left * 16 + u64::from(value);
        Ok(())
    }

    fn after_size(&mut self) -> Part {
        self.line_bytes = 0;
        if self.left == 0 {
            Part::TrailerStart
        } else {
            Part::Data
        }
    }

    fn next_chunk(&mut self) -> Part {
        self.left = 0;
        self.digits = 0;
        self.line_bytes = 0;
        Part::Size
    }
}

#[cfg(test)]
mod tests {
    use super::Chunks;
    use crate::http::Malformed;

    fn decode(bytes: &[u8]) -> Result<Option<(usize, Vec<u8>)>, Malformed> {
        let mut body = Vec::new();
        let end = Chunks::default().feed(bytes, |part| body.extend_from_slice(part))?;
        Ok(end.map(|end| (end, body)))
    }

    #[test]
    fn chunks_are_joined_and_what_follows_is_left() {
        let decoded = decode(b"5 \r\nhello\r\n6;name=x\r\n world\r\n0\r\n\r\nHTTP");
        assert_eq!(decoded, Ok(Some((34, b"hello world".to_vec()))));
    }

    #[test]
    fn trailers_are_read_over() {
        let decoded = decode(b"a\r\n0123456789\r\n000\r\nDigest: x\r\nB: c\r\n\r\n");
        assert_eq!(decoded, Ok(Some((39, b"0123456789".to_vec()))));
    }

    #[test]
    fn an_unfinished_body_is_not_whole() {
        let whole = b"3\r\nabc\r\n0\r\nA: b\r\n\r\n";
        for end in 0..whole.len() {
            assert_eq!(decode(&whole[..end]), Ok(None), "after {end} bytes");
        }
    }

    #[test]
    fn broken_chunks_are_malformed() {
        for text in [
            "\r\n",
            "x\r\n",
            "-1\r\n",
            "3\r\nabcd",
            "3\r\nabc0\r\n",
            "3\rx",
            "\rx",
            "1234567890abcdef\r\n",
            "0\r\n\rx",
            "3\nabc",
            "3\r\nabc\n",
            "0\r\n\n",
            "0\r\nA: b\n",
            "0\r\nno colon\r\n",
            "0\r\n: no name\r\n",
            "0\r\nA: \0\r\n",
            "3 x\r\nabc",
            "3;\0\r\nabc",
            "0x3\r\nabc",
            " 3\r\nabc",
            "3,\r\nabc",
        ] {
            assert_eq!(decode(text.as_bytes()), Err(Malformed), "{text:?}");
        }
        let endless = format!("0\r\n{}", "a: b\r\n".repeat(4096));
        assert_eq!(decode(endless.as_bytes()), Err(Malformed));
        let long = format!("3;{}", "x".repeat(20_000));
        assert_eq!(decode(long.as_bytes()), Err(Malformed));
    }
}
