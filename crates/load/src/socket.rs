//! The few things that are done to a TCP socket, none of which ever waits.

use std::net::SocketAddr;
use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{self, AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, sockopt};

/// Begins to connect; [`outcome`] tells how it ended once the socket can be written to.
///
/// # Errors
/// No descriptor or no port is left, or the kernel knows at once that nobody answers.
pub fn connect(peer: SocketAddr) -> Result<OwnedFd, Errno> {
    let family = if peer.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let socket = net::socket_with(family, SocketType::STREAM, flags, None)?;
    sockopt::set_tcp_nodelay(&socket, true)?;
    match net::connect(&socket, &peer) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

/// How connecting ended; false when it has not.
///
/// # Errors
/// The reason for which there is no connection.
pub fn outcome(socket: &OwnedFd) -> Result<bool, Errno> {
    sockopt::socket_error(socket)??;
    match net::getpeername(socket) {
        Ok(_) => Ok(true),
        Err(Errno::NOTCONN) => Ok(false),
        Err(errno) => Err(errno),
    }
}

/// Writes what fits; how many bytes that were.
///
/// # Errors
/// `AGAIN` when nothing fits now, else why the connection is gone. No signal is raised.
pub fn write(socket: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
    rustix::io::retry_on_intr(|| net::send(socket, bytes, SendFlags::NOSIGNAL))
}

/// Reads what is there; 0 when the other side has closed.
///
/// # Errors
/// `AGAIN` when nothing is there now, else why the connection is gone.
pub fn read(socket: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    rustix::io::retry_on_intr(|| {
        net::recv(socket, &mut *buffer, RecvFlags::empty()).map(|(bytes, _)| bytes)
    })
}
