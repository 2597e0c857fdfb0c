//! What the servers are known for. Other tests run beside these: lines are long enough to keep the servers busy while a
//! client is kept from its CPU, and limits above are generous where those below say what is meant.

use std::thread;
use std::time::{Duration, Instant};

use super::program::{Known, ask, read};

/// Closed-loop users: each connection has so many requests under way, and asks again for each answer.
const USERS: usize = 8;
const UNDER_WAY: usize = 50;

#[test]
fn a_bucket_gives_its_rate_to_a_closed_load() {
    let server = Known::start(&["bucket", "--rate", "2000"]);
    let began = Instant::now();
    thread::scope(|scope| {
        for _ in 0..USERS {
            let _ = scope.spawn(|| {
                let mut stream = server.connect();
                ask(&mut stream, UNDER_WAY);
                for _ in UNDER_WAY..500 {
                    read(&mut stream);
                    ask(&mut stream, 1);
                }
                for _ in 0..UNDER_WAY {
                    read(&mut stream);
                }
            });
        }
    });
    let took_s = began.elapsed().as_secs_f64();
    assert!(
        (1.99..2.02).contains(&took_s),
        "4000 answers at 2000/s took {took_s} s"
    );
}

#[test]
fn twenty_thousand_a_second_are_exact_too() {
    let server = Known::start(&["bucket", "--rate", "20000"]);
    let mut stream = server.connect();
    let began = Instant::now();
    thread::scope(|scope| {
        let mut asking = stream.try_clone().expect("a second handle");
        let _ = scope.spawn(move || ask(&mut asking, 30_000));
        for _ in 0..30_000 {
            read(&mut stream);
        }
    });
    let took_s = began.elapsed().as_secs_f64();
    assert!(
        (1.49..1.53).contains(&took_s),
        "30000 answers at 20000/s took {took_s} s"
    );
}

#[test]
fn a_bucket_passes_over_those_who_have_gone_and_a_wasteful_server_does_not() {
    for (behavior, from_ms, to_ms) in [("bucket", 0, 400), ("wasteful", 490, 900)] {
        let server = Known::start(&[behavior, "--rate", "100"]);
        let mut last = server.connect();
        let began = Instant::now();
        for _ in 0..50 {
            let mut stream = server.connect();
            ask(&mut stream, 1);
        }
        // A connection that is there already might overtake those that are yet to be accepted.
        thread::sleep(Duration::from_millis(100));
        ask(&mut last, 1);
        read(&mut last);
        let took_ms = began.elapsed().as_millis();
        assert!(
            (from_ms..to_ms).contains(&took_ms),
            "{behavior}: {took_ms} ms behind 50 who had gone"
        );
    }
}

#[test]
fn a_stall_holds_back_whoever_asks_in_it_and_nobody_else() {
    let server = Known::start(&["stall", "--for", "300ms", "--every", "1s"]);
    let mut stream = server.connect();
    let began = Instant::now();
    let mut waits = Vec::new();
    while began.elapsed() < Duration::from_millis(3050) {
        let asked = Instant::now();
        ask(&mut stream, 1);
        read(&mut stream);
        waits.push(asked.elapsed().as_millis());
    }
    let long: Vec<u128> = waits.iter().copied().filter(|&wait| wait > 200).collect();
    assert_eq!(long.len(), 3, "{long:?}");
    assert!(
        long.iter().all(|wait| (250..500).contains(wait)),
        "{long:?}"
    );
    assert!(waits.len() > 1000, "{} answers", waits.len());
}

#[test]
fn whoever_finds_the_line_full_is_refused_at_once() {
    use std::io::Read;
    let server = Known::start(&["bucket", "--rate", "10", "--line", "3"]);
    let mut patient = server.connect();
    // One is answered at once, three wait.
    ask(&mut patient, 1);
    read(&mut patient);
    ask(&mut patient, 3);
    thread::sleep(Duration::from_millis(30));
    let mut refused = server.connect();
    let began = Instant::now();
    ask(&mut refused, 1);
    let mut answer = [0; 55];
    refused.read_exact(&mut answer).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 503 ") && answer.ends_with(b"\r\n\r\n"));
    assert!(began.elapsed() < Duration::from_millis(60));
    for _ in 0..3 {
        read(&mut patient);
    }
}

#[test]
fn a_connection_is_closed_where_the_client_asks_for_it() {
    use std::io::{Read, Write};
    let server = Known::start(&["bucket", "--rate", "1000"]);
    let mut stream = server.connect();
    stream
        .write_all(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n")
        .expect("it takes it");
    let mut answer = Vec::new();
    assert_eq!(stream.read_to_end(&mut answer).expect("an answer"), 100);
}
