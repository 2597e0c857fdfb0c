//! The corpus of `tests/corpus` through the whole program: each response counts as what it is, and nothing hangs.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::corpus::{Entry, corpus};
use super::program::{drive, file};
use super::spoiled::{serve, write};

/// 16 users, for a number of requests however slow the machine is.
const WORDS: [&str; 6] = [
    "--connections",
    "16",
    "--warm-up",
    "0s",
    "--gzip",
    "--requests",
];

/// Ten requests of each user.
const FEW: &str = "160";

/// Requests after which nearly every entry of a kind was drawn, however slow the machine is: there are at most 85.
const REQUESTS: &str = "600";

fn entries() -> Vec<Entry> {
    corpus(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus"))
}

/// A mix that asks for every entry of a kind by its name; all are held against the same body.
fn mix(kind: &str) -> String {
    let body = file("fuzz/hello.txt", b"hello world");
    let entries = entries().into_iter().filter(|entry| entry.kind == kind);
    let lines: Vec<String> = entries
        .map(|Entry { name, .. }| {
            format!(r#"{{"name":"{name}","path":"/{name}","body":{body:?},"sample":1}}"#)
        })
        .collect();
    let text = format!(r#"{{"requests":[{}]}}"#, lines.join(","));
    let name = format!("fuzz/{kind}.json");
    file(&name, text.as_bytes()).display().to_string()
}

/// The names that were asked for.
type Asked = Arc<Mutex<BTreeSet<String>>>;

/// A server that answers `/name` with the entry of that name, and closes after it or leaves the client waiting.
fn serve_corpus(closes: bool) -> (SocketAddr, Asked) {
    let entries: BTreeMap<String, Vec<u8>> = entries()
        .into_iter()
        .map(|entry| (format!("/{}", entry.name), entry.bytes))
        .collect();
    let asked = Asked::default();
    let seen = Arc::clone(&asked);
    let peer = serve(move |request, stream| {
        let _ = seen.lock().expect("a lock").insert(request.path.to_owned());
        write(stream, &entries[request.path]) && !closes
    });
    (peer, asked)
}

/// Drives so many requests with these words, and sees to it that the program ends.
fn drive_in_time(peer: SocketAddr, requests: &str, words: &[&str]) -> wire::LoadRecord {
    let began = Instant::now();
    let record = drive(peer, &[&WORDS[..], &[requests], words].concat());
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "{requests} took {took:?}");
    assert_eq!(record.sent.to_string(), requests);
    record
}

#[test]
fn every_answer_of_the_corpus_counts_as_what_it_is() {
    let kinds: BTreeSet<String> = entries().into_iter().map(|entry| entry.kind).collect();
    assert_eq!(kinds.len(), 7);
    for kind in kinds {
        let (peer, asked) = serve_corpus(true);
        let record = drive_in_time(peer, REQUESTS, &["--mix", &mix(&kind)]);
        let counted = if kind == "right" {
            Some(&record.right)
        } else {
            record.errors.get(&kind)
        };
        assert_eq!(counted, Some(&record.sent), "{kind}: {:?}", record.errors);
        let all = entries().iter().filter(|entry| entry.kind == kind).count();
        let asked = asked.lock().expect("a lock").len();
        assert!(asked * 10 >= all * 9, "{kind}: {asked} of {all} were asked");
    }
}

#[test]
fn what_stops_in_the_middle_and_keeps_the_connection_times_out() {
    let (peer, _) = serve_corpus(false);
    let mix = mix("closed");
    let record = drive_in_time(peer, FEW, &["--mix", &mix, "--timeout", "50ms"]);
    assert_eq!(record.errors.get("timeout"), Some(&record.sent));
}

#[test]
fn what_is_malformed_is_so_without_the_end_of_the_connection() {
    let (peer, _) = serve_corpus(false);
    let mix = mix("malformed");
    let record = drive_in_time(peer, FEW, &["--mix", &mix, "--timeout", "5s"]);
    assert_eq!(record.errors.get("malformed"), Some(&record.sent));
}

/// A listener whose clients are handled by `talk`, without waiting for a request.
fn listen(talk: impl Fn(TcpStream) + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let talk = Arc::new(talk);
    let _ = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let talk = Arc::clone(&talk);
            let _ = thread::spawn(move || talk(stream));
        }
    });
    peer
}

#[test]
fn answers_before_any_request_neither_hang_nor_break_the_count() {
    for answer in [
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".as_slice(),
        b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
        b"garbage",
        b"H",
    ] {
        let peer = listen(move |mut stream| {
            let _ = write(&mut stream, answer);
            thread::sleep(Duration::from_millis(20));
        });
        // The record adds up: that is seen to wherever the tests read one.
        let _ = drive_in_time(peer, FEW, &["--timeout", "100ms"]);
    }
}

#[test]
fn a_flood_of_answers_without_requests_does_not_hang() {
    let peer = listen(|mut stream| {
        let flood = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".repeat(1000);
        while write(&mut stream, &flood) {}
    });
    let record = drive_in_time(peer, FEW, &[]);
    assert!(
        record.errors.contains_key("malformed"),
        "{:?}",
        record.errors
    );
}

#[test]
fn interim_answers_without_end_time_out() {
    let peer = listen(|mut stream| {
        let flood = b"HTTP/1.1 102 Processing\r\n\r\n".repeat(1000);
        while write(&mut stream, &flood) {}
    });
    let record = drive_in_time(peer, FEW, &["--timeout", "100ms"]);
    assert_eq!(record.errors.get("timeout"), Some(&record.sent));
}
