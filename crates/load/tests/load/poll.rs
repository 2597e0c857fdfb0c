//! Polling instead of sleeping: the same counts, and what polls found nothing is told apart from work.

use std::fs;
use std::thread::sleep;
use std::time::Duration;

use super::program::{drive, file, output};
use super::spoiled::{page, serve};

/// A server that takes 20 ms for each response.
fn slow() -> std::net::SocketAddr {
    serve(|_, stream| {
        sleep(Duration::from_millis(20));
        page(stream, 200, b"x")
    })
}

#[test]
fn a_driver_that_polls_waits_in_vain_most_of_the_time_and_one_that_sleeps_never_does() {
    let peer = slow();
    let words = [
        "--connections",
        "2",
        "--threads",
        "2",
        "--warm-up",
        "0s",
        "--requests",
        "20",
    ];
    let busy = drive(peer, &[&words[..], &["--poll", "busy"]].concat());
    let empty_s = busy.driver_empty_polls_s.expect("a time");
    let work_s = busy.driver_cpu_s.expect("a time");
    // Both are CPU time of the two threads, however much of it they got.
    assert!(
        empty_s > 2.0 * work_s,
        "{empty_s} s in vain, {work_s} s of work"
    );
    assert_eq!((busy.sent, busy.right), (20, 20));
    let asleep = drive(peer, &words);
    assert_eq!(asleep.driver_empty_polls_s, None);
    for record in [busy, asleep] {
        let share = record.driver_busiest_share.expect("a share");
        assert!((0.0..=1.0).contains(&share), "{share}");
    }
}

#[test]
fn every_loop_keeps_its_counts() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let poll = ["--poll", "busy", "--warm-up", "0s"];
    let thinking = ["--connections", "3", "--think", "30ms", "--requests", "12"];
    let closed = drive(peer, &[&poll[..], &thinking].concat());
    assert_eq!((closed.sent, closed.right), (12, 12));
    // Each of the three thinks three times before its last request.
    assert!(closed.elapsed_ns >= 90_000_000, "{}", closed.elapsed_ns);
    let arriving = [
        "--rate",
        "200",
        "--arrivals",
        "uniform",
        "--duration",
        "500ms",
        "--timeout",
        "60s",
    ];
    let open = drive(peer, &[&poll[..], &arriving].concat());
    assert!((99..=100).contains(&open.sent), "{}", open.sent);
    let sessions = drive(peer, &[&poll[..], &arriving, &["--calls", "2"]].concat());
    for record in [&open, &sessions] {
        assert_eq!(record.right, record.sent);
        assert_eq!(record.scheduled, Some(record.sent));
    }
}

#[test]
fn a_response_that_never_comes_times_out() {
    let peer = serve(|_, _| {
        sleep(Duration::from_secs(2));
        false
    });
    let words = [
        "--poll",
        "busy",
        "--connections",
        "2",
        "--warm-up",
        "0s",
        "--requests",
        "4",
        "--timeout",
        "100ms",
    ];
    let record = drive(peer, &words);
    assert_eq!((record.sent, record.errors["timeout"]), (4, 4));
    assert!(record.response_time_p50_ns >= Some(100_000_000));
}

#[test]
fn each_second_has_the_share_of_polls_that_found_nothing() {
    let peer = slow();
    let words = [
        "--connections",
        "1",
        "--warm-up",
        "0s",
        "--duration",
        "1500ms",
    ];
    let csv = file("idle.csv", b"").display().to_string();
    let share = |poll: &str| {
        let _ = drive(
            peer,
            &[&words[..], &["--poll", poll, "--intervals", &csv]].concat(),
        );
        let text = fs::read_to_string(&csv).expect("a file");
        let cells = text
            .lines()
            .map(|line| line.rsplit(',').next().map(str::to_owned));
        cells.map(|cell| cell.expect("a cell")).collect::<Vec<_>>()
    };
    assert_eq!(share("sleep"), ["idle_share", "", ""]);
    let polled = share("busy");
    assert_eq!((polled.len(), polled[0].as_str()), (3, "idle_share"));
    for cell in &polled[1..] {
        let share: f64 = cell.parse().expect("a number");
        assert!(share > 0.0 && share <= 1.0, "{polled:?}");
    }
}

#[test]
fn sqlite_does_not_poll() {
    let words = [
        "sql",
        "--protocol",
        "sqlite",
        "--file",
        "no.sqlite",
        "--mix",
        "no.json",
        "--connections",
        "1",
    ];
    let output = output(&[&words[..], &["--poll", "busy"]].concat());
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("polling would take its CPUs. Leave --poll out."),
        "{said}"
    );
}
