//! The monitors: everything that is read about a machine while a run goes on, on one clock, by one thread.

mod command;
pub mod groups;
mod hardware;
mod kernel_threads;
mod machine;
mod monitor;
pub mod monitors;
pub mod network;
pub mod other_processes;
mod row;
mod tasks;

use std::fs::File;
use std::io::{self, Write};
use std::iter;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use base::clock::{now_ns, thread_cpu_ns};
use base::error::Error;
use rustix::fs::OFlags;

pub use self::command::{Options, run};
use self::monitor::Monitor;
use self::monitors::WatchedGroups;
use self::row::Row;

/// What the monitors did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WatchSummary {
    /// Lines written, without the header.
    pub readings: u64,
    /// CPU time that it took.
    pub cpu_ns: u64,
}

/// The running monitors.
#[derive(Debug)]
pub struct RunningMonitors {
    columns: Vec<String>,
    stop: Sender<()>,
    thread: JoinHandle<io::Result<WatchSummary>>,
}

impl RunningMonitors {
    /// Start reading every `every_ms`, in a thread of its own; times count from `zero_ns`.
    ///
    /// # Errors
    /// A file that cannot be written, or a time between readings that is none.
    pub fn start(
        to: &Path,
        every_ms: u64,
        zero_ns: u64,
        parties: WatchedGroups,
    ) -> Result<Self, Error> {
        Self::start_into(Box::new(open(to)?), every_ms, zero_ns, parties)
    }

    fn start_into(
        to: Box<dyn Write + Send>,
        every_ms: u64,
        zero_ns: u64,
        parties: WatchedGroups,
    ) -> Result<Self, Error> {
        if !(1..=3_600_000).contains(&every_ms) {
            return Err(Error::failure(
                format!("every_ms of {every_ms} is not possible"),
                "Readings are between 1 ms and an hour apart.",
                "Leave it at 100.",
            ));
        }
        let sources = monitors::all(parties);
        let of_sources = sources.iter().flat_map(|source| source.columns());
        let columns: Vec<String> = iter::once("t_ns".to_owned()).chain(of_sources).collect();
        let (stop, stopped) = channel();
        let mut monitor = MonitorLoop {
            to,
            row: Row::new(columns.len()),
            sources,
            every: Duration::from_millis(every_ms),
            zero_ns,
        };
        let header = columns.join(",");
        let thread = std::thread::Builder::new()
            .name("monitors".to_owned())
            .spawn(move || monitor.run(&header, &stopped))
            .map_err(|error| {
                Error::io(
                    "the monitors cannot be started",
                    &error,
                    "See the limits on threads.",
                )
            })?;
        Ok(Self {
            columns,
            stop,
            thread,
        })
    }

    /// The columns of the table.
    #[must_use]
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Take a last reading and complete the file.
    ///
    /// # Errors
    /// A file that could not be written (a full disk).
    pub fn finish(self) -> Result<WatchSummary, Error> {
        // A thread that has ended already, on an error, needs no telling.
        let _ = self.stop.send(());
        let outcome = self
            .thread
            .join()
            .unwrap_or_else(|_| Err(io::Error::other("the monitors' thread panicked")));
        outcome.map_err(|error| {
            Error::io(
                "the readings are not complete",
                &error,
                "See whether the disk is full.",
            )
        })
    }
}

/// The thread's own.
struct MonitorLoop {
    to: Box<dyn Write + Send>,
    row: Row,
    sources: Vec<Box<dyn Monitor>>,
    every: Duration,
    zero_ns: u64,
}

impl MonitorLoop {
    fn run(&mut self, header: &str, stopped: &Receiver<()>) -> io::Result<WatchSummary> {
        let cpu_before_ns = thread_cpu_ns();
        self.to.write_all(format!("{header}\n").as_bytes())?;
        let every_ns = base::durations::whole_ns(self.every);
        let mut due_ns = now_ns();
        let mut readings = 0;
        loop {
            self.read_once()?;
            readings += 1;
            // After a stall the readings that were missed are left out, not made up for.
            due_ns += every_ns * (1 + (now_ns().saturating_sub(due_ns)) / every_ns);
            let left = Duration::from_nanos(due_ns.saturating_sub(now_ns()));
            if stopped.recv_timeout(left) != Err(RecvTimeoutError::Timeout) {
                break;
            }
        }
        self.read_once()?;
        Ok(WatchSummary {
            readings: readings + 1,
            cpu_ns: thread_cpu_ns() - cpu_before_ns,
        })
    }

    /// Writes each line at once: the validity of a case is decided from the readings while the run goes on.
    fn read_once(&mut self) -> io::Result<()> {
        let at_ns = now_ns();
        self.row.begin(at_ns.saturating_sub(self.zero_ns));
        for source in &mut self.sources {
            source.read(at_ns, &mut self.row);
        }
        self.to.write_all(self.row.line())
    }
}

/// Open the readings' file, never through a link: the run directory is the subject's own.
fn open(to: &Path) -> Result<File, Error> {
    let no_link = i32::try_from(OFlags::NOFOLLOW.bits()).unwrap_or(0);
    let mut options = File::options();
    let _ = options
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o644)
        .custom_flags(no_link);
    options.open(to).map_err(|error| {
        Error::io(
            format!("{} cannot be written", to.display()),
            &error,
            "Check the path and its permissions.",
        )
    })
}
