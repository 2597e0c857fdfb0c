//! How the tests run the program.

use std::fs;
use std::process::{Command, Output, Stdio};

use wire::BatchRecord;

use super::scratch::scratch;

/// Starts nothing yet: the program with these words.
pub fn program(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_h2h-memory"));
    let _ = command.args(words).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn output(words: &[&str]) -> Output {
    program(words).output().expect("the program runs")
}

/// The records that the program prints, each a line.
pub fn records(words: &[&str]) -> Vec<BatchRecord> {
    let output = output(words);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let text = str::from_utf8(&output.stdout).expect("text");
    let read = |line| serde_json::from_str(line).expect("a batch record");
    text.lines().map(read).collect()
}

/// A file with this content.
pub fn file(name: &str, content: &str) -> String {
    let path = scratch().join(name);
    fs::write(&path, content).expect("a file");
    path.display().to_string()
}

/// How many CPUs the tests have.
pub fn cpus() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
