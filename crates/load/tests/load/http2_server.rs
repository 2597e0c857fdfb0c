//! A small server of HTTP/2 behind TLS, frame by frame, so that it may be wrong on purpose.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use rustls::{ServerConnection, Stream};
use wire::LoadRecord;

use super::program::{output, record};
use super::tls_server::{Secure, VERSIONS, prepared};

/// Kinds of frame (RFC 9113, section 6).
pub const DATA: u8 = 0;
/// The head of a request or a response.
pub const HEADERS: u8 = 1;
/// The end of a stream, before its time.
pub const RST_STREAM: u8 = 3;
/// What the other side may do.
pub const SETTINGS: u8 = 4;
/// To be answered.
pub const PING: u8 = 6;
/// The end of a connection.
pub const GOAWAY: u8 = 7;
/// Room for more bytes.
pub const WINDOW_UPDATE: u8 = 8;
/// More of a head.
pub const CONTINUATION: u8 = 9;

/// Flags: the last frame of a stream, or an acknowledgment.
pub const END: u8 = 1;
/// The last frame of a head.
pub const END_HEADERS: u8 = 4;

/// The head of a response with status 200, in HPACK.
pub const OK: &[u8] = &[0x88];

/// No frame has more bytes unless both sides agree.
const FRAME_BYTES: usize = 16_384;

const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A frame.
pub struct Frame {
    /// Its kind.
    pub kind: u8,
    /// Its flags.
    pub flags: u8,
    /// The stream that it belongs to; 0 for the connection.
    pub stream: u32,
    /// What it holds.
    pub payload: Vec<u8>,
}

/// A connection whose handshake is done, and whose client has begun to speak HTTP/2.
pub struct Frames {
    tls: ServerConnection,
    socket: TcpStream,
    /// How many bytes the client takes, on each stream and (0) in all.
    rooms: BTreeMap<u32, i64>,
}

impl Frames {
    /// The next frame; `None` once the client has gone.
    pub fn next(&mut self) -> Option<Frame> {
        let mut head = [0; 9];
        self.talk().read_exact(&mut head).ok()?;
        let length = u32::from_be_bytes([0, head[0], head[1], head[2]]);
        let mut payload = vec![0; usize::try_from(length).expect("a length")];
        self.talk().read_exact(&mut payload).ok()?;
        let frame = Frame {
            kind: head[3],
            flags: head[4],
            stream: number(&head[5..]) & 0x7fff_ffff,
            payload,
        };
        match (frame.kind, frame.flags & END) {
            (SETTINGS, 0) => {
                for each in frame.payload.chunks_exact(6).filter(|each| each[1] == 4) {
                    let _ = self.rooms.insert(u32::MAX, number(&each[2..]).into());
                }
                let _ = self.send(SETTINGS, END, 0, &[]);
            }
            (WINDOW_UPDATE, _) => *self.room(frame.stream) += i64::from(number(&frame.payload)),
            _ => {}
        }
        Some(frame)
    }

    /// The stream of the next request that has come whole; `None` once the client has gone.
    pub fn request(&mut self) -> Option<u32> {
        loop {
            let frame = self.next()?;
            if matches!(frame.kind, HEADERS | DATA) && frame.flags & END == END {
                return Some(frame.stream);
            }
        }
    }

    /// Sends a frame; whether the client is still there.
    pub fn send(&mut self, kind: u8, flags: u8, stream: u32, payload: &[u8]) -> bool {
        let length = u32::try_from(payload.len()).expect("a length");
        let mut bytes = length.to_be_bytes()[1..].to_vec();
        bytes.extend([kind, flags]);
        bytes.extend(stream.to_be_bytes());
        bytes.extend(payload);
        self.write(&bytes)
    }

    /// Sends bytes as they are; whether the client is still there.
    pub fn write(&mut self, bytes: &[u8]) -> bool {
        self.talk().write_all(bytes).is_ok() && self.talk().flush().is_ok()
    }

    /// Sends a whole response; whether the client is still there.
    pub fn respond(&mut self, stream: u32, body: &[u8]) -> bool {
        let end = if body.is_empty() { END } else { 0 };
        if !self.send(HEADERS, END_HEADERS | end, stream, OK) {
            return false;
        }
        let last = body.len().div_ceil(FRAME_BYTES);
        (1..)
            .zip(body.chunks(FRAME_BYTES))
            .all(|(place, part)| self.data(stream, if place == last { END } else { 0 }, part))
    }

    /// Sends bytes of a body as soon as the client takes them; whether it is still there.
    pub fn data(&mut self, stream: u32, flags: u8, part: &[u8]) -> bool {
        let bytes = i64::try_from(part.len()).expect("a length");
        while *self.room(0) < bytes || *self.room(stream) < bytes {
            if self.next().is_none() {
                return false;
            }
        }
        *self.room(0) -= bytes;
        *self.room(stream) -= bytes;
        self.send(DATA, flags, stream, part)
    }

    /// Reads what comes until the client goes.
    pub fn listen(&mut self) {
        while self.next().is_some() {}
    }

    fn room(&mut self, stream: u32) -> &mut i64 {
        let first = *self.rooms.get(&u32::MAX).unwrap_or(&65_535);
        let first = if stream == 0 { 65_535 } else { first };
        self.rooms.entry(stream).or_insert(first)
    }

    fn talk(&mut self) -> Stream<'_, ServerConnection, TcpStream> {
        Stream::new(&mut self.tls, &mut self.socket)
    }
}

fn number(bytes: &[u8]) -> u32 {
    u32::from_be_bytes(bytes[..4].try_into().expect("four bytes"))
}

/// Starts a server that runs as long as the test process, and agrees to these protocols. `talk` has each connection.
pub fn serve(protocols: &[&[u8]], talk: impl Fn(&mut Frames) + Send + Sync + 'static) -> Secure {
    let (listener, server, mut config) = prepared("localhost", &VERSIONS);
    config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
    let (config, talk, full) = (Arc::new(config), Arc::new(talk), Arc::clone(&server.full));
    let _ = thread::spawn(move || {
        for socket in listener.incoming().flatten() {
            let (config, talk, full) = (Arc::clone(&config), Arc::clone(&talk), Arc::clone(&full));
            let _ = thread::spawn(move || {
                let tls = ServerConnection::new(config).expect("a session");
                let rooms = BTreeMap::new();
                let _ = socket.set_nodelay(true);
                let mut frames = Frames { tls, socket, rooms };
                let mut preface = [0; PREFACE.len()];
                if frames.talk().read_exact(&mut preface).is_ok() {
                    assert_eq!(preface, PREFACE);
                    let _ = full.fetch_add(1, Ordering::Relaxed);
                    let _ = frames.send(SETTINGS, 0, 0, &[]);
                    talk(&mut frames);
                }
            });
        }
    });
    server
}

/// A server that agrees to HTTP/2 and responds to every request with this body.
pub fn pages(body: &[u8]) -> Secure {
    let body = body.to_vec();
    serve(&[b"h2"], move |frames| {
        while let Some(stream) = frames.request() {
            if !frames.respond(stream, &body) {
                return;
            }
        }
    })
}

/// Drives a server over HTTP/2 with these words too.
pub fn drive(server: &Secure, words: &[&str]) -> LoadRecord {
    let url = format!("https://localhost:{}/page", server.peer.port());
    let ca = server.ca.to_str().expect("a path");
    let own = [
        "http",
        "--http",
        "2",
        "--json",
        "-",
        "--ca",
        ca,
        "--warm-up",
        "0s",
    ];
    record(&output(&[&own[..], words, &[&url]].concat()))
}
