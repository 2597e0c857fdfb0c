//! The closed loop: calls on a connection, think time, a number of requests, threads, a given beginning.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rustix::time::{ClockId, clock_gettime};

use super::program::{drive, in_one_of_five, output};
use super::spoiled::{page, serve};

/// Nothing before the window.
const AT_ONCE: [&str; 2] = ["--warm-up", "0s"];

fn words<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&AT_ONCE[..], more].concat()
}

#[test]
fn after_its_calls_a_user_opens_a_new_connection_and_has_said_so() {
    let wrong = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&wrong);
    let peer = serve(move |asked, stream| {
        let right = asked.on_connection < 3 && asked.last == (asked.on_connection == 2);
        let _ = seen.fetch_add(u64::from(!right), Ordering::Relaxed);
        page(stream, 200, b"x") && !asked.last
    });
    let record = drive(
        peer,
        &words(&["--connections", "2", "--calls", "3", "--requests", "90"]),
    );
    assert_eq!(wrong.load(Ordering::Relaxed), 0);
    assert!(
        record.right == 90 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
    assert_eq!(
        record.reconnects,
        Some(0),
        "what was agreed is no reconnect"
    );
    let connects = record.connects.expect("a count");
    assert!(
        connects.abs_diff(record.right / 3) <= 3,
        "{connects} for {} answers",
        record.right
    );
}

#[test]
fn a_connection_that_the_server_keeps_open_though_it_was_the_last_call_is_left() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let record = drive(
        peer,
        &words(&["--connections", "1", "--calls", "1", "--requests", "90"]),
    );
    assert!(
        record.right == 90 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
    let connects = record.connects.expect("a count");
    assert!(
        connects.abs_diff(record.right) <= 1,
        "{connects} for {} answers",
        record.right
    );
}

#[test]
fn a_user_thinks_between_an_answer_and_the_next_request() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let thinks = ["--connections", "2", "--think", "200ms", "--requests", "12"];
    let record = drive(peer, &words(&thinks));
    // Each of the two thinks at least five times before its last request. A busy machine only makes it longer.
    assert!(
        (1_000_000_000..10_000_000_000).contains(&record.elapsed_ns),
        "{} ns",
        record.elapsed_ns
    );
    assert!(
        record.response_time_p50_ns < Some(150_000_000),
        "thinking is no response time"
    );
    let under_way = record.concurrency_mean.expect("a mean");
    assert!(
        under_way < 1.5,
        "{under_way} were under way though users think most of the time"
    );
}

#[test]
fn the_measurement_ends_after_so_many_requests() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    for threads in ["1", "3"] {
        let counted = [
            "--connections",
            "5",
            "--requests",
            "200",
            "--duration",
            "60s",
            "--threads",
            threads,
        ];
        let record = drive(peer, &words(&counted));
        assert_eq!((record.sent, record.right), (200, 200));
        assert!(
            record.elapsed_ns < 30_000_000_000,
            "{} ns",
            record.elapsed_ns
        );
        assert_eq!(record.threads, threads.parse().ok());
    }
}

#[test]
fn of_users_who_time_out_together_only_the_number_asked_for_counts() {
    let peer = serve(|_, _| {
        std::thread::sleep(std::time::Duration::from_secs(2));
        false
    });
    for poll in ["sleep", "busy"] {
        let together = [
            "--connections",
            "9",
            "--requests",
            "4",
            "--timeout",
            "100ms",
        ];
        let record = drive(peer, &words(&[&together[..], &["--poll", poll]].concat()));
        assert_eq!((record.sent, record.errors["timeout"]), (4, 4), "{poll}");
    }
}

#[test]
fn threads_share_the_users_and_their_counts_are_added() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let threads = [
        "--connections",
        "5",
        "--threads",
        "3",
        "--duration",
        "400ms",
    ];
    in_one_of_five(|| {
        let record = drive(peer, &[&["--warm-up", "200ms"], &threads[..]].concat());
        // However late a thread gets its CPU: its users have waited for their responses since the load began.
        let under_way = record.concurrency_mean.expect("a mean");
        assert!(
            (under_way - 5.0).abs() < 1e-6,
            "{under_way} of 5 users were under way"
        );
        assert!(record.errors.is_empty());
        assert!(record.driver_delay_s.is_some() && record.driver_cpu_s > Some(0.0));
        (record.right > 0).then_some(()).ok_or(record.sent)
    });
}

#[test]
fn right_answers_above_the_limit_are_late() {
    let peer = serve(|asked, stream| {
        if asked.number % 4 == 3 {
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        page(stream, 200, b"x")
    });
    let late = [
        "--connections",
        "1",
        "--requests",
        "40",
        "--late-after",
        "190ms",
    ];
    let record = drive(peer, &words(&late));
    assert_eq!((record.sent, record.right), (40, 40));
    let late = record.late.expect("a count");
    assert!((9..=13).contains(&late), "{late} of 40 were late");
    assert_eq!(
        drive(peer, &words(&["--connections", "1", "--requests", "4"])).late,
        None
    );
}

#[test]
fn the_load_begins_at_the_instant_that_was_given() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let now = clock_gettime(ClockId::Monotonic);
    let now_ns = now.tv_sec * 1_000_000_000 + now.tv_nsec;
    let at = (now_ns + 5_000_000_000).to_string();
    let given = [
        "--connections",
        "1",
        "--duration",
        "50ms",
        "--at",
        &at,
        "--zero-ns",
        "0",
    ];
    assert_eq!(drive(peer, &words(&given)).from_ns.to_string(), at);
    let url = format!("http://{peer}/");
    let over = output(&[
        "http",
        "--connections",
        "1",
        "--at",
        &now_ns.to_string(),
        &url,
    ]);
    assert_eq!(over.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&over.stderr).contains("Give a later instant"));
}
