//! The connections of one thread, each shared by so many users.

use std::os::fd::OwnedFd;
use std::task::Waker;

use base::clock::now_ns;
use bytes::Bytes;
use h2::client::ResponseFuture;
use http::Request;
use rustix::event::epoll::{self, EventData, EventFlags};

use super::bells::Bells;
use super::link::{Link, State};
use super::message::Requests;
use crate::connection::transport::Endpoint;
use crate::tally::Tally;
use crate::tally::fault::Fault;

/// The connections of one thread. One that has ended stays until its last user has left it.
pub struct Links {
    /// How many users share one.
    streams: usize,
    all: Vec<Option<Link>>,
    free: Vec<u32>,
    /// The connection that the users of each group join.
    current: Vec<Option<u32>>,
    /// How many there have been, which separates the events of one from those of an earlier one.
    serial: u32,
    /// Users for whom something has come.
    users: Bells,
    /// Connections that have something to do.
    doors: Bells,
    /// What is sent on them.
    pub requests: Requests,
}

impl Links {
    /// No connection yet; so many users will share each.
    pub fn new(streams: u32) -> Self {
        Self {
            streams: usize::try_from(streams.max(1)).unwrap_or(1),
            all: Vec::new(),
            free: Vec::new(),
            current: Vec::new(),
            serial: 0,
            users: Bells::default(),
            doors: Bells::default(),
            requests: Requests::default(),
        }
    }

    /// What wakes this user.
    pub fn waker(&self, user: u32) -> Waker {
        self.users.waker(user)
    }

    /// A user for whom something has come.
    pub fn next_user(&self) -> Option<u32> {
        self.users.next()
    }

    /// A connection that has something to do.
    pub fn next_link(&self) -> Option<u32> {
        self.doors.next()
    }

    /// Lets a user count on its connection, which is begun if there is none.
    ///
    /// # Errors
    /// No descriptor or no port is left, or the kernel knows at once that no server is there.
    pub fn join(&mut self, user: u32, endpoint: &Endpoint, epoll: &OwnedFd) -> Result<u32, Fault> {
        let group = index(user) / self.streams;
        if group >= self.current.len() {
            self.current.resize(group + 1, None);
        }
        let number = match self.current[group] {
            Some(number) => number,
            None => self.begin(group, endpoint, epoll)?,
        };
        if let Some(link) = self.link(number) {
            link.users += 1;
        }
        Ok(number)
    }

    fn begin(&mut self, group: usize, endpoint: &Endpoint, epoll: &OwnedFd) -> Result<u32, Fault> {
        let connection = endpoint.connect()?;
        let number = self.free.pop().unwrap_or_else(|| {
            self.all.push(None);
            u32::try_from(self.all.len() - 1).unwrap_or(u32::MAX)
        });
        self.serial = self.serial.wrapping_add(1);
        let event = EventData::new_u64(u64::from(self.serial) << 32 | u64::from(number));
        if let Err(errno) = epoll::add(epoll, &connection, event, connection.events()) {
            self.free.push(number);
            return Err(Fault::of(errno));
        }
        let waker = self.doors.waker(number);
        self.all[index(number)] = Some(Link::new(connection, event, group, waker));
        self.current[group] = Some(number);
        Ok(number)
    }

    /// What a user of this connection is to do; one that has to wait for it is woken.
    pub fn state(&mut self, number: u32, user: u32) -> State {
        let Some(link) = self.link(number) else {
            return State::Ended(Fault::Closed);
        };
        let state = link.state();
        if matches!(state, State::Opening) {
            link.waiting.push(user);
        }
        state
    }

    /// Sends a request.
    ///
    /// # Errors
    /// No request can be sent on this connection any more.
    pub fn send(
        &mut self,
        number: u32,
        request: Request<()>,
        body: Bytes,
    ) -> Result<ResponseFuture, Fault> {
        let link = self.link(number).ok_or(Fault::Closed)?;
        let sent = link.send(request, body);
        self.doors.ring(number);
        sent
    }

    /// Whether this connection has carried a response.
    pub fn is_used(&mut self, number: u32) -> bool {
        self.link(number).is_some_and(|link| link.used)
    }

    /// This connection has carried a response; its end may have come together with it.
    pub fn used(&mut self, number: u32, tally: &mut Tally) {
        let Some(link) = self.link(number) else {
            return;
        };
        link.used = true;
        if let State::Ended(_) = link.state() {
            self.retire(number, tally);
        }
    }

    /// What an error of a request on this connection counts as.
    pub fn fault(&mut self, number: u32, error: &h2::Error) -> Fault {
        self.link(number)
            .map_or(Fault::Closed, |link| link.fault(error))
    }

    /// No user joins this connection any more. It counts as ended by the server between two requests, if it was used.
    pub fn retire(&mut self, number: u32, tally: &mut Tally) {
        if let Some(link) = self.link(number) {
            if link.used && !link.counted {
                link.counted = true;
                tally.reconnected(now_ns());
            }
            let group = link.group;
            self.forget(group, number);
        }
    }

    /// A user leaves its connection. One whose last user has left without a response, as `timed_out` means, is closed.
    pub fn leave(&mut self, number: u32, timed_out: bool) {
        let Some(link) = self.link(number) else {
            return;
        };
        link.users = link.users.saturating_sub(1);
        let (group, alone) = (link.group, link.users == 0);
        if alone && (timed_out || self.current[group] != Some(number)) {
            self.remove(number);
        }
    }

    /// Something has happened to the connection with this event data.
    pub fn event(&mut self, data: u64, flags: EventFlags) {
        let number = u32::try_from(data & u64::from(u32::MAX)).unwrap_or(u32::MAX);
        if let Some(link) = self.link(number)
            && link.event.u64() == data
        {
            let ends = EventFlags::RDHUP | EventFlags::HUP | EventFlags::ERR;
            link.event(flags.intersects(ends));
            self.doors.ring(number);
        }
    }

    /// Lets a connection go on as far as it can.
    pub fn advance(&mut self, number: u32, epoll: &OwnedFd, tally: &mut Tally) {
        let Some(link) = self.link(number) else {
            return;
        };
        if let Some(handshake) = link.advance(epoll) {
            tally.connected(now_ns(), Some(handshake));
        }
        let state = link.state();
        if matches!(state, State::Opening) {
            return;
        }
        let (waiting, alone, group) = (
            std::mem::take(&mut link.waiting),
            link.users == 0,
            link.group,
        );
        for user in waiting {
            self.users.ring(user);
        }
        if let State::Ended(_) = state {
            if alone {
                self.retire(number, tally);
                self.remove(number);
            } else {
                self.forget(group, number);
            }
        }
    }

    fn forget(&mut self, group: usize, number: u32) {
        if self.current[group] == Some(number) {
            self.current[group] = None;
        }
    }

    fn remove(&mut self, number: u32) {
        if let Some(link) = self.all.get_mut(index(number)).and_then(Option::take) {
            self.forget(link.group, number);
            self.free.push(number);
        }
    }

    fn link(&mut self, number: u32) -> Option<&mut Link> {
        self.all.get_mut(index(number))?.as_mut()
    }
}

fn index(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}
