//! What is done before the load: descriptors and the start time.

use base::clock::now_ns;
use base::error::Error;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::Drive;

/// Several threads begin together, this long after the first was started.
const START_NS: u64 = 2_000_000;

/// When the load begins.
///
/// # Errors
/// The instant that was given is over.
pub fn beginning(drive: &Drive) -> Result<u64, Error> {
    let now_ns = now_ns();
    match drive.at_ns {
        Some(at_ns) if at_ns < now_ns => Err(Error::failure(
            format!("the start at {at_ns} ns"),
            format!(
                "it had passed {} ns before the driver was ready",
                now_ns - at_ns
            ),
            "Give a later instant of CLOCK_MONOTONIC with --at.",
        )),
        Some(at_ns) => Ok(at_ns),
        None if drive.threads == 1 => Ok(now_ns),
        None => Ok(now_ns + START_NS),
    }
}

/// Makes sure that this process may have this many descriptors.
///
/// # Errors
/// It may not.
pub fn allow_descriptors(needed: u64) -> Result<(), Error> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= needed) {
        return Ok(());
    }
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    if limit.maximum.is_none_or(|maximum| maximum >= needed)
        && setrlimit(Resource::Nofile, raised).is_ok()
    {
        return Ok(());
    }
    let why = format!(
        "{needed} file descriptors are needed, and {} are allowed",
        limit.maximum.unwrap_or(u64::MAX)
    );
    Err(Error::failure(
        "too many connections",
        why,
        "Use fewer, or raise the hard limit (`ulimit -Hn`).",
    ))
}
