//! One connection that many users share, from its first packet to its end.

use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use h2::client::{Builder, Connection as Protocol, ResponseFuture, SendRequest};
use http::Request;
use rustix::event::epoll::{self, EventData};

use super::socket::{Shared, Socket};
use crate::connection::tls::Handshake;
use crate::connection::transport::{Connection, Progress};
use crate::tally::fault::Fault;

/// Longer heads are refused, as in HTTP/1.1.
const HEAD_LIMIT_BYTES: u32 = 16 * 1024;

/// What a server may send of one response before any of it has been taken.
const STREAM_WINDOW_BYTES: u32 = 1 << 20;

/// What it may send of all responses on one connection before any of it has been taken.
const WINDOW_BYTES: u32 = 1 << 22;

type Opening = Pin<Box<dyn Future<Output = Result<Opened, h2::Error>>>>;
type Opened = (SendRequest<Bytes>, Protocol<Socket, Bytes>);

/// One connection.
pub struct Link {
    /// What its events carry.
    pub event: EventData,
    /// How many users count on it.
    pub users: u32,
    /// Which users share it: their number divided by that of streams.
    pub group: usize,
    /// Whether it has carried a response.
    pub used: bool,
    /// Whether its end has been counted.
    pub counted: bool,
    /// Users who wait for it to open.
    pub waiting: Vec<u32>,
    waker: Waker,
    stage: Stage,
}

/// How far a connection has come.
enum Stage {
    /// TCP and TLS shake hands.
    Connecting(Connection),
    /// The first bytes of HTTP/2 are written.
    Greeting(Rc<Shared>, Opening),
    Open(Rc<Shared>, SendRequest<Bytes>, Box<Protocol<Socket, Bytes>>),
    /// It has ended, for this reason.
    Ended(Fault),
}

/// What a user is to do about a connection.
pub enum State {
    /// Wait for it.
    Opening,
    /// Send requests.
    Open,
    /// Give it up.
    Ended(Fault),
}

impl Link {
    /// A connection that has begun to connect.
    pub fn new(connection: Connection, event: EventData, group: usize, waker: Waker) -> Self {
        Self {
            event,
            users: 0,
            group,
            used: false,
            counted: false,
            waiting: Vec::new(),
            waker,
            stage: Stage::Connecting(connection),
        }
    }

    /// What its users are to do.
    pub fn state(&self) -> State {
        match self.stage {
            Stage::Connecting(_) | Stage::Greeting(..) => State::Opening,
            Stage::Open(..) => State::Open,
            Stage::Ended(fault) => State::Ended(fault),
        }
    }

    /// An event has come.
    pub fn event(&self, hung_up: bool) {
        if let Stage::Greeting(shared, ..) | Stage::Open(shared, ..) = &self.stage {
            shared.event(hung_up);
        }
    }

    /// Goes on as far as it can: opens, writes what is to be written, reads what has come. The handshake, if the
    /// connection has just made it.
    pub fn advance(&mut self, epoll: &OwnedFd) -> Option<Handshake> {
        let mut handshake = None;
        if let Stage::Connecting(connection) = &mut self.stage {
            match connection.establish() {
                Ok(Progress::Waiting) => return None,
                Ok(Progress::Ready { handshake: made }) => handshake = made,
                Err(fault) => {
                    self.stage = Stage::Ended(fault);
                    return None;
                }
            }
            self.greet();
        }
        self.open();
        self.exchange(epoll);
        handshake
    }

    fn greet(&mut self) {
        let stage = std::mem::replace(&mut self.stage, Stage::Ended(Fault::Other));
        if let Stage::Connecting(connection) = stage {
            let shared = Rc::new(Shared::new(connection));
            let socket = Socket(Rc::clone(&shared));
            let mut builder = Builder::new();
            let _ = builder
                .enable_push(false)
                .initial_window_size(STREAM_WINDOW_BYTES)
                .initial_connection_window_size(WINDOW_BYTES)
                .max_header_list_size(HEAD_LIMIT_BYTES);
            let opening = Box::pin(async move { builder.handshake(socket).await });
            self.stage = Stage::Greeting(shared, opening);
        }
    }

    fn open(&mut self) {
        let Stage::Greeting(shared, opening) = &mut self.stage else {
            return;
        };
        match opening.as_mut().poll(&mut Context::from_waker(&self.waker)) {
            Poll::Pending => {}
            Poll::Ready(Ok((send, protocol))) => {
                self.stage = Stage::Open(Rc::clone(shared), send, Box::new(protocol));
            }
            Poll::Ready(Err(error)) => self.stage = Stage::Ended(fault(&error, shared)),
        }
    }

    fn exchange(&mut self, epoll: &OwnedFd) {
        let Stage::Open(shared, _, protocol) = &mut self.stage else {
            return;
        };
        let mut context = Context::from_waker(&self.waker);
        match Pin::new(protocol.as_mut()).poll(&mut context) {
            Poll::Pending if shared.is_flooded() => {
                // Asked for anew, the events that are there come once more, after those of others.
                let connection = shared.connection.borrow();
                let _ = epoll::modify(epoll, &*connection, self.event, connection.events());
            }
            Poll::Pending => {}
            Poll::Ready(Ok(())) => self.stage = Stage::Ended(Fault::Closed),
            Poll::Ready(Err(error)) => self.stage = Stage::Ended(fault(&error, shared)),
        }
    }

    /// Sends a request.
    ///
    /// # Errors
    /// No request can be sent on this connection any more.
    pub fn send(&mut self, request: Request<()>, body: Bytes) -> Result<ResponseFuture, Fault> {
        let Stage::Open(shared, send, _) = &mut self.stage else {
            return Err(Fault::Closed);
        };
        let is_all = body.is_empty();
        // Each sender holds one request back at most, if the server takes no more now.
        let begun = send.clone().send_request(request, is_all);
        let (response, mut rest) = begun.map_err(|error| fault(&error, shared))?;
        if !is_all {
            rest.send_data(body, true)
                .map_err(|error| fault(&error, shared))?;
        }
        Ok(response)
    }

    /// What an error of a request on this connection counts as.
    pub fn fault(&self, error: &h2::Error) -> Fault {
        match &self.stage {
            Stage::Greeting(shared, ..) | Stage::Open(shared, ..) => fault(error, shared),
            Stage::Ended(of_all) if error.is_io() => *of_all,
            _ => kind(error),
        }
    }
}

/// What an error of `h2` counts as.
fn fault(error: &h2::Error, shared: &Shared) -> Fault {
    if error.is_io() {
        return shared.fault().unwrap_or(Fault::Closed);
    }
    kind(error)
}

fn kind(error: &h2::Error) -> Fault {
    match (error.is_remote(), error.is_reset()) {
        (true, true) => Fault::Reset,
        // It goes away.
        (true, false) => Fault::Closed,
        _ if error.is_io() => Fault::Closed,
        // What it sent is not HTTP/2.
        _ => Fault::Malformed,
    }
}
