//! One client: what it has sent, and what it is owed.

use std::os::fd::OwnedFd;

use rustix::io::Errno;
use rustix::net::{self, RecvFlags, SendFlags};

/// A request whose head is longer than this ends the connection.
const LIMIT_BYTES: usize = 4096;

/// What reading from a client gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Read {
    /// So many whole requests have come.
    Requests(usize),
    /// The client has gone, or sent what is no request.
    Gone,
}

/// A connected client.
#[derive(Debug)]
pub struct Client {
    /// Its connection.
    pub socket: OwnedFd,
    /// Distinguishes it from earlier clients in the same place.
    pub number: u64,
    received: Box<[u8; LIMIT_BYTES]>,
    filled: usize,
    /// Requests that wait for their response.
    waiting: usize,
    /// Bytes of responses that did not fit into the socket yet.
    owed: usize,
    /// Whether the client requests that the connection is closed after its last response.
    closing: bool,
}

impl Client {
    /// A client who has sent nothing yet.
    pub fn new(socket: OwnedFd, number: u64) -> Self {
        Self {
            socket,
            number,
            received: Box::new([0; LIMIT_BYTES]),
            filled: 0,
            waiting: 0,
            owed: 0,
            closing: false,
        }
    }

    /// Reads what has come. The end of what a client sends counts as its leaving, even if it might still read.
    pub fn read(&mut self) -> Read {
        let into = &mut self.received[self.filled..];
        match rustix::io::retry_on_intr(|| net::recv(&self.socket, &mut *into, RecvFlags::empty()))
        {
            Ok((1.., bytes)) => self.filled += bytes,
            Err(Errno::AGAIN) => return Read::Requests(0),
            _ => return Read::Gone,
        }
        let requests = self.take_requests();
        self.waiting += requests;
        if self.filled == LIMIT_BYTES {
            Read::Gone
        } else {
            Read::Requests(requests)
        }
    }

    /// Takes whole requests off what has come: heads only, as GET has no body.
    fn take_requests(&mut self) -> usize {
        let (mut requests, mut from) = (0, 0);
        while let Some(length) = self.received[from..self.filled]
            .windows(4)
            .position(|four| four == b"\r\n\r\n")
        {
            self.closing |= wants_close(&self.received[from..from + length]);
            from += length + 4;
            requests += 1;
        }
        self.received.copy_within(from..self.filled, 0);
        self.filled -= from;
        requests
    }

    /// Sends it one response; true if it fitted into the socket, and nothing is left to send.
    ///
    /// # Errors
    /// The connection is gone, or was to be closed after this response.
    pub fn answer(&mut self, answer: &[u8]) -> Result<bool, Errno> {
        self.waiting = self.waiting.saturating_sub(1);
        let was_owed = self.owed > 0;
        self.owed += answer.len();
        if was_owed {
            Ok(false)
        } else {
            self.pay(answer)
        }
    }

    /// Refuses one request.
    ///
    /// # Errors
    /// The refusal could not be sent at once: the connection is to be closed.
    pub fn refuse(&mut self, refusal: &[u8]) -> Result<(), Errno> {
        self.waiting = self.waiting.saturating_sub(1);
        let sent = net::send(&self.socket, refusal, SendFlags::NOSIGNAL)?;
        if self.owed > 0 || sent < refusal.len() || (self.closing && self.waiting == 0) {
            return Err(Errno::SHUTDOWN);
        }
        Ok(())
    }

    /// Writes what is left to send, as far as it fits; true when nothing is left. All responses are equal.
    ///
    /// # Errors
    /// As of [`Client::answer`].
    pub fn pay(&mut self, answer: &[u8]) -> Result<bool, Errno> {
        while self.owed > 0 {
            let left = (self.owed - 1) % answer.len() + 1;
            let part = &answer[answer.len() - left..];
            match rustix::io::retry_on_intr(|| net::send(&self.socket, part, SendFlags::NOSIGNAL)) {
                Ok(bytes) => self.owed -= bytes,
                Err(Errno::AGAIN) => return Ok(false),
                Err(errno) => return Err(errno),
            }
        }
        if self.closing && self.waiting == 0 {
            return Err(Errno::SHUTDOWN);
        }
        Ok(true)
    }
}

/// Whether a request's head asks for the connection to be closed: by a header line, or by its HTTP version.
fn wants_close(head: &[u8]) -> bool {
    let mut lines = head
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    let old = lines
        .next()
        .is_some_and(|first| first.ends_with(b"HTTP/1.0"));
    let says = lines.find_map(|line| {
        let colon = line.iter().position(|&byte| byte == b':')?;
        line[..colon]
            .eq_ignore_ascii_case(b"connection")
            .then(|| line[colon + 1..].trim_ascii())
    });
    match says {
        Some(word) if word.eq_ignore_ascii_case(b"close") => true,
        Some(word) if word.eq_ignore_ascii_case(b"keep-alive") => false,
        _ => old,
    }
}

#[cfg(test)]
mod tests {
    use super::wants_close;

    #[test]
    fn a_connection_is_kept_unless_the_request_says_otherwise_or_is_old() {
        for (head, closes) in [
            ("GET / HTTP/1.1\r\nHost: x", false),
            ("GET / HTTP/1.1\r\nConnection: close", true),
            ("GET / HTTP/1.1\r\nCONNECTION:Close\r\nHost: x", true),
            ("GET / HTTP/1.0", true),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive", false),
        ] {
            assert_eq!(wants_close(head.as_bytes()), closes, "{head}");
        }
    }
}
