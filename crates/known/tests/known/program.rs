//! How the tests run the program and ask it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

/// A whole request.
pub const REQUEST: &[u8] = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n";

/// A server, ended when the test is over.
pub struct Known {
    child: Child,
    peer: SocketAddr,
}

/// Runs the program to its end, which only wrong words have.
pub fn output(words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_h2h-known"))
        .args(words)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

impl Known {
    /// Starts it with these arguments on a free port, with responses of 100 bytes, heads included.
    pub fn start(words: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_h2h-known"))
            .args(words)
            .args(["--body-bytes", "35"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("its output"));
        let _ = out.read_line(&mut line).expect("its first line");
        let address = line
            .trim()
            .strip_prefix("listening on ")
            .expect("its address");
        let peer = address.parse().expect("an address");
        Self { child, peer }
    }

    /// How long the server and this thread have waited for a CPU, in seconds: 0 if the kernel does not count it.
    pub fn waited_s(&self) -> f64 {
        let server = format!("/proc/{}/schedstat", self.child.id());
        let waits = ["/proc/thread-self/schedstat", &server].map(|path| {
            let text = fs::read_to_string(path).unwrap_or_default();
            let wait_ns = text.split(' ').nth(1).and_then(|wait| wait.parse().ok());
            Duration::from_nanos(wait_ns.unwrap_or(0))
        });
        (waits[0] + waits[1]).as_secs_f64()
    }

    /// Connects to it.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.peer).expect("a connection");
        stream.set_nodelay(true).expect("an option");
        let limit = Some(Duration::from_secs(60));
        stream.set_read_timeout(limit).expect("an option");
        stream
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        self.child.kill().expect("the server is there");
        let _ = self.child.wait().expect("the server ends");
    }
}

/// Sends this many requests at once.
pub fn ask(stream: &mut TcpStream, requests: usize) {
    stream
        .write_all(&REQUEST.repeat(requests))
        .expect("it takes them");
}

/// Reads one response of 100 bytes.
pub fn read(stream: &mut TcpStream) {
    let mut answer = [0; 100];
    stream.read_exact(&mut answer).expect("an answer");
    let text = String::from_utf8_lossy(&answer);
    assert!(
        text.starts_with("HTTP/1.1 200 OK\r\n") && text.ends_with(&"x".repeat(35)),
        "{text}"
    );
}
