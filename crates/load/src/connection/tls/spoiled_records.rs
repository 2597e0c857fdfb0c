//! Records of a server as they may be spoiled on their way: a session ends in an error or goes on, and what it decrypts
//! is only ever what the server sent.

use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;

use base::random::Random;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection};

use super::{Client, Read, Version};
use crate::spoiled::{change, repeat, timed};

const PAGE: &[u8] = &[b'x'; 3000];

/// No conversation takes more turns.
const MOST_TURNS: usize = 12;

/// How a conversation ended: with the whole page (0), with less of it (1), or with an error (2).
type Outcome = usize;

/// A server's configuration, and a client that trusts it.
fn both(name: &str) -> (Arc<ServerConfig>, Client) {
    let CertifiedKey { cert, signing_key } =
        generate_simple_self_signed(["h2h.test".to_owned()]).expect("a certificate");
    let text = STANDARD.encode(cert.der());
    let pem = format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n");
    let path: PathBuf =
        std::env::temp_dir().join(format!("h2h-load-{}-{name}.pem", std::process::id()));
    std::fs::write(&path, pem).expect("a file");
    let client = Client::new(Some(&path), "h2h.test", true, Version::Http1).expect("a client");
    std::fs::remove_file(path).expect("the file is there");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(
            vec![cert.der().clone()],
            PrivateKeyDer::Pkcs8(signing_key.serialize_der().into()),
        )
        .expect("a certificate and its key");
    (Arc::new(config), client)
}

/// What the server sends in answer to what the client sent; a page once the handshake is done.
fn answer(server: &mut ServerConnection, wire: &mut UnixStream, written: &mut bool) -> Vec<u8> {
    let (mut came, mut sent) = (vec![0; 1 << 16], Vec::new());
    let count = wire.read(&mut came).unwrap_or(0);
    let mut rest = &came[..count];
    while !rest.is_empty() {
        if server.read_tls(&mut rest).is_err() || server.process_new_packets().is_err() {
            break;
        }
    }
    if !server.is_handshaking() && !*written {
        *written = true;
        server.writer().write_all(PAGE).expect("room for a page");
    }
    while server.wants_write() {
        let _ = server.write_tls(&mut sent).expect("a vector has room");
    }
    sent
}

/// One conversation; `spoil` may change what the server sends in each turn.
fn converse(
    config: &Arc<ServerConfig>,
    client: &Client,
    mut spoil: impl FnMut(usize, &mut Vec<u8>),
) -> Outcome {
    let (ours, mut wire) = UnixStream::pair().expect("two sockets");
    for each in [&ours, &wire] {
        each.set_nonblocking(true)
            .expect("a socket that does not wait");
    }
    let socket = OwnedFd::from(ours);
    let mut server = ServerConnection::new(Arc::clone(config)).expect("a session");
    let mut session = client.session().expect("a session");
    let (mut ready, mut written, mut page) = (false, false, Vec::new());
    for turn in 0..MOST_TURNS {
        if !ready {
            match session.shake_hands(&socket) {
                Ok(done) => ready = done.is_some(),
                Err(_) => return 2,
            }
        }
        if ready {
            let mut buffer = [0; 1024];
            loop {
                match session.read(&socket, &mut buffer) {
                    Ok(Read::Bytes(count)) => page.extend_from_slice(&buffer[..count]),
                    Ok(Read::Nothing) => break,
                    Ok(Read::End) => return usize::from(page.len() < PAGE.len()),
                    Err(_) => return 2,
                }
                assert!(PAGE.starts_with(&page), "bytes that the server never sent");
            }
            if session.flush(&socket).is_err() {
                return 2;
            }
        }
        let mut sent = answer(&mut server, &mut wire, &mut written);
        spoil(turn, &mut sent);
        let _ = wire.write(&sent);
    }
    usize::from(page.len() < PAGE.len())
}

#[test]
fn what_is_not_spoiled_arrives_whole() {
    let (config, client) = both("whole");
    for _ in 0..3 {
        assert_eq!(converse(&config, &client, |_, _| {}), 0);
    }
}

#[test]
fn spoiled_records_neither_crash_nor_hang_nor_pass_as_sent() {
    let (config, client) = both("spoiled");
    let mut kinds = [0_u32; 3];
    // Record heads: a handshake, an alert, data, one that is too long, and one that is empty.
    let tokens: [&[u8]; 5] = [
        b"\x16\x03\x03\0\x04",
        b"\x15\x03\x03\0\x02\x02\x28",
        b"\x17\x03\x03\0\x10",
        b"\x17\x03\x03\xff\xff",
        b"\x17\x03\x03\0\0",
    ];
    let earlier = std::cell::RefCell::new(vec![vec![0x16, 3, 3, 0, 1, 2]]);
    repeat("TLS records", 500, |random: &mut Random, number| {
        let spoiled = random.below(4);
        let (took_ns, kind) = timed(|| {
            converse(&config, &client, |turn, sent| {
                if turn == spoiled && !sent.is_empty() {
                    let before = sent.clone();
                    for _ in 0..=number % 3 {
                        change(random, sent, &tokens, &earlier.borrow());
                    }
                    let mut earlier = earlier.borrow_mut();
                    if earlier.len() < 20 {
                        earlier.push(before);
                    }
                }
            })
        });
        kinds[kind] += 1;
        took_ns
    });
    assert!(
        kinds.iter().all(|&count| count > 10),
        "chance has met every kind: {kinds:?}"
    );
}
