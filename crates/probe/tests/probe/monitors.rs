//! The monitors' table, the gate and the witness.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

use super::supervised::output::{probe, text};
use super::supervised::{PROBE, Supervised, allowed, within};
use serde_json::{Value, json};

/// A column of the table, empty cells left out.
fn column(table: &str, name: &str) -> Vec<u64> {
    let mut lines = table.lines();
    let place = lines
        .next()
        .expect("a header")
        .split(',')
        .position(|each| each == name);
    let place = place.unwrap_or_else(|| panic!("no column {name}"));
    let cells = lines.filter_map(|line| line.split(',').nth(place));
    cells
        .filter(|cell| !cell.is_empty())
        .map(|cell| cell.parse().expect("a number"))
        .collect()
}

/// The table of a run whose subject spins for a while, and the responses to `watch` and `unwatch`.
fn watched(more: &[&str]) -> (String, Value, Value) {
    let mut run = Supervised::start(more);
    run.group("subject");
    run.group("driver");
    let path = run.file("readings.csv");
    let watching = run.ask(&json!({"do": "watch", "to": path, "every_ms": 20}));
    let _ = run.shell("a", "while :; do :; done");
    std::thread::sleep(Duration::from_millis(700));
    // On a busy machine the subject gets less of its CPU, and takes longer to use a little of it.
    let enough = within(Duration::from_secs(60), || {
        let usage = run.ask(&json!({"do": "usage", "group": "subject"}));
        usage["cpu_ns"].as_u64() > Some(100_000_000)
    });
    assert!(enough, "the subject got no CPU");
    std::thread::sleep(Duration::from_millis(60));
    let watched = run.ask(&json!({"do": "unwatch"}));
    let table = std::fs::read_to_string(&path).expect("a table");
    (table, watching, watched)
}

#[test]
fn the_table_is_whole_and_its_counters_never_fall() {
    for more in [&[][..], &["--no-cgroups"][..]] {
        let (table, watching, watched) = watched(more);
        let header: Vec<&str> = table.lines().next().expect("a header").split(',').collect();
        assert_eq!(watching["columns"], json!(header));
        let lines = u64::try_from(table.lines().count()).expect("a count");
        assert_eq!(watched["readings"].as_u64(), Some(lines - 1));
        assert!(
            table
                .lines()
                .all(|line| line.split(',').count() == header.len())
        );
        let counters = [
            "t_ns",
            "busy_ns",
            "subject_cpu_ns",
            "driver_cpu_ns",
            "harness_cpu_ns",
            "loopback_bytes",
        ];
        for name in counters {
            let values = column(&table, name);
            assert!(values.len() > 5 && values.is_sorted(), "{name}: {values:?}");
        }
        assert!(column(&table, "subject_cpu_ns").last() > Some(&50_000_000));
        assert_eq!(column(&table, "driver_cpu_ns").last(), Some(&0));
    }
}

#[test]
fn all_tasks_together_used_no_less_than_the_subject() {
    let (table, watching, _) = watched(&[]);
    let columns = watching["columns"].as_array().expect("a list");
    // A kernel that does not tell tasks and interrupts apart has no such column.
    if !columns.contains(&json!("tasks_cpu_ns")) {
        return;
    }
    let rise = |name: &str| {
        let values = column(&table, name);
        values[values.len() - 1] - values[0]
    };
    let (tasks, subject) = (rise("tasks_cpu_ns"), rise("subject_cpu_ns"));
    // A task is charged at ticks, which are up to 10 ms apart, and the two files are not read at one instant.
    assert!(tasks + 20_000_000 >= subject, "{tasks} {subject}");
}

#[test]
fn a_gate_opens_when_nothing_foreign_runs_or_says_what_it_saw() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "while :; do :; done");
    let wide = run.ask(&json!({"do": "gate", "below_cpus": 1000, "for_s": 0.2, "within_s": 5}));
    assert_eq!(wide["quiet"], json!(true), "{wide}");
    assert!(wide["waited_s"].as_f64() >= Some(0.2) && wide["foreign_cpus"].is_f64());
    let shut = run.ask(&json!({"do": "gate", "below_cpus": -1000, "for_s": 0.1, "within_s": 0.3}));
    assert_eq!(shut["quiet"], json!(false), "{shut}");
}

#[test]
fn a_process_outside_the_run_is_foreign_and_one_inside_is_not() {
    let mut stranger = Command::new("sh")
        .args(["-c", "while :; do :; done"])
        .spawn()
        .expect("sh is there");
    let stranger_pid = stranger.id().to_string();
    let gate = json!({"do": "gate", "below_cpus": -1000, "for_s": 1, "within_s": 1.5});
    let (mut as_foreign, mut as_harness) = (
        Supervised::start(&[]),
        Supervised::start(&["--harness-pid", &stranger_pid]),
    );
    // Other tests run beside this one: both look at the same second, and differ by what the stranger got.
    let mut differences: Vec<f64> = (0..3)
        .map(|_| {
            as_foreign.tell(&gate);
            as_harness.tell(&gate);
            let [foreign, harness] = [as_foreign.answer(), as_harness.answer()]
                .map(|seen| seen["foreign_cpus"].as_f64().expect("a share"));
            foreign - harness
        })
        .collect();
    stranger.kill().expect("it runs");
    let _ = stranger.wait().expect("our child");
    differences.sort_by(f64::total_cmp);
    assert!(differences[1] > 0.05, "{differences:?}");
}

#[test]
fn a_process_on_a_cpu_apart_does_not_shut_the_gate() {
    let cpus = allowed();
    let Some(&last) = cpus.last().filter(|_| cpus.len() > 1) else {
        return;
    };
    let mut stranger = Command::new("taskset")
        .args(["-c", &last.to_string(), "sh", "-c", "while :; do :; done"])
        .spawn()
        .expect("taskset and sh are there");
    let mut run = Supervised::start(&[]);
    let mut gate = |apart: &[usize]| {
        run.ask(
            &json!({"do": "gate", "below_cpus": -1000, "for_s": 1, "within_s": 1.5, "apart": apart}),
        )
    };
    let (whole, by_core) = (gate(&[]), gate(&[last]));
    stranger.kill().expect("it runs");
    let _ = stranger.wait().expect("our child");
    let cpus = |gate: &serde_json::Value, name: &str| gate[name].as_f64().expect("a number");
    assert!(cpus(&whole, "apart_cpus").abs() < 1e-9, "{whole}");
    // Other tests run beside this one, on both CPUs: only what the machine's last CPU had is known.
    assert!(cpus(&by_core, "apart_cpus") > 0.5, "{by_core}");
    let all = cpus(&by_core, "foreign_cpus") + cpus(&by_core, "apart_cpus");
    assert!(cpus(&by_core, "foreign_cpus") < all - 0.5, "{by_core}");
}

#[test]
fn watching_by_hand_follows_a_process_and_says_its_cost() {
    let own = std::process::id().to_string();
    let output = probe(&[
        "watch",
        "--pid",
        &own,
        "--every-ms",
        "50",
        "--seconds",
        "2",
        "--to",
        "-",
        "--cost",
    ]);
    assert!(output.status.success());
    let table = text(&output.stdout);
    assert!(column(&table, "subject_memory_bytes").len() > 3, "{table}");
    let said = text(&output.stderr);
    assert!(
        said.contains(" readings in ")
            && said.contains(" s cost ")
            && said.contains("% of one CPU"),
        "{said}"
    );
}

#[test]
fn watching_ends_when_the_input_closes() {
    let mut command = Command::new(PROBE);
    let _ = command
        .args(["watch", "--to", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    for _ in 0..3 {
        let line = lines.next().expect("it goes on while the input is open");
        assert!(!line.expect("text").is_empty());
    }
    drop(child.stdin.take());
    assert!(lines.all(|line| line.is_ok()));
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn a_witness_says_from_inside_what_reached_it() {
    let cpus = rustix::thread::sched_getaffinity(None)
        .expect("our own")
        .count();
    let record = |words: &[&str]| -> wire::BatchRecord {
        let output = probe(
            &[
                &["witness", "--seconds", "0.2", "--case", r#"{"copies":1}"#],
                words,
            ]
            .concat(),
        );
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
    };
    let more = record(&["--cpus", &(cpus + 1).to_string()]);
    assert_eq!(more.case["copies"], json!(1));
    assert_eq!(more.work_in, "cpu-seconds");
    assert!(more.work > 0.0 && more.elapsed_ns >= 200_000_000);
    assert!(
        more.answer
            .as_str()
            .expect("words")
            .starts_with("allowed on "),
        "{}",
        more.answer
    );
    let held = record(&["--cpus", &cpus.to_string(), "--cpu-quota", "0.001"]);
    assert!(
        held.answer.as_str().expect("words").contains("0.001"),
        "{}",
        held.answer
    );
}
