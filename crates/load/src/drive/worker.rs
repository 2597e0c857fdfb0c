//! One thread of the driver: its users, its timer, its share of the load. It shares nothing with the others.

use base::clock::now_ns;
use base::durations::seconds;
use rustix::event::epoll::{self, Event, EventData, EventFlags};
use rustix::io::Errno;

use crate::dialogue::Dialogue;
use crate::drive::loops::Loop;
use crate::drive::poll::{self, Poll};
use crate::drive::pool::Pool;
use crate::drive::timer::Timer;
use crate::tally::Tally;
use crate::tally::usage::Usage;
use crate::tally::window::Window;

/// So many ready connections are taken from the kernel at once.
const EVENTS: usize = 256;

/// The data of the alarm's events; those of connections are never so large.
const ALARM: u64 = u64::MAX;

/// How often overdue responses are looked for.
const BEAT_NS: u64 = 2_000_000;

/// One thread's work.
pub struct Worker<D: Dialogue, L> {
    pool: Pool<D>,
    load: L,
    window: Window,
    /// Whether what is under way at the window's end is waited for.
    drains: bool,
    waiting: Poll,
    timer: Timer,
    /// When time makes something happen next.
    due_ns: u64,
    /// How long polls have found nothing, in ns.
    empty_ns: u64,
    before: Option<Usage>,
    after: Option<Usage>,
}

/// What one thread counted and used.
#[derive(Debug)]
pub struct ThreadResult {
    /// When the window closed.
    pub to_ns: u64,
    /// What was counted.
    pub tally: Tally,
    /// CPU time within the window but for polls that found nothing, in seconds.
    pub cpu_s: f64,
    /// Time of polls within the window that found nothing, in seconds; `None` if the thread slept.
    pub empty_polls_s: Option<f64>,
    /// The share of the window that the thread worked.
    pub busy_share: f64,
    /// Time within it for which the thread was kept from its CPU, in seconds.
    pub delay_s: Option<f64>,
    /// The server's text the first time that it returned an error.
    pub said: Option<String>,
}

impl<D: Dialogue, L: Loop> Worker<D, L> {
    /// A thread's work, not started.
    ///
    /// # Errors
    /// No descriptor is left for its timer.
    pub fn new(pool: Pool<D>, load: L, drains: bool, waiting: Poll) -> Result<Self, Errno> {
        let timer = Timer::new()?;
        let flags = EventFlags::IN | EventFlags::ET;
        epoll::add(&pool.thread.epoll, &timer, EventData::new_u64(ALARM), flags)?;
        Ok(Self {
            window: pool.thread.tally.rules.window,
            pool,
            load,
            drains,
            waiting,
            timer,
            due_ns: 0,
            empty_ns: 0,
            before: None,
            after: None,
        })
    }

    /// Drives the load from `began_ns` on to its end.
    ///
    /// # Errors
    /// The kernel refuses to wait, which it has no reason to.
    pub fn run(mut self, began_ns: u64) -> Result<ThreadResult, Errno> {
        let mut events: Vec<Event> = Vec::with_capacity(EVENTS);
        self.wait_until(began_ns, &mut events)?;
        self.load.start(&mut self.pool, began_ns);
        self.settle();
        while !self.pool.over {
            if self.is_due() {
                self.tick();
                continue;
            }
            self.wait(&mut events)?;
            for event in events.drain(..) {
                if !self.pool.over {
                    self.happen(event);
                }
            }
        }
        Ok(self.close())
    }

    fn wait_until(&mut self, at_ns: u64, events: &mut Vec<Event>) -> Result<(), Errno> {
        loop {
            self.pool.thread.now_ns = now_ns();
            if self.pool.thread.now_ns >= at_ns {
                return Ok(());
            }
            self.timer.set(at_ns)?;
            poll::sleep(&self.pool.thread.epoll, events)?;
            if events.drain(..).next().is_some() {
                self.timer.rang();
            }
        }
    }

    /// Waits for events or for what is due by the clock.
    fn wait(&mut self, events: &mut Vec<Event>) -> Result<(), Errno> {
        let next_ns = self.next_ns();
        let thread = &mut self.pool.thread;
        match self.waiting {
            Poll::Sleep => {
                // The timer is one of the events.
                self.timer.set(next_ns)?;
                poll::sleep(&thread.epoll, events)
            }
            Poll::Busy => {
                let (now_ns, empty_ns) = poll::busy(&thread.epoll, events, next_ns)?;
                thread.now_ns = now_ns;
                self.empty_ns += empty_ns;
                thread.tally.waited(now_ns, empty_ns);
                Ok(())
            }
        }
    }

    fn happen(&mut self, event: Event) {
        let (data, flags) = (event.data.u64(), event.flags);
        if data == ALARM {
            self.timer.rang();
            self.due_ns = 0;
        } else if let Some((user, ending)) = self.pool.event(data, flags) {
            self.load.after(&mut self.pool, user, &ending);
            self.settle();
        }
        // A long row of events must not keep an arrival waiting.
        if self.is_due() && !self.pool.over {
            self.tick();
        }
    }

    /// Goes on with the users whose requests ended without an event of their own.
    fn settle(&mut self) {
        while !self.pool.over
            && let Some((user, ending)) = self.pool.ending()
        {
            self.load.after(&mut self.pool, user, &ending);
        }
    }

    fn next_ns(&self) -> u64 {
        self.due_ns
            .min(self.pool.pause_over_ns().unwrap_or(u64::MAX))
    }

    fn is_due(&self) -> bool {
        self.pool.thread.now_ns >= self.next_ns()
    }

    /// Does what is due by the clock.
    fn tick(&mut self) {
        let began_ns = now_ns();
        self.pool.thread.now_ns = began_ns;
        if self.before.is_none() && self.pool.thread.now_ns >= self.window.from_ns {
            self.before = Some(Usage::read(self.empty_ns));
        }
        // One by one: none may count once the load is over.
        while !self.pool.over
            && let Some((user, ending)) = self.pool.overdue()
        {
            self.load.after(&mut self.pool, user, &ending);
            self.settle();
        }
        self.pool.tidy();
        while !self.pool.over
            && let Some((user, since_ns)) = self.pool.resumes()
        {
            self.load.resume(&mut self.pool, user, since_ns);
            self.settle();
        }
        self.load.arrive(&mut self.pool);
        self.settle();
        self.pool.thread.now_ns = now_ns();
        let now_ns = self.pool.thread.now_ns;
        if now_ns >= self.window.until_ns {
            let _ = self.after.get_or_insert_with(|| Usage::read(self.empty_ns));
            // What was due before the end has been begun only if the clock stood there already: it may have gone on.
            let all_begun = began_ns >= self.window.until_ns;
            self.pool.over |= all_begun && (!self.drains || self.pool.thread.tally.pending() == 0);
        }
        let again = began_ns < self.window.until_ns && now_ns >= self.window.until_ns;
        let edges = [self.window.from_ns, self.window.until_ns];
        let next_edge = edges.into_iter().filter(|&at_ns| at_ns > now_ns).min();
        self.due_ns = (now_ns + BEAT_NS)
            .min(self.load.due_ns(&self.pool))
            .min(self.pool.timeout_ns())
            .min(next_edge.unwrap_or(u64::MAX))
            .min(if again { now_ns } else { u64::MAX });
    }

    fn close(self) -> ThreadResult {
        let said = self.pool.thread.talk.said();
        let mut tally = self.pool.thread.tally;
        let to_ns = self.window.until_ns.min(self.pool.thread.now_ns);
        tally.close(to_ns);
        let after = self.after.unwrap_or_else(|| Usage::read(self.empty_ns));
        let before = self.before.unwrap_or(after);
        ThreadResult {
            to_ns,
            tally,
            cpu_s: after.work_s_since(&before),
            empty_polls_s: (self.waiting == Poll::Busy).then(|| after.empty_polls_s_since(&before)),
            busy_share: after.work_s_since(&before) / seconds((to_ns - self.window.from_ns).max(1)),
            delay_s: after.delay_s_since(&before),
            said,
        }
    }
}
