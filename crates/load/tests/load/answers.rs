//! Correct responses count, and wrong ones under the right name.

use std::sync::{Arc, Mutex};

use super::program::{Respond, drive, file, requests};
use super::spoiled::{page, serve, write};

/// Three users for so many requests, however slow the machine is.
const SHORT: [&str; 6] = [
    "--connections",
    "3",
    "--warm-up",
    "50ms",
    "--requests",
    "200",
];

fn errors(record: &wire::LoadRecord) -> Vec<(&str, bool)> {
    record
        .errors
        .iter()
        .map(|(kind, count)| (kind.as_str(), *count == record.sent))
        .collect()
}

#[test]
fn the_least_server_answers_rightly_and_the_record_says_so() {
    let body = file("right.html", &b"0123456789abcdef".repeat(1203));
    let body = body.to_str().expect("a path");
    let server = Respond::start(&["--body", body, "--path", "/page"]);
    let mix = requests(
        "right.json",
        &format!(r#""status":200,"length_bytes":19248,"body":{body:?},"sample":0.5"#),
    );
    let record = drive(
        server.peer,
        &[
            &SHORT[..],
            &["--mix", &mix, "--case", r#"{"connections":3,"gzip":"off"}"#],
        ]
        .concat(),
    );
    assert_eq!(
        (record.sent, record.right, record.reconnects),
        (200, 200, Some(0))
    );
    assert_eq!(
        (record.driver.as_str(), record.load_loop.as_str()),
        ("local", "closed")
    );
    assert_eq!(
        serde_json::Value::Object(record.case.clone()).to_string(),
        r#"{"connections":3,"gzip":"off"}"#
    );
    assert_eq!(
        (record.offered_load_per_s, record.send_lag_p99_ns),
        (None, None)
    );
    assert!(record.received_bytes_per_s > Some(record.goodput_per_s * 19248.0));
    assert!(record.driver_cpu_s > Some(0.0) && record.driver_memory_peak_bytes > Some(100_000));
}

#[test]
fn one_wrong_byte_in_the_body_is_found_where_it_is_looked_for() {
    let peer = serve(|_, stream| page(stream, 200, b"hello_world"));
    let body = file("byte.txt", b"hello world");
    for (sample, found) in [("1", vec![("wrong-body", true)]), ("0", vec![])] {
        let mix = requests(
            &format!("byte-{sample}.json"),
            &format!(r#""body":{body:?},"sample":{sample}"#),
        );
        let record = drive(peer, &[&SHORT[..], &["--mix", &mix]].concat());
        assert!(record.sent > 0);
        assert_eq!(errors(&record), found);
    }
}

#[test]
fn a_body_that_is_too_short_or_too_long_is_a_wrong_length() {
    for (name, body) in [
        ("short", b"hello worl".as_slice()),
        ("long", b"hello world!"),
        ("empty", b""),
    ] {
        let peer = serve(|_, stream| page(stream, 200, body));
        let mix = requests(&format!("length-{name}.json"), r#""length_bytes":11"#);
        let record = drive(peer, &[&SHORT[..], &["--mix", &mix]].concat());
        assert_eq!(errors(&record), [("wrong-length", true)], "{name}");
        assert!(record.response_rate_per_s > 0.0 && record.goodput_per_s.total_cmp(&0.0).is_eq());
    }
}

#[test]
fn a_fast_error_page_does_not_win() {
    let peer = serve(|_, stream| page(stream, 500, b"hello world"));
    assert_eq!(errors(&drive(peer, &SHORT)), [("wrong-status", true)]);
}

#[test]
fn chunks_and_closing_bodies_are_right_too() {
    let body = file("chunks.txt", b"hello world");
    let mix = requests("chunks.json", &format!(r#""body":{body:?},"sample":1"#));
    let chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    let peer = serve(|_, stream| write(stream, chunked));
    let record = drive(peer, &[&SHORT[..], &["--mix", &mix]].concat());
    assert_eq!((record.right, record.reconnects), (record.sent, Some(0)));
    let peer = serve(|_, stream| {
        let _ = write(stream, b"HTTP/1.1 200 OK\r\n\r\nhello world");
        false
    });
    let record = drive(peer, &[&SHORT[..], &["--mix", &mix]].concat());
    assert!(record.right > 0 && record.right == record.sent && record.reconnects > Some(0));
}

#[test]
fn an_answer_that_comes_byte_by_byte_is_right() {
    let peer = serve(|_, stream| {
        stream.set_nodelay(true).expect("an option");
        b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world"
            .iter()
            .all(|&byte| write(stream, &[byte]))
    });
    let mix = requests("bytes.json", r#""length_bytes":11"#);
    let record = drive(peer, &[&SHORT[..], &["--mix", &mix]].concat());
    assert!(record.right > 0 && record.right == record.sent);
}

#[test]
fn what_comes_in_the_warm_up_does_not_count() {
    let peer = serve(|asked, stream| page(stream, if asked.number < 2 { 500 } else { 200 }, b"x"));
    let record = drive(
        peer,
        &["--connections", "1", "--warm-up", "1s", "--requests", "20"],
    );
    assert!(
        record.right == 20 && record.errors.is_empty(),
        "{:?}",
        record.errors
    );
}

#[test]
fn equal_seeds_ask_alike_and_others_do_not() {
    let text =
        r#"{"requests":[{"name":"a","path":"/a","weight":1},{"name":"b","path":"/b","weight":1}]}"#;
    let mix = file("seeds.json", text.as_bytes()).display().to_string();
    let asked_with = |seed: &str| {
        let paths = Arc::new(Mutex::new(String::new()));
        let seen = Arc::clone(&paths);
        let peer = serve(move |asked, stream| {
            seen.lock().expect("a lock").push_str(asked.path);
            page(stream, 200, b"")
        });
        let record = drive(
            peer,
            &[
                "--connections",
                "1",
                "--warm-up",
                "0s",
                "--requests",
                "64",
                "--mix",
                &mix,
                "--seed",
                seed,
            ],
        );
        assert_eq!(record.sent, 64);
        let paths = paths.lock().expect("a lock");
        paths[..128].to_owned()
    };
    assert_eq!(asked_with("7"), asked_with("7"));
    assert_ne!(asked_with("7"), asked_with("8"));
}
