//! The interval log holds every time, and nothing is written of a load that was broken off.

use std::fs;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};
use rustix::process::{Pid, Signal, kill_process};
use wire::LoadRecord;

use super::program::{PROGRAM, drive, output};
use super::scratch::scratch;
use super::spoiled::{page, serve};

/// One line of a log: its tag, its start and length, its histogram.
pub struct Line {
    /// What was timed.
    pub tag: String,
    start: Duration,
    length: Duration,
    /// Its times.
    pub histogram: Histogram<u64>,
}

/// The lines of a log.
pub fn lines(log: &Path) -> Vec<Line> {
    let bytes = fs::read(log).expect("a log");
    let entries = IntervalLogIterator::new(&bytes).map(|entry| entry.expect("a line"));
    let intervals = entries.filter_map(|entry| match entry {
        LogEntry::Interval(interval) => Some(interval),
        LogEntry::StartTime(_) | LogEntry::BaseTime(_) => None,
    });
    let read = intervals.map(|interval| {
        let encoded = STANDARD
            .decode(interval.encoded_histogram())
            .expect("base64");
        Line {
            tag: interval.tag().expect("a tag").as_str().to_owned(),
            start: interval.start_timestamp(),
            length: interval.duration(),
            histogram: Deserializer::new()
                .deserialize(&mut encoded.as_slice())
                .expect("a histogram"),
        }
    });
    read.collect()
}

fn values(lines: &[Line], tag: &str) -> u64 {
    lines
        .iter()
        .filter(|line| line.tag == tag)
        .map(|line| line.histogram.len())
        .sum()
}

fn new_log(name: &str) -> PathBuf {
    scratch().join(name)
}

/// Drives the server with these connections for that long, after a warm-up of 50 ms.
fn logged(peer: SocketAddr, log: &Path, connections: u32, duration: &str) -> LoadRecord {
    let (connections, log) = (connections.to_string(), log.to_str().expect("a path"));
    drive(
        peer,
        &[
            "--connections",
            &connections,
            "--warm-up",
            "50ms",
            "--duration",
            duration,
            "--hlog",
            log,
        ],
    )
}

#[test]
fn the_log_holds_as_many_values_as_requests_and_cases_share_it() {
    let log = new_log("shared.hlog");
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let first = logged(peer, &log, 2, "1300ms");
    let one = lines(&log);
    assert_eq!(
        (values(&one, "response_time"), values(&one, "service_time")),
        (first.sent, first.sent)
    );
    assert_eq!(one.len(), 4, "two seconds, two kinds");
    let second = logged(peer, &log, 5, "200ms");
    let both = lines(&log);
    assert_eq!(values(&both, "response_time"), first.sent + second.sent);
    assert_eq!(values(&both, "service_time"), first.sent + second.sent);
    let text = fs::read_to_string(&log).expect("a log");
    assert_eq!(text.matches("[BaseTime:").count(), 1);
    assert!(
        text.contains(r#"#[Case: {"connections":2}]"#)
            && text.contains(r#"#[Case: {"connections":5}]"#)
    );
}

#[test]
fn intervals_follow_each_other_and_hold_the_quantiles_of_the_record() {
    let log = new_log("quantiles.hlog");
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let record = logged(peer, &log, 2, "1200ms");
    let lines = lines(&log);
    let response: Vec<_> = lines
        .iter()
        .filter(|line| line.tag == "response_time")
        .collect();
    let off = response[0]
        .start
        .abs_diff(Duration::from_nanos(record.from_ns));
    assert!(
        off <= Duration::from_millis(1),
        "the log counts in ms, and is off by {off:?}"
    );
    assert_eq!(
        (
            response[1].start.checked_sub(response[0].start),
            response[0].length
        ),
        (Some(Duration::from_secs(1)), Duration::from_secs(1))
    );
    assert!(
        response[1].length >= Duration::from_millis(199),
        "{:?}",
        response[1].length
    );
    let mut all = response[0].histogram.clone();
    all.add(&response[1].histogram).expect("equal bounds");
    // A bucket may end above the longest of all, which the record does not exceed.
    let quantile = |share| {
        let longest = record.response_time_max_ns?;
        Some(all.value_at_quantile(share).min(longest))
    };
    assert_eq!(quantile(0.5), record.response_time_p50_ns);
    assert_eq!(quantile(0.99), record.response_time_p99_ns);
}

#[test]
fn timeouts_are_in_the_log_as_at_least_the_timeout() {
    let log = new_log("timeouts.hlog");
    let peer = serve(|_, _| {
        thread::sleep(Duration::from_secs(60));
        false
    });
    let words = [
        "--connections",
        "3",
        "--warm-up",
        "0s",
        "--requests",
        "6",
        "--timeout",
        "100ms",
        "--hlog",
        log.to_str().expect("a path"),
    ];
    let record = drive(peer, &words);
    let lines = lines(&log);
    assert_eq!(record.sent, 6);
    assert_eq!(record.errors.get("timeout"), Some(&record.sent));
    assert_eq!(values(&lines, "response_time"), record.sent);
    // 3 digits: a bucket may begin 0.1 % below what it holds. A second without any has no shortest.
    let mut filled = lines.iter().filter(|line| !line.histogram.is_empty());
    assert!(filled.all(|line| line.histogram.min() >= 99_900_000));
}

#[test]
fn a_load_that_is_broken_off_leaves_no_record_and_no_interval() {
    for signal in [Signal::TERM, Signal::INT] {
        let log = new_log(&format!("broken-off-{}.hlog", signal.as_raw()));
        let peer = serve(|_, stream| page(stream, 200, b"x"));
        let url = format!("http://{peer}/");
        let words = [
            "http",
            "--connections",
            "2",
            "--duration",
            "60s",
            "--json",
            "-",
            "--hlog",
            log.to_str().expect("a path"),
            &url,
        ];
        // Where the tests run in the background of a shell, INT is ignored, and the program would inherit that.
        let child = Command::new("env")
            .args(["--default-signal=INT", PROGRAM])
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("env of coreutils");
        // The log is made before the load.
        let until = Instant::now() + Duration::from_secs(60);
        while !log.exists() && Instant::now() < until {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(300));
        kill_process(Pid::from_child(&child), signal).expect("a signal");
        let output = child.wait_with_output().expect("the program ends");
        assert!(!output.status.success() && output.stdout.is_empty());
        assert_eq!(fs::read(&log).expect("a log"), b"");
    }
}

#[test]
fn a_log_that_cannot_be_written_is_found_out_before_the_load() {
    let output = output(&[
        "http",
        "--connections",
        "1",
        "--duration",
        "60s",
        "--hlog",
        "/proc/nothing.hlog",
        "http://127.0.0.1:1/",
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the log /proc/nothing.hlog"));
}
