//! The requests to supervise, as `docs/reference/supervise.md` lists them.

use std::time::Duration;

use base::error::Error;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::request_fields::{
    AttachRequest, GateRequest, GroupRequest, LinkRequest, Named, OfGroup, OwnRequest,
    SettingsRequest, StartRequest, StopRequest, UserlandRequest, WaitRequest, WatchRequest,
};

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
    /// Give programs of the run another root.
    Userland(UserlandRequest),
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
