//! What the program prints.

use std::process::{Command, Output, Stdio};

use super::PROBE;

/// What the program prints for these words.
pub fn probe(words: &[&str]) -> Output {
    let mut command = Command::new(PROBE);
    command
        .args(words)
        .stdin(Stdio::null())
        .env("COLUMNS", "100")
        .output()
        .expect("it runs")
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
