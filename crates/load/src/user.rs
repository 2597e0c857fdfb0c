//! One user: a connection, and the request that it waits on.

mod ending;
mod receiving;

use rustix::event::epoll::{self, EventData, EventFlags};

use crate::clock::now_ns;
use crate::common::Common;
use crate::fault::Fault;
use crate::http::answer::Reader;
use crate::mix::Drawn;
use crate::tally::Course;
use crate::transport::{Connection, Progress};

/// A request to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// When it is meant to be sent.
    pub intended_ns: u64,
    /// By how much the driver itself is late already.
    pub lag_ns: u64,
    /// Whether it had to wait for a connection to become free.
    pub queued: bool,
    /// Whether its connection is to carry no other behind it; the server is told.
    pub last: bool,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// When.
    pub done_ns: u64,
    /// What kept its answer from coming; `None` for a whole answer, right or wrong.
    pub lost: Option<Fault>,
}

/// One user.
// Each is a fact of its own; together they make no states.
#[allow(clippy::struct_excessive_bools)]
pub struct User {
    number: u32,
    /// The number of its connection, which tells that one's events from those of earlier ones.
    serial: u32,
    connection: Option<Connection>,
    /// Whether the connection has carried an answer already.
    used: bool,
    /// Whether the server has closed its side.
    hung_up: bool,
    stage: Stage,
    drawn: Drawn,
    last: bool,
    course: Course,
    /// How many bytes were to wake the user.
    wake_at: u32,
    written: usize,
    resent: bool,
    reader: Reader,
    /// Calls made in the session or on the connection; the loop's own count.
    pub calls: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Has no request.
    Free,
    Connecting,
    Sending,
    Receiving,
}

impl User {
    /// A user without a connection, who has asked for nothing yet.
    pub fn new(number: u32) -> Self {
        Self {
            number,
            serial: 0,
            connection: None,
            used: false,
            hung_up: false,
            stage: Stage::Free,
            drawn: Drawn::default(),
            last: false,
            course: Course::default(),
            wake_at: 1,
            written: 0,
            resent: false,
            reader: Reader::default(),
            calls: 0,
        }
    }

    /// What the events of its connection carry.
    pub fn event(&self) -> u64 {
        u64::from(self.serial) << 32 | u64::from(self.number)
    }

    /// Makes a request, the intended instant of which has come; the end of it where it ends at once. The clock has just
    /// been read.
    pub fn ask(&mut self, ask: Ask, common: &mut Common) -> Option<Ending> {
        self.drawn = common.mix.draw(&mut common.draws);
        self.last = ask.last;
        self.course = Course {
            intended_ns: ask.intended_ns,
            lag_ns: ask.lag_ns,
            queued: ask.queued,
            ..Course::default()
        };
        self.resent = false;
        self.written = 0;
        common.timeouts.enter(self.number, ask.intended_ns);
        if self.connection.is_some() {
            self.send(common)
        } else {
            self.connect(common)
        }
    }

    /// Something has happened to the connection. The end of the request, where that was it.
    pub fn ready(&mut self, flags: EventFlags, common: &mut Common) -> Option<Ending> {
        self.hung_up |= flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR);
        match self.stage {
            Stage::Receiving => self.receive(common),
            stage @ (Stage::Connecting | Stage::Sending) => {
                let ending = if stage == Stage::Connecting {
                    self.connected(common)
                } else {
                    self.send(common)
                };
                // Of what came before the request had left, no other event will tell.
                let came = self.hung_up || stage == Stage::Sending;
                if ending.is_none() && came && self.stage == Stage::Receiving {
                    return self.receive(common);
                }
                ending
            }
            Stage::Free => {
                // Between two requests only the server's end of the connection is news.
                if self.hung_up && self.connection.take().is_some() {
                    common.tally.reconnected(common.now_ns);
                }
                None
            }
        }
    }

    /// The answer is overdue: takes what has come of it, however little; what is then still to come is looked for again.
    pub fn look(&mut self, common: &mut Common) -> Option<Ending> {
        if self.stage != Stage::Receiving {
            return None;
        }
        let ending = self.receive(common);
        if ending.is_none() && self.stage == Stage::Receiving {
            common.looks.enter(self.number, common.now_ns);
        }
        ending
    }

    /// The timeout is over.
    pub fn give_up(&mut self, common: &mut Common) -> Ending {
        self.done(common);
        self.connection = None;
        common.tally.timed_out(&self.course);
        self.ending(Some(Fault::Timeout))
    }

    /// Has no further use for its connection.
    pub fn leave(&mut self) {
        self.connection = None;
    }

    fn connect(&mut self, common: &mut Common) -> Option<Ending> {
        self.used = false;
        self.hung_up = false;
        self.serial = self.serial.wrapping_add(1);
        self.stage = Stage::Connecting;
        let data = EventData::new_u64(self.event());
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        let opened = common.endpoint.connect().and_then(|connection| {
            epoll::add(&common.epoll, &connection, data, flags).map_err(Fault::of)?;
            Ok(connection)
        });
        match opened {
            Ok(connection) => {
                self.connection = Some(connection);
                None
            }
            Err(fault) => Some(self.fail(fault, common)),
        }
    }

    fn connected(&mut self, common: &mut Common) -> Option<Ending> {
        match self.connection.as_mut()?.establish() {
            Ok(Progress::Ready { handshake }) => {
                common.now_ns = now_ns();
                common.tally.connected(common.now_ns, handshake);
                self.send(common)
            }
            Ok(Progress::Waiting) => None,
            Err(fault) => Some(self.fail(fault, common)),
        }
    }

    fn send(&mut self, common: &mut Common) -> Option<Ending> {
        if self.written == 0 {
            self.begin_to_send(common);
        }
        self.stage = Stage::Sending;
        match self.write(common) {
            Ok(true) => {
                self.stage = Stage::Receiving;
                if self.wake_at > 1 {
                    common.looks.enter(self.number, common.now_ns);
                }
                None
            }
            Ok(false) => None,
            Err(fault) => self.lost(fault, common),
        }
    }

    fn begin_to_send(&mut self, common: &mut Common) {
        self.reader.begin();
        self.wake_at = common.patience.wake_at(common.mix.length_bytes(self.drawn));
        if let Some(connection) = &mut self.connection {
            self.wake_at = connection.wake_at(self.wake_at);
        }
        self.course.received_bytes = 0;
        self.course.sent_ns = Some(common.now_ns);
    }

    /// Writes what can be written now; true once the whole request has left.
    fn write(&mut self, common: &mut Common) -> Result<bool, Fault> {
        let Some(connection) = &mut self.connection else {
            return Ok(false);
        };
        let mut request = common.mix.bytes(self.drawn);
        if self.last {
            let blank_line = request.len().saturating_sub(2);
            common.scratch.clear();
            common.scratch.extend_from_slice(&request[..blank_line]);
            common
                .scratch
                .extend_from_slice(b"Connection: close\r\n\r\n");
            request = &common.scratch;
        }
        if self.written < request.len() {
            self.written += connection.write(&request[self.written..])?;
        }
        Ok(self.written == request.len() && connection.flush()?)
    }
}
