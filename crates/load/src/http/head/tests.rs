//! Heads, right and wrong.

use super::{Coding, Framing, Head, end, may_begin, parse};
use crate::http::Malformed;

fn head(text: &str) -> Result<Head, Malformed> {
    parse(format!("{text}\r\n\r\n").as_bytes())
}

#[test]
fn the_length_is_read_whatever_the_case_of_the_name() {
    let read = head("HTTP/1.1 200 OK\r\nCONTENT-length:  42 ").expect("a head");
    assert_eq!(
        read,
        Head {
            status: 200,
            framing: Framing::Length(42),
            keep_alive: true,
            coding: Coding::Plain,
        }
    );
}

#[test]
fn a_reason_may_be_missing_and_lines_may_end_without_a_carriage_return() {
    assert_eq!(
        parse(b"HTTP/1.1 404\nContent-Length: 0\n\n")
            .expect("a head")
            .status,
        404
    );
    assert_eq!(end(b"HTTP/1.1 404\nA: b\n\nbody", 0), Some(19));
}

#[test]
fn chunks_are_the_one_transfer_coding() {
    let read = head("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked").expect("a head");
    assert_eq!(read.framing, Framing::Chunked);
    for text in [
        "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked",
    ] {
        assert_eq!(head(text), Err(Malformed), "{text:?}");
    }
}

#[test]
fn the_coding_of_the_body_is_read() {
    for (text, coding) in [
        ("gzip", Coding::Gzip),
        ("X-GZIP", Coding::Gzip),
        ("identity, gzip", Coding::Gzip),
        ("identity", Coding::Plain),
        ("", Coding::Plain),
        ("br", Coding::Other),
        ("gzip, gzip", Coding::Other),
        ("gzip\r\nContent-Encoding: deflate", Coding::Other),
    ] {
        let read = head(&format!("HTTP/1.1 200 OK\r\nContent-Encoding: {text}"));
        assert_eq!(read.expect("a head").coding, coding, "{text:?}");
    }
}

#[test]
fn without_a_length_the_body_ends_with_the_connection() {
    let read = head("HTTP/1.1 200 OK\r\nConnection: keep-alive").expect("a head");
    assert_eq!(
        (read.framing, read.keep_alive),
        (Framing::UntilClose, false)
    );
}

#[test]
fn no_content_and_not_modified_have_no_body() {
    for status in [204, 304] {
        let read = head(&format!("HTTP/1.1 {status} x\r\nContent-Length: 7")).expect("a head");
        assert_eq!(read.framing, Framing::Length(0));
    }
}

#[test]
fn the_connection_stays_open_unless_the_server_says_otherwise() {
    for (text, keeps) in [
        ("HTTP/1.1 200 OK\r\nContent-Length: 0", true),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: Close",
            false,
        ),
        ("HTTP/1.0 200 OK\r\nContent-Length: 0", false),
        (
            "HTTP/1.0 200 OK\r\nContent-Length: 0\r\nConnection: x, Keep-Alive",
            true,
        ),
    ] {
        assert_eq!(head(text).expect("a head").keep_alive, keeps, "{text}");
    }
}

#[test]
fn what_is_no_head_is_malformed() {
    for text in [
        "",
        "HTTP/2 200 OK",
        "HTTP/1.1  200",
        "HTTP/1.1 20",
        "HTTP/1.1 2000 OK",
        "HTTP/1.1 099 x",
        "HTTP/1.1 abc",
        "HTTP/1.1 200 OK\r\nno colon",
        "HTTP/1.1 200 OK\r\n: no name",
        "HTTP/1.1 200 OK\r\nA : space",
        "HTTP/1.1 200 OK\r\nA: b\r\n folded: line",
        "HTTP/1.1 200 OK\r\nContent-Length: -1",
        "HTTP/1.1 200 OK\r\nContent-Length: +1",
        "HTTP/1.1 200 OK\r\nContent-Length: 1, 1",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1",
        "HTTP/1.1 200 OK\r\nA: b\rc",
        "HTTP/1.1 200 OK\r\nA: b\r",
        "HTTP/1.1 200 OK\r\nA: \0",
        "HTTP/1.1 200 O\0K",
        "HTTP/1.1 200 OK\r\nContent-Length:",
        "HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551616",
    ] {
        assert_eq!(head(text), Err(Malformed), "{text:?}");
    }
}

#[test]
fn garbage_is_known_by_its_first_bytes() {
    assert!(may_begin(b"") && may_begin(b"HTT") && may_begin(b"HTTP/1.1 2"));
    assert!(!may_begin(b"S") && !may_begin(b"HTTP/2"));
}
