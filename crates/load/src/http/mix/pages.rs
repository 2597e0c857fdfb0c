//! The pages of one request: what is sent for each, prepared once, and what the correct response is.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::checksum::sha256;
use crate::connection::url::{Url, is_path};
use crate::http::body::Content;

/// The first line of a file of pages.
const HEADER: &str = "path,length_bytes,sha256";

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
                "{method:?} is not a method that can be sent; write GET, POST, PUT, PATCH or DELETE"
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

/// What all requests of a program have in thread.
pub struct Head<'a> {
    /// The server's URL; paths are appended to its own.
    pub url: &'a Url,
    /// Whether compressed responses are requested.
    pub gzip: bool,
}

impl Head<'_> {
    fn request(&self, path: &str, sent: &Sent) -> Vec<u8> {
        let coding = if self.gzip {
            "Accept-Encoding: gzip\r\n"
        } else {
            ""
        };
        let agent = if sent.lines.to_ascii_lowercase().contains("user-agent: ") {
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

/// The right body of one page, never compressed.
#[derive(Debug, Default)]
pub struct RightBody {
    /// Its length, if it is known.
    pub length_bytes: Option<u64>,
    /// What it holds.
    pub content: KnownContent,
}

/// What is known of a body's content.
#[derive(Debug, Default)]
pub enum KnownContent {
    /// Nothing.
    #[default]
    Nothing,
    /// All of it.
    Bytes(Vec<u8>),
    /// Its SHA-256.
    Sha256([u8; 32]),
}

/// One page or many. The requests of all are in one buffer.
#[derive(Debug, Default)]
pub struct Pages {
    bytes: Vec<u8>,
    ends: Vec<usize>,
    rights: Vec<RightBody>,
}

impl Pages {
    /// One page; `path` is used as it is.
    pub fn single(head: &Head, path: &str, sent: &Sent, right: RightBody) -> Self {
        let mut pages = Self::default();
        pages.add(head, path, sent, right);
        pages
    }

    /// Reads a file of pages.
    ///
    /// # Errors
    /// Which file or line is wrong, and why.
    pub fn read(file: &Path, head: &Head, sent: &Sent) -> Result<Self, String> {
        let wrong = |why: String| format!("the pages of {}: {why}", file.display());
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        let mut lines = text.lines();
        if lines.next() != Some(HEADER) {
            return Err(wrong(format!("the first line is not {HEADER}")));
        }
        let mut pages = Self::default();
        for (number, line) in (2..).zip(lines) {
            let (path, right) = page(line).map_err(|why| wrong(format!("line {number}: {why}")))?;
            pages.add(head, &head.behind(path), sent, right);
        }
        if pages.rights.is_empty() {
            return Err(wrong("it has no pages".to_owned()));
        }
        if u32::try_from(pages.len()).is_err() {
            return Err(wrong("it has more than 2^32 pages".to_owned()));
        }
        Ok(pages)
    }

    /// How many there are, at least one.
    pub fn len(&self) -> usize {
        self.rights.len()
    }

    /// The bytes that request page `page`.
    pub fn bytes(&self, page: usize) -> &[u8] {
        let from = page.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[from..self.ends[page]]
    }

    /// The length of page `page`, if it is known.
    pub fn length_bytes(&self, page: usize) -> Option<u64> {
        self.rights[page].length_bytes
    }

    /// What page `page` holds.
    pub fn content(&self, page: usize) -> Content<'_> {
        match &self.rights[page].content {
            KnownContent::Nothing => Content::Any,
            KnownContent::Bytes(bytes) => Content::Bytes(bytes),
            KnownContent::Sha256(sum) => Content::Sha256(sum),
        }
    }

    fn add(&mut self, head: &Head, path: &str, sent: &Sent, right: RightBody) {
        self.bytes.extend_from_slice(&head.request(path, sent));
        self.ends.push(self.bytes.len());
        self.rights.push(right);
    }
}

/// One line: `/article?id=7,18800,5b1e...`.
fn page(line: &str) -> Result<(&str, RightBody), String> {
    let mut fields = line.split(',');
    let (Some(path), Some(length), Some(sum), None) =
        (fields.next(), fields.next(), fields.next(), fields.next())
    else {
        return Err("it does not have three fields; write a comma in a path as %2C".to_owned());
    };
    if !is_path(path) || path.contains('"') {
        return Err(format!(
            "{path:?} is not a path that begins with / and has no spaces and no quotes"
        ));
    }
    let length_bytes = length
        .parse()
        .map_err(|_| format!("{length:?} is not a length in bytes"))?;
    let sum = sha256(sum).ok_or_else(|| format!("{sum:?} is not a SHA-256 of 64 digits"))?;
    let right = RightBody {
        length_bytes: Some(length_bytes),
        content: KnownContent::Sha256(sum),
    };
    Ok((path, right))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Head, Pages, RightBody, Sent, page};
    use crate::connection::url;

    fn sent(method: &str, header: (&str, &str), body: Option<&str>) -> Result<String, String> {
        let headers = BTreeMap::from([(header.0.to_owned(), header.1.to_owned())]);
        let sent = Sent::new(method, &headers, body.map(|text| text.as_bytes().to_vec()))?;
        let url = url::parse("http://127.0.0.1:80/").expect("a URL");
        let head = Head {
            url: &url,
            gzip: false,
        };
        let pages = Pages::single(&head, "/login", &sent, RightBody::default());
        Ok(String::from_utf8_lossy(pages.bytes(0)).into_owned())
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

    #[test]
    fn a_line_that_is_no_page_is_told_why() {
        let sum = "0".repeat(64);
        assert!(page(&format!("/a?id=1,5,{sum}")).is_ok());
        for (line, why) in [
            (String::new(), "three fields"),
            (format!("/a,5,{sum},x"), "three fields"),
            (format!("a,5,{sum}"), "begins with /"),
            (format!("/a b,5,{sum}"), "begins with /"),
            (format!("/\"a,5,{sum}"), "no quotes"),
            (format!("/a,-5,{sum}"), "length"),
            (format!("/a,,{sum}"), "length"),
            ("/a,5,abc".to_owned(), "SHA-256"),
        ] {
            let error = page(&line).err().unwrap_or_default();
            assert!(error.contains(why), "{line} gave {error:?}");
        }
    }
}
