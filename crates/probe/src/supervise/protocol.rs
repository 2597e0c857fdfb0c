//! The requests to supervise, as `docs/reference/supervise.md` lists them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use base::error::Error;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::numa_policy::Policy;

/// The fields of a response, without its `t_ns`.
pub type Response = Map<String, Value>;

/// How a request ends, if not with a response.
#[derive(Debug)]
pub enum RequestError {
    /// It could not be done; the run goes on.
    Refused(Error),
    /// The run is over: the input closed, the parent died, or a signal came.
    Over,
}

impl From<Error> for RequestError {
    fn from(problem: Error) -> Self {
        Self::Refused(problem)
    }
}

/// One request: a line of standard input.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Who supervises, and since when.
    Hello {},
    /// Make a group of processes with its limits.
    Group(GroupRequest),
    /// Give subject and driver a network of their own, and a link between them.
    Link(LinkRequest),
    /// Change settings of the system for as long as the run lasts.
    Settings(SettingsRequest),
    /// Start a program in a group.
    Start(Box<StartRequest>),
    /// Count processes that already run as a group's.
    Attach(AttachRequest),
    /// Wait for a program to end.
    Wait(WaitRequest),
    /// Whether a program still runs.
    Alive(Named),
    /// What limits really hold for a group's processes.
    ReadBack(OfGroup),
    /// What a group has used.
    Usage(OfGroup),
    /// Start the monitors.
    Watch(WatchRequest),
    /// End the monitors.
    Unwatch {},
    /// Wait until the machine is quiet.
    Gate(GateRequest),
    /// Remove this path at the end.
    Own(OwnRequest),
    /// End a program and its tree.
    Stop(StopRequest),
    /// End and remove everything.
    End {},
}

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

/// `start`: the program and what it gets.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StartRequest {
    /// What later requests call it.
    pub name: String,
    /// The group that it joins.
    pub group: String,
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

/// A line as a request.
///
/// # Errors
/// A line that is no request: no JSON, an unknown `do`, a field too many or too few.
pub fn parse(line: &str) -> Result<Request, Error> {
    serde_json::from_str(line).map_err(|error| {
        Error::failure(
            "the request was not understood",
            format!("{error}."),
            "See docs/reference/supervise.md.",
        )
    })
}

/// Seconds of a request as a duration.
///
/// # Errors
/// A negative number, or one that is none.
pub fn duration(name: &str, seconds: f64) -> Result<Duration, Error> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        Error::failure(
            format!("{name} of {seconds} is not possible"),
            "It is not a time in seconds.",
            "Give a number that is not negative.",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::{Request, duration, parse};

    #[test]
    fn defaults_are_those_of_the_page() {
        let line =
            r#"{"do":"group","name":"subject","cpus":[0],"cpu_quota":0.85,"memory_mib":null}"#;
        let Ok(Request::Group(request)) = parse(line) else {
            panic!("a group is understood")
        };
        assert_eq!(
            (request.cpu_period_us, request.cpus),
            (100_000, Some(vec![0]))
        );
        assert_eq!(request.memory_policy, None);
        let Ok(Request::Stop(request)) = parse(r#"{"do":"stop","name":"a","within_s":5}"#) else {
            panic!("a stop is understood")
        };
        assert_eq!(request.signal, "TERM");
    }

    #[test]
    fn what_is_no_request_is_refused_with_its_reason() {
        let wrong = [
            "",
            "7",
            "{}",
            r#"{"do":"dance"}"#,
            r#"{"do":"own"}"#,
            r#"{"do":"own","path":"/a","force":true}"#,
            r#"{"do":"hello","name":"x"}"#,
            r#"{"do":"wait","name":"x","within_s":"soon"}"#,
            r#"{"do":"group","name":"x","memory_policy":{"kind":"near","nodes":[0]}}"#,
        ];
        let said: Vec<String> = wrong
            .iter()
            .map(|line| parse(line).expect_err("no request").to_string())
            .collect();
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn a_time_is_not_negative_and_finite() {
        assert!(duration("within_s", 0.25).is_ok());
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(duration("within_s", wrong).is_err());
        }
    }
}
