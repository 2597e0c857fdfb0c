//! A small server behind TLS, with a certificate made for the test, that may be wrong on purpose.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{
    HandshakeKind, ServerConfig, ServerConnection, Stream, SupportedProtocolVersion, version,
};

use super::program::file;

/// TLS 1.3 and 1.2.
pub const VERSIONS: [&SupportedProtocolVersion; 2] = [&version::TLS13, &version::TLS12];

/// A connection whose handshake is done.
pub type Talk<'a> = Stream<'a, ServerConnection, TcpStream>;

/// A server that runs as long as the test process.
pub struct Secure {
    /// The address on which it listens.
    pub peer: SocketAddr,
    /// Its certificate, as a PEM file.
    pub ca: PathBuf,
    /// Full handshakes so far.
    pub full: Arc<AtomicU64>,
    /// Resumed ones.
    pub resumed: Arc<AtomicU64>,
}

/// Starts a server whose certificate is for `name`. `answer` gets each request's path, writes whatever it likes, and says
/// whether the connection stays open.
pub fn serve(
    name: &str,
    versions: &[&'static SupportedProtocolVersion],
    answer: impl Fn(&str, &mut Talk) -> bool + Send + Sync + 'static,
) -> Secure {
    serve_with_tickets(2, name, versions, answer)
}

/// The same, with this many tickets after each handshake of TLS 1.3.
pub fn serve_with_tickets(
    number: usize,
    name: &str,
    versions: &[&'static SupportedProtocolVersion],
    answer: impl Fn(&str, &mut Talk) -> bool + Send + Sync + 'static,
) -> Secure {
    let (listener, server, mut config) = prepared(name, versions);
    config.send_tls13_tickets = number;
    config.ticketer = ring::Ticketer::new().expect("a ticketer");
    let (config, answer) = (Arc::new(config), Arc::new(answer));
    let counts = (Arc::clone(&server.full), Arc::clone(&server.resumed));
    let _ = thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (config, answer) = (Arc::clone(&config), Arc::clone(&answer));
            let counts = counts.clone();
            let _ = thread::spawn(move || {
                let tls = ServerConnection::new(config).expect("a session");
                talk(tls, stream, &*answer, (&counts.0, &counts.1));
            });
        }
    });
    server
}

/// What a server is made of: where it listens, what is known of it, and its certificate and key.
pub fn prepared(
    name: &str,
    versions: &[&'static SupportedProtocolVersion],
) -> (TcpListener, Secure, ServerConfig) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed([name.to_owned()]).expect("a certificate");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let peer = listener.local_addr().expect("an address");
    let text = STANDARD.encode(cert.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    let server = Secure {
        peer,
        ca: file(&format!("ca-{}.pem", peer.port()), pem.as_bytes()),
        full: Arc::default(),
        resumed: Arc::default(),
    };
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(versions)
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(
            vec![cert.der().clone()],
            PrivateKeyDer::Pkcs8(signing_key.serialize_der().into()),
        )
        .expect("a certificate and its key");
    (listener, server, config)
}

/// Answers until the client goes, or `answer` wants no more: then the client is told so, as is right.
fn talk(
    mut tls: ServerConnection,
    mut socket: TcpStream,
    answer: &dyn Fn(&str, &mut Talk) -> bool,
    (full, resumed): (&AtomicU64, &AtomicU64),
) {
    while tls.is_handshaking() {
        if tls.complete_io(&mut socket).is_err() {
            return;
        }
    }
    let count = match tls.handshake_kind() {
        Some(HandshakeKind::Resumed) => resumed,
        _ => full,
    };
    let _ = count.fetch_add(1, Ordering::Relaxed);
    loop {
        let mut request = String::new();
        while !request.ends_with("\r\n\r\n") {
            let mut lines = BufReader::with_capacity(1, Stream::new(&mut tls, &mut socket));
            if lines.read_line(&mut request).unwrap_or(0) == 0 {
                return;
            }
        }
        let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
        if !answer(&path, &mut Stream::new(&mut tls, &mut socket)) {
            tls.send_close_notify();
            let _ = tls.write_tls(&mut socket);
            return;
        }
        if request.contains("Connection: close") {
            return;
        }
    }
}

/// Writes a whole response with this body.
pub fn page(talk: &mut Talk, body: &[u8]) -> bool {
    let head = format!("HTTP/1.1 200 x\r\nContent-Length: {}\r\n\r\n", body.len());
    talk.write_all(&[head.as_bytes(), body].concat()).is_ok() && talk.flush().is_ok()
}
