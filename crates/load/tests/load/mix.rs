//! Sets of pages and compressed responses, through the whole program.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};

use super::program::{drive, file, requests};
use super::spoiled::{page, serve, write};

/// Three users for so many requests, however slow the machine is.
const SHORT: [&str; 6] = ["--connections", "3", "--warm-up", "0s", "--requests", "200"];

/// Makes the wrong response for a path.
type Wrong = Box<dyn Fn(&str) -> Vec<u8> + Send + Sync>;

/// The body of page `/p?id=<id>`.
fn body(path: &str) -> Vec<u8> {
    path.repeat(100).into_bytes()
}

/// A mix of one set of 50 pages with their true lengths and sums; gives the file's name.
fn set(name: &str, line: &str) -> String {
    let mut text = "path,length_bytes,sha256\n".to_owned();
    for id in 0..50 {
        let path = format!("/p?id={id}");
        let body = body(&path);
        let _ = write!(text, "{path},{},", body.len());
        for byte in Sha256::digest(&body) {
            let _ = write!(text, "{byte:02x}");
        }
        text.push('\n');
    }
    let pages = file(&format!("{name}.csv"), text.as_bytes());
    let text = format!(r#"{{"requests":[{{"name":"set","urls":{pages:?},{line}}}]}}"#);
    file(&format!("{name}.json"), text.as_bytes())
        .display()
        .to_string()
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(body).expect("a vector takes it");
    encoder.finish().expect("a vector takes it")
}

/// Writes a response whose head says that its body is compressed with `coding`.
fn coded(stream: &mut TcpStream, coding: &str, body: &[u8]) -> bool {
    let head = format!(
        "HTTP/1.1 200 x\r\nContent-Encoding: {coding}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    write(stream, &[head.as_bytes(), body].concat())
}

fn drive_mix(peer: SocketAddr, mix: &str, more: &[&str]) -> wire::LoadRecord {
    let record = drive(peer, &[&SHORT[..], &["--mix", mix], more].concat());
    assert_eq!(record.sent, 200);
    record
}

/// All that went wrong was of this kind, and nothing was right; for an empty kind all was right.
fn only(record: &wire::LoadRecord, kind: &str, name: &str) {
    let errors = &record.errors;
    if kind.is_empty() {
        assert_eq!(record.right, record.sent, "{name}: {errors:?}");
    } else {
        assert_eq!(errors.get(kind), Some(&record.sent), "{name}: {errors:?}");
    }
}

#[test]
fn a_set_is_asked_for_by_its_skew_and_checked_by_its_sums() {
    for (skew, most) in [("uniform", 10), ("sequential", 4), ("zipf", 35)] {
        let asked = Arc::new(Mutex::new(BTreeMap::<String, u64>::new()));
        let seen = Arc::clone(&asked);
        let peer = serve(move |asked, stream| {
            *seen
                .lock()
                .expect("a lock")
                .entry(asked.path.to_owned())
                .or_default() += 1;
            page(stream, 200, &body(asked.path))
        });
        let mix = set(
            &format!("set-{skew}"),
            &format!(r#""skew":"{skew}","sample":1"#),
        );
        let record = drive_mix(peer, &mix, &[]);
        only(&record, "", skew);
        let asked = asked.lock().expect("a lock");
        let first = asked["/p?id=0"] * 100 / record.sent;
        assert!(asked.len() > 20 && first <= most, "{skew}: {asked:?}");
        assert!(skew != "zipf" || first >= 12, "{skew}: {asked:?}");
    }
}

#[test]
fn a_page_of_a_set_that_is_not_its_own_is_found() {
    let mix = set("wrong-page", r#""skew":"sequential","sample":1"#);
    let peer = serve(|asked, stream| {
        let mut body = body(asked.path);
        body[7] ^= 1;
        page(stream, 200, &body)
    });
    only(&drive_mix(peer, &mix, &[]), "wrong-body", "one bit");
    let peer = serve(|asked, stream| page(stream, 200, &body(asked.path)[1..]));
    only(&drive_mix(peer, &mix, &[]), "wrong-length", "one byte");
    let peer = serve(|_, stream| page(stream, 404, b""));
    only(&drive_mix(peer, &mix, &[]), "wrong-status", "missing");
}

#[test]
fn compressed_answers_are_inflated_and_then_checked() {
    let peer = serve(|asked, stream| coded(stream, "gzip", &gzip(&body(asked.path))));
    let mix = set("gzip-right", r#""sample":1"#);
    let record = drive_mix(peer, &mix, &["--gzip"]);
    only(&record, "", "gzip");
    assert_eq!(record.plain_answers, Some(0));
    assert!(
        record.compression_ratio.is_some_and(|ratio| ratio > 5.0),
        "{:?}",
        record.compression_ratio
    );
    let file = file("gzip-page.txt", &body("/page"));
    let mix = requests("gzip-page.json", &format!(r#""body":{file:?},"sample":1"#));
    only(
        &drive_mix(peer, &mix, &["--gzip"]),
        "",
        "a body from a file",
    );
}

#[test]
fn only_the_sample_is_inflated() {
    let peer = serve(|_, stream| coded(stream, "gzip", b"no such thing"));
    let mix = set("gzip-some", r#""sample":0.2"#);
    let record = drive_mix(peer, &mix, &["--gzip"]);
    let share = record.errors["not-inflated"] * 100 / record.sent;
    assert!((5..=50).contains(&share), "{share} % of {}", record.sent);
    assert_eq!(record.errors.len(), 1);
}

#[test]
fn what_is_wrong_with_a_compressed_answer_counts_under_its_name() {
    let mix = set("gzip-wrong", r#""sample":1"#);
    let shifted = |path: &str| gzip(&body(path)[1..]);
    let tail = |path: &str, bytes: &[u8]| [&gzip(&body(path)), bytes].concat();
    let cut = |path: &str| {
        let mut wire = gzip(&body(path));
        wire.truncate(wire.len() - 1);
        wire
    };
    let wrong: [(&str, Wrong); 6] = [
        ("wrong-length", Box::new(shifted)),
        ("wrong-length", Box::new(|_| gzip(&vec![b'/'; 100_000_000]))),
        (
            "wrong-body",
            Box::new(|path| gzip(&body(path).to_ascii_uppercase())),
        ),
        ("not-inflated", Box::new(move |path| tail(path, b"rubbish"))),
        ("not-inflated", Box::new(cut)),
        ("not-inflated", Box::new(|_| Vec::new())),
    ];
    for (number, (kind, answer)) in wrong.into_iter().enumerate() {
        let bomb = (kind, number) == ("wrong-length", 1);
        let made = bomb.then(|| answer(""));
        let peer = serve(move |asked, stream| {
            let made = made.clone().unwrap_or_else(|| answer(asked.path));
            coded(stream, "gzip", &made)
        });
        let record = drive_mix(peer, &mix, &["--gzip"]);
        only(&record, kind, &format!("answer {number}"));
        // 100 MB from 100 KB are not kept, nor even made.
        assert!(record.driver_memory_peak_bytes < Some(64 << 20));
    }
    let peer = serve(|asked, stream| coded(stream, "br", &body(asked.path)));
    only(
        &drive_mix(peer, &mix, &["--gzip"]),
        "not-inflated",
        "brotli",
    );
}

#[test]
fn an_answer_that_is_not_compressed_is_right_and_counted() {
    let peer = serve(|asked, stream| page(stream, 200, &body(asked.path)));
    let mix = set("gzip-plain", r#""sample":1"#);
    let record = drive_mix(peer, &mix, &["--gzip"]);
    only(&record, "", "plain");
    assert_eq!(record.plain_answers, Some(record.right));
    assert_eq!(record.compression_ratio, None);
    let peer = serve(|_, stream| page(stream, 200, b"short"));
    let mix = set("gzip-plain-wrong", r#""sample":0"#);
    only(
        &drive_mix(peer, &mix, &["--gzip"]),
        "wrong-length",
        "all are checked",
    );
    let record = drive_mix(peer, &mix, &[]);
    assert_eq!(
        (record.plain_answers, record.compression_ratio),
        (None, None)
    );
}
