//! A run ends when its client gives no more signs of life.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::supervised::stubborn::{STUBBORN, assert_nothing_left, assert_whole};
use super::supervised::{PROBE, Supervised, command, new_id, run_dir, within};
use serde_json::json;

/// Attempts at what only a machine with CPUs to spare shows.
const ATTEMPTS: usize = 5;

#[test]
fn a_client_that_falls_silent_loses_its_run_though_its_input_stays_open() {
    let mut run = Supervised::start(&["--lease-s", "1"]);
    run.group("subject");
    let _ = run.shell("a", STUBBORN);
    assert_whole(&mut run, 1);
    let id = run.id.clone();
    // While it waits for a program too: no request is read meanwhile.
    run.tell(&json!({"do": "wait", "name": "a", "within_s": 300}));
    let (code, took) = run.ends();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_nothing_left(&id);
}

#[test]
fn an_empty_line_is_a_sign_of_life_and_gets_no_response() {
    // On a busy machine we may be late with a sign of life ourselves: supervise is right to end the run then.
    let in_time = (0..ATTEMPTS).any(|_| {
        let mut run = Supervised::start(&["--lease-s", "2"]);
        run.group("subject");
        let _ = run.shell("a", "sleep 300");
        run.tell(&json!({"do": "wait", "name": "a", "within_s": 3}));
        for _ in 0..12 {
            let last = Instant::now();
            std::thread::sleep(Duration::from_millis(250));
            if last.elapsed() > Duration::from_secs(1) {
                return false;
            }
            run.beat();
        }
        assert_eq!(run.answer()["exited"], json!(false));
        run.beat();
        assert_eq!(
            run.ask(&json!({"do": "alive", "name": "a"}))["alive"],
            json!(true)
        );
        true
    });
    assert!(in_time, "signs of life were late in every attempt");
}

#[test]
fn a_client_that_is_frozen_loses_its_run() {
    assert!(
        (0..ATTEMPTS).any(|_| a_frozen_client_loses_its_run()),
        "supervise ended though its client was alive, in every attempt"
    );
}

/// Returns false if the run had ended before the client was frozen: a busy machine may keep it from its CPU for that long.
fn a_frozen_client_loses_its_run() -> bool {
    let id = new_id();
    // The client beats ten times a second until it is stopped; its pipe to supervise stays open.
    let script =
        "(echo '{\"do\": \"hello\"}'; while :; do echo; sleep 0.1; done) | exec \"$0\" \"$@\"";
    let run = command(&id, &["--lease-s", "2"]);
    let mut shell = Command::new("setsid")
        .args(["--wait", "sh", "-c", script, PROBE])
        .args(run.get_args())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut hello = String::new();
    let mut output = BufReader::new(shell.stdout.take().expect("a pipe"));
    let _ = output.read_line(&mut hello).expect("hello");
    std::thread::sleep(Duration::from_millis(2500));
    if !run_dir(&id).exists() {
        let _ = shell.kill();
        let _ = shell.wait();
        return false;
    }
    let clients = children_beating(shell.id());
    assert!(!clients.is_empty());
    for pid in &clients {
        signal_to(*pid, "STOP");
    }
    assert!(
        within(Duration::from_secs(60), || !run_dir(&id).exists()),
        "supervise outlived its lease"
    );
    for pid in &clients {
        signal_to(*pid, "KILL");
    }
    let _ = shell.kill();
    let _ = shell.wait();
    assert_nothing_left(&id);
    true
}

/// The shells and sleeps below a process, supervise aside.
fn children_beating(top: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut open = vec![top];
    while let Some(pid) = open.pop() {
        let listing = std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        for child in listing.unwrap_or_default().split_whitespace() {
            let child: u32 = child.parse().expect("a pid");
            let name = std::fs::read_to_string(format!("/proc/{child}/comm")).unwrap_or_default();
            if name.trim() == "sh" {
                found.push(child);
            }
            open.push(child);
        }
    }
    // The first shell waits for the pipe; the beating one is below it.
    found
}

fn signal_to(pid: u32, signal: &str) {
    let done = Command::new("kill")
        .args([format!("-{signal}"), pid.to_string()])
        .status();
    assert!(done.expect("kill").success());
}
