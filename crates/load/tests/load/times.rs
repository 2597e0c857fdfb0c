//! The times are those that the server took, and agree with the rate.

use std::thread;
use std::time::Duration;

use super::program::{Respond, drive, drive_at, file};
use super::spoiled::{page, serve};

#[test]
fn a_server_that_takes_20_ms_is_seen_to_take_20_ms() {
    let peer = serve(|_, stream| {
        thread::sleep(Duration::from_millis(20));
        page(stream, 200, b"x")
    });
    let record = drive(
        peer,
        &[
            "--connections",
            "4",
            "--warm-up",
            "50ms",
            "--duration",
            "1s",
        ],
    );
    let times = [
        record.response_time_p10_ns,
        record.response_time_p20_ns,
        record.response_time_p30_ns,
        record.response_time_p40_ns,
        record.response_time_p50_ns,
        record.response_time_p60_ns,
        record.response_time_p70_ns,
        record.response_time_p80_ns,
        record.response_time_p90_ns,
        record.response_time_p99_ns,
        record.response_time_p999_ns,
        record.response_time_max_ns,
    ];
    assert!(
        times[0] >= Some(20_000_000) && times[0] < Some(200_000_000),
        "{times:?}"
    );
    assert!(times.is_sorted(), "{times:?}");
    assert!(record.service_time_p50_ns <= record.response_time_p50_ns);
    assert!(
        record.service_time_mean_ns <= record.response_time_mean_ns
            && record.service_time_mean_ns >= Some(20_000_000)
    );
}

#[test]
fn mean_response_time_times_rate_is_the_number_of_connections() {
    let body = file("little.html", &b"x".repeat(19251));
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    for connections in [1, 10, 50] {
        // A machine that stands still at the window's end keeps responses from ending in it: one attempt of several counts.
        let seen: Vec<f64> = (0..5)
            .map(|_| by_the_law(&server, connections))
            .take_while(|&users| users < 0.75 * f64::from(connections))
            .collect();
        assert!(seen.len() < 5, "{seen:?} of {connections}");
    }
}

/// The number of users by Little's law, in a load of 1 s.
fn by_the_law(server: &Respond, connections: u32) -> f64 {
    let words = [
        "--connections",
        &connections.to_string(),
        "--warm-up",
        "100ms",
        "--duration",
        "1s",
    ];
    let record = drive_at(server.peer, "/article.html", &words);
    let mean_ns = record.response_time_mean_ns.expect("a mean");
    let mean_ns = u32::try_from(mean_ns).expect("less than 4 s");
    let users = f64::from(mean_ns) / 1e9 * record.response_rate_per_s;
    // However busy the machine is: all are under way all the time, and only a response that a user waited for when the
    // window opened adds more than that.
    let (under_way, all) = (
        record.concurrency_mean.expect("a mean"),
        f64::from(connections),
    );
    assert!((under_way - all).abs() < 1e-6 * all, "{under_way} of {all}");
    let longest_ns = record.response_time_max_ns.expect("a time");
    let longest_ns = u32::try_from(longest_ns).expect("less than 4 s");
    let most = all * (1.0 + f64::from(longest_ns) / 1e9);
    assert!(users <= most * 1.001, "{users} of {all}, at most {most}");
    users
}

#[test]
fn the_window_is_told_from_the_instant_that_was_given() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let words = [
        "--connections",
        "1",
        "--warm-up",
        "100ms",
        "--duration",
        "200ms",
    ];
    let own = drive(peer, &words);
    assert!(
        (100_000_000..10_000_000_000).contains(&own.from_ns),
        "{} ns from the program's start",
        own.from_ns
    );
    assert_eq!(own.to_ns - own.from_ns, own.elapsed_ns);
    assert_eq!(own.elapsed_ns, 200_000_000);
    let absolute = drive(peer, &[&words[..], &["--zero-ns", "0"]].concat());
    let later = drive(
        peer,
        &[&words[..], &["--zero-ns", &absolute.to_ns.to_string()]].concat(),
    );
    assert!(
        (100_000_000..10_000_000_000).contains(&later.from_ns),
        "{} ns behind the window before",
        later.from_ns
    );
}

#[test]
fn a_pause_of_the_server_is_in_the_longest_time() {
    let peer = serve(|asked, stream| {
        if asked.number == 20 {
            thread::sleep(Duration::from_millis(150));
        }
        page(stream, 200, b"x")
    });
    let record = drive(
        peer,
        &["--connections", "1", "--warm-up", "0s", "--requests", "100"],
    );
    assert!(
        record.response_time_max_ns >= Some(150_000_000),
        "{:?}",
        record.response_time_max_ns
    );
    assert!(
        record.response_time_p50_ns < Some(100_000_000),
        "{:?}",
        record.response_time_p50_ns
    );
}
