//! The program as people run it by hand: without --json, and to repeat a program.

use wire::BatchRecord;

use super::program::{Respond, drive_at, file, output};

/// A short load of nothing but a URL, however slow the machine is.
const SHORT: [&str; 4] = ["--warm-up", "10ms", "--requests", "50"];

/// How it ends, what it prints and what it complains of.
fn http(path: &str, respond: &Respond) -> (Option<i32>, String, String) {
    let url = format!("http://{}{path}", respond.peer);
    let ended = output(&[&["http"], &SHORT[..], &[url.as_str()]].concat());
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        ended.status.code(),
        text(&ended.stdout),
        text(&ended.stderr),
    )
}

#[test]
fn a_url_alone_is_a_load_of_ten_users() {
    let body = file("by-hand.html", b"hello").display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    let (code, summary, complaint) = http("/page", &respond);
    assert_eq!((code, complaint.as_str()), (Some(0), ""));
    let lines: Vec<&str> = summary.lines().collect();
    for (line, begin, end) in [
        (0, "goodput        ", " correct responses per second"),
        (1, "response time  p50 ", " ms"),
        (2, "requests       ", "; errors: none"),
    ] {
        assert!(lines[line].starts_with(begin), "{summary}");
        assert!(lines[line].ends_with(end), "{summary}");
    }
    let after_all_began = ["--warm-up", "100ms", "--duration", "100ms"];
    let record = drive_at(respond.peer, "/page", &after_all_began);
    assert_eq!(record.case["connections"], 10);
    let users = record.concurrency_mean.expect("a mean");
    assert!((users - 10.0).abs() < 1e-6, "{users} of 10 at once");
}

#[test]
fn a_load_without_a_correct_response_ends_with_1() {
    let body = file("by-hand.html", b"hello").display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    let (code, _, complaint) = http("/missing", &respond);
    assert_eq!(code, Some(1));
    assert!(complaint.contains("no response was correct"), "{complaint}");
}

#[test]
fn a_repeated_program_gives_a_batch_record() {
    let ended = output(&[
        "repeat",
        "--duration",
        "20ms",
        "--compare",
        "--",
        "echo",
        "hello",
    ]);
    let record: BatchRecord = serde_json::from_slice(&ended.stdout).expect("a batch record");
    assert_eq!(ended.status.code(), Some(0));
    assert!(record.work >= 1.0);
    assert!(record.metrics["run_time_mean_ns"] > 0.0);
    // sha256sum <<< hello
    assert_eq!(
        record.answer,
        "sha256:5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"
    );
}

#[test]
fn a_failing_prepare_command_ends_with_1() {
    let ended = output(&["repeat", "--prepare", r#"["false"]"#, "--", "echo"]);
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1));
    assert!(
        complaint.contains("the prepare command failed"),
        "{complaint}"
    );
}
