//! One request by hand, over both versions of HTTP.

use std::io::Write as _;
use std::process::{Output, Stdio};

use super::http2_server::{END_HEADERS, HEADERS, OK, pages, serve};
use super::program::{Respond, file, program};
use super::tls_server::Secure;

const TEXT: &str = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// What the program does with this text on standard input.
fn request(text: &str, words: &[&str]) -> Output {
    let mut command = program(&[&["request", "--timeout", "5s"], words].concat());
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = piped.stderr(Stdio::piped()).spawn().expect("the program");
    let mut input = child.stdin.take().expect("its input");
    // One that refuses its options does not read.
    let _ = input.write_all(text.as_bytes());
    drop(input);
    child.wait_with_output().expect("its end")
}

fn over_http2(server: &Secure, text: &str) -> Output {
    let url = format!("https://localhost:{}/", server.peer.port());
    let ca = server.ca.to_str().expect("a path");
    request(text, &["--http", "2", "--ca", ca, &url])
}

fn complaint(ended: &Output) -> String {
    String::from_utf8_lossy(&ended.stderr).into_owned()
}

#[test]
fn a_response_over_http_2_is_printed_as_http_1_writes_it() {
    let body = vec![b'x'; 100_000];
    let ended = over_http2(&pages(&body), TEXT);
    assert_eq!(ended.status.code(), Some(0), "{}", complaint(&ended));
    let head = b"HTTP/1.1 200\r\n\r\n";
    assert!(ended.stdout.starts_with(head));
    assert_eq!(ended.stdout[head.len()..], body);
}

#[test]
fn a_response_over_http_1_is_printed_as_it_came() {
    let body = file("request.html", b"hello").display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    let url = format!("http://{}/", respond.peer);
    let ended = request(TEXT, &[&url]);
    assert_eq!(ended.status.code(), Some(0), "{}", complaint(&ended));
    assert!(ended.stdout.starts_with(b"HTTP/1.1 200 OK\r\n"));
    assert!(ended.stdout.ends_with(b"\r\n\r\nhello"));
}

#[test]
fn a_response_without_end_is_kept_in_part() {
    let long = vec![b'x'; 66 << 20];
    let body = file("long.html", &long).display().to_string();
    let respond = Respond::start(&["--body", &body, "--path", "/page"]);
    let url = format!("http://{}/", respond.peer);
    let ended = request(TEXT, &[&url]);
    assert!(
        (64 << 20..65 << 20).contains(&ended.stdout.len()),
        "{}",
        ended.stdout.len()
    );
}

#[test]
fn a_server_that_may_respond_later_is_another_failure_than_one_that_does_not_fit() {
    let absent = request(TEXT, &["http://127.0.0.1:1/"]);
    assert_eq!(absent.status.code(), Some(3));
    assert!(complaint(&absent).contains("no connection to 127.0.0.1:1: Connection refused."));

    let half = serve(&[b"h2"], |frames| {
        let stream = frames.request().unwrap_or_default();
        let _ = frames.send(HEADERS, END_HEADERS, stream, OK);
    });
    let cut = over_http2(&half, TEXT);
    assert_eq!(cut.status.code(), Some(3), "{}", complaint(&cut));
    assert!(complaint(&cut).contains("no whole response from localhost"));
    assert!(cut.stdout.is_empty());

    let old = serve(&[b"http/1.1"], |_| {});
    let refused = over_http2(&old, TEXT);
    assert_eq!(refused.status.code(), Some(1));
    assert!(complaint(&refused).contains("no HTTP/2 from localhost"));
}

#[test]
fn what_is_no_request_is_refused() {
    for text in ["", "GET /page HTTP/1.1\r\n\r\n", "GET /page\n\n"] {
        let ended = request(text, &["http://127.0.0.1:1/"]);
        assert_eq!(ended.status.code(), Some(2), "{text:?}");
        assert!(complaint(&ended).contains("no request"));
    }
}
