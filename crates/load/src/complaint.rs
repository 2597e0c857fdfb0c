//! An error that a person reads: what went wrong, why, and what to do about it.

use std::fmt;
use std::process::ExitCode;

/// What `h2h-load` has to say when it cannot go on.
#[derive(Debug)]
pub struct Complaint {
    what: String,
    why: String,
    remedy: String,
    code: u8,
}

impl Complaint {
    /// What was asked for is wrong; nothing was started. Exit code 2.
    pub fn words(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            why: why.into(),
            remedy: remedy.into(),
            code: 2,
        }
    }

    /// Something failed that was rightly asked for. Exit code 1.
    pub fn failure(
        what: impl Into<String>,
        why: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            what: what.into(),
            why: why.into(),
            remedy: remedy.into(),
            code: 1,
        }
    }

    /// The code to exit with: 2 for wrong words, 1 for everything else.
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(self.code)
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}. {}", self.what, self.why, self.remedy)
    }
}

impl std::error::Error for Complaint {}
