//! The program as people run it by hand: without --json, and to repeat a program.

use wire::BatchRecord;

use super::program::{Respond, file, output};

fn http(path: &str, respond: &Respond) -> (Option<i32>, String) {
    let url = format!("http://{}{path}", respond.peer);
    let ended = output(&["http", "--warm-up", "10ms", "--duration", "100ms", &url]);
    (
        ended.status.code(),
        String::from_utf8_lossy(&ended.stderr).into_owned(),
    )
}

#[test]
fn a_url_alone_is_a_load_of_ten_users() {
    let body = file("by-hand.html", b"hello").display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    assert_eq!(http("/page", &respond), (Some(0), String::new()));
}

#[test]
fn a_load_without_a_correct_response_ends_with_1() {
    let body = file("by-hand.html", b"hello").display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    let (code, complaint) = http("/missing", &respond);
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
