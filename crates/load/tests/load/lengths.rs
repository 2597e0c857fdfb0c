//! Responses whose length is known beforehand wake the driver once they are whole; others are found all the same.

use std::time::Duration;

use super::program::{drive, requests};
use super::spoiled::{page, serve, write};

/// Two users.
const SHORT: [&str; 4] = ["--connections", "2", "--warm-up", "0s"];

/// So many requests, however slow the machine is.
fn driven_for(peer: std::net::SocketAddr, mix: &str, requests: &str) -> wire::LoadRecord {
    let words = ["--mix", mix, "--requests", requests];
    drive(peer, &[&SHORT[..], &words].concat())
}

fn driven(peer: std::net::SocketAddr, mix: &str) -> wire::LoadRecord {
    driven_for(peer, mix, "60")
}

#[test]
fn an_error_page_shorter_than_the_answers_before_it_is_found_soon() {
    let right = vec![b'x'; 20_000];
    let peer = serve(move |asked, stream| match asked.number {
        0..10 => page(stream, 200, &right),
        _ => page(stream, 500, b"sorry"),
    });
    let mix = requests("soon.json", r#""length_bytes":20000"#);
    let record = driven(peer, &mix);
    assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["wrong-status"]);
    assert!(record.right <= 10, "{} were right", record.right);
    // A busy machine delays some of them, but not most.
    assert!(
        record.response_time_p50_ns < Some(100_000_000),
        "{:?}",
        record.response_time_p50_ns
    );
}

#[test]
fn now_and_then_a_short_answer_is_no_timeout() {
    let right = vec![b'x'; 20_000];
    let peer = serve(move |asked, stream| match asked.number % 100 {
        50 => page(stream, 200, b"stale"),
        _ => page(stream, 200, &right),
    });
    let mix = requests("then.json", r#""length_bytes":20000"#);
    let record = driven_for(peer, &mix, "1000");
    assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["wrong-length"]);
    let share = record.errors["wrong-length"] * 1000 / record.sent;
    assert!(
        (5..=15).contains(&share),
        "{share} in 1000 of {}",
        record.sent
    );
}

#[test]
fn a_short_answer_in_two_pieces_is_found_too() {
    let right = vec![b'x'; 20_000];
    let peer = serve(move |asked, stream| {
        if asked.number < 10 {
            return page(stream, 200, &right);
        }
        stream.set_nodelay(true).expect("an option");
        let first = write(stream, b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab");
        std::thread::sleep(Duration::from_millis(15));
        first && write(stream, b"cd")
    });
    let mix = requests("pieces.json", r#""length_bytes":20000"#);
    let record = driven(peer, &mix);
    assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["wrong-length"]);
}

#[test]
fn answers_longer_than_every_buffer_are_right() {
    let right = vec![b'x'; 300_000];
    let peer = serve(move |_, stream| page(stream, 200, &right));
    for sample in ["0", "1"] {
        let body = super::program::file("long.txt", &vec![b'x'; 300_000]);
        let name = format!("long-{sample}.json");
        let mix = requests(&name, &format!(r#""body":{body:?},"sample":{sample}"#));
        let record = driven(peer, &mix);
        assert!(
            record.right == 60 && record.errors.is_empty(),
            "{:?}",
            record.errors
        );
    }
}

#[test]
fn bytes_behind_a_body_that_is_not_looked_at_are_malformed() {
    let mut bytes = b"HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n".to_vec();
    bytes.resize(bytes.len() + 20_000, b'x');
    let peer = serve(move |asked, stream| {
        let behind: &[u8] = if asked.number < 10 { b"" } else { b"y" };
        write(stream, &[&bytes, behind].concat())
    });
    let mix = requests("behind.json", r#""length_bytes":20000"#);
    let record = driven(peer, &mix);
    assert_eq!(record.errors.keys().collect::<Vec<_>>(), ["malformed"]);
    assert!(record.right <= 10, "{} were right", record.right);
}
