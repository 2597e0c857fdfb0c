//! Everything that supervise waits for, in one poll: standard input, children that end, signals, the parent's death.

use std::io;
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use base::error::Error;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use rustix::stdio::stdin;

use crate::syscalls::{is_ignored, next_signal, signal_descriptor};

/// A longer line is no valid request.
const LINE_BYTES: usize = 1 << 20;

/// How often the parent is checked for, in case no signal reported its death.
const LOOK_AT_PARENT: Duration = Duration::from_secs(1);

/// What happened.
#[derive(Debug, PartialEq, Eq)]
pub enum Event {
    /// A request came in; only `next` gives it.
    Line(String),
    /// A child may have ended.
    Child,
    /// The time given is over.
    Late,
    /// The run is over: the input closed, the parent died, a signal came, or nothing was heard for too long.
    Over,
}

/// The sources of events.
#[derive(Debug)]
pub struct Events {
    signals: OwnedFd,
    parent: Option<Pid>,
    read: Vec<u8>,
    over: bool,
    lease: Option<Duration>,
    heard: Instant,
}

impl Events {
    /// Take over the signals, and request one when the parent dies. With a lease, the run is over once nothing was heard
    /// for that long: a closed input shows neither a frozen client nor a cable that was pulled.
    ///
    /// # Errors
    /// The kernel's, when no descriptor is left.
    pub fn new(lease: Option<Duration>) -> io::Result<Self> {
        let parent = getppid();
        // Not TERM: the kernel also sends it when only the parent's thread that started us ends, which is no death.
        set_parent_process_death_signal(Some(Signal::USR1))?;
        let mut waited_for = vec![libc::SIGCHLD, libc::SIGTERM, libc::SIGINT, libc::SIGUSR1];
        if !is_ignored(libc::SIGHUP) {
            waited_for.push(libc::SIGHUP);
        }
        Ok(Self {
            signals: signal_descriptor(&waited_for)?,
            parent,
            read: Vec::new(),
            over: false,
            lease,
            heard: Instant::now(),
        })
    }

    /// The next event, a request included.
    pub fn next(&mut self) -> Event {
        loop {
            if let Some(line) = self.line() {
                return Event::Line(line);
            }
            match self.pause(Instant::now() + LOOK_AT_PARENT) {
                Event::Late => {}
                event => return event,
            }
        }
    }

    /// The next event until then, while a request is being processed: further requests wait.
    pub fn pause(&mut self, until: Instant) -> Event {
        loop {
            if self.over || getppid() != self.parent {
                self.over = true;
                return Event::Over;
            }
            let had = self.read.len();
            let left = until
                .saturating_duration_since(Instant::now())
                .min(LOOK_AT_PARENT);
            if self.poll(left) {
                return Event::Child;
            }
            self.over |= self.lease_is_over();
            if self.over {
                return Event::Over;
            }
            if Instant::now() >= until || self.read.len() > had {
                return Event::Late;
            }
        }
    }

    /// Wait at most this long for a child to end and for nothing else: for the end, which nothing interrupts.
    pub fn pause_for_child(&mut self, at_most: Duration) {
        let mut waiting = [PollFd::new(&self.signals, PollFlags::IN)];
        // An interrupted wait is a short one.
        let _ = poll(&mut waiting, timespec(at_most).as_ref());
        while next_signal(&self.signals).is_some() {}
    }

    /// Poll once; true when a child may have ended.
    fn poll(&mut self, at_most: Duration) -> bool {
        let input = stdin();
        let mut waiting = [
            PollFd::new(&self.signals, PollFlags::IN),
            PollFd::new(&input, PollFlags::IN),
        ];
        if poll(&mut waiting, timespec(at_most).as_ref()).is_err() {
            return false;
        }
        let readable = !waiting[1].revents().is_empty();
        let mut child = false;
        while let Some(signal) = next_signal(&self.signals) {
            match signal {
                libc::SIGCHLD => child = true,
                libc::SIGUSR1 => self.over |= getppid() != self.parent,
                _ => self.over = true,
            }
        }
        if readable {
            self.take_input();
        }
        child
    }

    fn take_input(&mut self) {
        let mut buffer = [0_u8; 4096];
        match rustix::io::read(stdin(), &mut buffer) {
            Ok(0) => self.over = true,
            Ok(count) => self.take_bytes(&buffer[..count]),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
            Err(_) => self.over = true,
        }
        self.over |= self.read.len() > LINE_BYTES;
    }

    /// Keep what came in. An empty line is a sign of life and no request.
    fn take_bytes(&mut self, bytes: &[u8]) {
        self.heard = Instant::now();
        for &byte in bytes {
            if byte != b'\n' || self.read.last().is_some_and(|&last| last != b'\n') {
                self.read.push(byte);
            }
        }
    }

    /// Whether nothing was heard for longer than the lease; called after a poll, so what waits in the pipe counts.
    fn lease_is_over(&self) -> bool {
        let over = self
            .lease
            .is_some_and(|lease| self.heard.elapsed() >= lease);
        if over {
            crate::print_error(&Error::failure(
                "the run is ended",
                format!(
                    "Nothing was heard from headtohead for {:.1} s.",
                    self.heard.elapsed().as_secs_f64()
                ),
                "Run the study again: it resumes.",
            ));
        }
        over
    }

    fn line(&mut self) -> Option<String> {
        let end = self.read.iter().position(|&byte| byte == b'\n')?;
        let rest = self.read.split_off(end + 1);
        let line = std::mem::replace(&mut self.read, rest);
        Some(String::from_utf8_lossy(&line).trim().to_owned())
    }
}

fn timespec(duration: Duration) -> Option<Timespec> {
    Timespec::try_from(duration).ok()
}
