//! An error that a person reads: what went wrong, why, and what to do about it.

use std::fmt;
use std::io;
use std::process::ExitCode;

use serde::Serialize;

/// An error with a remedy. Programs print it on standard error; supervise also sends it as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// What went wrong.
    pub what: String,
    /// Why it did, as a sentence.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
    #[serde(skip)]
    code: u8,
}

impl Error {
    /// The request itself is wrong, and nothing was started. Exit code 2.
    pub fn usage(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(what.into(), why.into(), remedy.into(), 2)
    }

    /// The request is right, and something failed. Exit code 1.
    pub fn failure(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(what.into(), why.into(), remedy.into(), 1)
    }

    /// The server is not there, or gave no whole response, and may later. Exit code 3.
    pub fn no_response(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self::new(what.into(), why.into(), remedy.into(), 3)
    }

    /// A failure whose cause is an error of the kernel. Exit code 1.
    pub fn io(what: impl Into<String>, cause: &io::Error, remedy: impl Into<String>) -> Self {
        Self::failure(what, kernel_text(cause), remedy)
    }

    /// Return the code to exit with: 2 for a wrong request, 1 for a failure, 3 for a response that may come later.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }

    fn new(what: String, mut why: String, remedy: String, code: u8) -> Self {
        if !why.ends_with('.') {
            why.push('.');
        }
        Self {
            what,
            why,
            remedy,
            code,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {} {}", self.what, self.why, self.remedy)
    }
}

impl std::error::Error for Error {}

/// Return the text of a kernel error without Rust's "(os error 2)".
#[must_use]
pub fn kernel_text(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Error;
    use std::io;

    #[test]
    fn an_error_reads_as_one_line() {
        let error = Error::usage("--size 1T", "There is 8 GiB", "Name less.");
        assert_eq!(error.to_string(), "--size 1T: There is 8 GiB. Name less.");
    }

    #[test]
    fn the_cause_ends_with_one_period() {
        let error = Error::failure("process 7", "It does not run.", "Name one that runs.");
        assert_eq!(
            error.to_string(),
            "process 7: It does not run. Name one that runs."
        );
    }

    #[test]
    fn the_kernel_s_cause_has_no_number() {
        let cause = io::Error::from_raw_os_error(2);
        let error = Error::io("nginx could not be started", &cause, "Install it.");
        assert_eq!(
            error.to_string(),
            "nginx could not be started: No such file or directory. Install it."
        );
    }
}
