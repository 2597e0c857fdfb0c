//! Requests and responses: what a conversation writes and reads is HTTP/1.1, so that what is sent and what is checked is
//! the same in both protocols.

use bytes::Bytes;
use http::header::{CONNECTION, CONTENT_LENGTH, HOST, HeaderName, HeaderValue, TRANSFER_ENCODING};
use http::uri::{Authority, PathAndQuery, Scheme};
use http::{HeaderMap, Method, Request, Uri, response};

/// The requests of one thread. One that is the same as the one before is not read again.
#[derive(Debug, Default)]
pub struct Requests {
    text: Vec<u8>,
    last: Option<(Request<()>, Bytes)>,
}

impl Requests {
    /// The request that these bytes are in HTTP/1.1, and its body; `None` if HTTP/2 cannot send it.
    pub fn read(&mut self, text: &[u8]) -> Option<(Request<()>, Bytes)> {
        if self.last.is_none() || self.text != text {
            self.last = request(text);
            self.text.clear();
            self.text.extend_from_slice(text);
        }
        self.last.clone()
    }
}

/// The request that these bytes are in HTTP/1.1, and its body; `None` if HTTP/2 cannot send it.
pub fn request(text: &[u8]) -> Option<(Request<()>, Bytes)> {
    let end = text.windows(4).position(|four| four == b"\r\n\r\n")?;
    let mut lines = text[..end].split(|&byte| byte == b'\n');
    let mut words = lines.next()?.split(|&byte| byte == b' ');
    let (method, path) = (words.next()?, words.next()?);
    let mut headers = HeaderMap::new();
    let mut host = None;
    for line in lines {
        let colon = line.iter().position(|&byte| byte == b':')?;
        let name = HeaderName::from_bytes(&line[..colon]).ok()?;
        let value = line[colon + 1..].trim_ascii();
        if name == HOST {
            host = Some(Authority::try_from(value).ok()?);
        } else if name != CONNECTION {
            let _ = headers.append(name, HeaderValue::from_bytes(value).ok()?);
        }
    }
    let uri = Uri::builder()
        .scheme(Scheme::HTTPS)
        .authority(host?)
        .path_and_query(PathAndQuery::try_from(path).ok()?);
    let mut request = Request::new(());
    *request.method_mut() = Method::from_bytes(method).ok()?;
    *request.uri_mut() = uri.build().ok()?;
    *request.headers_mut() = headers;
    Some((request, Bytes::copy_from_slice(&text[end + 4..])))
}

/// Writes the head of a response as HTTP/1.1 does. How long the body is, the end of its stream shows (`h2` compares it
/// with the length that the head gives), so what HTTP/1.1 would find its end by is left out.
pub fn head(parts: &response::Parts, text: &mut Vec<u8>) {
    text.clear();
    text.extend_from_slice(b"HTTP/1.1 ");
    text.extend_from_slice(parts.status.as_str().as_bytes());
    text.extend_from_slice(b"\r\n");
    for (name, value) in &parts.headers {
        if ![CONTENT_LENGTH, TRANSFER_ENCODING, CONNECTION].contains(name) {
            text.extend_from_slice(name.as_str().as_bytes());
            text.extend_from_slice(b": ");
            text.extend_from_slice(value.as_bytes());
            text.extend_from_slice(b"\r\n");
        }
    }
    text.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests {
    use super::{Requests, head, request};
    use http::{Response, Version};

    #[test]
    fn a_request_keeps_its_method_its_path_its_headers_and_its_body() {
        let text = b"POST /a?b=c HTTP/1.1\r\nHost: localhost:8443\r\nX-Token: a b\r\nContent-Length: 2\r\n\
                     Connection: close\r\n\r\n{}";
        let (request, body) = request(text).expect("a request");
        assert_eq!(request.method(), "POST");
        assert_eq!(request.uri(), "https://localhost:8443/a?b=c");
        assert_eq!(request.headers()["x-token"], "a b");
        assert_eq!(request.headers()["content-length"], "2");
        assert_eq!(request.headers().len(), 2);
        assert_eq!(&body[..], b"{}");
    }

    #[test]
    fn another_request_is_not_taken_for_the_one_before() {
        let mut requests = Requests::default();
        for path in ["/a", "/a", "/b", "/a"] {
            let text = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
            let (request, _) = requests.read(text.as_bytes()).expect("a request");
            assert_eq!(request.uri().path(), path);
        }
    }

    #[test]
    fn what_http_2_cannot_send_is_no_request() {
        for text in [
            "",
            "GET / HTTP/1.1\r\n\r\n",
            "GET /a`b HTTP/1.1\r\nHost: h\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        ] {
            assert!(request(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    #[test]
    fn a_head_has_its_status_and_its_headers_but_no_length() {
        let response = Response::builder()
            .version(Version::HTTP_2)
            .status(404)
            .header("content-length", "7")
            .header("content-encoding", "gzip")
            .body(())
            .expect("a response");
        let mut text = b"old".to_vec();
        head(&response.into_parts().0, &mut text);
        assert_eq!(text, b"HTTP/1.1 404\r\ncontent-encoding: gzip\r\n\r\n");
    }
}
