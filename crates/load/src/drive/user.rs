//! One user: a connection, and the request that it waits on.

mod ending;
mod greeting;
mod receiving;
mod stream;

use base::clock::now_ns;
use rustix::event::epoll::{self, EventData, EventFlags};

use crate::connection::transport::{Connection, Progress};
use crate::dialogue::Dialogue;
use crate::drive::thread_state::ThreadState;
use crate::tally::RequestTimes;
use crate::tally::fault::Fault;
use stream::Stream;

/// A request to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntendedRequest {
    /// When it is meant to be sent.
    pub intended_ns: u64,
    /// By how much the driver itself is late already.
    pub lag_ns: u64,
    /// Whether it had to wait for a free connection.
    pub queued: bool,
    /// Whether it is the first of its session.
    pub first: bool,
    /// Whether it is the last on its connection; the server is notified.
    pub last: bool,
}

/// How a request ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestEnd {
    /// When.
    pub done_ns: u64,
    /// Why its response did not come; `None` for a whole response, correct or not.
    pub lost: Option<Fault>,
    /// Whether the session that it belongs to cannot go on.
    pub ends_session: bool,
}

/// One user.
// Each is a fact of its own; together they make no states.
#[allow(clippy::struct_excessive_bools)]
pub struct User<D: Dialogue> {
    number: u32,
    /// The number of its connection, which separates its events from those of earlier ones.
    serial: u32,
    connection: Option<Connection>,
    /// In place of a connection of its own, its side of one that is shared.
    stream: Stream,
    /// Whether the connection has carried a response already.
    used: bool,
    /// Whether the server has closed its side.
    hung_up: bool,
    stage: Stage,
    drawn: D::Drawn,
    last: bool,
    times: RequestTimes,
    /// How many bytes were to wake the user.
    wake_at: u32,
    written: usize,
    resent: bool,
    reader: D::Reader,
    /// What must be sent before the first request, and how much of it has left.
    say: Vec<u8>,
    said: usize,
    /// Whether requests may be sent on the connection once that has left.
    welcome: bool,
    /// Calls made in the session or on the connection; the loop's own count.
    pub calls: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Has no request.
    Free,
    Connecting,
    /// Has not been let in yet.
    Greeting,
    Sending,
    Receiving,
}

impl<D: Dialogue> User<D> {
    /// A user without a connection, who has sent no request yet.
    pub fn new(number: u32) -> Self {
        Self {
            number,
            serial: 0,
            connection: None,
            stream: Stream::default(),
            used: false,
            hung_up: false,
            stage: Stage::Free,
            drawn: D::Drawn::default(),
            last: false,
            times: RequestTimes::default(),
            wake_at: 1,
            written: 0,
            resent: false,
            reader: D::Reader::default(),
            say: Vec::new(),
            said: 0,
            welcome: false,
            calls: 0,
        }
    }

    /// What the events of its connection carry.
    pub fn event(&self) -> u64 {
        u64::from(self.serial) << 32 | u64::from(self.number)
    }

    /// Makes a request whose intended instant has come; returns its end if it ends at once. The clock has just
    /// been read.
    pub fn ask(&mut self, ask: IntendedRequest, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        self.drawn = thread.talk.draw(&mut self.reader, ask.first);
        self.last = ask.last;
        self.times = RequestTimes {
            kind: thread.talk.kind(self.drawn),
            intended_ns: ask.intended_ns,
            lag_ns: ask.lag_ns,
            queued: ask.queued,
            ..RequestTimes::default()
        };
        self.resent = false;
        self.written = 0;
        thread.timeouts.enter(self.number, ask.intended_ns);
        if thread.http2.is_some() {
            self.join(thread)
        } else if self.connection.is_some() {
            self.send(thread)
        } else {
            self.connect(thread)
        }
    }

    /// Something has happened to the connection. Returns the request's end, if that was it.
    pub fn ready(&mut self, flags: EventFlags, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        self.hung_up |= flags.intersects(EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR);
        let stage = self.stage;
        let ending = match stage {
            Stage::Receiving => return self.receive(thread),
            Stage::Connecting => self.connected(thread),
            Stage::Greeting => self.greet(thread),
            Stage::Sending => self.send(thread),
            Stage::Free => {
                // Between two requests only the server's end of the connection is news.
                if self.hung_up && self.connection.take().is_some() {
                    thread.tally.reconnected(thread.now_ns);
                }
                None
            }
        };
        // No other event reports what came before the request had left.
        let came = self.hung_up || stage == Stage::Sending;
        if ending.is_none() && came && self.stage == Stage::Receiving {
            return self.receive(thread);
        }
        ending
    }

    /// The response is overdue: takes what has come of it, however little, and waits for the rest with another
    /// deadline.
    pub fn look(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        if self.stage != Stage::Receiving {
            return None;
        }
        let ending = self.receive(thread);
        if ending.is_none() && self.stage == Stage::Receiving {
            thread.looks.enter(self.number, thread.now_ns);
        }
        ending
    }

    /// The timeout is over.
    pub fn give_up(&mut self, thread: &mut ThreadState<D>) -> RequestEnd {
        self.part_with(true, thread);
        self.done(thread);
        self.connection = None;
        thread.tally.timed_out(&self.times);
        self.ending(Some(Fault::Timeout))
    }

    /// Has no further use for its connection.
    pub fn leave(&mut self) {
        self.connection = None;
    }

    fn connect(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        self.used = false;
        self.hung_up = false;
        self.serial = self.serial.wrapping_add(1);
        self.stage = Stage::Connecting;
        let opened = thread.endpoint.connect().and_then(|connection| {
            epoll::add(&thread.epoll, &connection, self.data(), connection.events())
                .map_err(Fault::of)?;
            Ok(connection)
        });
        match opened {
            Ok(connection) => {
                let open = connection.is_open();
                self.connection = Some(connection);
                if open { self.connected(thread) } else { None }
            }
            Err(fault) => Some(self.fail(fault, thread)),
        }
    }

    fn connected(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        match self.connection.as_mut()?.establish() {
            Ok(Progress::Ready { handshake }) => {
                thread.now_ns = now_ns();
                thread.tally.connected(thread.now_ns, handshake);
                self.say.clear();
                self.said = 0;
                self.welcome = thread.talk.open(&mut self.reader, &mut self.say);
                if self.welcome && self.say.is_empty() {
                    return self.send(thread);
                }
                self.stage = Stage::Greeting;
                self.greet(thread)
            }
            Ok(Progress::Waiting) => None,
            Err(fault) => Some(self.fail(fault, thread)),
        }
    }

    fn send(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        if self.written == 0 {
            self.begin_to_send(thread);
        }
        self.stage = Stage::Sending;
        let written = self
            .write(thread)
            .and_then(|all| self.tell_of_room(!all, thread).map(|()| all));
        match written {
            Ok(true) => {
                self.stage = Stage::Receiving;
                if self.wake_at > 1 {
                    thread.looks.enter(self.number, thread.now_ns);
                }
                None
            }
            Ok(false) => None,
            Err(fault) => self.lost(fault, thread),
        }
    }

    fn begin_to_send(&mut self, thread: &mut ThreadState<D>) {
        thread.talk.begin(&mut self.reader, self.drawn);
        let length_bytes = thread.talk.length_bytes(self.drawn);
        self.wake_at = thread.wake_threshold.wake_at(length_bytes);
        if let Some(connection) = &mut self.connection {
            self.wake_at = connection.wake_at(self.wake_at);
        }
        self.times.received_bytes = 0;
        self.times.sent_ns = Some(thread.now_ns);
    }

    /// Writes what can be written now; true once the whole request has left.
    fn write(&mut self, thread: &mut ThreadState<D>) -> Result<bool, Fault> {
        let Some(connection) = &mut self.connection else {
            return Ok(false);
        };
        let (talk, scratch) = (&thread.talk, &mut thread.scratch);
        let request = talk.request(&self.reader, self.drawn, self.last, scratch);
        // TLS takes no more than 64 KiB at once, though there is room: nothing would tell when to go on.
        while self.written < request.len() {
            match connection.write(&request[self.written..])? {
                0 => break,
                written => self.written += written,
            }
        }
        Ok(self.written == request.len() && connection.flush()?)
    }

    /// Whether an event reports when there is room to write.
    fn tell_of_room(&mut self, tell: bool, thread: &ThreadState<D>) -> Result<(), Fault> {
        let data = self.data();
        match &mut self.connection {
            Some(connection) => connection.tell_of_room(tell, &thread.epoll, data),
            None => Ok(()),
        }
    }

    fn data(&self) -> EventData {
        EventData::new_u64(self.event())
    }
}
