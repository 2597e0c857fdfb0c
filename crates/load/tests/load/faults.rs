//! What keeps a response from coming counts under the right name, and never hangs or ends the program.

use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use super::program::drive;
use super::spoiled::{page, serve, write};

/// Two users for so many requests, however slow the machine is.
const SHORT: [&str; 6] = ["--connections", "2", "--warm-up", "0s", "--requests", "6"];

fn only(record: &wire::LoadRecord, kind: &str) {
    assert!(record.sent > 0);
    assert_eq!(
        record.errors.get(kind),
        Some(&record.sent),
        "{:?}",
        record.errors
    );
}

#[test]
fn a_server_that_never_answers_gives_timeouts_that_stay_in_the_histogram() {
    let peer = serve(|_, _| {
        thread::sleep(Duration::from_secs(60));
        false
    });
    let record = drive(peer, &[&SHORT[..], &["--timeout", "100ms"]].concat());
    only(&record, "timeout");
    // Three timeouts of 100 ms for each user.
    assert!(
        record.sent == 6 && record.elapsed_ns >= 300_000_000,
        "{} timeouts in {} ns",
        record.sent,
        record.elapsed_ns
    );
    for least in [
        record.response_time_p50_ns,
        record.service_time_p50_ns,
        record.service_time_mean_ns,
    ] {
        assert!(least >= Some(100_000_000), "{least:?} is below the timeout");
    }
    assert!(record.response_time_max_ns < Some(10_000_000_000));
}

#[test]
fn an_answer_that_stops_in_the_middle_times_out() {
    let peer = serve(|_, stream| {
        let _ = write(
            stream,
            b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello",
        );
        thread::sleep(Duration::from_secs(60));
        false
    });
    only(
        &drive(peer, &[&SHORT[..], &["--timeout", "100ms"]].concat()),
        "timeout",
    );
}

#[test]
fn an_answer_that_never_ends_times_out() {
    let peer = serve(|_, stream| {
        let piece = [b'x'; 4096];
        let _ = write(stream, b"HTTP/1.1 200 OK\r\n\r\n");
        while write(stream, &piece) {}
        false
    });
    only(
        &drive(peer, &[&SHORT[..], &["--timeout", "100ms"]].concat()),
        "timeout",
    );
}

#[test]
fn a_server_that_closes_in_mid_answer_is_closed() {
    let head = b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n".as_slice();
    for (name, bytes) in [
        ("in the head", &head[..20]),
        ("before the body", head),
        (
            "in the body",
            b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx",
        ),
    ] {
        let peer = serve(|_, stream| {
            let _ = write(stream, bytes);
            false
        });
        let record = drive(peer, &SHORT);
        only(&record, "closed");
        assert_eq!(record.reconnects, Some(0), "closed {name}");
    }
}

#[test]
fn a_server_that_closes_a_new_connection_without_a_word_is_closed() {
    let peer = serve(|_, _| false);
    only(&drive(peer, &SHORT), "closed");
}

#[test]
fn a_server_that_resets_in_mid_answer_is_reset() {
    let peer = serve(|_, stream| {
        let _ = write(
            stream,
            b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello",
        );
        thread::sleep(Duration::from_millis(20));
        reset(stream);
        false
    });
    only(&drive(peer, &SHORT), "reset");
}

/// Closing with a linger time of 0 resets the connection.
fn reset(stream: &TcpStream) {
    rustix::net::sockopt::set_socket_linger(stream, Some(Duration::ZERO)).expect("an option");
}

#[test]
fn what_is_not_http_is_malformed() {
    let long = format!(
        "HTTP/1.1 200 OK\r\nA: {}\r\nContent-Length: 0\r\n\r\n",
        "x".repeat(100_000)
    );
    for (name, bytes) in [
        ("another protocol", "SSH-2.0-OpenSSH_9.2\r\n"),
        (
            "bytes behind the answer",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxy",
        ),
        (
            "a negative length",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        ),
        (
            "a broken chunk",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        ),
        ("an oversized head", &long),
    ] {
        let bytes = bytes.as_bytes().to_vec();
        let peer = serve(move |_, stream| write(stream, &bytes));
        let record = drive(peer, &SHORT);
        assert_eq!(
            record.errors.get("malformed"),
            Some(&record.sent),
            "{name}: {:?}",
            record.errors
        );
    }
}

#[test]
fn a_server_that_goes_away_refuses() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let server = thread::spawn(move || {
        let accepted = listener.accept().expect("a client");
        drop(listener);
        drop(accepted);
    });
    let record = drive(
        peer,
        &["--connections", "1", "--warm-up", "1s", "--requests", "10"],
    );
    server.join().expect("the server ends");
    only(&record, "refused");
    assert!(
        record.elapsed_ns >= 90_000_000,
        "{} ns, though a user waits 10 ms after each of 10 refusals",
        record.elapsed_ns
    );
    assert_eq!(
        (record.response_time_p50_ns, record.service_time_p50_ns),
        (None, None)
    );
}

#[test]
fn one_bad_answer_in_ten_leaves_the_others_right() {
    let peer = serve(|asked, stream| {
        if asked.number % 10 == 9 {
            let _ = write(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx");
            return false;
        }
        page(stream, 200, b"x")
    });
    let record = drive(
        peer,
        &["--connections", "3", "--warm-up", "0s", "--requests", "300"],
    );
    assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["closed"]);
    let share = record.errors["closed"] * 100 / record.sent;
    assert!((5..=15).contains(&share), "{share} % of {}", record.sent);
}
