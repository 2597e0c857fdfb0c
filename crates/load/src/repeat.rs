//! Runs one program again and again, and reports how long a run takes.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};

use base::clock::now_ns;
use base::error::Error;
use serde_json::Value;
use sha2::{Digest, Sha256};
use wire::{BatchRecord, Kind};

use crate::cli::arguments::Program;
use crate::cli::repeat::Repeat;
use crate::output::print;

/// The most output of one run that is looked at, in bytes; longer output fails the run.
const MOST_BYTES: u64 = 1 << 30;
/// The most characters of a reason in a record.
const MOST_LETTERS: usize = 300;

/// One run of the program: how long it took, and what it answered.
struct OneRun {
    took_ns: u64,
    answer: String,
    why_not: Option<String>,
}

/// Runs the program until the time is over, at least once, and prints one batch record.
///
/// # Errors
/// A program cannot be started, or one of setup, prepare and cleanup fails.
pub fn repeat(options: &Repeat) -> Result<(), Error> {
    if let Some(program) = &options.setup {
        step("setup", program)?;
    }
    for _ in 0..options.warm_up_runs {
        let _ = once(options)?;
    }
    let from_ns = now_ns();
    let mut runs = Vec::new();
    loop {
        let run = once(options)?;
        let failed = run.why_not.is_some();
        runs.push(run);
        if failed || now_ns().saturating_sub(from_ns) >= options.duration {
            break;
        }
    }
    let to_ns = now_ns();
    if let Some(program) = &options.cleanup {
        step("cleanup", program)?;
    }
    print::json(&record(&runs, from_ns, to_ns), std::path::Path::new("-"))
}

fn record(runs: &[OneRun], from_ns: u64, to_ns: u64) -> BatchRecord {
    let elapsed_ns: u64 = runs.iter().map(|run| run.took_ns).sum();
    let answers = runs.iter().map(|run| run.answer.as_str());
    let first = runs.first().map_or("", |run| run.answer.as_str());
    let failed = runs.iter().find(|run| run.why_not.is_some());
    let answer = match failed {
        Some(run) => run.answer.as_str(),
        None if answers.clone().all(|answer| answer == first) => first,
        None => "outputs that differ from run to run",
    };
    let count = u64::try_from(runs.len()).unwrap_or(u64::MAX);
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts and times far below 2^53"
    )]
    let (work, mean_ns) = (count as f64, elapsed_ns as f64 / count.max(1) as f64);
    BatchRecord {
        format: wire::FORMAT,
        record: Kind::Batch,
        case: wire::Case::new(),
        work,
        work_in: "runs".to_owned(),
        elapsed_ns: elapsed_ns.max(1),
        answer: Value::from(answer),
        metrics: BTreeMap::from([("run_time_mean_ns".to_owned(), mean_ns)]),
        why_not: failed.and_then(|run| run.why_not.clone()),
        from_ns: Some(from_ns),
        to_ns: Some(to_ns),
    }
}

fn once(options: &Repeat) -> Result<OneRun, Error> {
    if let Some(program) = &options.prepare {
        step("prepare", program)?;
    }
    let reads = options.compare || options.expect.is_some();
    let mut command = command(&options.argv);
    let _ = command.stdout(if reads { Stdio::piped() } else { Stdio::null() });
    let began_ns = now_ns();
    let mut child = command
        .spawn()
        .map_err(|error| not_started(&options.argv, &error))?;
    let mut output = Vec::new();
    if let Some(pipe) = child.stdout.take() {
        let _ = pipe
            .take(MOST_BYTES)
            .read_to_end(&mut output)
            .map_err(|error| not_started(&options.argv, &error))?;
    }
    let status = child
        .wait()
        .map_err(|error| not_started(&options.argv, &error))?;
    let took_ns = now_ns() - began_ns;
    let (answer, why_not) = judge(options, status, &output);
    Ok(OneRun {
        took_ns,
        answer,
        why_not: why_not.map(|text| text.chars().take(MOST_LETTERS).collect()),
    })
}

/// What a run answered, and why it does not count if it failed.
fn judge(options: &Repeat, status: ExitStatus, output: &[u8]) -> (String, Option<String>) {
    if !status.success() {
        return (
            "a failure".to_owned(),
            Some(format!("it ended with {status}")),
        );
    }
    if u64::try_from(output.len()).unwrap_or(u64::MAX) >= MOST_BYTES {
        let why = "it printed 1 GiB or more, of which nothing is compared".to_owned();
        return ("too much output".to_owned(), Some(why));
    }
    match &options.expect {
        Some(due) if !String::from_utf8_lossy(output).contains(due.as_str()) => {
            let why = format!("its output does not contain {due:?}");
            ("another output".to_owned(), Some(why))
        }
        _ if options.compare => (format!("sha256:{}", hex(&Sha256::digest(output))), None),
        _ => ("done".to_owned(), None),
    }
}

fn hex(bytes: &[u8]) -> String {
    format!("{:x}", base16ct::HexDisplay(bytes))
}

fn step(name: &str, program: &Program) -> Result<(), Error> {
    let argv = &program.0;
    let status = command(argv)
        .stdout(Stdio::null())
        .status()
        .map_err(|error| not_started(argv, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Error::failure(
        format!("the {name} command failed"),
        format!("it ended with {status}"),
        "Run it by hand.",
    ))
}

fn command(argv: &[String]) -> Command {
    let mut command = Command::new(argv.first().map_or("", String::as_str));
    let _ = command.args(argv.iter().skip(1)).stdin(Stdio::null());
    command
}

fn not_started(argv: &[String], error: &io::Error) -> Error {
    let name = argv.first().map_or("", String::as_str);
    Error::io(format!("{name} cannot be run"), error, "Run it by hand.")
}

#[cfg(test)]
mod tests {
    use super::{once, record};
    use crate::cli::repeat::Repeat;

    fn options(argv: &[&str]) -> Repeat {
        Repeat {
            duration: 1,
            warm_up_runs: 0,
            setup: None,
            prepare: None,
            cleanup: None,
            compare: true,
            expect: None,
            argv: argv.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    #[test]
    fn the_answer_is_the_checksum_of_the_output() {
        let run = once(&options(&["echo", "hello"])).expect("a run");
        // sha256sum <<< hello
        let due = "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";
        assert_eq!((run.answer.as_str(), run.why_not), (due, None));
        assert!(run.took_ns > 0);
    }

    #[test]
    fn a_run_that_fails_or_prints_something_else_does_not_count() {
        let failed = once(&options(&["false"])).expect("a run");
        assert_eq!(failed.answer, "a failure");
        assert!(
            failed
                .why_not
                .is_some_and(|why| why.contains("exit status: 1"))
        );
        let other = Repeat {
            expect: Some("bye".to_owned()),
            ..options(&["echo", "hello"])
        };
        let other = once(&other).expect("a run");
        assert_eq!(other.answer, "another output");
        assert!(once(&options(&["/no/such/program"])).is_err());
    }

    #[test]
    fn a_record_counts_the_runs_and_their_time_alone() {
        let runs = [
            once(&options(&["echo", "a"])).expect("a run"),
            once(&options(&["echo", "b"])).expect("a run"),
        ];
        let both = record(&runs, 5, 1_000_000_000_000);
        assert_eq!(both.work_in, "runs");
        assert!((both.work - 2.0).abs() < f64::EPSILON);
        assert_eq!(both.elapsed_ns, runs[0].took_ns + runs[1].took_ns);
        assert_eq!(both.answer, "outputs that differ from run to run");
    }
}
