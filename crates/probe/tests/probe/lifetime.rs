//! Nothing outlives its run, however the run ends.

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::supervised::stubborn::{OF_STUBBORN, STUBBORN, assert_nothing_left, assert_whole};
use super::supervised::{
    PROBE, Supervised, cgroups_of, command, new_id, processes_of, run_dir, within,
};
use serde_json::json;

#[test]
fn a_program_is_started_awaited_and_its_end_told() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "echo said; exit 3");
    let answer = run.ask(&json!({"do": "wait", "name": "a", "within_s": 10}));
    assert_eq!(
        (&answer["exited"], &answer["code"], &answer["signal"]),
        (&json!(true), &json!(3), &json!(null))
    );
    assert_eq!(run.text_of("a.out"), "said");
    let alive = run.ask(&json!({"do": "alive", "name": "a"}));
    assert_eq!(
        (&alive["alive"], &alive["code"]),
        (&json!(false), &json!(3))
    );
    assert!(alive["t_ns"].as_u64() > answer["t_ns"].as_u64());
}

#[test]
fn waiting_ends_after_its_time() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "sleep 300");
    let answer = run.ask(&json!({"do": "wait", "name": "a", "within_s": 0.2}));
    assert_eq!(answer["exited"], json!(false));
    assert_eq!(
        run.ask(&json!({"do": "alive", "name": "a"}))["alive"],
        json!(true)
    );
}

#[test]
fn a_program_that_obeys_is_stopped_with_all_of_its_tree() {
    let mut left_over = Vec::new();
    for _attempt in 0..5 {
        let mut run = Supervised::start(&[]);
        run.group("subject");
        let _ = run.shell("a", "sleep 300 & sleep 301 & wait");
        let answer = run.ask(&json!({"do": "stop", "name": "a", "signal": "TERM", "within_s": 5}));
        assert_eq!(
            (&answer["signal"], &answer["killed"]),
            (&json!("TERM"), &json!(false))
        );
        assert!(run.processes().is_empty());
        if answer["left_over"] == json!(0) {
            return;
        }
        // On a busy machine a child that was told to end may get no CPU for that before it is killed.
        left_over.push(answer["left_over"].clone());
    }
    panic!("left over: {left_over:?}");
}

#[test]
fn a_stubborn_program_is_killed_and_what_it_left_is_counted() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", STUBBORN);
    assert_eq!(run.text_of("a.out"), "daemon");
    assert_whole(&mut run, 1);
    let answer = run.ask(&json!({"do": "stop", "name": "a", "within_s": 0.3}));
    assert_eq!(
        (&answer["signal"], &answer["killed"], &answer["left_over"]),
        (&json!("KILL"), &json!(true), &json!(3))
    );
    assert!(run.processes().is_empty());
}

#[test]
fn stopping_one_program_leaves_the_others_alone() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", STUBBORN);
    let _ = run.shell("b", STUBBORN);
    assert_eq!(
        (run.text_of("a.out"), run.text_of("b.out")),
        ("daemon".to_owned(), "daemon".to_owned())
    );
    assert_whole(&mut run, 2);
    let answer = run.ask(&json!({"do": "stop", "name": "a", "within_s": 0.1}));
    assert_eq!(answer["left_over"], json!(3), "{answer}");
    assert_eq!(
        run.ask(&json!({"do": "alive", "name": "b"}))["alive"],
        json!(true)
    );
    assert_eq!(run.processes().len(), OF_STUBBORN);
}

#[test]
fn closing_the_input_ends_a_stubborn_tree_and_removes_everything() {
    for more in [&[][..], &["--no-cgroups"][..]] {
        let mut run = Supervised::start(more);
        run.group("subject");
        let owned = std::env::temp_dir().join(format!(".partial-{}", run.id));
        std::fs::create_dir_all(owned.join("deep")).expect("a folder");
        assert!(
            run.ask(&json!({"do": "own", "path": owned}))
                .get("error")
                .is_none()
        );
        let request = {
            let mut request = run.start_request("a", &["sh", "-c", STUBBORN]);
            request["stop_within_s"] = json!(0.3);
            request
        };
        assert!(run.ask(&request)["pid"].is_i64());
        assert_eq!(run.text_of("a.out"), "daemon");
        assert_whole(&mut run, 1);
        run.close();
        let (code, took) = run.ends();
        assert_eq!(code, Some(0));
        assert!(took < Duration::from_secs(30), "{took:?}");
        assert!(!owned.exists());
        assert_nothing_left(&run.id);
    }
}

#[test]
fn the_input_closing_breaks_off_a_wait() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "sleep 300");
    run.tell(&json!({"do": "wait", "name": "a", "within_s": 600}));
    run.close();
    let (code, took) = run.ends();
    assert_eq!(code, Some(0));
    assert!(took < Duration::from_secs(30), "{took:?}");
    assert_nothing_left(&run.id);
}

#[test]
fn term_and_int_end_the_run() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let mut run = Supervised::start(&[]);
        run.group("subject");
        let _ = run.shell("a", "sleep 300");
        let pid = rustix::process::Pid::from_child(&run.child);
        rustix::process::kill_process(pid, signal).expect("it runs");
        assert_eq!(run.ends().0, Some(0));
        assert_nothing_left(&run.id);
    }
}

#[test]
fn a_hangup_ends_the_run_unless_it_was_ignored() {
    for (before, goes_on) in [("trap '' HUP", true), ("trap - HUP", false)] {
        let id = new_id();
        let plain = command(&id, &[]);
        // A shell cannot trap what was ignored when it started, as it is under nohup.
        let mut child = Command::new("env")
            .args(["--default-signal=HUP", "sh", "-c"])
            .args([&format!("{before}; exec \"$@\""), "sh"])
            .arg(plain.get_program())
            .args(plain.get_args())
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("env is there");
        let up = within(Duration::from_secs(60), || run_dir(&id).exists());
        let pid = rustix::process::Pid::from_child(&child);
        rustix::process::kill_process(pid, rustix::process::Signal::HUP).expect("it runs");
        // Whether it goes on shows only after a while; an end is waited for longer, as the machine may be busy.
        let patience = Duration::from_millis(if goes_on { 1500 } else { 60_000 });
        let ended = within(patience, || child.try_wait().expect("our child").is_some());
        drop(child.stdin.take());
        assert_eq!(child.wait().expect("our child").code(), Some(0));
        assert!(up);
        assert_eq!(ended, !goes_on, "after {before}");
        assert_nothing_left(&id);
    }
}

#[test]
fn an_end_is_answered_when_all_is_gone() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "sleep 300");
    let answer = run.ask(&json!({"do": "end"}));
    assert!(
        answer.get("error").is_none() && answer["t_ns"].is_u64(),
        "{answer}"
    );
    assert_nothing_left(&run.id);
    assert_eq!(run.ends().0, Some(0));
}

/// The parent is a shell that holds the pipe's end open even in a child that survives it: only its death can be noticed.
#[test]
fn a_killed_parent_takes_everything_with_it_although_the_pipe_stays_open() {
    let id = new_id();
    let start = json!({
        "do": "start", "name": "a", "group": "subject", "argv": ["sh", "-c", STUBBORN], "env": {"PATH": "/usr/bin:/bin"},
        "cwd": "/", "stdin": null, "stdout": run_dir(&id).join("out"), "stderr": "/dev/null", "stop_within_s": 0.3,
    });
    let requests = format!(
        "{}\n{}\n{start}",
        json!({"do": "hello"}),
        json!({"do": "group", "name": "subject", "cpus": null, "cpu_quota": null, "memory_mib": null}),
    );
    // The sleep inherits the pipe before anything is written: a request that came and closed it first would end the run.
    let script = "mkfifo \"$1\"; exec 9<>\"$1\"; sleep 90 & exec 9>&-; printf '%s\\n' \"$2\" > \"$1\"; \
                  shift 2; \"$@\" < \"$F\" & wait";
    let fifo = std::env::temp_dir().join(format!("fifo-{id}"));
    let mut parent = Command::new("sh")
        .args(["-c", script, "sh"])
        .arg(&fifo)
        .arg(&requests)
        .args([PROBE, "supervise", "--id", &id, "--run-dir"])
        .arg(run_dir(&id))
        .args(super::supervised::user())
        .env("F", &fifo)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("sh is there");
    let up = within(Duration::from_secs(60), || processes_of(&id).len() >= 5);
    parent.kill().expect("it runs");
    let _ = parent.wait().expect("our child");
    assert!(up, "the tree came up");
    let gone = within(Duration::from_secs(60), || {
        processes_of(&id).is_empty() && !run_dir(&id).exists() && cgroups_of(&id).is_empty()
    });
    let _ = std::fs::remove_file(&fifo);
    assert!(gone);
    assert_nothing_left(&id);
}

#[test]
fn a_killed_supervise_takes_the_programs_that_it_started_with_it() {
    let mut run = Supervised::start(&["--no-cgroups"]);
    run.group("subject");
    let _ = run.shell("a", "exec sleep 300");
    run.child.kill().expect("it runs");
    let _ = run.ends();
    assert!(within(Duration::from_secs(60), || run
        .processes()
        .is_empty()));
    std::fs::remove_dir_all(&run.run_dir).expect("only a sweep removes it otherwise");
}

#[test]
fn a_second_run_of_the_same_name_is_refused_and_the_first_is_left_alone() {
    let first = Supervised::start(&[]);
    let mut second = command(&first.id, &[])
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut answer = String::new();
    let _ = BufReader::new(second.stdout.take().expect("a pipe"))
        .read_line(&mut answer)
        .expect("an answer");
    let mut said = String::new();
    let _ = second
        .stderr
        .take()
        .expect("a pipe")
        .read_to_string(&mut said)
        .expect("text");
    assert_eq!(second.wait().expect("our child").code(), Some(1));
    assert!(
        answer.contains("cannot be made") && said.contains("cannot be made"),
        "{answer}{said}"
    );
    assert!(first.run_dir.exists());
}
