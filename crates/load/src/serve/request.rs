//! One request, as far as the least server must understand it.

/// A request longer than this is refused.
pub const LIMIT_BYTES: usize = 8 * 1024;

/// What the beginning of the bytes that have come is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request<'a> {
    /// Not whole yet.
    Unfinished,
    /// GET of a path, this many bytes long; and whether the client wants the connection closed after the response.
    Get {
        path: &'a [u8],
        length: usize,
        close: bool,
    },
    /// Another method.
    Other,
    /// No request at all, or too long a one.
    Bad,
}

/// Reads the first request in `bytes`.
pub fn parse(bytes: &[u8]) -> Request<'_> {
    let Some(length) = bytes
        .windows(4)
        .position(|four| four == b"\r\n\r\n")
        .map(|at| at + 4)
    else {
        return if bytes.len() < LIMIT_BYTES {
            Request::Unfinished
        } else {
            Request::Bad
        };
    };
    let mut lines = bytes[..length - 4]
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let mut words = lines.next().unwrap_or_default().split(|&byte| byte == b' ');
    let (Some(method), Some(path), Some(version), None) =
        (words.next(), words.next(), words.next(), words.next())
    else {
        return Request::Bad;
    };
    if !version.starts_with(b"HTTP/1.") {
        return Request::Bad;
    }
    if method != b"GET" {
        return Request::Other;
    }
    Request::Get {
        path,
        length,
        close: version == b"HTTP/1.0" || lines.any(says_close),
    }
}

fn says_close(line: &[u8]) -> bool {
    let Some(colon) = line.iter().position(|&byte| byte == b':') else {
        return false;
    };
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    name.eq_ignore_ascii_case(b"connection")
        && value
            .split(|&byte| byte == b',')
            .any(|token| token.trim_ascii().eq_ignore_ascii_case(b"close"))
}

#[cfg(test)]
mod tests {
    use super::{LIMIT_BYTES, Request, parse};

    #[test]
    fn a_request_is_read_once_it_is_whole() {
        let bytes = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
        for end in 0..bytes.len() {
            assert_eq!(
                parse(&bytes[..end]),
                Request::Unfinished,
                "after {end} bytes"
            );
        }
        assert_eq!(
            parse(bytes),
            Request::Get {
                path: b"/a",
                length: bytes.len(),
                close: false
            }
        );
    }

    #[test]
    fn the_client_may_want_the_connection_closed() {
        for text in [
            "GET / HTTP/1.1\r\nconnection: x, Close\r\n\r\n",
            "GET / HTTP/1.0\r\n\r\n",
        ] {
            assert!(
                matches!(parse(text.as_bytes()), Request::Get { close: true, .. }),
                "{text:?}"
            );
        }
        let kept = b"GET / HTTP/1.1\r\nX-Connection: close\r\n\r\n";
        assert!(matches!(parse(kept), Request::Get { close: false, .. }));
    }

    #[test]
    fn what_is_no_get_is_told_from_what_is_no_request() {
        assert_eq!(parse(b"POST / HTTP/1.1\r\n\r\n"), Request::Other);
        for text in [
            "\r\n\r\n",
            "GET /\r\n\r\n",
            "GET / a HTTP/1.1\r\n\r\n",
            "GET / HTTP/2\r\n\r\n",
        ] {
            assert_eq!(parse(text.as_bytes()), Request::Bad, "{text:?}");
        }
        assert_eq!(parse(&vec![b'x'; LIMIT_BYTES]), Request::Bad);
    }
}
