//! A connection as `h2` reads from it and writes to it. It never waits: what an event must bring first is pending, and
//! the event itself is what wakes.

use std::cell::{Cell, RefCell};
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use crate::connection::tls::Read;
use crate::connection::transport::Connection;
use crate::tally::fault::Fault;

/// After an event no more than this is read before other connections have their turn.
const TURN_BYTES: usize = 1 << 20;

/// A connection, and what is known of it between two events.
#[derive(Debug)]
pub struct Shared {
    /// The connection.
    pub connection: RefCell<Connection>,
    /// Whether nothing more comes before the next event.
    drained: Cell<bool>,
    /// Whether the server has closed its side: its end is read after the last bytes.
    hung_up: Cell<bool>,
    /// What may still be read in this turn.
    left_bytes: Cell<usize>,
    /// Why the connection is gone.
    fault: Cell<Option<Fault>>,
}

impl Shared {
    /// A connection whose handshake is done.
    pub fn new(connection: Connection) -> Self {
        Self {
            connection: RefCell::new(connection),
            drained: Cell::new(false),
            hung_up: Cell::new(false),
            left_bytes: Cell::new(TURN_BYTES),
            fault: Cell::new(None),
        }
    }

    /// An event has come.
    pub fn event(&self, hung_up: bool) {
        self.drained.set(false);
        self.left_bytes.set(TURN_BYTES);
        if hung_up {
            self.hung_up.set(true);
        }
    }

    /// Whether more has come than may be read in one turn.
    pub fn is_flooded(&self) -> bool {
        self.left_bytes.get() == 0
    }

    /// Why the connection is gone, if it is.
    pub fn fault(&self) -> Option<Fault> {
        self.fault.get()
    }

    fn failed(&self, fault: Fault) -> io::Error {
        self.fault.set(Some(fault));
        io::Error::other(fault.name())
    }
}

/// The side of it that `h2` has.
#[derive(Debug)]
pub struct Socket(pub Rc<Shared>);

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        room: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let shared = &self.0;
        let left_bytes = shared.left_bytes.get();
        if shared.drained.get() || left_bytes == 0 {
            return Poll::Pending;
        }
        let buffer = room.initialize_unfilled();
        match shared.connection.borrow_mut().read(buffer) {
            Ok(Read::Bytes(bytes)) => {
                shared
                    .drained
                    .set(bytes < buffer.len() && !shared.hung_up.get());
                shared.left_bytes.set(left_bytes.saturating_sub(bytes));
                room.advance(bytes);
                Poll::Ready(Ok(()))
            }
            Ok(Read::Nothing) => {
                shared.drained.set(true);
                Poll::Pending
            }
            Ok(Read::End) => {
                shared.fault.set(Some(Fault::Closed));
                Poll::Ready(Ok(()))
            }
            Err(fault) => Poll::Ready(Err(shared.failed(fault))),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.0.connection.borrow_mut().write(bytes) {
            Ok(0) if !bytes.is_empty() => Poll::Pending,
            Ok(written) => Poll::Ready(Ok(written)),
            Err(fault) => Poll::Ready(Err(self.0.failed(fault))),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.0.connection.borrow_mut().flush() {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => Poll::Pending,
            Err(fault) => Poll::Ready(Err(self.0.failed(fault))),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.poll_flush(cx)
    }
}
