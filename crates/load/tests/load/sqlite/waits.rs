//! Timeouts: statements that never end, threads that are never free, locks that somebody else holds.

use std::process::{Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use wire::LoadRecord;

use super::database::{Database, only};
use crate::program::record;

/// A statement without an end.
const ENDLESS: &str = r#"{"name":"endless","sql":"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"}"#;

#[test]
fn a_statement_that_never_ends_is_a_timeout_to_the_instant() {
    let database = Database::make("endless");
    let mut seen = Vec::new();
    for _attempt in 0..5 {
        let words = "--connections 1 --timeout 100ms --duration 550ms";
        let record = database.ask(ENDLESS, words);
        only(&record, "timeout");
        assert!(record.sent <= 5, "{} timeouts of 100 ms", record.sent);
        assert!(record.response_time_p50_ns >= Some(100_000_000));
        let latest_ns = record.service_time_max_ns;
        let in_time = latest_ns < Some(105_000_000) && record.sent >= 3;
        if in_time && record.elapsed_ns == 550_000_000 {
            return;
        }
        seen.push((latest_ns, record.driver_delay_s));
    }
    assert!(
        seen.iter().all(|&(_, delay_s)| delay_s > Some(0.05)),
        "{seen:?}"
    );
}

#[test]
fn what_waits_for_a_thread_for_too_long_is_a_timeout() {
    let database = Database::make("never-free");
    let scarce = "--rate 100 --connections 1 --timeout 100ms --duration 400ms";
    let record = database.ask(ENDLESS, scarce);
    only(&record, "timeout");
    assert_eq!(record.scheduled, Some(record.sent));
    assert!(
        record.queued > Some(record.sent / 2),
        "{:?} of {}",
        record.queued,
        record.sent
    );
    assert!(record.response_time_p50_ns >= Some(100_000_000));
}

/// Asks in the background while `meanwhile` goes on, which begins 300 ms after the program has.
fn ask_while(
    database: &Database,
    queries: &str,
    words: &str,
    meanwhile: impl FnOnce(),
) -> LoadRecord {
    record(&output_while(database, queries, words, meanwhile))
}

/// The same, whether the program succeeds or not.
fn output_while(
    database: &Database,
    queries: &str,
    words: &str,
    meanwhile: impl FnOnce(),
) -> Output {
    let mut command = database.program(queries, words);
    let _ = command
        .args(["--json", "-"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    thread::sleep(Duration::from_millis(300));
    meanwhile();
    child.wait_with_output().expect("it ends")
}

/// Attempts at what only a machine with CPUs to spare shows.
const ATTEMPTS: usize = 5;

#[test]
fn a_lock_that_somebody_holds_for_longer_than_the_timeout_is_a_timeout() {
    let database = Database::make("locked");
    let words = "--connections 3 --think 1ms --timeout 100ms --duration 1500ms";
    let mut seen = Vec::new();
    for _ in 0..ATTEMPTS {
        let mut held = Duration::ZERO;
        let output = output_while(&database, &database.thread(""), words, || {
            let (holder, began) = (database.connect(), Instant::now());
            holder.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
            thread::sleep(Duration::from_millis(500));
            drop(holder);
            held = began.elapsed();
        });
        // On a busy machine the program may open the file only when it is locked, or begin when it is free again.
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(said.contains("locked"), "{said}");
            seen.push(said);
            continue;
        }
        let record = record(&output);
        let timeouts = *record.errors.get("timeout").unwrap_or(&0);
        only(&record, if timeouts == 0 { "" } else { "timeout" });
        let most = 3 * (u64::try_from(held.as_millis() / 100).expect("little") + 1);
        assert!(timeouts <= most, "{timeouts} timeouts in {held:?}");
        assert!(timeouts == 0 || record.response_time_max_ns >= Some(100_000_000));
        // Each of 3 users waits for 100 ms, four or five times; before and after, right ones come.
        if timeouts >= 9 && record.right > 100 {
            return;
        }
        let right = record.right;
        seen.push(format!(
            "{timeouts} timeouts in {held:?}, {right} right ones"
        ));
    }
    panic!("{seen:?}");
}

#[test]
fn a_lock_that_is_given_back_in_time_is_waited_for() {
    let database = Database::make("patient");
    let words = "--connections 3 --think 1ms --timeout 5s --duration 1200ms";
    let mut seen = Vec::new();
    for _ in 0..ATTEMPTS {
        let record = ask_while(&database, &database.thread(""), words, || {
            let holder = database.connect();
            holder.execute_batch("BEGIN EXCLUSIVE").expect("the lock");
            thread::sleep(Duration::from_millis(200));
        });
        only(&record, "");
        let longest_ns = record.response_time_max_ns.expect("a time");
        // On a busy machine the load may begin when the lock is given back already.
        if longest_ns > 150_000_000 {
            return;
        }
        seen.push(longest_ns);
    }
    panic!("the longest took {seen:?} ns");
}
