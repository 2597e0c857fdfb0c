//! What a person reads when something cannot be done: the thing, the cause, the remedy.

use std::fmt;
use std::io;

use serde::Serialize;

/// An error of the probe, printed by the commands and answered by supervise.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// What went wrong.
    pub what: String,
    /// Why it did.
    pub why: String,
    /// What to do about it.
    pub remedy: String,
}

impl Problem {
    /// A problem from its three sentences.
    pub fn new(what: impl Into<String>, why: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            why: why.into(),
            remedy: remedy.into(),
        }
    }

    /// A problem whose cause is an error of the kernel.
    pub fn io(what: impl Into<String>, error: &io::Error, remedy: impl Into<String>) -> Self {
        Self::new(what, format!("{}.", said(error)), remedy)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {} {}", self.what, self.why, self.remedy)
    }
}

impl std::error::Error for Problem {}

/// The kernel's words without Rust's "(os error 2)".
fn said(error: &io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(at) => text[..at].to_owned(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::Problem;
    use std::io;

    #[test]
    fn a_problem_reads_as_one_line() {
        let error = io::Error::from_raw_os_error(2);
        let problem = Problem::io("nginx could not be started", &error, "Install it.");
        assert_eq!(
            problem.to_string(),
            "nginx could not be started: No such file or directory. Install it."
        );
    }
}
