//! The pages of one request: what is sent for each, prepared once, and what the correct response is.

use std::fs;
use std::path::Path;

use super::request::{Head, Sent};
use crate::checksum::sha256;
use crate::connection::url::is_path;
use crate::http::body::Content;
use crate::http::right_body::{KnownContent, RightBody};

/// The first line of a file of pages.
const HEADER: &str = "path,length_bytes,sha256";

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
        self.rights[page].content()
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
    use super::page;

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
