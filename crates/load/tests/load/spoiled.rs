//! Small servers that are wrong on purpose: a thread for each connection, and a closure that answers.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// One request as the server got it.
pub struct Asked<'a> {
    /// Its number among all requests, from 0.
    pub number: u64,
    /// Its number on its connection, from 0.
    pub on_connection: u64,
    /// The path asked for.
    pub path: &'a str,
    /// Whether the client has said that it will ask no more on this connection.
    pub last: bool,
}

/// Starts a server on a free port. `answer` writes whatever it likes and says whether the connection stays open.
/// The server lives as long as the test process.
pub fn serve(
    answer: impl Fn(&Asked, &mut TcpStream) -> bool + Send + Sync + 'static,
) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let (answer, count) = (Arc::new(answer), Arc::new(AtomicU64::new(0)));
    let _ = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (answer, count) = (Arc::clone(&answer), Arc::clone(&count));
            let _ = thread::spawn(move || talk(stream, &*answer, &count));
        }
    });
    peer
}

fn talk(mut stream: TcpStream, answer: &dyn Fn(&Asked, &mut TcpStream) -> bool, count: &AtomicU64) {
    let mut lines = BufReader::new(stream.try_clone().expect("a clone"));
    for on_connection in 0.. {
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            // The client has gone: nothing is left to be tested here.
            if lines.read_line(&mut request).unwrap_or(0) == 0 {
                return;
            }
        }
        let path = request.split(' ').nth(1).unwrap_or_default();
        let number = count.fetch_add(1, Ordering::Relaxed);
        if !answer(
            &Asked {
                number,
                on_connection,
                path,
                last: request.contains("\r\nConnection: close\r\n"),
            },
            &mut stream,
        ) {
            return;
        }
    }
}

/// Writes bytes; true, unless the client has gone.
pub fn write(stream: &mut TcpStream, bytes: &[u8]) -> bool {
    stream.write_all(bytes).is_ok()
}

/// Writes a whole response with this status and body.
pub fn page(stream: &mut TcpStream, status: u16, body: &[u8]) -> bool {
    let head = format!(
        "HTTP/1.1 {status} x\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    write(stream, &[head.as_bytes(), body].concat())
}
