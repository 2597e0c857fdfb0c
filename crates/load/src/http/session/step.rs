//! One step of a session: its request, and its correct response.

use super::cookies::Cookies;
use super::find::Find;
use super::kept::Kept;
use super::template::Template;
use crate::http::answer::Answer;
use crate::http::body::Check;
use crate::http::right_body::RightBody;
use crate::tally::fault::Fault;

/// A longer value is not taken: no header that it is sent in could be so long.
const VALUE_LIMIT_BYTES: usize = 4096;

/// One step. Values are known by their numbers.
#[derive(Debug)]
pub struct Step {
    /// Its name, under which it is counted.
    pub name: String,
    /// `POST /path HTTP/1.1`.
    pub line: Template,
    /// The header lines that are the same in each session but for values, each with its end.
    pub headers: Template,
    /// The body to send; `None` if there is none.
    pub body: Option<Template>,
    /// Whether it may be sent twice, as RFC 9110 has it of its method.
    pub idempotent: bool,
    /// The correct status.
    pub status: u16,
    /// The correct body, as far as it is known beforehand.
    pub right: RightBody,
    /// What the response must hold, and what it must be there; if nothing, any value is correct.
    pub checks: Vec<(Find, Option<Template>)>,
    /// What is taken from the response, and which value it becomes.
    pub takes: Vec<(Find, usize)>,
}

impl Step {
    /// Adds the bytes of the request to `out`. No other request follows on the connection if this is the `last`.
    pub fn write(&self, values: &[Vec<u8>], cookies: &Cookies, last: bool, out: &mut Vec<u8>) {
        self.line.render_path(values, out);
        out.extend_from_slice(b"\r\n");
        self.headers.render(values, out);
        if !cookies.line().is_empty() {
            out.extend_from_slice(b"Cookie: ");
            out.extend_from_slice(cookies.line());
            out.extend_from_slice(b"\r\n");
        }
        if let Some(body) = &self.body {
            let mut digits = itoa::Buffer::new();
            out.extend_from_slice(b"Content-Length: ");
            out.extend_from_slice(digits.format(body.length(values)).as_bytes());
            out.extend_from_slice(b"\r\n");
        }
        if last {
            out.extend_from_slice(b"Connection: close\r\n");
        }
        out.extend_from_slice(b"\r\n");
        if let Some(body) = &self.body {
            body.render(values, out);
        }
    }

    /// What is checked in the body as it comes.
    pub fn check(&self) -> Check<'_> {
        Check {
            inflates: false,
            length_bytes: self.right.length_bytes,
            content: self.right.content(),
        }
    }

    /// Whether the body is looked at as a whole.
    pub fn keeps_body(&self) -> bool {
        let checked = self.checks.iter().map(|(find, _)| find);
        checked
            .chain(self.takes.iter().map(|(find, _)| find))
            .any(Find::needs_body)
    }

    /// What is wrong with the response, the gravest first; `None` if it is correct.
    pub fn judge(&self, answer: &Answer, kept: &Kept, values: &[Vec<u8>]) -> Option<Fault> {
        let due = self.right.length_bytes;
        if answer.status != self.status {
            Some(Fault::WrongStatus)
        } else if due.is_some_and(|due| answer.length_bytes != due) {
            Some(Fault::WrongLength)
        } else if answer.differs {
            Some(Fault::WrongBody)
        } else {
            let holds = self.checks.iter().all(|(find, due)| {
                let found = find.find(kept);
                found.is_some_and(|found| due.as_ref().is_none_or(|due| due.is(values, &found)))
            });
            (!holds).then_some(Fault::WrongValue)
        }
    }

    /// Takes the values of a correct response.
    ///
    /// # Errors
    /// One of them is not there, is empty, is too long, or has a control character: it could not be sent.
    pub fn take(&self, kept: &Kept, values: &mut [Vec<u8>]) -> Result<(), Fault> {
        for (find, number) in &self.takes {
            let found = find.find(kept).ok_or(Fault::WrongValue)?;
            let sendable = |byte: &u8| *byte >= b' ' && *byte != 0x7f;
            if found.is_empty() || found.len() > VALUE_LIMIT_BYTES || !found.iter().all(sendable) {
                return Err(Fault::WrongValue);
            }
            values[*number].clear();
            values[*number].extend_from_slice(&found);
        }
        Ok(())
    }
}
