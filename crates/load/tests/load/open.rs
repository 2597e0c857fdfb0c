//! The open loop: times count from the intended instants, and every request of the window counts once.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rustix::process::{Signal, kill_process};

use super::program::{Respond, drive, file, in_one_of_five};
use super::spoiled::{page, serve};

/// The least server, which is stopped for 200 ms of every second.
struct Stalling {
    server: Respond,
    stalls: Option<JoinHandle<()>>,
    over: Arc<AtomicBool>,
}

impl Stalling {
    fn start() -> Self {
        let body = file("stalling.html", b"x");
        let server = Respond::start(&["--body", body.to_str().expect("a path"), "--path", "/"]);
        let over = Arc::new(AtomicBool::new(false));
        let (seen, pid) = (Arc::clone(&over), server.pid());
        let stalls = thread::spawn(move || {
            while !seen.load(Ordering::Relaxed) {
                thread::sleep(Duration::from_millis(800));
                kill_process(pid, Signal::STOP).expect("a signal");
                thread::sleep(Duration::from_millis(200));
                kill_process(pid, Signal::CONT).expect("a signal");
            }
        });
        Self {
            server,
            stalls: Some(stalls),
            over,
        }
    }
}

impl Drop for Stalling {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(stalls) = self.stalls.take() {
            stalls.join().expect("the stalls end");
        }
    }
}

/// A server that takes this many milliseconds for each response.
fn slow(takes_ms: u64) -> SocketAddr {
    serve(move |_, stream| {
        thread::sleep(Duration::from_millis(takes_ms));
        page(stream, 200, b"x")
    })
}

/// Drives an open loop without a warm-up.
fn open(peer: SocketAddr, rate: &str, more: &[&str]) -> wire::LoadRecord {
    let record = drive(peer, &[&["--rate", rate, "--warm-up", "0s"], more].concat());
    assert_eq!(record.load_loop, "open");
    assert_eq!(
        Some(record.sent),
        record.scheduled,
        "every request counts once"
    );
    record
}

/// Whether a time is this long, give or take 25 ms: what signals and wake-ups take on a busy machine.
fn is_near(seen_ns: Option<u64>, due_ms: u64) -> bool {
    seen_ns.is_some_and(|seen_ns| (seen_ns / 1_000_000).abs_diff(due_ms) <= 25)
}

#[test]
fn a_stall_is_in_the_quantiles_of_the_open_loop_and_hides_from_the_closed_one() {
    let stalling = Stalling::start();
    let peer = stalling.server.peer;
    let mut seen = Vec::new();
    for _attempt in 0..5 {
        let record = open(peer, "400", &["--duration", "3s"]);
        let naive = drive(
            peer,
            &["--connections", "1", "--warm-up", "0s", "--duration", "1s"],
        );
        let (p90_ns, p99_ns) = (record.response_time_p90_ns, record.response_time_p99_ns);
        let naive_ns = naive.response_time_p99_ns;
        // What disturbs makes times longer; none of the stall may be lost.
        assert!(p99_ns > Some(165_000_000), "{p99_ns:?}");
        // A fifth of the requests arrives in a stall and waits from 0 to 200 ms: P(wait > t) = 0.2 (1 - t / 200 ms).
        if is_near(p90_ns, 100) && is_near(p99_ns, 190) && naive_ns.map(|time| 5 * time) < p99_ns {
            return;
        }
        // If the driver itself was kept from its CPU, other programs keep the machine busy: the record shows it.
        let disturbed = record.send_lag_p99_ns > Some(1_000_000);
        seen.push((disturbed, p90_ns, p99_ns, naive_ns));
    }
    assert!(
        seen.iter().all(|&(disturbed, ..)| disturbed),
        "(disturbed, p90, p99, of the closed loop): {seen:?}"
    );
}

#[test]
fn requests_without_an_answer_are_timeouts_and_stay_in_the_histogram() {
    let record = open(
        slow(60_000),
        "100",
        &["--timeout", "100ms", "--duration", "500ms"],
    );
    assert_eq!(record.errors.get("timeout"), record.scheduled.as_ref());
    assert!(record.sent > 20, "{} requests", record.sent);
    assert!(record.response_time_p50_ns >= Some(100_000_000));
    assert!(
        record.response_time_max_ns < Some(10_000_000_000),
        "{:?}",
        record.response_time_max_ns
    );
}

#[test]
fn even_arrivals_are_as_many_as_the_rate_says() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    for threads in ["1", "3"] {
        let even = [
            "--arrivals",
            "uniform",
            "--duration",
            "1s",
            "--threads",
            threads,
        ];
        let record = open(peer, "300", &even);
        assert!(
            (299..=300).contains(&record.sent),
            "{} at 300/s",
            record.sent
        );
        assert!(
            record
                .rate_error
                .is_some_and(|error| (0.0..1.0).contains(&error))
        );
        assert_eq!((record.right, record.queued), (record.sent, Some(0)));
        assert!(record.offered_load_per_s >= Some(299.0));
    }
}

#[test]
fn arrivals_by_chance_are_about_as_many_as_the_rate_says() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let record = open(peer, "1000", &["--duration", "1s"]);
    // Five standard deviations of a Poisson number.
    assert!(
        record.sent.abs_diff(1000) <= 160,
        "{} at 1000/s",
        record.sent
    );
    assert!(record.send_lag_p50_ns <= record.send_lag_p99_ns);
    assert!(record.send_lag_p99_ns <= record.send_lag_max_ns);
    assert!(record.littles_law_error.is_some() && record.concurrency_mean > Some(0.0));
}

#[test]
fn waiting_for_a_free_connection_is_part_of_the_response_time_and_no_lag() {
    let scarce = [
        "--connections",
        "1",
        "--arrivals",
        "uniform",
        "--duration",
        "500ms",
    ];
    let mut seen = Vec::new();
    for _attempt in 0..5 {
        let record = open(slow(40), "50", &scarce);
        assert_eq!(record.right, record.sent);
        assert!(record.connects <= Some(1), "{:?}", record.connects);
        assert!(
            record.queued > Some(record.sent / 2),
            "{:?} of {}",
            record.queued,
            record.sent
        );
        // Twice as many as can be answered: the last one waits about as long as the window is.
        assert!(
            record.response_time_max_ns > Some(350_000_000),
            "{:?}",
            record.response_time_max_ns
        );
        let (of_server, of_driver) = (record.service_time_p50_ns, record.send_lag_p50_ns);
        if of_server < Some(200_000_000) && of_driver < Some(20_000_000) {
            return;
        }
        seen.push((of_server, of_driver));
    }
    panic!("service time and send lag, p50: {seen:?}");
}

#[test]
fn what_waits_for_a_connection_for_too_long_is_a_timeout() {
    let scarce = [
        "--connections",
        "1",
        "--timeout",
        "100ms",
        "--duration",
        "400ms",
    ];
    let record = open(slow(60_000), "100", &scarce);
    assert_eq!(record.errors.get("timeout"), record.scheduled.as_ref());
}

#[test]
fn what_is_under_way_at_the_end_is_waited_for_or_unfinished() {
    let peer = slow(400);
    let words = ["--arrivals", "uniform", "--duration", "300ms"];
    let drained = open(peer, "50", &words);
    assert_eq!(drained.right, drained.sent);
    assert!(
        drained.goodput_per_s.total_cmp(&0.0).is_eq(),
        "nothing was completed in the window"
    );
    let abandoned = open(peer, "50", &[&words[..], &["--no-drain"]].concat());
    assert_eq!(
        abandoned.errors.get("unfinished"),
        abandoned.scheduled.as_ref()
    );
    assert_eq!(abandoned.response_time_p50_ns, None);
}

#[test]
fn a_server_that_went_away_refuses_every_request() {
    in_one_of_five(|| {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let peer = listener.local_addr().expect("an address");
        let server = thread::spawn(move || {
            let _ = listener.accept().expect("a client");
        });
        let record = open(peer, "200", &["--duration", "300ms"]);
        server.join().expect("the server ends");
        // What waits to be accepted when a listener closes is reset.
        let count = |name: &str| record.errors.get(name).copied().unwrap_or(0);
        assert_eq!(
            Some(count("refused") + count("reset")),
            record.scheduled,
            "{:?}",
            record.errors
        );
        let refused = count("refused");
        (refused > 0).then_some(()).ok_or(record.scheduled)
    });
}

#[test]
fn the_seconds_add_up_to_the_record() {
    let peer = serve(|_, stream| page(stream, 200, b"x"));
    let csv = file("seconds.csv", b"");
    let seconds = [
        "--duration",
        "1500ms",
        "--intervals",
        csv.to_str().expect("a path"),
    ];
    let record = open(peer, "200", &[&seconds[..], &["--threads", "2"]].concat());
    let text = std::fs::read_to_string(csv).expect("a file");
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("names").split(',').collect();
    // The last column is empty: the driver slept.
    let rows: Vec<Vec<u64>> = lines
        .map(|line| {
            let cells = line.split(',').filter(|cell| !cell.is_empty());
            cells.map(|cell| cell.parse().expect("a number")).collect()
        })
        .collect();
    let sum = |name: &str| {
        let column = names
            .iter()
            .position(|&each| each == name)
            .expect("a column");
        rows.iter().map(|row| row[column]).sum::<u64>()
    };
    assert_eq!(rows.len(), 2);
    assert_eq!(
        (sum("scheduled"), sum("errors"), sum("late")),
        (record.sent, 0, 0)
    );
    let right = record.goodput_per_s * 1.5;
    let counted = f64::from(u32::try_from(sum("right")).expect("a count"));
    assert!((counted - right).abs() < 0.01, "{counted} is not {right}");
}
