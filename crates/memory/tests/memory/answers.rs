//! What the program measures is there, counted, and right. How fast it is, no test says: see `make bench-memory`.

use std::process::Stdio;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wire::BatchRecord;

use super::program::{cpus, file, program, records};

fn right(records: &[BatchRecord]) {
    for record in records {
        assert_eq!(record.answer, "right", "{:?}", record.case);
        assert!(record.work > 0.0 && record.elapsed_ns > 0);
        let (from, to) = (record.from_ns.expect("from"), record.to_ns.expect("to"));
        assert!(from < to);
    }
}

#[test]
fn every_operation_by_every_store_is_measured_and_right() {
    let words = ["--size", "3M", "--seconds", "0.001", "--threads", "1"];
    let found = records(&[&["bandwidth"], &words[..]].concat());
    right(&found);
    let stores = if cfg!(target_arch = "x86_64") { 2 } else { 1 };
    assert_eq!(found.len(), 4 * stores);
    for record in &found {
        assert_eq!(record.work_in, "bytes");
        let each = if matches!(record.case["operation"].as_str(), Some("copy" | "scale")) {
            16.0
        } else {
            24.0
        };
        // 3 MiB / 24 bytes = 131072 places, whole blocks.
        let passes = record.work / (131_072.0 * each);
        assert!(passes >= 10.0 && passes.fract().abs() < 1e-9, "{passes}");
        assert!((record.metrics["working_set_bytes"] - 3_145_728.0).abs() < 0.5);
        assert!(record.metrics.contains_key("plateau"));
        let (median, best) = (
            record.metrics["memory_bandwidth_bytes_per_s"],
            record.metrics["memory_bandwidth_best_bytes_per_s"],
        );
        assert!(median > 0.0 && best >= median);
    }
}

#[test]
fn threads_go_from_one_to_all_where_none_are_named() {
    let words = ["--size", "3M", "--seconds", "0.001", "--no-plateau"];
    let found = records(&[&["bandwidth"], &words[..]].concat());
    right(&found);
    let last = found.last().expect("a record");
    assert_eq!(last.case["threads"], cpus());
    assert!(!last.metrics.contains_key("plateau"));
}

#[test]
fn the_cases_of_a_file_are_walked_in_its_order_and_told_as_they_were_asked() {
    let asked = file(
        "triads",
        "operation=triad,stores=ordinary\noperation=copy,stores=ordinary\n",
    );
    let words = ["--size", "3M", "--seconds", "0.001", "--cases", &asked];
    let found = records(&[&["batch/memory-bandwidth-v1"], &words[..]].concat());
    right(&found);
    let told: Vec<String> = found
        .iter()
        .map(|record| wire::line(&record.case).expect("a case"))
        .collect();
    assert_eq!(
        told,
        [
            r#"{"operation":"triad","stores":"ordinary"}"#,
            r#"{"operation":"copy","stores":"ordinary"}"#
        ]
    );
}

#[test]
fn loads_of_a_size_end_where_they_lead() {
    let asked = file(
        "sizes",
        "pages=small,size_bytes=16384\nsize_bytes=4096,pages=huge\n",
    );
    let found = records(&[
        "latency",
        "--seconds",
        "0.001",
        "--to",
        "1M",
        "--cases",
        &asked,
    ]);
    right(&found);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].work_in, "loads");
    let metrics = &found[0].metrics;
    assert!(metrics["load_latency_ns"] > 0.0);
    assert!(metrics["load_latency_least_ns"] <= metrics["load_latency_ns"]);
}

#[test]
fn latency_by_hand_goes_through_every_size_on_both_kinds_of_pages() {
    let found = records(&["latency", "--seconds", "0.0001", "--to", "8K"]);
    right(&found);
    let sizes: Vec<u64> = found
        .iter()
        .filter(|record| record.case["pages"] == "small")
        .filter_map(|record| record.case.get("size_bytes")?.as_u64())
        .collect();
    assert_eq!(sizes, [4096, 4864, 5632, 6656, 8192]);
    assert!(found.iter().any(|record| record.case["pages"] == "huge"));
}

#[test]
fn a_staircase_is_one_record_of_points_and_a_missing_level_is_absent_with_its_reason() {
    let asked = file(
        "stairs",
        "level=staircase,pages=small\nlevel=L4,pages=small\nlevel=staircase,pages=huge\n",
    );
    let words = ["--seconds", "0.001", "--to", "8K", "--cases", &asked];
    let found = records(&[&["latency"], &words[..]].concat());
    assert_eq!(found.len(), 3);
    assert!([0, 2].iter().all(|&stairs| found[stairs].answer == "right"));
    let sizes = (0..5).map(|number| found[0].metrics[&format!("point_{number:02}_size_bytes")]);
    assert!(sizes.eq([4096.0, 4864.0, 5632.0, 6656.0, 8192.0]));
    assert!(found[0].metrics["point_04_load_ns"] > 0.0);
    assert!(!found[0].metrics.contains_key("load_latency_ns"));
    // No machine of ours shows a fourth level of cache.
    assert!(found[1].metrics.is_empty() && found[1].work.abs() < 1e-9);
    assert!(
        found[1]
            .why_not
            .as_deref()
            .is_some_and(|why| why.contains("no level L4"))
    );
}

#[test]
fn every_width_of_vector_that_the_processor_has_gives_right_answers() {
    for bits in ["128", "256", "512"] {
        let words = ["--size", "3M", "--seconds", "0.001", "--threads", "1"];
        let found = records(&[&["bandwidth", "--vector-bits", bits], &words[..]].concat());
        right(&found);
        let most: f64 = bits.parse().expect("a number");
        for record in found {
            let chosen = record.metrics.get("vector_bits");
            assert!(chosen.is_none_or(|&chosen| chosen <= most));
            // Every x86-64 has 128 bits.
            assert!(!cfg!(target_arch = "x86_64") || most > 128.0 || chosen.is_some());
        }
    }
}

#[test]
fn copies_are_told_together_and_each() {
    let copies = cpus();
    let many = copies.to_string();
    let words = ["--size", "3M", "--seconds", "0.001", "--copies", &many];
    let found = records(&[&["bandwidth"], &words[..]].concat());
    right(&found);
    for record in &found {
        assert_eq!(record.case["copies"], copies);
        let total = record.metrics["memory_bandwidth_bytes_per_s"];
        let each = record.metrics["copy_bandwidth_bytes_per_s"];
        let count = record.metrics["copies"];
        assert!((total / each / count - 1.0).abs() < 1e-9);
        // Each copy has arrays of this size, but for what its last block lacks.
        let whole = 3.0 * 1024.0 * 1024.0 * count;
        let share = record.metrics["working_set_bytes"] / whole;
        assert!((0.99..=1.0).contains(&share), "{share}");
        assert!(record.metrics["copy_bandwidth_least_bytes_per_s"] <= each);
    }
}

#[test]
fn nodes_are_a_matrix_and_one_node_says_that_it_is_one() {
    let found = records(&["nodes", "--size", "3M", "--seconds", "0.001"]);
    right(&found);
    let metrics = &found[0].metrics;
    let nodes = metrics["nodes"];
    assert!(metrics["local_latency_ns"] > 0.0 && metrics["local_bandwidth_bytes_per_s"] > 0.0);
    let cells = metrics
        .keys()
        .filter(|name| name.starts_with("node_latency_"))
        .count();
    assert!(cells > 0);
    let alone = found[0]
        .why_not
        .as_deref()
        .is_some_and(|why| why.contains("one memory node"));
    assert_eq!(alone, nodes < 1.5);
}

#[test]
fn loads_under_traffic_are_told_as_a_curve_that_one_thread_leaves_partial() {
    if cpus() < 2 {
        return;
    }
    let found = records(&["loaded-latency", "--size", "4M", "--seconds", "0.5"]);
    right(&found);
    let mixes: Vec<&str> = found
        .iter()
        .filter_map(|record| record.case["traffic"].as_str())
        .collect();
    assert_eq!(mixes, ["1r0w", "2r1w", "1r1w"]);
    for record in &found {
        let metrics = &record.metrics;
        assert!(metrics["traffic_most_bytes_per_s"] > 0.0);
        assert!(metrics["latency_at_90_percent_ns"] > 0.0);
        assert!(metrics.contains_key("point_08_load_ns"));
        assert!(cpus() > 2 || metrics["partial_curve"] > 0.5);
    }
}

#[test]
fn a_line_goes_between_every_pair_of_cpus() {
    if cpus() < 2 {
        return;
    }
    let pairs = cpus() * (cpus() - 1) / 2;
    let each = records(&["core-to-core", "--seconds", "0.001"]);
    right(&each);
    assert_eq!(each.len(), pairs);
    let asked = file("every-pair", "\n");
    let all = records(&["core-to-core", "--seconds", "0.001", "--cases", &asked]);
    right(&all);
    assert!(all[0].case.is_empty());
    for one in &each {
        let (from, to) = (&one.case["from"], &one.case["to"]);
        let named = format!("one_way_{from}_{to}_ns");
        assert!(all[0].metrics.contains_key(&named), "{named}");
    }
}

#[test]
fn an_interrupt_ends_it_at_once() {
    if ignores_interrupts() {
        return; // as a shell has it for what it starts in the background, and so the program
    }
    let words = [
        "bandwidth",
        "--size",
        "3M",
        "--seconds",
        "3600",
        "--threads",
        "1",
    ];
    let mut child = program(&words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(200));
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    for _ in 0..500 {
        if let Some(status) = child.try_wait().expect("a child") {
            assert_eq!(status.code(), None, "a signal ended it");
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("it runs");
    panic!("it still runs 10 s after the interrupt");
}

/// Whether whoever started these tests has interrupts ignored, which every program that they start inherits.
fn ignores_interrupts() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").expect("our own status");
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .expect("the ignored signals");
    let mask = u64::from_str_radix(mask.trim(), 16).expect("a mask");
    mask & (1 << (Signal::INT.as_raw() - 1)) != 0
}
