//! `h2h-probe witness`: a program that reports which CPUs and limits apply to it.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use base::clock::{now_ns, process_cpu_ns};
use base::durations::seconds;
use base::error::Error;
use clap::Args;
use serde_json::Value;
use wire::{BatchRecord, Case, FORMAT, Kind};

use crate::cgroup::{self, Quota};
use crate::cpus;
use crate::print_error;

/// A larger excess over the limit is an error: a quota is refilled a period at a time, so the first and the
/// last period may each bring a little more.
const ABOVE_LIMIT: f64 = 0.05;

/// The command line.
#[derive(Args, Debug)]
pub struct Options {
    /// The number of CPUs that this program should be allowed on, and of the threads that it spins
    #[arg(long, value_name = "N")]
    pub cpus: NonZeroUsize,
    /// How long it spins
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seconds: f64,
    /// The CPU quota that should apply, in CPUs (default: none should)
    #[arg(long, value_name = "Q")]
    pub cpu_quota: Option<f64>,
    /// The case in the record, as a JSON object
    #[arg(long, value_name = "JSON", default_value = "{}")]
    pub case: String,
    /// Where control groups are mounted
    #[arg(long, value_name = "DIR", default_value = cgroup::ROOT)]
    pub cgroup_root: PathBuf,
}

/// What the program finds of its own limits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct ObservedLimits {
    cpus_allowed: usize,
    cpu_quota: Option<f64>,
    cpus_received: f64,
}

/// Look, spin, and print one batch record.
#[must_use]
pub fn run(options: &Options) -> ExitCode {
    match witness(options) {
        Ok(line) if writeln!(io::stdout(), "{line}").is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(problem) => {
            print_error(&problem);
            ExitCode::FAILURE
        }
    }
}

fn witness(options: &Options) -> Result<String, Error> {
    let case: Case = serde_json::from_str(&options.case).map_err(|error| {
        Error::failure(
            format!("{:?} is not a case", options.case),
            format!("{error}."),
            "Write it as a JSON object, such as {\"copies\":1}.",
        )
    })?;
    let lasting = crate::seconds_given("--seconds", options.seconds)?;
    let cpus_allowed = cpus::allowed(None).len();
    let (from_ns, cpu_before_ns) = (now_ns(), process_cpu_ns());
    spin(options.cpus.get(), lasting);
    let (to_ns, received_ns) = (now_ns(), process_cpu_ns() - cpu_before_ns);
    let found = ObservedLimits {
        cpus_allowed,
        cpu_quota: own_quota(options).map(|quota| quota.cpus()),
        cpus_received: seconds(received_ns) / seconds((to_ns - from_ns).max(1)),
    };
    let record = BatchRecord {
        format: FORMAT,
        record: Kind::Batch,
        case,
        work: seconds(received_ns),
        work_in: "cpu-seconds".to_owned(),
        elapsed_ns: to_ns - from_ns,
        answer: Value::String(answer(options.cpus.get(), options.cpu_quota, &found)),
        metrics: metrics(&found),
        why_not: None,
        from_ns: Some(from_ns),
        to_ns: Some(to_ns),
    };
    wire::line(&record).map_err(|error| {
        Error::failure(
            "the record cannot be written",
            format!("{error}."),
            "Report this: it should not happen.",
        )
    })
}

/// Keep this many threads busy for this long.
fn spin(threads: usize, lasting: Duration) {
    let until = Instant::now() + lasting;
    thread::scope(|scope| {
        for _ in 1..threads {
            let _ = scope.spawn(move || count_until(until));
        }
        count_until(until);
    });
}

/// Count, looking at the clock every few microseconds.
fn count_until(until: Instant) {
    let mut count = 0_u64;
    while Instant::now() < until {
        for _ in 0..5000 {
            count = black_box(count.wrapping_add(1));
        }
    }
}

fn own_quota(options: &Options) -> Option<Quota> {
    let membership = fs::read_to_string("/proc/self/cgroup").ok()?;
    cgroup::detect(&options.cgroup_root)?.quota(&membership)
}

/// `pinned`, or everything that differs from the request.
fn answer(cpus: usize, quota: Option<f64>, found: &ObservedLimits) -> String {
    let mut differs = Vec::new();
    if found.cpus_allowed != cpus {
        differs.push(format!(
            "allowed on {}, not {cpus}",
            plural(found.cpus_allowed)
        ));
    }
    match (quota, found.cpu_quota) {
        (Some(asked), None) => differs.push(format!("held by no quota, not {asked} CPUs")),
        (Some(asked), Some(held)) if (held / asked - 1.0).abs() > 0.01 => {
            differs.push(format!("held to {held} CPUs, not {asked}"));
        }
        (None, Some(held)) if held < whole(cpus) => {
            differs.push(format!("held to {held} CPUs, not free"));
        }
        _ => {}
    }
    let most = quota.map_or(whole(cpus), |quota| quota.min(whole(cpus)));
    if found.cpus_received > most * (1.0 + ABOVE_LIMIT) {
        differs.push(format!(
            "received {:.2} CPUs, not {most}",
            found.cpus_received
        ));
    }
    if differs.is_empty() {
        "pinned".to_owned()
    } else {
        differs.join("; ")
    }
}

fn metrics(found: &ObservedLimits) -> BTreeMap<String, f64> {
    let mut metrics = BTreeMap::from([("cpus_allowed".to_owned(), whole(found.cpus_allowed))]);
    if let Some(quota) = found.cpu_quota {
        let _ = metrics.insert("cpu_quota".to_owned(), quota);
    }
    metrics
}

fn plural(cpus: usize) -> String {
    if cpus == 1 {
        "1 CPU".to_owned()
    } else {
        format!("{cpus} CPUs")
    }
}

/// A number of CPUs as a fraction; no machine has 2^32 of them.
fn whole(cpus: usize) -> f64 {
    f64::from(u32::try_from(cpus).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::{ObservedLimits, answer};

    const FREE: ObservedLimits = ObservedLimits {
        cpus_allowed: 1,
        cpu_quota: None,
        cpus_received: 0.97,
    };

    #[test]
    fn what_reached_the_program_is_pinned() {
        assert_eq!(answer(1, None, &FREE), "pinned");
        let held = ObservedLimits {
            cpu_quota: Some(0.85),
            cpus_received: 0.86,
            ..FREE
        };
        assert_eq!(answer(1, Some(0.85), &held), "pinned");
        let wide = ObservedLimits {
            cpu_quota: Some(2.0),
            ..FREE
        };
        assert_eq!(answer(1, None, &wide), "pinned");
    }

    #[test]
    fn what_did_not_is_said() {
        let wrong = [
            answer(2, None, &FREE),
            answer(
                1,
                None,
                &ObservedLimits {
                    cpus_allowed: 2,
                    cpus_received: 1.9,
                    ..FREE
                },
            ),
            answer(1, Some(0.85), &FREE),
            answer(
                1,
                Some(0.85),
                &ObservedLimits {
                    cpu_quota: Some(0.5),
                    cpus_received: 0.5,
                    ..FREE
                },
            ),
            answer(
                1,
                None,
                &ObservedLimits {
                    cpu_quota: Some(0.5),
                    cpus_received: 0.5,
                    ..FREE
                },
            ),
        ];
        insta::assert_snapshot!(wrong.join("\n"));
    }
}
