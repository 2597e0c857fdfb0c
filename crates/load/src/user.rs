//! One user: a connection, and the request that it waits on.

use rustix::event::epoll::{self, EventData, EventFlags};

use crate::clock::now_ns;
use crate::common::Common;
use crate::fault::Fault;
use crate::http::answer::{Answer, Reader};
use crate::mix::Drawn;
use crate::tally::Instants;
use crate::transport::{Connection, Progress, Read};

/// How long a user waits after a request that failed otherwise than by time or content. A refusal takes microseconds:
/// without a pause, a server that is away would be asked a hundred thousand times a second.
const PAUSE_NS: u64 = 10_000_000;

/// One user of the closed loop.
pub struct User {
    number: u64,
    connection: Option<Connection>,
    /// Whether the connection has carried an answer already.
    used: bool,
    stage: Stage,
    drawn: Drawn,
    intended_ns: u64,
    sent_ns: Option<u64>,
    written: usize,
    resent: bool,
    reader: Reader,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Has nothing more to do.
    Idle,
    /// Waits for its intended instant.
    Waiting,
    Connecting,
    Sending,
    Receiving,
}

impl User {
    /// A user without a connection, who has asked for nothing yet.
    pub fn new(number: u64) -> Self {
        Self {
            number,
            connection: None,
            used: false,
            stage: Stage::Idle,
            drawn: Drawn::default(),
            intended_ns: 0,
            sent_ns: None,
            written: 0,
            resent: false,
            reader: Reader::default(),
        }
    }

    /// The user became ready at `ready_ns` and now draws the next request.
    pub fn start(&mut self, ready_ns: u64, now_ns: u64, common: &mut Common) {
        let Some(intended_ns) = common.schedule.intended_ns(ready_ns) else {
            self.stage = Stage::Idle;
            return;
        };
        self.drawn = common.mix.draw(&mut common.draws);
        self.intended_ns = intended_ns;
        self.sent_ns = None;
        self.resent = false;
        if intended_ns > now_ns {
            self.stage = Stage::Waiting;
            common.tick_ns = common.tick_ns.min(intended_ns);
        } else {
            self.ask(common);
        }
    }

    /// The connection is ready for what the user waits for.
    pub fn ready(&mut self, common: &mut Common) {
        match self.stage {
            Stage::Connecting => self.connected(common),
            Stage::Sending => self.send(common),
            Stage::Receiving => self.receive(common),
            // Between two requests only the server's end of the connection can be news.
            Stage::Idle | Stage::Waiting => {
                self.connection = None;
                common.tally.reconnected();
            }
        }
    }

    /// When this user needs [`User::tick`], if nothing happens before.
    pub fn tick_ns(&self, timeout_ns: u64) -> u64 {
        match self.stage {
            Stage::Idle => u64::MAX,
            Stage::Waiting => self.intended_ns,
            Stage::Connecting | Stage::Sending | Stage::Receiving => self.intended_ns + timeout_ns,
        }
    }

    /// Time has passed: sends what was waiting for its instant, gives up what has waited for too long.
    pub fn tick(&mut self, now_ns: u64, common: &mut Common) {
        if self.tick_ns(common.timeout_ns) > now_ns {
            return;
        }
        match self.stage {
            Stage::Idle => {}
            Stage::Waiting => self.ask(common),
            Stage::Connecting | Stage::Sending | Stage::Receiving => self.give_up(now_ns, common),
        }
    }

    fn ask(&mut self, common: &mut Common) {
        common.tick_ns = common.tick_ns.min(self.intended_ns + common.timeout_ns);
        self.written = 0;
        if self.connection.is_some() {
            self.send(common);
        } else {
            self.connect(common);
        }
    }

    fn connect(&mut self, common: &mut Common) {
        self.used = false;
        self.stage = Stage::Connecting;
        let data = EventData::new_u64(self.number);
        let flags = EventFlags::IN | EventFlags::OUT | EventFlags::RDHUP | EventFlags::ET;
        let opened = common.endpoint.connect().and_then(|connection| {
            epoll::add(&common.epoll, &connection, data, flags).map_err(Fault::of)?;
            Ok(connection)
        });
        match opened {
            Ok(connection) => self.connection = Some(connection),
            Err(fault) => self.fail(fault, common),
        }
    }

    fn connected(&mut self, common: &mut Common) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        match connection.establish() {
            Ok(Progress::Ready { .. }) => self.send(common),
            Ok(Progress::Waiting) => {}
            Err(fault) => self.fail(fault, common),
        }
    }

    fn send(&mut self, common: &mut Common) {
        let Some(connection) = &mut self.connection else {
            return;
        };
        if self.written == 0 {
            self.reader.begin();
            self.sent_ns = Some(now_ns());
        }
        let request = common.mix.bytes(self.drawn);
        self.stage = Stage::Sending;
        if self.written < request.len() {
            match connection.write(&request[self.written..]) {
                Ok(written) => self.written += written,
                Err(fault) => return self.lost(fault, common),
            }
        }
        if self.written < request.len() {
            return;
        }
        match connection.flush() {
            Ok(true) => self.stage = Stage::Receiving,
            Ok(false) => {}
            Err(fault) => self.lost(fault, common),
        }
    }

    /// Reads until nothing is left, or the answer is whole.
    fn receive(&mut self, common: &mut Common) {
        while self.stage == Stage::Receiving {
            let Some(connection) = &mut self.connection else {
                return;
            };
            let bytes = match connection.read(&mut common.buffer) {
                Ok(Read::Bytes(bytes)) => bytes,
                Ok(Read::Nothing) => return,
                Ok(Read::End) => {
                    let check = common.mix.check(self.drawn);
                    return match self.reader.close(check.as_ref()) {
                        Some(answer) => self.finish(&answer, common),
                        None => self.lost(Fault::Closed, common),
                    };
                }
                Err(fault) => return self.lost(fault, common),
            };
            common.tally.received(bytes);
            let check = common.mix.check(self.drawn);
            match self.reader.feed(&common.buffer[..bytes], check.as_ref()) {
                Ok(None) if now_ns() > self.intended_ns + common.timeout_ns => {
                    return self.give_up(now_ns(), common);
                }
                Ok(None) => {}
                Ok(Some(answer)) => return self.finish(&answer, common),
                Err(_) => return self.fail(Fault::Malformed, common),
            }
        }
    }

    fn finish(&mut self, answer: &Answer, common: &mut Common) {
        let done_ns = now_ns();
        if done_ns - self.intended_ns > common.timeout_ns {
            return self.give_up(done_ns, common);
        }
        let fault = common.mix.judge(self.drawn, answer);
        common.tally.answered(self.instants(done_ns), fault);
        if fault.is_none() {
            common.tally.compressed(answer);
        }
        self.used = true;
        if !answer.keep_alive {
            self.connection = None;
            common.tally.reconnected();
        }
        self.start(done_ns, done_ns, common);
    }

    /// The connection has gone before the answer was whole. Where it had carried answers and not one byte of this one,
    /// the server may have closed it before it saw the request: it is sent once more, on a new connection.
    fn lost(&mut self, fault: Fault, common: &mut Common) {
        let between =
            self.used && !self.reader.started() && matches!(fault, Fault::Closed | Fault::Reset);
        if !between || self.resent {
            return self.fail(fault, common);
        }
        self.resent = true;
        self.written = 0;
        self.connection = None;
        common.tally.reconnected();
        self.connect(common);
    }

    fn fail(&mut self, fault: Fault, common: &mut Common) {
        if fault == Fault::Timeout {
            return self.give_up(now_ns(), common);
        }
        self.connection = None;
        common.tally.failed(fault);
        let now_ns = now_ns();
        self.start(now_ns + PAUSE_NS, now_ns, common);
    }

    fn give_up(&mut self, now_ns: u64, common: &mut Common) {
        self.connection = None;
        common.tally.timed_out(self.instants(now_ns));
        self.start(now_ns, now_ns, common);
    }

    fn instants(&self, done_ns: u64) -> Instants {
        Instants {
            intended_ns: self.intended_ns,
            sent_ns: self.sent_ns,
            done_ns,
        }
    }
}
