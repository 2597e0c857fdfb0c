//! The two loops: users who are threads, and arrivals that take any thread that is free.

use std::fs;

use rustix::time::{ClockId, clock_gettime};

use super::database::{Database, only};

#[test]
fn fifty_connections_are_fifty_users() {
    let database = Database::make("fifty");
    let record = database.ask(
        &database.thread(""),
        "--connections 50 --think 100ms --requests 500",
    );
    only(&record, "");
    assert_eq!((record.sent, record.threads), (500, Some(50)));
    // Ten requests and nine pauses for each user, if all are as fast. Fewer users would need longer.
    assert!(
        (800_000_000..10_000_000_000).contains(&record.elapsed_ns),
        "{} ns for 500 requests of 50 users",
        record.elapsed_ns
    );
}

#[test]
fn users_who_do_not_think_are_always_under_way() {
    let database = Database::make("always");
    let record = database.ask(&database.thread(""), "--connections 5 --duration 300ms");
    // However late a thread gets its CPU: each is under way from the load's beginning to its end.
    let under_way = record.concurrency_mean.expect("a mean");
    assert!(
        (under_way - 5.0).abs() < 1e-6,
        "{under_way} of 5 users were under way"
    );
}

#[test]
fn a_user_thinks_between_an_answer_and_the_next_request() {
    let database = Database::make("thinks");
    let thinks = "--connections 2 --think 200ms --requests 12";
    let record = database.ask(&database.thread(""), thinks);
    // Each of the two thinks at least five times before its last request. A busy machine only makes it longer.
    assert!(
        (1_000_000_000..10_000_000_000).contains(&record.elapsed_ns),
        "{} ns",
        record.elapsed_ns
    );
    assert!(
        record.concurrency_mean < Some(1.0),
        "{:?}",
        record.concurrency_mean
    );
}

#[test]
fn the_measurement_ends_after_so_many_requests() {
    let database = Database::make("requests");
    for (connections, think) in [("1", "0s"), ("5", "0s"), ("5", "2ms")] {
        let counted =
            format!("--connections {connections} --think {think} --requests 200 --duration 60s");
        let record = database.ask(&database.thread(""), &counted);
        assert_eq!(
            (record.sent, record.right),
            (200, 200),
            "{connections} users, {think}"
        );
        assert!(
            record.elapsed_ns < 30_000_000_000,
            "{} ns",
            record.elapsed_ns
        );
    }
}

#[test]
fn what_still_runs_when_so_many_requests_have_ended_is_abandoned() {
    let database = Database::make("abandoned");
    let endless = r#","weight":100},{"name":"endless","weight":1,"rows":1,"sql":"WITH RECURSIVE n(i) AS
        (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n""#;
    let counted = "--connections 4 --requests 100 --timeout 60s --seed 3";
    let record = database.ask(&database.thread(&endless.replace('\n', " ")), counted);
    assert_eq!((record.sent, record.right), (100, 100));
    assert!(
        record.elapsed_ns < 30_000_000_000,
        "{} ns",
        record.elapsed_ns
    );
}

#[test]
fn the_load_begins_at_the_instant_that_was_given() {
    let database = Database::make("at");
    let now = clock_gettime(ClockId::Monotonic);
    let at = (now.tv_sec * 1_000_000_000 + now.tv_nsec + 5_000_000_000).to_string();
    let given = format!("--connections 2 --duration 50ms --at {at} --zero-ns 0");
    assert_eq!(
        database
            .ask(&database.thread(""), &given)
            .from_ns
            .to_string(),
        at
    );
}

/// How many seconds the file tells of, and how many requests were scheduled in them.
fn scheduled(csv: &str) -> (usize, u64) {
    let text = fs::read_to_string(csv).expect("a file");
    let seconds = text.lines().skip(1);
    let cells = seconds.filter_map(|line| line.split(',').nth(1));
    let counts: Vec<u64> = cells.map(|cell| cell.parse().expect("a number")).collect();
    (counts.len(), counts.iter().sum())
}

/// A name without a space, in the database's folder.
const INTERVALS: &str = "seconds.csv";

#[test]
fn arrivals_are_as_many_as_the_rate_says_and_are_answered_in_time() {
    let database = Database::make("rate");
    let mut seen = Vec::new();
    for _attempt in 0..5 {
        let csv = database.file(INTERVALS, "");
        let even =
            "--rate 300 --arrivals uniform --connections 8 --duration 1500ms --late-after 1s";
        let record = database.ask(
            &database.thread(""),
            &format!("{even} --intervals {INTERVALS}"),
        );
        only(&record, "");
        assert!(
            (448..=450).contains(&record.sent),
            "{} at 300/s",
            record.sent
        );
        assert_eq!(record.scheduled, Some(record.sent));
        assert_eq!(scheduled(&csv), (2, record.sent));
        let lag = (record.send_lag_p50_ns, record.send_lag_p99_ns);
        let unhindered = record.queued == Some(0) && record.late == Some(0);
        if unhindered && lag.0 < Some(500_000) && lag.1 < Some(5_000_000) {
            return;
        }
        seen.push((record.queued, record.late, lag, record.driver_delay_s));
    }
    // If the threads were kept from their CPU, other programs keep the machine busy: the record shows it.
    assert!(
        seen.iter().all(|&(.., delay_s)| delay_s > Some(0.05)),
        "{seen:?}"
    );
}

/// More than one thread can answer.
const SCARCE: &str =
    "--rate 5000 --arrivals uniform --connections 1 --duration 100ms --timeout 60s";

/// A query that takes more than 200 us: five thousand steps of counting.
fn work() -> String {
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) SELECT COUNT(*) FROM n";
    format!(r#"{{"name":"work","sql":"{sql}","rows":1}}"#)
}

#[test]
fn waiting_for_a_free_thread_is_part_of_the_response_time_and_no_lag() {
    let database = Database::make("queued");
    let record = database.ask(&work(), SCARCE);
    only(&record, "");
    assert!(
        (498..=500).contains(&record.sent),
        "{} at 5000/s",
        record.sent
    );
    assert!(
        record.queued > Some(record.sent / 2),
        "{:?} of {}",
        record.queued,
        record.sent
    );
    let service_ns = record.service_time_p50_ns.expect("a time");
    assert!(
        record.response_time_p50_ns > Some(20 * service_ns),
        "{service_ns} ns of service"
    );
    assert!(
        record.send_lag_p50_ns < Some(1_000_000),
        "{:?}",
        record.send_lag_p50_ns
    );
}

#[test]
fn what_waits_at_the_end_is_unfinished_where_it_is_not_waited_for() {
    let database = Database::make("no-drain");
    let abandoned = database.ask(&work(), &format!("{SCARCE} --no-drain"));
    assert_eq!(abandoned.scheduled, Some(abandoned.sent));
    assert_eq!(
        abandoned.errors.get("unfinished"),
        Some(&(abandoned.sent - abandoned.right))
    );
    assert!(abandoned.right < abandoned.sent);
}
