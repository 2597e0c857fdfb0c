//! The one thread: takes connections and requests as they come, and responds to those whose turn has come.

use std::net::{SocketAddr, SocketAddrV4};
use std::os::fd::OwnedFd;

use base::clock::{now_ns, timespec};
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketFlags, SocketType, sockopt};

use crate::client::{Client, Read};
use crate::queue::Queue;
use crate::timer::Timer;

/// The data of the listening socket's events; clients have the number of their place.
const LISTENER: u64 = u64::MAX;

/// The data of the timer's events.
const TIMER: u64 = u64::MAX - 1;

/// As many as may wait to be accepted; the kernel lowers it to `net.core.somaxconn`.
const BACKLOG: i32 = 65_535;

/// The number of events taken at once: small, so that a response whose turn has come does not wait for many reads.
const EVENTS: usize = 16;

/// The response to a request that finds the queue full.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n";

/// A client's place, and its number, which distinguishes it from earlier clients in that place.
pub type ClientId = (usize, u64);

/// A server of known behavior.
#[derive(Debug)]
pub struct Server {
    epoll: OwnedFd,
    listener: OwnedFd,
    timer: Timer,
    line: Queue<ClientId>,
    answer: Vec<u8>,
    clients: Vec<Option<Client>>,
    free: Vec<usize>,
    /// The number of clients so far.
    came: u64,
}

impl Server {
    /// Listens at `address`; bodies have `body_bytes` bytes.
    ///
    /// # Errors
    /// The kernel's, when the port is taken for one.
    pub fn listen(
        address: SocketAddrV4,
        line: Queue<ClientId>,
        body_bytes: u32,
    ) -> Result<Self, Errno> {
        let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
        let listener = net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?;
        sockopt::set_socket_reuseaddr(&listener, true)?;
        net::bind(&listener, &SocketAddr::V4(address))?;
        net::listen(&listener, BACKLOG)?;
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        let data = EventData::new_u64(LISTENER);
        epoll::add(&epoll, &listener, data, EventFlags::IN)?;
        Ok(Self {
            timer: Timer::new(&epoll, TIMER)?,
            epoll,
            listener,
            line,
            answer: answer(body_bytes),
            clients: Vec::new(),
            free: Vec::new(),
            came: 0,
        })
    }

    /// The address on which it listens.
    ///
    /// # Errors
    /// The kernel's.
    pub fn address(&self) -> Result<SocketAddr, Errno> {
        net::getsockname(&self.listener).and_then(SocketAddr::try_from)
    }

    /// Serves until a signal ends the process.
    ///
    /// # Errors
    /// The kernel's, when the events cannot be waited for.
    pub fn serve(mut self) -> Result<(), Errno> {
        let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
        loop {
            let due_ns = self.due_ns();
            let sleeps = match due_ns {
                None => true,
                Some(due_ns) => self.timer.may_sleep(due_ns, now_ns())?,
            };
            let at_once = timespec(0);
            let limit = if sleeps { None } else { Some(&at_once) };
            match epoll::wait(&self.epoll, spare_capacity(&mut events), limit) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
            for event in events.drain(..) {
                match event.data.u64() {
                    LISTENER => self.accept()?,
                    TIMER => {}
                    seat => self.turn(usize::try_from(seat).unwrap_or(usize::MAX), event.flags)?,
                }
            }
            self.answer_due()?;
        }
    }

    fn due_ns(&mut self) -> Option<u64> {
        let clients = &self.clients;
        self.line.due_ns(|seat| !sits(clients, seat))
    }

    fn answer_due(&mut self) -> Result<(), Errno> {
        let mut late = 0;
        while let Some(due_ns) = self.due_ns() {
            // After some late responses, clients that have left meanwhile must be noticed first.
            if due_ns > now_ns() || late == EVENTS {
                break;
            }
            late += 1;
            let Some(seat) = self.line.take(due_ns) else {
                break;
            };
            if sits(&self.clients, seat)
                && let Some(client) = &mut self.clients[seat.0]
            {
                match client.answer(&self.answer) {
                    Ok(true) => {}
                    Ok(false) => self.watch(seat.0, EventFlags::IN | EventFlags::OUT)?,
                    Err(_) => self.leave(seat.0),
                }
            }
        }
        Ok(())
    }

    fn accept(&mut self) -> Result<(), Errno> {
        loop {
            let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
            match net::accept_with(&self.listener, flags) {
                Ok(socket) => {
                    sockopt::set_tcp_nodelay(&socket, true)?;
                    let place = self.free.pop().unwrap_or(self.clients.len());
                    let data = EventData::new_u64(u64::try_from(place).unwrap_or(TIMER));
                    epoll::add(&self.epoll, &socket, data, EventFlags::IN)?;
                    if place == self.clients.len() {
                        self.clients.push(None);
                    }
                    self.came += 1;
                    self.clients[place] = Some(Client::new(socket, self.came));
                }
                Err(Errno::AGAIN) => return Ok(()),
                Err(errno @ (Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM)) => {
                    return Err(errno);
                }
                // A client that has gone already is no reason to stop.
                Err(_) => {}
            }
        }
    }

    fn turn(&mut self, place: usize, ready: EventFlags) -> Result<(), Errno> {
        let Some(client) = self.clients.get_mut(place).and_then(Option::as_mut) else {
            return Ok(());
        };
        if ready.contains(EventFlags::OUT) {
            match client.pay(&self.answer) {
                Ok(true) => self.watch(place, EventFlags::IN)?,
                Ok(false) => {}
                Err(_) => self.leave(place),
            }
            return Ok(());
        }
        match client.read() {
            Read::Requests(requests) => {
                let (seat, now_ns) = ((place, client.number), now_ns());
                for _ in 0..requests {
                    if !self.line.join(seat, now_ns) && client.refuse(REFUSAL).is_err() {
                        self.leave(place);
                        break;
                    }
                }
            }
            Read::Gone => self.leave(place),
        }
        Ok(())
    }

    fn leave(&mut self, place: usize) {
        self.clients[place] = None;
        self.free.push(place);
    }

    fn watch(&self, place: usize, flags: EventFlags) -> Result<(), Errno> {
        let Some(client) = &self.clients[place] else {
            return Ok(());
        };
        let data = EventData::new_u64(u64::try_from(place).unwrap_or(TIMER));
        epoll::modify(&self.epoll, &client.socket, data, flags)
    }
}

/// Whether the client that sent the request is still in this place.
fn sits(clients: &[Option<Client>], (place, number): ClientId) -> bool {
    matches!(clients.get(place), Some(Some(client)) if client.number == number)
}

fn answer(body_bytes: u32) -> Vec<u8> {
    let mut answer = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {body_bytes}\r\n\r\n"
    )
    .into_bytes();
    let head = answer.len();
    answer.resize(
        head + usize::try_from(body_bytes).unwrap_or(usize::MAX),
        b'x',
    );
    answer
}
