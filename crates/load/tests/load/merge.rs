//! Several drivers at once: they begin at one instant, and their tallies are added into one record.

use std::fs;
use std::process::Stdio;

use rustix::time::{ClockId, clock_gettime};

use super::log::lines;
use super::program::{Respond, file, output, program, record};
use super::scratch::scratch;

fn path(name: &str) -> String {
    scratch().join(name).display().to_string()
}

#[test]
fn two_drivers_that_begin_at_one_instant_are_merged_into_one_record() {
    let body = file("merged.html", b"merged");
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    let url = format!("http://{}/article.html", server.peer);
    let now = clock_gettime(ClockId::Monotonic);
    let now_ns = now.tv_sec * 1_000_000_000 + now.tv_nsec;
    let (at, zero) = ((now_ns + 2_000_000_000).to_string(), now_ns.to_string());
    let tallies = ["c1", "c2"].map(|name| path(&format!("{name}.tally.json")));
    let drivers =
        [("c1", &tallies[0], "150"), ("c2", &tallies[1], "50")].map(|(name, tally, rate)| {
            let words = [
                "http",
                "--rate",
                rate,
                "--warm-up",
                "100ms",
                "--duration",
                "1200ms",
                "--at",
                &at,
                "--zero-ns",
                &zero,
                "--driver",
                name,
                "--tally",
                tally,
                "--case",
                r#"{"rate_per_s":200}"#,
                "--json",
                "-",
                &url,
            ];
            let mut command = program(&words);
            let _ = command.stdout(Stdio::piped()).stderr(Stdio::piped());
            command.spawn().expect("a driver starts")
        });
    let own = drivers.map(|driver| record(&driver.wait_with_output().expect("it ends")));
    let log = path("merged.hlog");
    let _ = fs::remove_file(&log);
    let merged = record(&output(&[
        "merge",
        "--json",
        "-",
        "--hlog",
        &log,
        &tallies[0],
        &tallies[1],
    ]));
    assert_eq!(merged.driver, "c1,c2");
    assert_eq!(
        merged.from_ns, 2_100_000_000,
        "both windows opened at the instant that was given"
    );
    assert_eq!(
        (own[0].from_ns, own[1].from_ns),
        (merged.from_ns, merged.from_ns)
    );
    assert_eq!(merged.sent, own[0].sent + own[1].sent);
    assert_eq!(merged.right, own[0].right + own[1].right);
    assert_eq!(
        merged.scheduled,
        own[0]
            .scheduled
            .zip(own[1].scheduled)
            .map(|(one, other)| one + other)
    );
    assert_eq!(
        merged.response_time_max_ns,
        own[0].response_time_max_ns.max(own[1].response_time_max_ns)
    );
    let names: Vec<String> = merged.drivers.expect("each driver").into_keys().collect();
    assert_eq!(names, ["c1", "c2"]);
    let logged = lines(log.as_ref());
    let times = logged.iter().filter(|line| line.tag == "response_time");
    assert_eq!(
        times.map(|line| line.histogram.len()).sum::<u64>(),
        merged.sent
    );
    let again = output(&["merge", &tallies[0], &tallies[0]]);
    assert_eq!(again.status.code(), Some(1));
    let said = String::from_utf8_lossy(&again.stderr).into_owned();
    assert!(said.contains("driver c1 was added already"), "{said}");
}
