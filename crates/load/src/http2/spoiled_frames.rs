//! Frames of a server as they may be spoiled on their way: a request has its response or ends in an error, and nothing
//! crashes or hangs.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

use base::durations::SECOND_NS;
use base::random::Random;
use rustix::buffer::spare_capacity;
use rustix::event::Timespec;
use rustix::event::epoll::{self, CreateFlags, Event};

use super::link::State;
use super::links::Links;
use super::message;
use crate::connection::peer::Peer;
use crate::connection::transport::Endpoint;
use crate::spoiled::{change, repeat, timed};
use crate::tally::window::Window;
use crate::tally::{Rules, Tally};

/// What the server sends, in turn: its settings, and a response with a header, a body in two frames and a trailer.
const SENT: [&[u8]; 5] = [
    b"\0\0\x06\x04\0\0\0\0\0\0\x03\0\0\0\x64\0\0\0\x04\x01\0\0\0\0",
    b"\0\0\x05\x01\x04\0\0\0\x01\x88\0\x01a\0",
    b"\0\0\x05\0\0\0\0\0\x01hello",
    b"\0\0\x06\0\0\0\0\0\x01 world",
    b"\0\0\x05\x01\x05\0\0\0\x01\0\x01c\x01d",
];

/// Frame heads that mean something elsewhere: a reset, an end of all, a ping, a window, a promise, one that is too long.
const TOKENS: [&[u8]; 6] = [
    b"\0\0\x04\x03\0\0\0\0\x01\0\0\0\x08",
    b"\0\0\x08\x07\0\0\0\0\0\0\0\0\0\0\0\0\x02",
    b"\0\0\x08\x06\0\0\0\0\0\0\0\0\0\0\0\0\0",
    b"\0\0\x04\x08\0\0\0\0\x01\x7f\xff\xff\xff",
    b"\0\0\x05\x05\x04\0\0\0\x01\0\0\0\x02\x82",
    b"\xff\xff\xff\0\0\0\0\0\x01",
];

const MOST_TURNS: usize = 12;

/// A client of HTTP/2 in the clear, which differs from one over TLS only below what is tried here.
struct Client {
    links: Links,
    tally: Tally,
    epoll: OwnedFd,
    listener: TcpListener,
}

impl Client {
    fn new() -> Self {
        let rules = Rules {
            window: Window {
                from_ns: 0,
                until_ns: u64::MAX,
            },
            scheduled: false,
            timeout_ns: SECOND_NS,
            late_after_ns: None,
            keeps_seconds: false,
            keeps_instants: false,
        };
        Self {
            links: Links::new(1),
            tally: Tally::new(rules, Vec::new(), None),
            epoll: epoll::create(CreateFlags::CLOEXEC).expect("an epoll"),
            listener: TcpListener::bind("127.0.0.1:0").expect("a port"),
        }
    }

    /// One request on a connection of its own. How it ended: with a whole response (0), not at all (1), by an error (2).
    fn converse(&mut self, number: u32, mut spoil: impl FnMut(usize, &mut Vec<u8>)) -> usize {
        let peer = Peer::Tcp(self.listener.local_addr().expect("an address"));
        let endpoint = Endpoint { peer, tls: None };
        let joined = self.links.join(number, &endpoint, &self.epoll);
        let link = joined.expect("a connection");
        let (mut wire, _) = self.listener.accept().expect("a connection");
        wire.set_nonblocking(true).expect("a socket");
        wire.set_nodelay(true).expect("a socket");
        let ended = self.exchange(link, number, &mut wire, &mut spoil);
        self.links.leave(link, true);
        ended
    }

    fn exchange(
        &mut self,
        link: u32,
        number: u32,
        wire: &mut TcpStream,
        spoil: &mut impl FnMut(usize, &mut Vec<u8>),
    ) -> usize {
        let mut context = Context::from_waker(Waker::noop());
        let (mut response, mut body, mut came) = (None, None, vec![0; 1 << 16]);
        let mut next = 0;
        for turn in 0..MOST_TURNS {
            self.go_on();
            match self.links.state(link, number) {
                State::Ended(_) => return 2,
                State::Open if response.is_none() => {
                    let text = b"GET / HTTP/1.1\r\nHost: h\r\n\r\n";
                    let (request, sent) = message::request(text).expect("a request");
                    match self.links.send(link, request, sent) {
                        Ok(future) => response = Some(future),
                        Err(_) => return 2,
                    }
                }
                _ => {}
            }
            if let (Some(future), true) = (&mut response, body.is_none()) {
                match Pin::new(future).poll(&mut context) {
                    Poll::Pending => {}
                    Poll::Ready(Ok(head)) => body = Some(head.into_body()),
                    Poll::Ready(Err(_)) => return 2,
                }
            }
            while let Some(stream) = &mut body {
                match stream.poll_data(&mut context) {
                    Poll::Pending => break,
                    Poll::Ready(None) => return 0,
                    Poll::Ready(Some(Err(_))) => return 2,
                    Poll::Ready(Some(Ok(bytes))) => {
                        let _ = stream.flow_control().release_capacity(bytes.len());
                    }
                }
            }
            let _ = wire.read(&mut came);
            // The response comes once the request has.
            let mut sent = match next {
                1.. if response.is_none() => Vec::new(),
                _ => SENT.get(next).copied().unwrap_or_default().to_vec(),
            };
            next += usize::from(!sent.is_empty());
            spoil(turn, &mut sent);
            let _ = wire.write(&sent);
        }
        1
    }

    /// Lets the connection read and write.
    fn go_on(&mut self) {
        let mut events: Vec<Event> = Vec::with_capacity(8);
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let _ = epoll::wait(&self.epoll, spare_capacity(&mut events), Some(&now)).expect("events");
        for event in events.drain(..) {
            self.links.event(event.data.u64(), event.flags);
        }
        while let Some(number) = self.links.next_link() {
            self.links.advance(number, &self.epoll, &mut self.tally);
        }
    }
}

#[test]
fn what_is_not_spoiled_is_a_response() {
    let mut client = Client::new();
    for number in 0..3 {
        assert_eq!(client.converse(number, |_, _| {}), 0);
    }
}

#[test]
fn spoiled_frames_neither_crash_nor_hang() {
    let mut client = Client::new();
    let mut kinds = [0_u32; 3];
    let earlier = SENT.map(<[u8]>::to_vec);
    repeat("frames", 500, |random: &mut Random, number| {
        let spoiled = random.below(6);
        let (took_ns, kind) = timed(|| {
            client.converse(number % 8, |turn, sent| {
                if turn == spoiled && !sent.is_empty() {
                    for _ in 0..=number % 3 {
                        change(random, sent, &TOKENS, &earlier);
                    }
                }
            })
        });
        kinds[kind] += 1;
        took_ns
    });
    assert!(
        kinds.iter().all(|&count| count > 10),
        "chance has met every kind: {kinds:?}"
    );
}
