//! How findings are reported, and which miss the limits.

use std::collections::BTreeMap;

use super::{Ceiling, Findings, HalfRate};
use crate::selftest::cpus::Cpus;
use crate::selftest::fidelity::Fidelity;

fn half(rate_error: Option<f64>, send_lag_p99_ns: Option<u64>) -> HalfRate {
    HalfRate {
        rate_per_s: 35_000.0,
        scheduled: Some(105_000),
        rate_error,
        send_lag_p50_ns: Some(9_000),
        send_lag_p99_ns,
        send_lag_max_ns: Some(2_500_000),
        driver_delay_s: Some(0.006),
        elapsed_ns: 3_000_000_000,
        errors: BTreeMap::new(),
    }
}

fn findings(half: HalfRate, responder: Option<usize>) -> Findings {
    let ceiling = Ceiling {
        connections: 10,
        response_rate_per_s: 70_000.4,
        response_time_p50_ns: Some(120_000),
        response_time_p99_ns: Some(300_000),
        driver_cpu_per_request_ns: Some(8_900.0),
        errors: BTreeMap::new(),
    };
    let fidelity = |arrivals, gaps_distance, gap_off_ns| Fidelity {
        arrivals,
        rate_per_s: 1000.0,
        sent: 3000,
        gaps_distance,
        instants_distance: 0.0123,
        distance_by_chance: 0.0297,
        gap_off_p50_ns: gap_off_ns,
        gap_off_p99_ns: gap_off_ns,
    };
    let arrivals = vec![
        fidelity("poisson", Some(0.0125), None),
        fidelity("uniform", None, Some(20_000)),
    ];
    let cpus = Cpus {
        driver: 0,
        responder,
        apart: true,
    };
    Findings::new(Some(cpus), vec![ceiling], half, arrivals)
}

#[test]
fn people_read_what_was_found() {
    let holds = findings(half(Some(0.0), Some(80_000)), Some(1));
    let misses = findings(half(Some(0.002), None), None);
    insta::assert_snapshot!("holds", holds.text());
    insta::assert_snapshot!("misses", misses.text());
    let json = wire::line(&holds).expect("a line");
    insta::assert_snapshot!("json", json);
}

#[test]
fn a_bar_is_held_up_to_its_limit_and_missed_where_nothing_was_measured() {
    for (rate_error, lag_ns, missed) in [
        (Some(0.001), Some(1_000_000), 0),
        (Some(0.0011), Some(1_000_000), 1),
        (Some(0.0), Some(1_000_001), 1),
        (None, None, 2),
    ] {
        let findings = findings(half(rate_error, lag_ns), Some(1));
        assert_eq!(findings.missed.len(), missed, "{:?}", findings.missed);
        assert_eq!(findings.holds, missed == 0);
    }
}

#[test]
fn an_answer_that_is_not_right_misses_too() {
    let mut half = half(Some(0.0), Some(1));
    let _ = half.errors.insert("timeout".to_owned(), 1);
    assert!(!findings(half, Some(1)).holds);
}
