//! The orders, as `docs/reference/remote.md` lists them.

use std::io::{self, Read};
use std::path::PathBuf;

use base::error::Error;
use serde::Deserialize;

/// A list of 100,000 files is shorter than this.
const LINE_BYTES: usize = 32 << 20;

/// One order: a line of standard input.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Order {
    /// What the controller must know before anything else.
    Facts {},
    /// Become a program: the rest of standard input is its own.
    Exec {
        /// The program and its arguments.
        argv: Vec<String>,
    },
    /// Run a program to its end.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
        /// How long it may take.
        within_s: f64,
    },
    /// Kill a process by its id.
    Kill {
        /// The process.
        pid: i32,
    },
    /// Write a file; its bytes follow.
    Put {
        /// Where.
        path: PathBuf,
        /// What.
        #[serde(flatten)]
        file: FileFacts,
    },
    /// Send a file.
    Fetch {
        /// Which.
        path: PathBuf,
        /// Below this folder no link is followed: its programs may have placed one.
        within: Option<PathBuf>,
    },
    /// Make a folder of these files, unless it is there; the bytes of all files follow, one after the other.
    Receive {
        /// The folder, which appears whole or not at all.
        into: PathBuf,
        /// Its files, in the order of their bytes.
        files: Vec<Entry>,
    },
    /// Send the kernel's files that match.
    Record {
        /// Absolute paths; `*` stands for any characters in a name.
        patterns: Vec<String>,
    },
    /// Hold the connection, and end it when the controller falls silent.
    Keep {
        /// The connection is ended after this time without a line.
        lease_s: f64,
    },
    /// Hold the lock of this host, and show the clock.
    Hold(HoldRequest),
    /// Remove what dead owners left.
    Sweep {
        /// How long to wait for a supervise that is still ending its run.
        patience_s: f64,
    },
    /// Remove what one run left.
    EndRun {
        /// The run.
        id: String,
    },
}

/// What a file's content must be.
#[derive(Clone, Debug, Deserialize)]
pub struct FileFacts {
    /// Its permissions.
    pub mode: u32,
    /// Its length.
    pub bytes: u64,
    /// The checksum of its content, in hexadecimal digits.
    pub sha256: String,
}

/// A file of a folder.
#[derive(Clone, Debug, Deserialize)]
pub struct Entry {
    /// Its path below the folder.
    pub path: PathBuf,
    /// Its content.
    #[serde(flatten)]
    pub file: FileFacts,
}

/// `hold`: what a second controller is shown.
#[derive(Debug, Deserialize)]
pub struct HoldRequest {
    /// The study.
    pub study: String,
    /// Since when, as text.
    pub since: String,
    /// Who measures, and from which machine.
    pub user: String,
    /// The lock is given up after this time without a line.
    pub lease_s: f64,
}

/// Standard input without a buffer: what is not asked for stays in the pipe.
#[derive(Debug)]
pub struct Input;

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
    }
}

/// Read the next line of the input and not one byte more: the rest may be another program's. `None` if the input has
/// ended.
///
/// # Errors
/// The input ends within the line, or the line is no order.
pub fn read(mut input: impl Read) -> Result<Option<Order>, Error> {
    let mut line = Vec::new();
    let mut byte = [0_u8];
    loop {
        match input.read(&mut byte) {
            Ok(0) if line.is_empty() => return Ok(None),
            Ok(1) if byte[0] == b'\n' => break,
            Ok(1) if line.len() < LINE_BYTES => line.push(byte[0]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            _ => return Err(refused("The input ended before its line did.")),
        }
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|error| refused(&format!("{error}.")))
}

fn refused(why: &str) -> Error {
    Error::usage(
        "this is no order",
        why,
        "headtohead gives orders; see docs/reference/remote.md.",
    )
}
