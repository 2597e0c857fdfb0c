//! The fields of each request to supervise, with their defaults.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;

use crate::numa_policy::Policy;

/// `group`: its name and what it may use.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupRequest {
    /// `subject` or `driver`.
    pub name: String,
    /// The CPUs that its processes may run on; `None` is all.
    pub cpus: Option<Vec<usize>>,
    /// CPUs' worth of time in every period.
    pub cpu_quota: Option<f64>,
    /// The period of the quota.
    #[serde(default = "period_us")]
    pub cpu_period_us: u64,
    /// Memory, page cache included.
    pub memory_mib: Option<u64>,
    /// The NUMA nodes that memory is taken from; `None` leaves the policy as it is.
    pub memory_policy: Option<Policy>,
    /// Open files of each process, as both limits of it; `None` leaves the limit to each program.
    pub nofile: Option<u64>,
}

/// `settings`: what to set, and to which values.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingsRequest {
    /// The level of each setting, by its name as a factor.
    pub set: BTreeMap<String, String>,
}

/// `link`: how fast.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkRequest {
    /// The limit of each direction, in Mbit/s; `None` is no limit.
    pub rate_mbit: Option<u64>,
}

/// `userland`: which.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UserlandRequest {
    /// The folder that is the root of programs started `inside`.
    pub root: PathBuf,
}

/// `start`: the program and what it gets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    /// What later requests call it.
    pub name: String,
    /// The group that it joins.
    pub group: String,
    /// Whether it runs in the userland; its paths are those of the userland then.
    #[serde(default)]
    pub inside: bool,
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// All of its environment.
    pub env: BTreeMap<String, String>,
    /// Its working directory.
    pub cwd: PathBuf,
    /// Its standard input; `None` is `/dev/null`.
    pub stdin: Option<PathBuf>,
    /// The file to which its standard output is appended.
    pub stdout: PathBuf,
    /// The file to which its standard error is appended.
    pub stderr: PathBuf,
    /// Its soft limit of open files; `None` is the hard one.
    pub nofile: Option<u64>,
    /// The signal that ends it when the run is over.
    #[serde(default = "term")]
    pub stop_signal: String,
    /// How long it then may take before it is killed.
    #[serde(default = "stop_within_s")]
    pub stop_within_s: f64,
}

/// `attach`: to which group, and what.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttachRequest {
    /// The group that they count as.
    pub group: String,
    /// The processes; their descendants count too.
    pub pids: Vec<i32>,
}

/// `wait`: for what, and how long.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WaitRequest {
    /// The program.
    pub name: String,
    /// How long at most.
    pub within_s: f64,
}

/// A request about one program.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The program.
    pub name: String,
}

/// A request about one group.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OfGroup {
    /// The group.
    pub group: String,
}

/// `watch`: the file, and the interval.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WatchRequest {
    /// The file that the readings go to.
    pub to: PathBuf,
    /// The time between two readings.
    #[serde(default = "every_ms")]
    pub every_ms: u64,
}

/// `gate`: how quiet, for how long, and how long to wait for it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GateRequest {
    /// Foreign CPU time allowed, in CPUs.
    pub below_cpus: f64,
    /// How long it must stay below.
    pub for_s: f64,
    /// How long to wait at most.
    pub within_s: f64,
    /// CPUs that share no core with the subject's and the driver's: what others use there is not waited for.
    #[serde(default)]
    pub apart: Vec<usize>,
}

/// `own`: what to remove at the end.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnRequest {
    /// A file or folder.
    pub path: PathBuf,
}

/// `stop`: what, how, and how long it may take.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// The program.
    pub name: String,
    /// The signal that ends it.
    #[serde(default = "term")]
    pub signal: String,
    /// How long it may take before it is killed.
    pub within_s: f64,
}

fn period_us() -> u64 {
    100_000
}

fn every_ms() -> u64 {
    100
}

fn term() -> String {
    "TERM".to_owned()
}

fn stop_within_s() -> f64 {
    5.0
}
