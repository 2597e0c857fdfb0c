//! A server may end a connection between two requests; that is no error.

use super::program::drive;
use super::spoiled::{page, serve, write};

/// Two users for so many requests, however slow the machine is.
const SHORT: [&str; 6] = ["--connections", "2", "--warm-up", "0s", "--requests", "90"];

#[test]
fn a_connection_closed_between_requests_is_opened_again_and_the_request_sent_once_more() {
    // Closes after its third response without notice.
    let peer = serve(|asked, stream| page(stream, 200, b"x") && asked.on_connection < 2);
    let record = drive(peer, &SHORT);
    assert!(
        record.right > 10 && record.errors.is_empty(),
        "{} right, {:?}",
        record.right,
        record.errors
    );
    let due = record.right / 3;
    let reconnects = record.reconnects.expect("a count");
    assert!(
        reconnects.abs_diff(due) <= 3,
        "{reconnects} reconnects for {} answers",
        record.right
    );
}

#[test]
fn a_connection_closed_with_notice_is_opened_again() {
    let peer = serve(|_, stream| {
        let _ = write(
            stream,
            b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx",
        );
        false
    });
    let record = drive(peer, &SHORT);
    assert!(
        record.right > 10 && record.errors.is_empty(),
        "{} right, {:?}",
        record.right,
        record.errors
    );
    assert_eq!(record.reconnects, Some(record.right));
}

#[test]
fn a_request_is_not_sent_a_third_time() {
    // The first connection carries responses; every later one is closed at the first request.
    let peer = serve(|asked, stream| asked.number < 5 && page(stream, 200, b"x"));
    let record = drive(
        peer,
        &["--connections", "1", "--warm-up", "0s", "--requests", "15"],
    );
    assert_eq!((record.right, record.reconnects), (5, Some(1)));
    assert_eq!(record.errors.get("closed"), Some(&10));
}
