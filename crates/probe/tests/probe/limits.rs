//! What a group is given reaches its processes, and what they use is counted.

use std::time::Duration;

use super::supervised::{Supervised, allowed, cgroups_for, root_for, within};
use serde_json::{Value, json};

/// Spins until it has used a fifth of a second of CPU time, in children that come and go.
const SPIN: &str =
    "for i in 1 2; do sh -c 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'; done; echo spun";

#[test]
fn a_process_runs_on_the_cpus_of_its_group_only() {
    let last = *allowed().last().expect("a CPU");
    let mut run = Supervised::start(&["--harness-cpus", &allowed()[0].to_string()]);
    let group = json!({"do": "group", "name": "subject", "cpus": [last], "cpu_quota": null, "memory_mib": null});
    assert!(run.ask(&group).get("error").is_none());
    let _ = run.shell(
        "a",
        "sleep 300 & grep Cpus_allowed_list /proc/self/status; wait",
    );
    assert_eq!(run.text_of("a.out"), format!("Cpus_allowed_list:\t{last}"));
    // What has printed its line may still be on its way out.
    let mut read = Value::Null;
    let _ = within(Duration::from_secs(60), || {
        read = run.ask(&json!({"do": "read_back", "group": "subject"}));
        read["processes"] == json!(2)
    });
    assert_eq!(
        (&read["cpus"], &read["processes"], &read["threads"]),
        (&json!([last]), &json!(2), &json!(2))
    );
}

#[test]
fn a_group_without_cpus_gets_all_although_the_harness_is_pinned() {
    let mut run = Supervised::start(&["--harness-cpus", &allowed()[0].to_string()]);
    run.group("subject");
    let _ = run.shell("a", "sleep 300");
    let read = run.ask(&json!({"do": "read_back", "group": "subject"}));
    assert_eq!(read["cpus"], json!(allowed()));
}

#[test]
fn a_quota_is_read_back_and_held() {
    if !cgroups_for("hold a quota") {
        return;
    }
    let mut run = Supervised::start(&[]);
    let group = json!({"do": "group", "name": "subject", "cpus": [allowed()[0]], "cpu_quota": 0.05,
                       "cpu_period_us": 20000, "memory_mib": 64});
    assert!(run.ask(&group).get("error").is_none());
    let _ = run.shell("a", "while :; do :; done");
    let read = run.ask(&json!({"do": "read_back", "group": "subject"}));
    let limits = ["cpu_quota", "cpu_period_us", "memory_mib"].map(|name| read[name].clone());
    assert_eq!(limits, [json!(0.05), json!(20000), json!(64)]);
    let spent = |run: &mut Supervised| run.ask(&json!({"do": "usage", "group": "subject"}));
    let before = spent(&mut run);
    // On a busy machine the program may not get 1 ms in a period at first, and then nothing throttles it.
    for _ in 0..20 {
        std::thread::sleep(Duration::from_secs(1));
        let after = spent(&mut run);
        let between = |name: &str| {
            after[name].as_u64().expect("a count") - before[name].as_u64().expect("a count")
        };
        assert!(
            between("cpu_ns") * 100 < between("t_ns") * 15,
            "{before} {after}"
        );
        if between("throttled_periods") > 0 && between("throttled_ns") > 0 {
            return;
        }
    }
    panic!("never throttled: {before}");
}

#[test]
fn as_root_no_program_is_root() {
    if !root_for("become another user") {
        return;
    }
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "touch work/mine; echo $(id -u) $(id -G); sleep 300");
    let uid = run.hello["uid"].as_u64().expect("a number");
    let said = run.text_of("a.out");
    let numbers: Vec<&str> = said.split(' ').collect();
    assert_eq!(numbers.len(), 2, "no group of root's is kept: {said}");
    assert!(uid != 0 && numbers[0] == uid.to_string(), "{said}");
    assert!(run.file("work/mine").exists(), "work is its own");
    let read = run.ask(&json!({"do": "read_back", "group": "subject"}));
    assert_eq!(read["uids"], json!([uid]));
}

#[test]
fn use_is_counted_with_children_that_have_ended() {
    for more in [&[][..], &["--no-cgroups"][..]] {
        let mut run = Supervised::start(more);
        run.group("subject");
        run.group("driver");
        let _ = run.shell("a", SPIN);
        assert_eq!(
            run.ask(&json!({"do": "wait", "name": "a", "within_s": 60}))["code"],
            json!(0)
        );
        let usage = run.ask(&json!({"do": "usage", "group": "subject"}));
        assert!(usage["cpu_ns"].as_u64() > Some(50_000_000), "{usage}");
        assert_eq!(
            (&usage["processes"], &usage["threads"]),
            (&json!(0), &json!(0))
        );
        let idle = run.ask(&json!({"do": "usage", "group": "driver"}));
        assert_eq!(idle["cpu_ns"], json!(0));
    }
}

#[test]
fn memory_that_is_held_is_seen_by_the_monitors() {
    for more in [&[][..], &["--no-cgroups"][..]] {
        let mut run = Supervised::start(more);
        run.group("subject");
        let watch = json!({"do": "watch", "to": run.file("readings.csv"), "every_ms": 20});
        assert!(run.ask(&watch).get("error").is_none());
        // `tail` keeps a line without an end in memory, long enough for a reading on a busy machine.
        let _ = run.shell(
            "a",
            "{ head -c 40000000 /dev/zero; sleep 2; } | tail -n 1 | wc -c; echo done",
        );
        assert_eq!(
            run.ask(&json!({"do": "wait", "name": "a", "within_s": 60}))["code"],
            json!(0)
        );
        let usage = run.ask(&json!({"do": "usage", "group": "subject"}));
        assert!(
            usage["memory_peak_bytes"].as_u64() > Some(20_000_000),
            "{usage}"
        );
        assert!(
            usage["memory_peak_bytes"].as_u64() < Some(200_000_000),
            "{usage}"
        );
    }
}

#[test]
fn the_limit_of_open_files_is_the_hard_one_or_what_is_asked() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let _ = run.shell("a", "ulimit -Sn; ulimit -Hn");
    assert_eq!(
        run.ask(&json!({"do": "wait", "name": "a", "within_s": 10}))["code"],
        json!(0)
    );
    let limits = run.text_of("a.out");
    let mut lines = limits.lines();
    assert_eq!(lines.next(), lines.next());
    let mut request = run.start_request("b", &["sh", "-c", "ulimit -Sn"]);
    request["nofile"] = json!(77);
    assert!(run.ask(&request)["pid"].is_i64());
    assert_eq!(run.text_of("b.out"), "77");
}

#[test]
fn a_program_gets_the_signals_that_who_started_us_ignored() {
    let mut run = Supervised::start_ignoring("HUP INT QUIT USR2");
    run.group("subject");
    let _ = run.shell("a", "exec grep SigIgn /proc/self/status");
    let said = run.text_of("a.out");
    let mask = said.strip_prefix("SigIgn:\t").expect("a mask");
    let ignored = u64::from_str_radix(mask, 16).expect("a hexadecimal number");
    // From 32 on they are the C library's own, and real-time signals.
    assert_eq!(ignored & 0x7fff_ffff, 0, "{said}");
}

#[test]
fn a_program_gets_its_environment_and_two_marks_and_nothing_else() {
    let mut run = Supervised::start(&[]);
    run.group("subject");
    let mut request = run.start_request("a", &["/usr/bin/env"]);
    request["env"] = json!({"ONLY": "this"});
    assert!(run.ask(&request)["pid"].is_i64());
    assert_eq!(
        run.ask(&json!({"do": "wait", "name": "a", "within_s": 10}))["code"],
        json!(0)
    );
    let mut found: Vec<String> = run.text_of("a.out").lines().map(str::to_owned).collect();
    found.sort();
    let expected = [
        format!("HEADTOHEAD_OWNER={}", run.id),
        "HEADTOHEAD_PROCESS=a".to_owned(),
        "ONLY=this".to_owned(),
    ];
    assert_eq!(found, expected);
}

#[test]
fn what_cannot_be_done_is_refused_in_three_sentences() {
    let mut run = Supervised::start(&["--no-cgroups"]);
    run.group("subject");
    let _ = run.shell("a", "sleep 300");
    let mut nowhere = run.start_request("b", &["true"]);
    nowhere["cwd"] = json!("/no/such/folder");
    let mut link = run.start_request("b", &["true"]);
    std::os::unix::fs::symlink("/dev/null", run.file("link")).expect("a link");
    link["stdout"] = json!(run.file("link"));
    let requests = [
        run.start_request("b", &["/no/such/program"]),
        run.start_request("b", &[]),
        run.start_request("a", &["true"]),
        nowhere,
        json!({"do": "group", "name": "subject", "cpus": null, "cpu_quota": null, "memory_mib": null}),
        json!({"do": "group", "name": "driver", "cpus": null, "cpu_quota": 0.5, "memory_mib": null}),
        json!({"do": "group", "name": "Harness!", "cpus": null, "cpu_quota": null, "memory_mib": null}),
        json!({"do": "wait", "name": "nobody", "within_s": 1}),
        json!({"do": "wait", "name": "a", "within_s": -1}),
        json!({"do": "stop", "name": "a", "signal": "SIGTERM", "within_s": 1}),
        json!({"do": "usage", "group": "nobody"}),
        json!({"do": "unwatch"}),
        json!({"do": "own", "path": "/etc/passwd"}),
    ];
    let said: Vec<String> = requests
        .iter()
        .map(|request| refused(&mut run, request))
        .collect();
    insta::assert_snapshot!(said.join("\n").replace(&run.id, "ID"));
    let linked = refused(&mut run, &link);
    assert!(linked.contains("cannot be opened"), "{linked}");
    assert_eq!(
        run.ask(&json!({"do": "alive", "name": "a"}))["alive"],
        json!(true),
        "the run goes on"
    );
}

fn refused(run: &mut Supervised, request: &Value) -> String {
    let answer = run.ask(request);
    let error = &answer["error"];
    let word = |name: &str| {
        error[name]
            .as_str()
            .unwrap_or_else(|| panic!("{request} gave {answer}"))
            .to_owned()
    };
    format!("{}: {} {}", word("what"), word("why"), word("remedy"))
}

#[test]
fn memory_comes_from_the_nodes_of_the_group_in_children_too() {
    let mut run = Supervised::start(&[]);
    let group = json!({"do": "group", "name": "subject", "cpus": null, "cpu_quota": null, "memory_mib": null,
                       "memory_policy": {"kind": "bind", "nodes": [0]}});
    let answer = run.ask(&group);
    assert!(answer.get("error").is_none(), "{answer}");
    run.group("driver");
    let _ = run.shell(
        "a",
        "sh -c 'echo $(cut -d\" \" -f2 /proc/self/numa_maps | sort -u); sleep 300'; wait",
    );
    assert_eq!(run.text_of("a.out"), "bind:0");
    let read = run.ask(&json!({"do": "read_back", "group": "subject"}));
    assert_eq!(read["memory_policies"], json!(["bind:0"]), "{read}");
    assert!(read["processes"].as_u64() > Some(1), "{read}");
    let other = run.ask(&json!({"do": "read_back", "group": "driver"}));
    assert_eq!(other["memory_policies"], json!(null));
}

#[test]
fn a_node_that_is_not_there_is_refused_when_the_group_is_made() {
    let mut run = Supervised::start(&[]);
    let group = json!({"do": "group", "name": "subject", "cpus": null, "cpu_quota": null, "memory_mib": null,
                       "memory_policy": {"kind": "bind", "nodes": [900]}});
    let said = run.ask(&group)["error"].to_string();
    assert!(
        said.contains("[900]") && said.contains("has_memory"),
        "{said}"
    );
}
