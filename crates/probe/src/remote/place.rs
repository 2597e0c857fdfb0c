//! What a controller must know about this host before it plans: who we are here, where the cache is, which CPUs.

use std::env;
use std::path::PathBuf;

use base::clock::now_ns;
use base::error::Error;
use rustix::process::{geteuid, getpid};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

use crate::cpus;
use crate::procfs::process::{self, Stat};

/// Where root keeps prepared data and programs.
const CACHE_OF_ROOT: &str = "/var/cache/headtohead";

/// The facts.
pub fn facts() -> Result<Value, Error> {
    let name = rustix::system::uname();
    Ok(json!({
        "version": env!("CARGO_PKG_VERSION"),
        "host_name": name.nodename().to_string_lossy(),
        "machine": name.machine().to_string_lossy(),
        "uid": geteuid().as_raw(),
        "cache": cache()?,
        "cpus": cpus::allowed(None),
        "clock": clock(),
    }))
}

/// Both clocks now: the one of all times of a run, and the time of day.
pub fn clock() -> Value {
    let day = clock_gettime(ClockId::Realtime);
    json!({
        "monotonic_ns": now_ns(),
        "since_1970_ns": i128::from(day.tv_sec) * 1_000_000_000 + i128::from(day.tv_nsec),
    })
}

/// The folder of what outlasts a study: one place for root, else the user's cache.
pub fn cache() -> Result<PathBuf, Error> {
    if geteuid().is_root() {
        return Ok(PathBuf::from(CACHE_OF_ROOT));
    }
    let given = env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .filter(|path| path.is_absolute());
    let own = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let base = given.or_else(own).filter(|path| path.is_absolute());
    base.map(|base| base.join("headtohead")).ok_or_else(|| {
        Error::failure(
            "there is no folder for the cache",
            "This user has no home directory.",
            "Give the user one, or log in as another.",
        )
    })
}

/// The processes of sshd that serve this connection: its listener, the uppermost, serves all.
pub fn servers_of_connection() -> Vec<i32> {
    let mut found = Vec::new();
    let mut at = Stat::read(getpid().as_raw_nonzero().get());
    while let Some(stat) = at.filter(|stat| stat.parent > 0) {
        let name = process::read("comm", stat.parent).unwrap_or_default();
        if name.starts_with(b"sshd") {
            found.push(stat.parent);
        }
        at = Stat::read(stat.parent);
    }
    let _ = found.pop();
    found
}
