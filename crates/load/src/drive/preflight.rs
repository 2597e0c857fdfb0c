//! The first connection, made and closed before anything starts: it tells a server that is absent or refuses
//! connections, and a certificate that is not trusted, from one that fails.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use base::error::Error;
use rustix::io::Errno;

use crate::connection::peer::Peer;
use crate::connection::socket;
use crate::connection::transport::Endpoint;
use crate::dialogue::{Dialogue, Refusal};

/// The server's bytes are read in pieces of this.
const PIECE_BYTES: usize = 4096;

/// Connects, and goes on until requests could be sent.
///
/// # Errors
/// No server is there, or it does not let us in within the timeout.
pub fn first_connection<D: Dialogue>(
    endpoint: &Endpoint,
    talk: &D,
    timeout_ns: u64,
) -> Result<(), Error> {
    let peer = &endpoint.peer;
    let within = Duration::from_nanos(timeout_ns);
    let until = Instant::now() + within;
    let failed = |error: io::Error| absent(peer, &error);
    if let (Peer::Tcp(address), Some(tls)) = (peer, &endpoint.tls) {
        let mut stream = dial_tcp(*address, within).map_err(failed)?;
        return tls.first_handshake(&mut stream);
    }
    let mut stream = dial(peer, within).map_err(failed)?;
    let (mut reader, mut say) = (D::Reader::default(), Vec::new());
    let mut welcome = talk.open(&mut reader, &mut say);
    let mut piece = [0; PIECE_BYTES];
    loop {
        stream.write_all(&say).map_err(failed)?;
        say.clear();
        if welcome {
            return Ok(());
        }
        let bytes = stream.read(&mut piece).map_err(failed)?;
        if bytes == 0 {
            return Err(mute(peer, "it closed the connection without letting us in"));
        }
        if Instant::now() > until {
            return Err(mute(peer, "it did not let us in within the timeout"));
        }
        let came = &piece[..bytes];
        welcome = talk
            .greet(&mut reader, came, &mut say)
            .map_err(|refusal| match refusal {
                Refusal::Said(error) => error,
                Refusal::Malformed => mute(peer, "its bytes are not of the protocol"),
            })?;
    }
}

/// A blocking stream, with a time limit for each read and write.
fn dial(peer: &Peer, within: Duration) -> io::Result<Box<dyn Stream>> {
    match peer {
        Peer::Tcp(address) => Ok(Box::new(dial_tcp(*address, within)?)),
        Peer::Unix(_) => {
            let stream = UnixStream::from(socket::connect(peer)?);
            stream.set_nonblocking(false)?;
            stream.set_read_timeout(Some(within))?;
            stream.set_write_timeout(Some(within))?;
            Ok(Box::new(stream))
        }
    }
}

fn dial_tcp(address: SocketAddr, within: Duration) -> io::Result<TcpStream> {
    let stream = TcpStream::connect_timeout(&address, within)?;
    stream.set_read_timeout(Some(within))?;
    stream.set_write_timeout(Some(within))?;
    Ok(stream)
}

/// What can be read from and written to.
trait Stream: Read + Write {}

impl<S: Read + Write> Stream for S {}

fn absent(peer: &Peer, error: &io::Error) -> Error {
    let late = matches!(Errno::from_io_error(error), Some(Errno::AGAIN));
    if late {
        return mute(peer, "it sent nothing within the timeout");
    }
    let remedy = match peer {
        Peer::Tcp(_) => "Start the server, or check address and port.",
        Peer::Unix(_) => "Start the server, or check where its socket is.",
    };
    Error::failure(
        format!("no connection to {peer}"),
        error.to_string(),
        remedy,
    )
}

fn mute(peer: &Peer, why: &str) -> Error {
    let remedy = "See the server's log, and check --protocol.";
    Error::failure(format!("no response from {peer}"), why, remedy)
}
