//! The least HTTP/1.1 server: known pages from memory, one thread, one read and one write a request.

mod client;
mod pages;
mod request;

use std::io::{Write, stdout};
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;

use base::error::Error;
use rustix::buffer::spare_capacity;
use rustix::event::epoll::{self, CreateFlags, Event, EventData, EventFlags};
use rustix::io::Errno;
use rustix::net::{self, AddressFamily, SocketFlags, SocketType, sockopt};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::cli::Respond;
use client::{Client, Next};

pub use pages::Pages;

/// The data of the listening socket's events; clients have the number of their slot.
const LISTENER: u64 = u64::MAX;

/// As many as may wait to be accepted; the kernel lowers it to `net.core.somaxconn`.
const BACKLOG: i32 = 4096;

/// Serves until the process is ended by a signal.
///
/// # Errors
/// The pages cannot be read or the port cannot be opened.
pub fn respond(options: &Respond) -> Result<(), Error> {
    let pages = Pages::read(
        options
            .body
            .as_deref()
            .map(|body| (options.path.as_str(), body)),
        options.directory.as_deref(),
    )?;
    let limit = getrlimit(Resource::Nofile);
    // If the limit cannot be raised, clients beyond it wait.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            maximum: limit.maximum,
        },
    );
    let port = Port::open(options.address, options.port)?;
    let address = port.address;
    writeln!(stdout(), "listening on {address}").map_err(|error| failed(error.to_string()))?;
    port.serve(&pages)
}

/// A port that is listened on.
pub struct Port {
    listener: OwnedFd,
    /// Its address.
    pub address: SocketAddr,
}

impl Port {
    /// Listens on this port of an address; 0 for any free one.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(ip: Ipv4Addr, number: u16) -> Result<Self, Error> {
        let listener = listen(ip, number).map_err(|errno| {
            let remedy = "Give another one with --port; 0 takes any free one.";
            Error::failure(format!("port {number} of {ip}"), errno.to_string(), remedy)
        })?;
        let address = net::getsockname(&listener)
            .and_then(SocketAddr::try_from)
            .map_err(|errno| failed(errno.to_string()))?;
        Ok(Self { listener, address })
    }

    /// Serves the pages until the process ends.
    ///
    /// # Errors
    /// The kernel does not let it.
    pub fn serve(self, pages: &Pages) -> Result<(), Error> {
        Server::new(self.listener, pages)
            .and_then(Server::serve)
            .map_err(|errno| failed(errno.to_string()))
    }
}

fn failed(why: String) -> Error {
    Error::failure("the server", why, "See `man 7 epoll`.")
}

fn listen(ip: Ipv4Addr, port: u16) -> Result<OwnedFd, Errno> {
    let flags = SocketFlags::NONBLOCK | SocketFlags::CLOEXEC;
    let listener = net::socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?;
    sockopt::set_socket_reuseaddr(&listener, true)?;
    net::bind(&listener, &SocketAddr::from((ip, port)))?;
    net::listen(&listener, BACKLOG)?;
    Ok(listener)
}

struct Server<'a> {
    epoll: OwnedFd,
    listener: OwnedFd,
    /// Whether new clients are looked for; not while there is no descriptor for them.
    accepts: bool,
    pages: &'a Pages,
    clients: Vec<Option<Client<'a>>>,
    free: Vec<usize>,
}

impl<'a> Server<'a> {
    fn new(listener: OwnedFd, pages: &'a Pages) -> Result<Self, Errno> {
        let epoll = epoll::create(CreateFlags::CLOEXEC)?;
        epoll::add(
            &epoll,
            &listener,
            EventData::new_u64(LISTENER),
            EventFlags::IN,
        )?;
        Ok(Self {
            epoll,
            listener,
            accepts: true,
            pages,
            clients: Vec::new(),
            free: Vec::new(),
        })
    }

    fn serve(mut self) -> Result<(), Errno> {
        let mut events: Vec<Event> = Vec::with_capacity(256);
        loop {
            match epoll::wait(&self.epoll, spare_capacity(&mut events), None) {
                Ok(_) | Err(Errno::INTR) => {}
                Err(errno) => return Err(errno),
            }
            for event in events.drain(..) {
                if event.data.u64() == LISTENER {
                    self.accept()?;
                } else {
                    self.turn(event.data.u64())?;
                }
            }
        }
    }

    fn accept(&mut self) -> Result<(), Errno> {
        loop {
            match net::accept_with(&self.listener, SocketFlags::NONBLOCK | SocketFlags::CLOEXEC) {
                Ok(socket) => {
                    sockopt::set_tcp_nodelay(&socket, true)?;
                    let slot = self.free.pop().unwrap_or(self.clients.len());
                    let data = EventData::new_u64(u64::try_from(slot).unwrap_or(LISTENER));
                    epoll::add(&self.epoll, &socket, data, EventFlags::IN)?;
                    if slot == self.clients.len() {
                        self.clients.push(None);
                    }
                    self.clients[slot] = Some(Client::new(socket));
                }
                Err(Errno::AGAIN) => return Ok(()),
                Err(Errno::MFILE | Errno::NFILE | Errno::NOBUFS | Errno::NOMEM) => {
                    return self.look(false);
                }
                // A client that has gone already is no reason to stop.
                Err(_) => {}
            }
        }
    }

    /// Looks for new clients, or stops doing so until one has left.
    fn look(&mut self, accepts: bool) -> Result<(), Errno> {
        self.accepts = accepts;
        let flags = if accepts {
            EventFlags::IN
        } else {
            EventFlags::empty()
        };
        epoll::modify(
            &self.epoll,
            &self.listener,
            EventData::new_u64(LISTENER),
            flags,
        )
    }

    fn turn(&mut self, number: u64) -> Result<(), Errno> {
        let slot = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(client) = self.clients.get_mut(slot).and_then(Option::as_mut) else {
            return Ok(());
        };
        let flags = match client.turn(self.pages) {
            Next::Same => return Ok(()),
            Next::Write => EventFlags::OUT,
            Next::Read => EventFlags::IN,
            Next::Leave => {
                self.clients[slot] = None;
                self.free.push(slot);
                return if self.accepts {
                    Ok(())
                } else {
                    self.look(true)
                };
            }
        };
        epoll::modify(
            &self.epoll,
            &client.socket,
            EventData::new_u64(number),
            flags,
        )
    }
}
