//! The controller's session on this host: the lock, the owner of all runs, and the clock, until its input closes.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use base::error::Error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, getpid, kill_process};
use rustix::stdio::stdin;
use serde::Deserialize;
use serde_json::json;

use super::lock;
use super::machine_lock;
use super::order::{HoldRequest, Input};
use super::place;
use crate::procfs::process::Stat;

/// A longer line is no request.
const LINE_BYTES: usize = 4096;

/// What may be requested while the lock is held.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// The clocks, now.
    Clock {},
}

/// Hold the lock until the input closes, or until nothing was heard for longer than the lease.
pub fn hold(request: &HoldRequest) -> Result<(), Error> {
    let lease = crate::seconds_given("lease_s", request.lease_s)?;
    let pid = getpid().as_raw_nonzero().get();
    let holder =
        json!({"pid": pid, "user": request.user, "study": request.study, "since": request.since});
    let mut file = match lock::take(&place::cache()?, &holder)? {
        Ok(file) => file,
        Err(other) => return super::answer(&json!({"busy": other})),
    };
    let _of_machine = match machine_lock::take()? {
        Ok(listener) => listener,
        Err(other) => {
            let _ = lock::write(&mut file, "");
            return super::answer(&json!({"busy": other}));
        }
    };
    let started = Stat::read(pid).map_or(0, |stat| stat.started);
    super::answer(&json!({
        "busy": null,
        "pid": pid,
        "start_ticks": started,
        "harness_pids": place::servers_of_connection(),
    }))?;
    let served = serve(lease);
    let _ = lock::write(&mut file, "");
    served
}

/// Hold the connection until the input closes. When nothing was heard for longer than the lease, end the servers of the
/// connection: a half-open one lives for hours, and with it every program whose input it holds open.
pub fn keep(lease_s: f64) -> Result<(), Error> {
    let lease = crate::seconds_given("lease_s", lease_s)?;
    let servers = place::servers_of_connection();
    super::answer(&json!({"kept": servers}))?;
    serve(lease).inspect_err(|_| {
        for pid in servers.iter().filter_map(|&pid| Pid::from_raw(pid)) {
            let _ = kill_process(pid, Signal::TERM);
        }
    })
}

fn serve(lease: Duration) -> Result<(), Error> {
    let mut read = Vec::new();
    let mut heard = Instant::now();
    while let Some(left) = lease.checked_sub(heard.elapsed()) {
        if !readable(left) {
            continue;
        }
        let mut chunk = [0_u8; LINE_BYTES];
        let count = match Input.read(&mut chunk) {
            Ok(0) | Err(_) => return Ok(()),
            Ok(count) => count,
        };
        heard = Instant::now();
        read.extend_from_slice(&chunk[..count]);
        while let Some(end) = read.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = read.drain(..=end).collect();
            // An empty line is a sign of life.
            if !line.trim_ascii().is_empty() {
                respond(&line)?;
            }
        }
        if read.len() > LINE_BYTES {
            return Ok(());
        }
    }
    Err(Error::failure(
        "the session is over",
        format!(
            "Nothing was heard from headtohead for {:.0} s.",
            lease.as_secs_f64()
        ),
        "Run the study again: it resumes.",
    ))
}

fn respond(line: &[u8]) -> Result<(), Error> {
    match serde_json::from_slice(line) {
        Ok(Request::Clock {}) => super::answer(&place::clock()),
        Err(error) => super::answer(&json!({"error": Error::usage(
            "this is no request",
            format!("{error}."),
            "headtohead gives requests; see docs/reference/remote.md.",
        )})),
    }
}

/// Wait for input, for at most that time.
fn readable(at_most: Duration) -> bool {
    let input = stdin();
    let mut waiting = [PollFd::new(&input, PollFlags::IN)];
    let at_most = Timespec::try_from(at_most).ok();
    match poll(&mut waiting, at_most.as_ref()) {
        Ok(count) => count > 0,
        Err(error) => io::Error::from(error).kind() != io::ErrorKind::Interrupted,
    }
}
