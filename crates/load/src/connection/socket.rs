//! The few things that are done to a socket, none of which ever waits.

use std::net::SocketAddr;
use std::os::fd::{AsRawFd, OwnedFd};

use rustix::io::Errno;
use rustix::net::{
    self, AddressFamily, RecvFlags, SendFlags, SocketAddrUnix, SocketFlags, SocketType, sockopt,
};

use crate::connection::peer::Peer;

/// Begins to connect; [`outcome`] reports how it ended once the socket can be written to.
///
/// # Errors
/// No descriptor or no port is left, or the kernel knows at once that no server is there.
pub fn connect(peer: &Peer) -> Result<OwnedFd, Errno> {
    match peer {
        Peer::Tcp(address) => tcp(*address),
        Peer::Unix(address) => unix(address),
    }
}

fn tcp(peer: SocketAddr) -> Result<OwnedFd, Errno> {
    let family = if peer.is_ipv4() {
        AddressFamily::INET
    } else {
        AddressFamily::INET6
    };
    let socket = socket(family)?;
    sockopt::set_tcp_nodelay(&socket, true)?;
    match net::connect(&socket, &peer) {
        Ok(()) | Err(Errno::INPROGRESS) => Ok(socket),
        Err(errno) => Err(errno),
    }
}

fn unix(peer: &SocketAddrUnix) -> Result<OwnedFd, Errno> {
    let socket = socket(AddressFamily::UNIX)?;
    match net::connect(&socket, peer) {
        Ok(()) => Ok(socket),
        // The server's queue is full, and no event reports when it no longer is.
        Err(Errno::AGAIN) => Err(Errno::CONNREFUSED),
        Err(errno) => Err(errno),
    }
}

fn socket(family: AddressFamily) -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    net::socket_with(family, SocketType::STREAM, flags, None)
}

/// How connecting ended. Before it has, there is no event to be called for, and what is written then has no room.
///
/// # Errors
/// The reason for which there is no connection.
pub fn outcome(socket: &OwnedFd) -> Result<(), Errno> {
    sockopt::socket_error(socket)?
}

/// Makes the socket readable only once this many bytes have come (`SO_RCVLOWAT`), or it has ended.
///
/// # Errors
/// The kernel refuses, which it has no reason to.
pub fn wake_at(socket: &OwnedFd, bytes: u32) -> Result<(), Errno> {
    let value = libc::c_int::try_from(bytes).map_err(|_| Errno::INVAL)?;
    let size = libc::socklen_t::try_from(size_of_val(&value)).map_err(|_| Errno::INVAL)?;
    // SAFETY: the descriptor is open as long as `socket` is borrowed, and the kernel reads `size` bytes of `value`,
    // which outlives the call. rustix has no function for this option.
    #[allow(unsafe_code)]
    let done = unsafe {
        libc::setsockopt(
            socket.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_RCVLOWAT,
            (&raw const value).cast(),
            size,
        )
    };
    match done {
        0 => Ok(()),
        _ => Err(Errno::from_io_error(&std::io::Error::last_os_error()).unwrap_or(Errno::INVAL)),
    }
}

/// Writes what fits; how many bytes that were.
///
/// # Errors
/// `AGAIN` when nothing fits now, else why the connection is gone. No signal is raised.
pub fn write(socket: &OwnedFd, bytes: &[u8]) -> Result<usize, Errno> {
    rustix::io::retry_on_intr(|| net::send(socket, bytes, SendFlags::NOSIGNAL))
}

/// Takes what is there, at most as much as the buffer is long, and throws it away uncopied (`MSG_TRUNC` of TCP); the
/// buffer's content means nothing afterwards. How many bytes that were; 0 when the other side has closed.
///
/// # Errors
/// `AGAIN` when nothing is there now, else why the connection is gone.
pub fn discard(socket: &OwnedFd, buffer: &mut [u8]) -> Result<usize, Errno> {
    rustix::io::retry_on_intr(|| {
        net::recv(socket, &mut *buffer, RecvFlags::TRUNC).map(|(_, bytes)| bytes)
    })
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
