//! One client of the least server: what it has sent, and what it has yet to be given.

use std::os::fd::OwnedFd;

use rustix::io::Errno;

use super::pages::{BAD_REQUEST, NOT_ALLOWED, Pages};
use super::request::{LIMIT_BYTES, Request, parse};
use crate::connection::socket;

/// What a client waits for next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// The same as before.
    Same,
    /// That it can be read from again.
    Read,
    /// That it can be written to.
    Write,
    /// Nothing: it is to be forgotten.
    Leave,
}

/// A connected client.
pub struct Client<'a> {
    /// Its connection.
    pub socket: OwnedFd,
    received: Box<[u8; LIMIT_BYTES]>,
    filled: usize,
    /// The rest of a response that did not fit into the socket.
    left: &'a [u8],
    closing: bool,
}

impl<'a> Client<'a> {
    /// A client who has sent nothing yet.
    pub fn new(socket: OwnedFd) -> Self {
        Self {
            socket,
            received: Box::new([0; LIMIT_BYTES]),
            filled: 0,
            left: &[],
            closing: false,
        }
    }

    /// Reads what has come and responds to it, or goes on writing.
    pub fn turn(&mut self, pages: &'a Pages) -> Next {
        let was_writing = !self.left.is_empty();
        if !was_writing {
            match socket::read(&self.socket, &mut self.received[self.filled..]) {
                Ok(0) => return Next::Leave,
                Ok(bytes) => self.filled += bytes,
                Err(Errno::AGAIN) => return Next::Same,
                Err(_) => return Next::Leave,
            }
        }
        match (self.answer(pages), was_writing) {
            (Ok(true), false) | (Ok(false), true) => Next::Same,
            (Ok(true), true) => Next::Read,
            (Ok(false), false) => Next::Write,
            (Err(_), _) => Next::Leave,
        }
    }

    /// Responds to every whole request; false when a response did not fit. An error ends the connection.
    fn answer(&mut self, pages: &'a Pages) -> Result<bool, Errno> {
        loop {
            if !self.write()? {
                return Ok(false);
            }
            if self.closing {
                return Err(Errno::SHUTDOWN);
            }
            match parse(&self.received[..self.filled]) {
                Request::Unfinished => return Ok(true),
                Request::Get {
                    path,
                    length,
                    close,
                } => {
                    self.left = pages.answer(path);
                    self.closing = close;
                    self.received.copy_within(length..self.filled, 0);
                    self.filled -= length;
                }
                Request::Other => self.refuse(NOT_ALLOWED),
                Request::Bad => self.refuse(BAD_REQUEST),
            }
        }
    }

    fn refuse(&mut self, answer: &'static [u8]) {
        self.left = answer;
        self.closing = true;
    }

    /// Writes as much as fits; true when nothing is left.
    fn write(&mut self) -> Result<bool, Errno> {
        while !self.left.is_empty() {
            match socket::write(&self.socket, self.left) {
                Ok(written) => self.left = &self.left[written..],
                Err(Errno::AGAIN) => return Ok(false),
                Err(errno) => return Err(errno),
            }
        }
        Ok(true)
    }
}
