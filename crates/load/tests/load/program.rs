//! How the tests run the program.

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::Pid;
use wire::LoadRecord;

use super::scratch::scratch;

/// The program under test.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_h2h-load");

/// Starts nothing yet: the program with these words.
pub fn program(words: &[&str]) -> Command {
    let mut command = Command::new(PROGRAM);
    let _ = command.args(words).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn output(words: &[&str]) -> Output {
    program(words).output().expect("the program runs")
}

/// Drives the server at `peer` with more words, asking for `/` where they name no requests.
pub fn drive(peer: SocketAddr, words: &[&str]) -> LoadRecord {
    drive_at(peer, "/", words)
}

/// Drives the server at `peer` with this path in the URL.
pub fn drive_at(peer: SocketAddr, path: &str, words: &[&str]) -> LoadRecord {
    let url = format!("http://{peer}{path}");
    record(&output(
        &[&["http", "--json", "-"], words, &[url.as_str()]].concat(),
    ))
}

/// One of five attempts succeeds: a busy machine may keep a program from its CPU for a whole window.
pub fn in_one_of_five<Seen: std::fmt::Debug>(attempt: impl FnMut() -> Result<(), Seen>) {
    let seen: Vec<Seen> = std::iter::repeat_with(attempt)
        .take(5)
        .map_while(Result::err)
        .collect();
    assert!(seen.len() < 5, "{seen:?}");
}

/// The record that the program printed.
pub fn record(output: &Output) -> LoadRecord {
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let text = str::from_utf8(&output.stdout).expect("text");
    assert_eq!(text.lines().count(), 1, "one record is one line");
    let record: LoadRecord = serde_json::from_str(text).expect("a load record");
    let errors: u64 = record.errors.values().sum();
    assert_eq!(
        record.sent,
        record.right + errors,
        "every request is right or an error"
    );
    record
}

/// A file with this content. It is there as a whole or not at all: several tests may write it, with the same content, and read it.
pub fn file(name: &str, content: &[u8]) -> PathBuf {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let path = scratch().join(name);
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).expect("a folder");
    }
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let partial = scratch().join(format!(".partial-{number}"));
    fs::write(&partial, content).expect("a file");
    fs::rename(partial, &path).expect("a new name");
    path
}

/// A file that asks for one path, with what else the line says (`"sample": 1`).
pub fn requests(name: &str, line: &str) -> String {
    let text = format!(r#"{{"requests":[{{"name":"page","path":"/page",{line}}}]}}"#);
    file(name, text.as_bytes()).display().to_string()
}

/// The least server, ended when the test is over.
pub struct Respond {
    child: Child,
    /// The address on which it listens.
    pub peer: SocketAddr,
}

impl Respond {
    /// Starts it with these arguments on a free port.
    pub fn start(words: &[&str]) -> Self {
        let mut command = program(&[&["respond", "--port", "0"], words].concat());
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let _ = out.read_line(&mut line).expect("its first line");
        let peer = line
            .trim()
            .strip_prefix("listening on ")
            .expect("its address")
            .parse()
            .expect("an address");
        Self { child, peer }
    }
}

impl Respond {
    /// The process that it is.
    pub fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }
}

impl Drop for Respond {
    fn drop(&mut self) {
        self.child.kill().expect("the server is there");
        let _ = self.child.wait().expect("the server ends");
    }
}
