//! TLS over one connection's socket (rustls): the handshake in steps, as the socket lets it go on, then bytes in and
//! out. Nothing here ever waits, and no socket is read without an event's having come or the read before's having been
//! full.

mod decrypting;
mod first_handshake;
#[cfg(test)]
mod spoiled_records;
mod tickets;
mod trust;
mod version;

use std::cell::RefCell;
use std::fmt;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use base::error::Error;
use rustix::io::Errno;
use rustls::client::Resumption;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, ClientConnection, HandshakeKind};

use crate::connection::socket;
use crate::tally::fault::Fault;

pub use version::Version;

/// What comes is taken from the socket in pieces of at most this: three of the articles' 18.8 KB pages, encrypted.
const PIECE_BYTES: usize = 64 * 1024;

/// A server that sends more than this without a byte of a response (tickets, say) would have a thread for itself.
const FRUITLESS_BYTES: usize = 1 << 20;

thread_local! {
    /// Where encrypted bytes are read into; its content has no meaning between two reads.
    static PIECE: RefCell<Box<[u8]>> = RefCell::new(vec![0; PIECE_BYTES].into_boxed_slice());
}

/// The handshake of a connection that needs one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Handshake {
    /// With the certificate and its signature.
    Full,
    /// Upon an earlier one's ticket.
    Resumed,
}

/// What a read brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// This many bytes of the buffer are filled. If there is room left, nothing more had come.
    Bytes(usize),
    /// Nothing has come; an event reports when something has.
    Nothing,
    /// The server has closed its side.
    End,
}

/// What all encrypted connections to one server have in thread.
#[derive(Clone)]
pub struct Client {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
    resumes: bool,
    version: Version,
}

impl fmt::Debug for Client {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "TLS to {:?}", self.name)
    }
}

impl Client {
    /// Trusts what the certificates in `ca`, a PEM file, or those of the system have signed for `name`. With `resumes`, later handshakes use
    /// the tickets of earlier ones.
    ///
    /// # Errors
    /// The file, or the system, has no certificate, or `name` is not a name: a usage error.
    pub fn new(
        ca: Option<&Path>,
        name: &str,
        resumes: bool,
        version: Version,
    ) -> Result<Self, Error> {
        let name = ServerName::try_from(name.to_owned()).map_err(|error| {
            let remedy = "Write a name or an address, as the certificate has it.";
            Error::usage(format!("the host {name}"), error.to_string(), remedy)
        })?;
        let config = Arc::new(trust::config(ca, version)?);
        let client = Self {
            config,
            name,
            resumes,
            version,
        };
        Ok(client.for_thread())
    }

    /// The same for one thread, with tickets of its own, so that threads share nothing.
    pub fn for_thread(&self) -> Self {
        let mut config = ClientConfig::clone(&self.config);
        config.resumption = if self.resumes {
            Resumption::store(Arc::new(tickets::Tickets::default()))
        } else {
            Resumption::disabled()
        };
        Self {
            config: Arc::new(config),
            ..self.clone()
        }
    }

    /// A session that has not started its handshake.
    ///
    /// # Errors
    /// The system has no random numbers.
    pub fn session(&self) -> Result<Session, Fault> {
        let tls = ClientConnection::new(Arc::clone(&self.config), self.name.clone())
            .map_err(|_| Fault::Tls)?;
        Ok(Session {
            tls,
            version: self.version,
            kept: Vec::new(),
            used: 0,
            ended: false,
            fruitless_bytes: 0,
        })
    }
}

/// One connection's session.
#[derive(Debug)]
pub struct Session {
    tls: ClientConnection,
    version: Version,
    /// Encrypted bytes whose plaintext did not fit into the reader's buffer, and how many of them have been decrypted.
    kept: Vec<u8>,
    used: usize,
    /// Whether the server has closed its side.
    ended: bool,
    /// What has come since the last byte of a response.
    fruitless_bytes: usize,
}

impl Session {
    /// Goes on with the handshake as far as it can; what it was once it is done. Our last message is sent with what is
    /// written first.
    ///
    /// # Errors
    /// The certificate is not trusted, the server speaks no TLS or not the version of HTTP, or the connection is gone.
    pub fn shake_hands(&mut self, socket: &OwnedFd) -> Result<Option<Handshake>, Fault> {
        while self.tls.is_handshaking() {
            if !self.flush(socket)? {
                return Ok(None);
            }
            match self.receive(socket, &mut [])? {
                Received { ended: true, .. } => return Err(Fault::Closed),
                Received { bytes: 0, .. } => return Ok(None),
                Received { .. } => {}
            }
        }
        if !self.version.is_agreed(self.tls.alpn_protocol()) {
            return Err(Fault::Tls);
        }
        Ok(Some(match self.tls.handshake_kind() {
            Some(HandshakeKind::Resumed) => Handshake::Resumed,
            _ => Handshake::Full,
        }))
    }

    /// Takes as many bytes of a request as there is room for; [`Session::flush`] hands them on.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn write(&mut self, socket: &OwnedFd, bytes: &[u8]) -> Result<usize, Fault> {
        let _ = self.flush(socket)?;
        self.tls.writer().write(bytes).map_err(|_| Fault::Tls)
    }

    /// Hands on what has been taken; true when nothing of it is left.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn flush(&mut self, socket: &OwnedFd) -> Result<bool, Fault> {
        while self.tls.wants_write() {
            match self.tls.write_tls(&mut Outlet(socket)) {
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(fault(&error)),
            }
        }
        Ok(true)
    }

    /// Reads what has come, decrypted. As with any socket, room left in the buffer means that nothing more had come.
    ///
    /// # Errors
    /// Why the connection is gone, that the bytes were not correctly encrypted, or that too many were nothing to read.
    pub fn read(&mut self, socket: &OwnedFd, buffer: &mut [u8]) -> Result<Read, Fault> {
        let mut filled = self.decrypt_kept(buffer)?;
        if filled > 0 {
            self.fruitless_bytes = 0;
        }
        while filled < buffer.len() && !self.ended {
            let received = self.receive(socket, &mut buffer[filled..])?;
            filled += received.filled;
            if received.filled > 0 {
                self.fruitless_bytes = 0;
            } else {
                self.fruitless_bytes += received.bytes;
                if self.fruitless_bytes > FRUITLESS_BYTES {
                    return Err(Fault::Tls);
                }
            }
            if received.bytes < PIECE_BYTES {
                break;
            }
        }
        Ok(match (filled, self.ended) {
            (0, true) => Read::End,
            (0, false) => Read::Nothing,
            _ => Read::Bytes(filled),
        })
    }

    /// Reads from the socket once. If `buffer` is empty, only the handshake goes on.
    fn receive(&mut self, socket: &OwnedFd, buffer: &mut [u8]) -> Result<Received, Fault> {
        PIECE.with_borrow_mut(|piece| {
            let bytes = match socket::read(socket, piece) {
                Ok(0) => {
                    self.ended = true;
                    0
                }
                Ok(bytes) => bytes,
                Err(Errno::AGAIN) => 0,
                Err(errno) => return Err(Fault::of(errno)),
            };
            let decrypted = self.decrypt(&piece[..bytes], buffer);
            if decrypted.is_err() {
                // Report the reason to the server, if it still listens.
                let _ = self.flush(socket);
            }
            Ok(Received {
                bytes,
                filled: decrypted?,
                ended: self.ended,
            })
        })
    }
}

/// What reading once from a socket brought.
struct Received {
    /// So many bytes from the socket.
    bytes: usize,
    /// So many decrypted ones.
    filled: usize,
    /// Whether the server has closed its side.
    ended: bool,
}

/// A socket as rustls writes to it.
struct Outlet<'a>(&'a OwnedFd);

impl Write for Outlet<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(socket::write(self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn fault(error: &io::Error) -> Fault {
    Errno::from_io_error(error).map_or(Fault::Tls, Fault::of)
}
