//! A connection as the users see it: opened, established, written to and read from. What is between the request's bytes
//! and the socket's (nothing, or TLS) is this module's business alone. Nothing here ever waits.
//!
//! Events are edge-triggered (`IN | OUT | RDHUP`, registered once): a reader goes on until a read has left room in the
//! buffer, as only then the next event is sure to come. On a Unix socket `OUT` would be an event whenever the server
//! reads, so it is registered there only while room is waited for.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::event::epoll::{self, EventData, EventFlags};
use rustix::io::Errno;

use crate::connection::peer::Peer;
use crate::connection::socket;
use crate::connection::tls::{self, Handshake, Read};
use crate::tally::fault::Fault;

/// Where connections lead to.
#[derive(Clone, Debug)]
pub struct Endpoint {
    /// Where the server listens.
    pub peer: Peer,
    /// How connections are encrypted; `None` if they are in the clear.
    pub tls: Option<tls::Client>,
}

/// How far a connection has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// The next event brings it on.
    Waiting,
    /// Requests may be written.
    Ready {
        /// The handshake, if there was one besides the connection itself.
        handshake: Option<Handshake>,
    },
}

/// One connection to the server.
#[derive(Debug)]
pub struct Connection {
    socket: OwnedFd,
    is_unix: bool,
    /// Whether a Unix socket's room to write in is an event.
    tells_of_room: bool,
    /// So many bytes that have come are an event.
    wake_at: u32,
    tls: Option<Box<tls::Session>>,
}

impl Endpoint {
    /// Whether connections are made with a handshake.
    pub fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }

    /// The same for another thread, with which it shares nothing.
    pub fn for_thread(&self) -> Self {
        Self {
            peer: self.peer.clone(),
            tls: self.tls.as_ref().map(tls::Client::for_thread),
        }
    }

    /// Begins to connect.
    ///
    /// # Errors
    /// No descriptor or no port is left, or the kernel knows at once that no server is there.
    pub fn connect(&self) -> Result<Connection, Fault> {
        let tls = match &self.tls {
            Some(client) => Some(Box::new(client.session()?)),
            None => None,
        };
        let socket = socket::connect(&self.peer).map_err(Fault::of)?;
        Ok(Connection {
            socket,
            is_unix: self.peer.is_unix(),
            tells_of_room: false,
            wake_at: 1,
            tls,
        })
    }
}

impl Connection {
    /// The events that it is to be registered for.
    pub fn events(&self) -> EventFlags {
        let events = EventFlags::IN | EventFlags::RDHUP | EventFlags::ET;
        if self.is_unix && !self.tells_of_room {
            events
        } else {
            events | EventFlags::OUT
        }
    }

    /// Whether it is open as soon as it is started: no event will report it.
    pub fn is_open(&self) -> bool {
        self.is_unix
    }

    /// Turns events for room to write on or off; the connection is registered with this data. Over TCP there always
    /// is one, and only when it was waited for.
    ///
    /// # Errors
    /// The kernel refuses, which it has no reason to.
    pub fn tell_of_room(
        &mut self,
        tell: bool,
        epoll: &OwnedFd,
        data: EventData,
    ) -> Result<(), Fault> {
        if !self.is_unix || tell == self.tells_of_room {
            return Ok(());
        }
        self.tells_of_room = tell;
        epoll::modify(epoll, &self.socket, data, self.events()).map_err(Fault::of)
    }

    /// Goes on connecting, and then with the handshake, as far as that goes without waiting. To be called at every
    /// event until it is ready.
    ///
    /// # Errors
    /// The reason for which there is no connection.
    pub fn establish(&mut self) -> Result<Progress, Fault> {
        socket::outcome(&self.socket).map_err(Fault::of)?;
        let Some(tls) = &mut self.tls else {
            return Ok(Progress::Ready { handshake: None });
        };
        Ok(match tls.shake_hands(&self.socket)? {
            None => Progress::Waiting,
            handshake => Progress::Ready { handshake },
        })
    }

    /// Takes as many bytes of a request as it can now; 0 when an event must come first.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        if let Some(tls) = &mut self.tls {
            return tls.write(&self.socket, bytes);
        }
        match socket::write(&self.socket, bytes) {
            Err(Errno::AGAIN) => Ok(0),
            written => written.map_err(Fault::of),
        }
    }

    /// Sends what has been taken but has not left yet; true when nothing of it is left. Call it after the last
    /// [`Connection::write`] of a request, and at events until it is true.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn flush(&mut self) -> Result<bool, Fault> {
        match &mut self.tls {
            Some(tls) => tls.flush(&self.socket),
            None => Ok(true),
        }
    }

    /// Requests an event only once this many bytes have come, or the connection has ended. Returns how many it will be:
    /// 1 if the kernel cannot do it.
    pub fn wake_at(&mut self, bytes: u32) -> u32 {
        // The length of an encrypted response, and what comes with it, is not known; Unix sockets wake at the first
        // byte.
        if self.tls.is_none()
            && !self.is_unix
            && bytes != self.wake_at
            && socket::wake_at(&self.socket, bytes).is_ok()
        {
            self.wake_at = bytes;
        }
        self.wake_at
    }

    /// Reads what has come.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<Read, Fault> {
        match &mut self.tls {
            Some(tls) => tls.read(&self.socket, buffer),
            None => came(socket::read(&self.socket, buffer)),
        }
    }

    /// Whether [`Connection::discard`] costs less than reading.
    pub fn discards(&self) -> bool {
        // What is encrypted has to be read to be understood; Unix sockets know no throwing away.
        self.tls.is_none() && !self.is_unix
    }

    /// Takes as much of what has come as the buffer is long, and throws it away; the buffer's content means nothing
    /// afterwards. Only if [`Connection::discards`] is true.
    ///
    /// # Errors
    /// Why the connection is gone.
    pub fn discard(&mut self, buffer: &mut [u8]) -> Result<Read, Fault> {
        came(socket::discard(&self.socket, buffer))
    }
}

fn came(read: Result<usize, Errno>) -> Result<Read, Fault> {
    match read {
        Ok(0) => Ok(Read::End),
        Ok(bytes) => Ok(Read::Bytes(bytes)),
        Err(Errno::AGAIN) => Ok(Read::Nothing),
        Err(errno) => Err(Fault::of(errno)),
    }
}

impl AsFd for Connection {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
