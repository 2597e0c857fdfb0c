//! Encrypted connections: responses are checked as in the clear, handshakes are counted, and what goes wrong has a name.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use wire::LoadRecord;

use super::program::{output, requests};
use super::tls_server::{Secure, VERSIONS, page, serve, serve_with_tickets};

const SHORT: [&str; 4] = ["--warm-up", "0s", "--duration", "300ms"];

fn ask(server: &Secure, name: &str, words: &[&str]) -> LoadRecord {
    let url = format!("https://{name}:{}", server.peer.port());
    let ca = server.ca.to_str().expect("a path");
    let output = output(&[&["http", "--json", "-", "--ca", ca], words, &[&url]].concat());
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    serde_json::from_slice(&output.stdout).expect("a load record")
}

fn only(record: &LoadRecord, kind: &str) {
    assert!(record.sent > 0, "nothing was asked");
    assert_eq!(
        record.errors.get(kind),
        Some(&record.sent),
        "{:?}",
        record.errors
    );
}

/// The handshake that checks the certificate.
const BEFORE_THE_LOAD: u64 = 1;

/// A load of this many users, which ends after some requests, however slow the machine is.
fn users(number: &'static str) -> Vec<&'static str> {
    [&SHORT[..], &["--connections", number, "--requests", "40"]].concat()
}

/// A body without a period that a record's length could hide.
fn body(bytes: u32) -> Vec<u8> {
    (0..bytes)
        .map(|number| (number % 251).to_le_bytes()[0])
        .collect()
}

#[test]
fn answers_of_every_size_are_read_and_checked_in_both_versions() {
    for version in VERSIONS {
        for bytes in [0, 1, 19_251, 65_400, 1_000_003] {
            let expected = body(bytes);
            let given = expected.clone();
            let server = serve("localhost", &[version], move |_, talk| page(talk, &given));
            let name = format!("tls-{bytes}-{}", server.peer.port());
            let path = super::program::file(&name, &expected);
            let mix = requests(
                &format!("{name}.json"),
                &format!(r#""length_bytes":{bytes},"body":{path:?},"sample":1"#),
            );
            let record = ask(
                &server,
                "localhost",
                &[&users("3")[..], &["--mix", &mix]].concat(),
            );
            assert!(
                record.right > 0 && record.errors.is_empty(),
                "{bytes} bytes: {:?}",
                record.errors
            );
        }
    }
}

#[test]
fn a_request_longer_than_tls_takes_at_once_is_sent_whole() {
    let sent = body(300_000);
    for version in VERSIONS {
        let expected = sent.clone();
        let server = serve("localhost", &[version], move |_, talk| {
            let mut came = vec![0; expected.len()];
            let whole = talk.read_exact(&mut came).is_ok();
            page(
                talk,
                if whole && came == expected {
                    b"right"
                } else {
                    b"wrong!"
                },
            )
        });
        let name = format!("tls-sent-{}", server.peer.port());
        let path = super::program::file(&name, &sent);
        let mix = requests(
            &format!("{name}.json"),
            &format!(r#""method":"POST","sends":{path:?},"length_bytes":5"#),
        );
        let record = ask(
            &server,
            "localhost",
            &[&users("2")[..], &["--mix", &mix]].concat(),
        );
        assert!(
            record.right >= 40 && record.errors.is_empty(),
            "{:?}",
            record.errors
        );
    }
}

#[test]
fn a_wrong_byte_behind_tls_is_a_wrong_body() {
    let mut given = body(40_000);
    let path = super::program::file("tls-wrong", &given);
    given[39_999] ^= 1;
    let server = serve("localhost", &VERSIONS, move |_, talk| page(talk, &given));
    let mix = requests("tls-wrong.json", &format!(r#""body":{path:?},"sample":1"#));
    only(
        &ask(
            &server,
            "localhost",
            &[&users("2")[..], &["--mix", &mix]].concat(),
        ),
        "wrong-body",
    );
}

#[test]
fn an_address_may_stand_in_the_certificate() {
    let server = serve("127.0.0.1", &VERSIONS, |_, talk| page(talk, b"hello"));
    let record = ask(&server, "127.0.0.1", &users("2"));
    assert!(record.right > 0 && record.errors.is_empty());
}

/// Nothing starts with such a certificate, and the complaint has these words.
fn refused(server: &Secure, says: &[&str]) {
    let url = format!("https://localhost:{}/", server.peer.port());
    let output = output(&["http", "--ca", server.ca.to_str().expect("a path"), &url]);
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{complaint}");
    assert!(
        says.iter().all(|text| complaint.contains(text)),
        "{complaint}"
    );
}

#[test]
fn a_certificate_for_another_host_or_from_another_signer_is_refused() {
    let other = serve("example.org", &VERSIONS, |_, talk| page(talk, b"hello"));
    refused(&other, &["not trusted", "example.org", "with a name"]);
    let mut stranger = serve("localhost", &VERSIONS, |_, talk| page(talk, b"hello"));
    stranger.ca = other.ca;
    refused(&stranger, &["not trusted", "after --ca"]);
}

#[test]
fn kept_connections_shake_hands_once_each() {
    let server = serve("localhost", &VERSIONS, |_, talk| page(talk, b"hello"));
    let record = ask(&server, "localhost", &users("3"));
    assert!(record.right > 30, "{} right", record.right);
    let handshakes = record.handshakes.expect("handshakes");
    assert!(
        (1..=3).contains(&handshakes),
        "{handshakes}: on a busy machine a user may never connect, but none connects twice"
    );
    // The server counts a handshake a little later than the client.
    let until = Instant::now() + Duration::from_secs(60);
    let all = handshakes + BEFORE_THE_LOAD;
    while server.full.load(Ordering::Relaxed) < all && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(server.full.load(Ordering::Relaxed), all);
    assert_eq!(server.resumed.load(Ordering::Relaxed), 0);
    assert_eq!(record.handshakes_resumed, Some(0));
}

#[test]
fn full_handshakes_are_made_for_every_request() {
    let server = serve("localhost", &VERSIONS, |_, talk| page(talk, b"hello"));
    let words = [&users("3")[..], &["--handshake", "full"]].concat();
    let record = ask(&server, "localhost", &words);
    assert!(record.errors.is_empty(), "{:?}", record.errors);
    let handshakes = record.handshakes.expect("handshakes");
    assert!(record.right > 10 && handshakes.abs_diff(record.right) <= 3);
    assert_eq!(record.handshakes_resumed, Some(0));
    assert_eq!(server.resumed.load(Ordering::Relaxed), 0);
}

#[test]
fn handshakes_are_resumed_in_both_versions_once_there_are_tickets() {
    for version in VERSIONS {
        let server = serve("localhost", &[version], |_, talk| page(talk, b"hello"));
        let words = [&users("3")[..], &["--handshake", "resumed"]].concat();
        let record = ask(&server, "localhost", &words);
        assert!(record.errors.is_empty(), "{:?}", record.errors);
        let (all, resumed) = (record.handshakes, record.handshakes_resumed);
        let full = all.expect("handshakes") - resumed.expect("resumed ones");
        assert!(
            resumed > Some(10) && full <= 3,
            "{full} of {all:?} were full"
        );
        assert!(server.full.load(Ordering::Relaxed) <= 3 + BEFORE_THE_LOAD);
    }
}

#[test]
fn an_answer_without_a_length_ends_where_the_session_does() {
    let server = serve("localhost", &VERSIONS, |_, talk| {
        let _ = talk.write_all(b"HTTP/1.1 200 x\r\n\r\nhello");
        false
    });
    let mix = requests("tls-close.json", r#""length_bytes":5"#);
    let record = ask(
        &server,
        "localhost",
        &[&users("2")[..], &["--mix", &mix]].concat(),
    );
    assert!(
        record.right > 0 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
}

#[test]
fn a_server_that_leaves_in_mid_answer_is_closed_and_one_that_garbles_is_tls() {
    let server = serve("localhost", &VERSIONS, |_, talk| {
        let _ = talk.write_all(b"HTTP/1.1 200 x\r\nContent-Length: 9\r\n\r\nhello");
        false
    });
    only(&ask(&server, "localhost", &users("2")), "closed");
    let server = serve("localhost", &VERSIONS, |_, talk| {
        // An application record that was never encrypted.
        let _ = talk.sock.write_all(&[23, 3, 3, 0, 20]);
        let _ = talk.sock.write_all(&[7; 20]);
        thread::sleep(Duration::from_secs(60));
        false
    });
    only(&ask(&server, "localhost", &users("2")), "tls");
}

#[test]
fn a_server_that_sends_tickets_without_end_has_no_thread_for_itself() {
    let server = serve_with_tickets(10_000, "localhost", &VERSIONS[..1], |_, _| true);
    only(&ask(&server, "localhost", &users("2")), "tls");
}

#[test]
fn an_answer_that_comes_byte_by_byte_is_put_together() {
    let server = serve("localhost", &VERSIONS, |_, talk| {
        let mut encrypted = Vec::new();
        let _ = talk
            .conn
            .writer()
            .write_all(b"HTTP/1.1 200 x\r\nContent-Length: 5\r\n\r\nhello");
        while talk.conn.wants_write() {
            let _ = talk.conn.write_tls(&mut encrypted);
        }
        let _ = talk.sock.set_nodelay(true);
        encrypted.iter().all(|byte| {
            thread::sleep(Duration::from_micros(100));
            talk.sock.write_all(&[*byte]).is_ok()
        })
    });
    let record = ask(&server, "localhost", &users("2"));
    assert!(record.right > 2 && record.errors.is_empty());
}

#[test]
fn a_server_that_says_nothing_times_out_and_one_without_tls_is_told_apart() {
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let other = serve("localhost", &VERSIONS, |_, talk| page(talk, b"hello"));
    let mut server = Secure {
        peer: silent.local_addr().expect("an address"),
        ..other
    };
    let words = [&users("2")[..], &["--timeout", "100ms"]].concat();
    only(&ask(&server, "localhost", &words), "timeout");
    server.peer = super::spoiled::serve(|_, _| true);
    let plain = TcpListener::bind("127.0.0.1:0").expect("a port");
    server.peer = plain.local_addr().expect("an address");
    let _ = thread::spawn(move || {
        for mut stream in plain.incoming().flatten() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            thread::sleep(Duration::from_millis(1));
        }
    });
    let record = ask(&server, "localhost", &users("2"));
    assert!(record.errors.contains_key("tls"), "{:?}", record.errors);
    assert_eq!(record.right, 0);
}

#[test]
fn https_needs_certificates_that_can_be_read_and_http_does_not() {
    let refused = |words: &[&str]| {
        let output = output(&[&["http", "--connections", "1"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    assert!(refused(&["--handshake", "full", "http://127.0.0.1:1/"]).contains("Leave them out"));
    let empty = super::program::file("empty.pem", b"no certificate");
    let empty = empty.to_str().expect("a path");
    assert!(refused(&["--ca", empty, "https://127.0.0.1:1/"]).contains("it has no certificate"));
    assert!(refused(&["--ca", "/nowhere.pem", "https://127.0.0.1:1/"]).contains("/nowhere.pem"));
}
