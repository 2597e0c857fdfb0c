//! Sessions: each makes its calls on a connection of its own, and a fault ends it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::program::{drive, in_one_of_five};
use super::spoiled::{page, serve, write};

/// Drives sessions that arrive evenly, without a warm-up.
fn sessions(peer: SocketAddr, rate: &str, calls: &str, more: &[&str]) -> wire::LoadRecord {
    let evenly = [
        "--rate",
        rate,
        "--calls",
        calls,
        "--arrivals",
        "uniform",
        "--warm-up",
        "0s",
    ];
    let record = drive(peer, &[&evenly[..], more].concat());
    assert_eq!(record.load_loop, "sessions");
    assert_eq!(
        Some(record.sent),
        record.scheduled,
        "every call counts once"
    );
    record
}

#[test]
fn a_session_makes_its_calls_on_a_connection_of_its_own_and_says_which_is_the_last() {
    let wrong = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&wrong);
    let peer = serve(move |asked, stream| {
        let right = asked.on_connection < 5 && asked.last == (asked.on_connection == 4);
        let _ = seen.fetch_add(u64::from(!right), Ordering::Relaxed);
        page(stream, 200, b"x") && !asked.last
    });
    in_one_of_five(|| {
        let record = sessions(peer, "40", "5", &["--duration", "1s"]);
        assert_eq!(wrong.load(Ordering::Relaxed), 0);
        assert!(record.sent <= 200, "{} calls of 40 sessions", record.sent);
        assert_eq!((record.right, record.errors.len()), (record.sent, 0));
        assert!(record.connects <= Some(40));
        // Calls are what is offered.
        let many = record.sent >= 100 && record.offered_load_per_s >= Some(100.0);
        many.then_some(()).ok_or(record.sent)
    });
}

#[test]
fn a_fault_ends_its_session_and_the_calls_left_are_skipped() {
    let peer = serve(|asked, stream| match asked.on_connection {
        0 | 1 => page(stream, 200, b"x"),
        _ => write(stream, b"garbage\r\n\r\n"),
    });
    in_one_of_five(|| {
        let record = sessions(peer, "40", "5", &["--duration", "500ms"]);
        let count = |kind| record.errors.get(kind).copied().unwrap_or(0);
        let (faults, skipped) = (count("malformed"), count("skipped"));
        assert_eq!(faults + skipped, record.errors.values().sum::<u64>());
        assert!(skipped.is_multiple_of(2) && skipped <= 2 * faults);
        // Sessions that the window's end cut short had no third call in it.
        assert!(record.right >= 2 * faults, "{} right", record.right);
        // A fault that comes after the window's end leaves calls that were not meant for the window.
        let exact = faults > 0 && skipped == 2 * faults;
        exact.then_some(()).ok_or((faults, skipped))
    });
}

#[test]
fn a_wrong_answer_ends_no_session() {
    let peer = serve(|asked, stream| {
        let status = if asked.on_connection == 1 { 500 } else { 200 };
        page(stream, status, b"x")
    });
    in_one_of_five(|| {
        let record = sessions(peer, "40", "3", &["--duration", "500ms"]);
        let wrong = record.errors.get("wrong-status").copied().unwrap_or(0);
        assert_eq!(wrong, record.errors.values().sum::<u64>());
        assert!(wrong <= record.right);
        // Third calls are right as first ones are.
        let third = wrong > 0 && record.right > wrong;
        third.then_some(()).ok_or((wrong, record.right))
    });
}

#[test]
fn later_calls_are_meant_for_the_answer_before_and_the_pause() {
    let peer = serve(|_, stream| {
        thread::sleep(Duration::from_millis(30));
        page(stream, 200, b"x")
    });
    let record = sessions(peer, "20", "3", &["--think", "300ms", "--duration", "2s"]);
    assert!(
        record.right == record.sent && record.sent >= 40,
        "{} calls",
        record.sent
    );
    let p50_ns = record.response_time_p50_ns.expect("a time");
    assert!(
        (30_000_000..250_000_000).contains(&p50_ns),
        "{p50_ns} ns holds no pause and no earlier call"
    );
}

#[test]
fn sessions_beyond_the_most_connections_wait_with_the_clock_running() {
    let peer = serve(|asked, stream| {
        thread::sleep(Duration::from_millis(40));
        page(stream, 200, b"x") && !asked.last
    });
    let record = sessions(
        peer,
        "40",
        "2",
        &["--connections", "1", "--duration", "500ms"],
    );
    assert!(record.queued > Some(5), "{:?}", record.queued);
    assert!(
        record.response_time_max_ns > Some(300_000_000),
        "{:?}",
        record.response_time_max_ns
    );
}

#[test]
fn sessions_that_never_get_a_connection_time_out_and_skip_their_calls() {
    let peer = serve(|_, _| {
        thread::sleep(Duration::from_secs(60));
        false
    });
    let scarce = [
        "--connections",
        "1",
        "--timeout",
        "100ms",
        "--duration",
        "400ms",
    ];
    in_one_of_five(|| {
        let record = sessions(peer, "50", "4", &scarce);
        let count = |kind| record.errors.get(kind).copied().unwrap_or(0);
        assert_eq!(record.right, 0);
        assert!(count("timeout") > 0, "{:?}", record.errors);
        // Those that ended after the window had their later calls there.
        let skipped = count("skipped");
        assert!(skipped <= 3 * count("timeout"));
        (skipped > 0).then_some(()).ok_or(skipped)
    });
}
