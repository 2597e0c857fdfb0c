//! The least server, asked by hand.

use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::program::{Respond, drive, drive_at, file, in_one_of_five, output};
use super::scratch::scratch;

/// Sends `request` and gives everything that comes until the server closes.
fn ask(peer: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(peer).expect("a connection");
    stream.write_all(request).expect("it takes the request");
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).expect("an answer");
    answer
}

fn get(peer: SocketAddr, path: &str) -> String {
    let answer = ask(
        peer,
        format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes(),
    );
    String::from_utf8(answer).expect("text")
}

fn folder() -> PathBuf {
    let inside = file("pages/inside/deep.html", b"deep");
    let _ = file("pages/one.html", b"first");
    let _ = file("pages/two.bin", b"second");
    let _ = file("secret.txt", b"secret");
    let folder = inside
        .parent()
        .and_then(|inside| inside.parent())
        .expect("a folder")
        .to_path_buf();
    let link = folder.join("link.txt");
    if !link.is_symlink() {
        std::os::unix::fs::symlink("../secret.txt", link).expect("a link");
    }
    folder
}

#[test]
fn one_page_is_served_and_everything_else_is_not_found() {
    let body = file("page.html", b"<p>hello");
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    assert_eq!(
        get(server.peer, "/article.html"),
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 8\r\n\r\n<p>hello"
    );
    for path in [
        "/",
        "/page.html",
        "/article.html?a=1",
        "/article.html/",
        "//article.html",
    ] {
        assert_eq!(
            get(server.peer, path),
            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            "{path}"
        );
    }
}

#[test]
fn another_address_is_listened_on_and_connected_to_under_the_urls_host() {
    let body = file("elsewhere.html", b"<p>hello");
    let body = body.to_str().expect("a path");
    let words = [
        "http",
        "--connections",
        "1",
        "--warm-up",
        "0s",
        "--requests",
    ];
    // A server of another test may have the same port at 127.0.0.1.
    in_one_of_five(|| {
        let server = Respond::start(&["--body", body, "--address", "127.0.0.2"]);
        let port = server.peer.port();
        assert_eq!(server.peer.to_string(), format!("127.0.0.2:{port}"));
        let url = format!("http://localhost:{port}/article.html");
        let told = output(&[&words[..], &["5", "--json", "-", &url]].concat());
        if told.status.success() {
            return Err(format!("somebody listens on 127.0.0.1:{port}"));
        }
        let there = ["5", "--json", "-", "--connect", "127.0.0.2", &url];
        let told = output(&[&words[..], &there].concat());
        let text = String::from_utf8_lossy(&told.stdout);
        assert!(text.contains(r#""right":5"#), "{text}");
        Ok(())
    });
}

#[test]
fn a_folder_is_served_and_nothing_outside_of_it() {
    let server = Respond::start(&["--directory", folder().to_str().expect("a path")]);
    assert!(get(server.peer, "/one.html").ends_with("\r\n\r\nfirst"));
    assert!(get(server.peer, "/two.bin").contains("application/octet-stream"));
    assert!(get(server.peer, "/inside/deep.html").ends_with("\r\n\r\ndeep"));
    for path in [
        "/../secret.txt",
        "/link.txt",
        "/inside",
        "/%6fne.html",
        "/etc/passwd",
    ] {
        assert!(get(server.peer, path).starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn twenty_pages_are_asked_by_weight_and_all_are_right() {
    let pages: Vec<String> = (0..20)
        .map(|number| format!("twenty/page-{number}.html"))
        .collect();
    let mut lines = Vec::new();
    for (number, name) in pages.iter().enumerate() {
        let path = file(name, name.repeat(number * 300).as_bytes());
        lines.push(format!(r#"{{"name":"p{number}","weight":{},"path":"/page-{number}.html","body":{path:?},"sample":1}}"#, number + 1));
    }
    let mix = file(
        "twenty.json",
        format!(r#"{{"requests":[{}]}}"#, lines.join(",")).as_bytes(),
    );
    let directory = scratch().join("twenty");
    let server = Respond::start(&["--directory", directory.to_str().expect("a path")]);
    let words = [
        "--connections",
        "4",
        "--warm-up",
        "0s",
        "--requests",
        "200",
        "--mix",
        mix.to_str().expect("a path"),
    ];
    let record = drive(server.peer, &words);
    assert!(
        record.right == 200 && record.errors.is_empty(),
        "{} right, {:?}",
        record.right,
        record.errors
    );
}

#[test]
fn a_connection_is_kept_and_a_request_may_come_in_pieces() {
    let body = file("kept.html", b"abc");
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    let mut stream = TcpStream::connect(server.peer).expect("a connection");
    stream.set_nodelay(true).expect("an option");
    let mut answer = [0; 66];
    for _ in 0..3 {
        for piece in ["GET /art", "icle.html HTTP/1.1\r\nHo", "st: x\r\n\r", "\n"] {
            stream
                .write_all(piece.as_bytes())
                .expect("it takes the request");
            thread::sleep(Duration::from_millis(5));
        }
        stream.read_exact(&mut answer).expect("an answer");
        assert!(
            answer.ends_with(b"\r\n\r\nabc"),
            "{}",
            String::from_utf8_lossy(&answer)
        );
    }
    stream
        .shutdown(Shutdown::Write)
        .expect("an open connection");
    assert_eq!(stream.read(&mut answer).expect("the end"), 0);
}

#[test]
fn a_client_that_reads_slowly_gets_a_big_page_whole() {
    let content: Vec<u8> = (0..8_000_000_u32)
        .map(|number| number.to_le_bytes()[0])
        .collect();
    let body = file("big.html", &content);
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    let mut slow = TcpStream::connect(server.peer).expect("a connection");
    slow.write_all(b"GET /article.html HTTP/1.1\r\nConnection: close\r\n\r\n")
        .expect("it takes the request");
    thread::sleep(Duration::from_millis(100));
    assert!(
        get(server.peer, "/").starts_with("HTTP/1.1 404"),
        "others are served meanwhile"
    );
    let mut answer = Vec::new();
    let _ = slow.read_to_end(&mut answer).expect("an answer");
    assert!(answer.ends_with(&content));
    let words = ["--connections", "3", "--warm-up", "0s", "--requests", "9"];
    assert_eq!(drive_at(server.peer, "/article.html", &words).right, 9);
}

#[test]
fn other_methods_and_garbage_are_refused() {
    let body = file("refuse.html", b"abc");
    let server = Respond::start(&["--body", body.to_str().expect("a path")]);
    for (request, answer) in [
        (
            b"POST /article.html HTTP/1.1\r\n\r\n".to_vec(),
            "HTTP/1.1 405",
        ),
        (b"garbage\r\n\r\n".to_vec(), "HTTP/1.1 400"),
        (vec![b'x'; 8192], "HTTP/1.1 400"),
        (
            b"GET /article.html HTTP/1.0\r\n\r\n".to_vec(),
            "HTTP/1.1 200",
        ),
    ] {
        let text = String::from_utf8(ask(server.peer, &request)).expect("text");
        assert!(text.starts_with(answer), "{text}");
    }
}

#[test]
fn a_port_that_is_taken_is_said_to_be_taken() {
    let body = file("taken.html", b"abc");
    let body = body.to_str().expect("a path");
    let server = Respond::start(&["--body", body]);
    let output = output(&[
        "respond",
        "--port",
        &server.peer.port().to_string(),
        "--body",
        body,
    ]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("of 127.0.0.1: Address already in use")
    );
}

#[test]
fn an_empty_folder_is_refused() {
    let empty = scratch().join("empty");
    fs::create_dir_all(&empty).expect("a folder");
    let output = output(&[
        "respond",
        "--port",
        "0",
        "--directory",
        empty.to_str().expect("a path"),
    ]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("it has no plain file"));
}
