//! An error that a person reads: what went wrong, why, and what to do about it.

use std::fmt;
use std::io::{self, Write, stderr};
use std::process::ExitCode;

/// What `h2h-memory` has to say when it cannot go on.
#[derive(Debug)]
pub struct Complaint {
    what: String,
    why: String,
    remedy: String,
    code: u8,
}

impl Complaint {
    /// What was asked for is wrong, or cannot be had here; nothing was started. Exit code 2.
    pub fn words(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(what.into(), why.into(), remedy.into(), 2)
    }

    /// Something failed that was rightly asked for. Exit code 1.
    pub fn failure(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(what.into(), why.into(), remedy.into(), 1)
    }

    /// The code to exit with: 2 for wrong words, 1 for everything else.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }

    fn new(what: String, why: String, remedy: String, code: u8) -> Self {
        Self {
            what,
            why,
            remedy,
            code,
        }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}. {}", self.what, self.why, self.remedy)
    }
}

impl std::error::Error for Complaint {}

/// What the kernel said, without Rust's "(os error 2)".
pub fn said(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

/// Tells people what they should know of a case that was measured all the same.
pub fn remark(text: &str) {
    // Where standard error is gone, the record still holds the figures.
    let _ = writeln!(stderr(), "h2h-memory: {text}");
}

#[cfg(test)]
mod tests {
    use super::{Complaint, said};

    #[test]
    fn a_complaint_reads_as_one_line() {
        let complaint = Complaint::words("--size 1T", "There is 8 GiB", "Name less.");
        assert_eq!(
            complaint.to_string(),
            "--size 1T: There is 8 GiB. Name less."
        );
        assert_eq!(
            said(&std::io::Error::from_raw_os_error(12)),
            "Cannot allocate memory"
        );
    }
}
