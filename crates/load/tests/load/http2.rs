//! HTTP/2: responses are checked as over HTTP/1.1, users share connections, and what does not go with it is refused.

use std::sync::atomic::Ordering;

use super::http2_server::{END, END_HEADERS, GOAWAY, HEADERS, drive, pages, serve};
use super::program::{file, output, requests};
use super::tls_server::{VERSIONS, page, serve as serve_http1};

/// A load of this many users for each connection, which ends after some requests, however slow the machine is.
fn users<'a>(connections: &'a str, streams: &'a str) -> Vec<&'a str> {
    [
        &["--connections", connections, "--streams", streams][..],
        &["--requests", "60", "--duration", "60s"],
    ]
    .concat()
}

/// A body without a period that a frame's length could hide.
fn body(bytes: u32) -> Vec<u8> {
    (0..bytes)
        .map(|number| (number % 251).to_le_bytes()[0])
        .collect()
}

#[test]
fn answers_of_every_size_are_read_and_checked() {
    for bytes in [0, 1, 16_384, 19_251, 65_400, 2_500_003] {
        let expected = body(bytes);
        let server = pages(&expected);
        let name = format!("http2-{bytes}");
        let path = file(&name, &expected);
        let mix = requests(
            &format!("{name}.json"),
            &format!(r#""length_bytes":{bytes},"body":{path:?},"sample":1"#),
        );
        let words = [&users("2", "3")[..], &["--mix", &mix]].concat();
        let record = drive(&server, &words);
        assert!(
            record.right >= 60 && record.errors.is_empty(),
            "{bytes} bytes: {:?}",
            record.errors
        );
    }
}

#[test]
fn a_wrong_byte_a_wrong_length_and_a_wrong_status_are_found() {
    let mut given = body(40_000);
    let path = file("http2-wrong", &given);
    given[39_999] ^= 1;
    let server = pages(&given);
    for (line, kind) in [
        (format!(r#""body":{path:?},"sample":1"#), "wrong-body"),
        (r#""length_bytes":39999"#.to_owned(), "wrong-length"),
        (r#""status":404"#.to_owned(), "wrong-status"),
        (
            format!(r#""sha256":"{}","sample":1"#, "0".repeat(64)),
            "wrong-body",
        ),
    ] {
        let mix = requests(&format!("http2-{kind}.json"), &line);
        let words = [&users("2", "2")[..], &["--mix", &mix]].concat();
        let record = drive(&server, &words);
        assert_eq!(record.errors.get(kind), Some(&record.sent), "{line}");
    }
}

#[test]
fn users_share_a_connection_and_send_at_once() {
    // Ten requests have come before the first has its response.
    let server = serve(&[b"h2"], |frames| {
        loop {
            let streams: Vec<_> = (0..10).map_while(|_| frames.request()).collect();
            if streams.len() < 10 || !streams.iter().all(|&each| frames.respond(each, b"hello")) {
                return;
            }
        }
    });
    let record = drive(&server, &users("1", "10"));
    assert!(
        record.right >= 60 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
    assert_eq!(record.connects, Some(1));
    assert_eq!(server.full.load(Ordering::Relaxed), 1);
}

#[test]
fn arrivals_take_any_connection_that_is_free() {
    let server = pages(b"hello");
    let words = ["--rate", "400", "--connections", "2", "--streams", "50"];
    let record = drive(&server, &[&words[..], &["--duration", "300ms"]].concat());
    assert_eq!(record.sent, record.scheduled.expect("a schedule"));
    assert!(record.right > 0 && record.errors.is_empty());
}

#[test]
fn several_threads_have_connections_of_their_own() {
    let server = pages(b"hello");
    let words = [&users("4", "2")[..], &["--threads", "2"]].concat();
    let record = drive(&server, &words);
    assert!(record.right >= 60 && record.errors.is_empty());
    assert!(server.full.load(Ordering::Relaxed) <= 4);
}

#[test]
fn a_body_that_is_sent_arrives_whole() {
    let sent = body(100_000);
    let expected = sent.clone();
    let server = serve(&[b"h2"], move |frames| {
        let mut came = Vec::new();
        while let Some(frame) = frames.next() {
            if frame.kind == 0 {
                came.extend_from_slice(&frame.payload);
                let room = u32::try_from(frame.payload.len()).expect("a length");
                if room > 0 {
                    let _ = frames.send(8, 0, 0, &room.to_be_bytes());
                    let _ = frames.send(8, 0, frame.stream, &room.to_be_bytes());
                }
            }
            if frame.kind <= 1 && frame.flags & END == END {
                let right = std::mem::take(&mut came) == expected;
                let _ = frames.respond(frame.stream, if right { b"right" } else { b"wrong!" });
            }
        }
    });
    let path = file("http2-sent", &sent);
    let mix = requests(
        "http2-sent.json",
        &format!(r#""method":"POST","sends":{path:?},"length_bytes":5"#),
    );
    let record = drive(&server, &[&users("2", "1")[..], &["--mix", &mix]].concat());
    assert!(
        record.right >= 60 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
}

#[test]
fn a_server_that_goes_away_between_two_requests_is_joined_anew() {
    let server = serve(&[b"h2"], |frames| {
        for _ in 0..7 {
            let Some(stream) = frames.request() else {
                return;
            };
            // The last one's stream, and no error.
            let last = [&stream.to_be_bytes()[..], &[0; 4]].concat();
            let _ = frames.respond(stream, b"hello");
            if stream >= 13 {
                let _ = frames.send(GOAWAY, 0, 0, &last);
            }
        }
    });
    let record = drive(&server, &users("2", "1"));
    assert!(
        record.right >= 60 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
    assert!(record.reconnects > Some(5), "{:?}", record.reconnects);
}

#[test]
fn a_head_in_several_frames_and_an_interim_one_are_read() {
    let server = serve(&[b"h2"], |frames| {
        while let Some(stream) = frames.request() {
            // Status 103, then 200 and a header in two frames, then a trailer.
            let _ = frames.send(HEADERS, END_HEADERS, stream, b"\x08\x03103");
            let _ = frames.send(HEADERS, 0, stream, b"\x88\x00\x01a");
            let _ = frames.send(9, END_HEADERS, stream, b"\x01b");
            let _ = frames.data(stream, 0, b"hello");
            let _ = frames.send(HEADERS, END_HEADERS | END, stream, b"\x00\x01c\x01d");
        }
    });
    let mix = requests("http2-head.json", r#""length_bytes":5"#);
    let record = drive(&server, &[&users("2", "2")[..], &["--mix", &mix]].concat());
    assert!(
        record.right >= 60 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
}

#[test]
fn a_server_without_http_2_is_refused_before_the_load() {
    let plain = serve_http1("localhost", &VERSIONS, |_, talk| page(talk, b"hello"));
    let other = serve(&[b"http/1.1"], |_| ());
    for server in [plain, other] {
        let url = format!("https://localhost:{}/", server.peer.port());
        let ca = server.ca.to_str().expect("a path");
        let output = output(&["http", "--http", "2", "--ca", ca, &url]);
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{complaint}");
        for text in [
            "no HTTP/2 from localhost",
            "ALPN h2",
            "http_version = \"2\"",
        ] {
            assert!(complaint.contains(text), "{complaint}");
        }
    }
}

#[test]
fn what_does_not_go_with_http_2_is_refused() {
    let session = file(
        "http2-session.json",
        br#"{"session":{"steps":[{"name":"a","path":"/"}]}}"#,
    );
    let session = session.to_str().expect("a path");
    let backtick = file(
        "http2-path.json",
        br#"{"requests":[{"name":"a","path":"/a`b"}]}"#,
    );
    let backtick = backtick.to_str().expect("a path");
    let (two, tls) = (["--http", "2"], "https://localhost:1/");
    for (words, says) in [
        (
            &[&two[..], &["http://localhost:1/"]].concat(),
            "over TLS only",
        ),
        (&vec!["--streams", "2", tls], "one request at a time"),
        (
            &[&two[..], &["--calls", "2", tls]].concat(),
            "which are kept",
        ),
        (
            &[&two[..], &["--handshake", "full", tls]].concat(),
            "connections are kept",
        ),
        (
            &[&two[..], &["--mix", session, tls]].concat(),
            "each session has a connection",
        ),
        (
            &[&two[..], &["--mix", backtick, tls]].concat(),
            "percent-encoded",
        ),
        (&[&two[..], &["--streams", "101", tls]].concat(), "1..=100"),
    ] {
        let output = output(&[&["http"], &words[..]].concat());
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{complaint}");
        assert!(complaint.contains(says), "{complaint}");
    }
}
