//! What is sent in one request: method, headers and body, checked, and what all requests share.

use std::collections::BTreeMap;

use crate::connection::url::Url;

/// What a request sends besides its path: method, further header lines, body. The default is a GET without a body.
#[derive(Debug)]
pub struct Sent {
    method: String,
    /// Whole lines, each with its end.
    lines: String,
    body: Vec<u8>,
}

impl Default for Sent {
    fn default() -> Self {
        Self {
            method: "GET".to_owned(),
            lines: String::new(),
            body: Vec::new(),
        }
    }
}

impl Sent {
    /// A request with this method, these headers and this body.
    ///
    /// # Errors
    /// The method or a header cannot be sent.
    pub fn new(
        method: &str,
        headers: &BTreeMap<String, String>,
        body: Option<Vec<u8>>,
    ) -> Result<Self, String> {
        let word = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
        if !word || ["HEAD", "CONNECT", "TRACE"].contains(&method) {
            return Err(format!(
                "{method:?} is not a method that can be sent; write GET, POST, PUT, PATCH, DELETE or OPTIONS"
            ));
        }
        let mut lines = String::new();
        for (name, value) in headers {
            check_header(name, value)?;
            lines.extend([name, ": ", value, "\r\n"]);
        }
        if let Some(body) = &body {
            lines.extend(["Content-Length: ", &body.len().to_string(), "\r\n"]);
        }
        Ok(Self {
            method: method.to_owned(),
            lines,
            body: body.unwrap_or_default(),
        })
    }
}

/// Headers that the program writes itself.
const OWN_HEADERS: [&str; 6] = [
    "host",
    "content-length",
    "transfer-encoding",
    "connection",
    "accept-encoding",
    "expect",
];

fn check_header(name: &str, value: &str) -> Result<(), String> {
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(token) {
        return Err(format!("{name:?} is not the name of a header"));
    }
    if !value
        .chars()
        .all(|letter| letter == '\t' || !letter.is_control())
    {
        return Err(format!("the header {name} has a control character"));
    }
    if OWN_HEADERS.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("h2h-load writes the header {name} itself"));
    }
    Ok(())
}

/// What all requests of a program share.
pub struct Head<'a> {
    /// The server's URL; paths are appended to its own.
    pub url: &'a Url,
    /// Whether compressed responses are requested.
    pub gzip: bool,
}

impl Head<'_> {
    /// The bytes of one request.
    pub fn request(&self, path: &str, sent: &Sent) -> Vec<u8> {
        let coding = if self.gzip {
            "Accept-Encoding: gzip\r\n"
        } else {
            ""
        };
        let mut lines = sent.lines.lines().map(str::to_ascii_lowercase);
        let agent = if lines.any(|line| line.starts_with("user-agent: ")) {
            ""
        } else {
            "User-Agent: h2h-load\r\n"
        };
        let head = format!(
            "{} {path} HTTP/1.1\r\nHost: {}\r\n{agent}{coding}{}\r\n",
            sent.method, self.url.host, sent.lines
        );
        [head.as_bytes(), &sent.body].concat()
    }

    /// `path` appended to the URL's own.
    pub fn behind(&self, path: &str) -> String {
        format!("{}{path}", self.url.path.trim_end_matches('/'))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Head, Sent};
    use crate::connection::url;

    fn sent(method: &str, header: (&str, &str), body: Option<&str>) -> Result<String, String> {
        let headers = BTreeMap::from([(header.0.to_owned(), header.1.to_owned())]);
        let sent = Sent::new(method, &headers, body.map(|text| text.as_bytes().to_vec()))?;
        let url = url::parse("http://127.0.0.1:80/").expect("a URL");
        let head = Head {
            url: &url,
            gzip: false,
        };
        Ok(String::from_utf8_lossy(&head.request("/login", &sent)).into_owned())
    }

    #[test]
    fn a_request_has_the_method_the_headers_and_the_body_that_were_given() {
        assert_eq!(
            sent("POST", ("X-Token", "a b"), Some("{}")).as_deref(),
            Ok(
                "POST /login HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: h2h-load\r\n\
                X-Token: a b\r\nContent-Length: 2\r\n\r\n{}"
            )
        );
        assert!(
            sent("GET", ("User-Agent", "mine"), None).is_ok_and(|text| !text.contains("h2h-load"))
        );
        assert!(
            sent("GET", ("X-User-Agent", "b"), None).is_ok_and(|text| text.contains("h2h-load"))
        );
    }

    #[test]
    fn each_method_that_a_workload_may_name_is_sent() {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            let text = sent(method, ("A", "b"), Some("{}")).expect("a request");
            assert!(
                text.starts_with(&format!("{method} /login HTTP/1.1\r\n")),
                "{text}"
            );
            assert!(text.ends_with("\r\nContent-Length: 2\r\n\r\n{}"), "{text}");
        }
    }

    #[test]
    fn a_request_that_would_break_the_protocol_is_refused() {
        for (method, header, why) in [
            ("get", ("A", "b"), "method"),
            ("HEAD", ("A", "b"), "method"),
            ("GET", ("A:", "b"), "name of a header"),
            ("GET", ("A", "b\r\nC: d"), "control character"),
            ("POST", ("content-length", "7"), "itself"),
        ] {
            let error = sent(method, header, None).err().unwrap_or_default();
            assert!(error.contains(why), "{method} {header:?} gave {error:?}");
        }
    }
}
