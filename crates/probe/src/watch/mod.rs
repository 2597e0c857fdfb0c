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

/// The longest time between the first and the last read of a line: 0.4 % of a window of 5 s.
const APART_NS: u64 = 20_000_000;
/// How often a line is read, at most, until it is of one instant.
const ATTEMPTS: usize = 5;
/// The monitors' own priority: hundreds of busy processes else keep them from a CPU for seconds.
const PRIORITY: i32 = -15;

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
        let mut monitor = MonitorLoop::new(to, sources, Duration::from_millis(every_ms), zero_ns);
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
    /// Those that must be of one instant come first.
    sources: Vec<Box<dyn Monitor>>,
    of_one_instant: usize,
    every: Duration,
    zero_ns: u64,
}

impl MonitorLoop {
    fn new(
        to: Box<dyn Write + Send>,
        sources: Vec<Box<dyn Monitor>>,
        every: Duration,
        zero_ns: u64,
    ) -> Self {
        let of_one_instant = sources
            .iter()
            .take_while(|source| source.of_one_instant())
            .count();
        let columns: usize = sources.iter().map(|source| source.columns().len()).sum();
        Self {
            to,
            row: Row::new(1 + columns),
            sources,
            of_one_instant,
            every,
            zero_ns,
        }
    }

    fn run(&mut self, header: &str, stopped: &Receiver<()>) -> io::Result<WatchSummary> {
        // Of this thread alone; whoever is not root keeps the usual priority.
        let _ = rustix::process::setpriority_process(None, PRIORITY);
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
    ///
    /// Columns that must be of one instant and are not are read again: between two of their reads this thread may have
    /// had to wait for a CPU, and a difference of the two would be time that nobody used. What the reads themselves take
    /// is no reason: the next ones take as long. The other columns follow them, and are read once.
    fn read_once(&mut self) -> io::Result<()> {
        let mut at_ns = now_ns();
        for attempt in 1..=ATTEMPTS {
            let used_ns = thread_cpu_ns();
            self.row.begin(at_ns.saturating_sub(self.zero_ns));
            for source in self.sources.iter_mut().take(self.of_one_instant) {
                source.read(at_ns, &mut self.row);
            }
            let apart = is_apart(now_ns() - at_ns, thread_cpu_ns() - used_ns);
            if !apart || attempt == ATTEMPTS {
                break;
            }
            for source in self.sources.iter_mut().take(self.of_one_instant) {
                source.forget(at_ns);
            }
            at_ns = now_ns();
        }
        for source in self.sources.iter_mut().skip(self.of_one_instant) {
            source.read(at_ns, &mut self.row);
        }
        self.to.write_all(self.row.line())
    }
}

/// Whether this thread waited for a CPU for too long between the first and the last read of a line.
fn is_apart(took_ns: u64, used_ns: u64) -> bool {
    took_ns.saturating_sub(used_ns) > APART_NS
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

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use super::{ATTEMPTS, Monitor, MonitorLoop, Row, is_apart};

    /// Counts its reads; the first ones take longer than a line may.
    struct Waits {
        read: u64,
        slow: u64,
    }

    impl Monitor for Waits {
        fn columns(&self) -> Vec<String> {
            vec!["read".to_owned()]
        }

        fn read(&mut self, _at_ns: u64, row: &mut Row) {
            self.read += 1;
            if self.read <= self.slow {
                std::thread::sleep(Duration::from_millis(25));
            }
            row.add(self.read);
        }
    }

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl std::io::Write for Written {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no writer panicked").extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn line_of(sources: Vec<Box<dyn Monitor>>) -> String {
        let written = Written::default();
        let to = Box::new(written.clone());
        let mut monitors = MonitorLoop::new(to, sources, Duration::from_millis(100), 0);
        monitors.read_once().expect("a line in memory");
        let bytes = written.0.lock().expect("no writer panicked").clone();
        String::from_utf8(bytes).expect("digits")
    }

    fn waits(slow: u64) -> Box<dyn Monitor> {
        Box::new(Waits { read: 0, slow })
    }

    fn line_after(slow: u64) -> String {
        line_of(vec![waits(slow)])
    }

    #[test]
    fn a_line_that_is_not_of_one_instant_is_read_again_and_only_the_last_one_is_written() {
        assert!(line_after(2).ends_with(",3\n"), "two were slow");
        assert_eq!(line_after(2).lines().count(), 1);
        let never = line_after(u64::MAX);
        assert!(
            never.ends_with(&format!(",{ATTEMPTS}\n")),
            "better than none"
        );
    }

    /// One whose cells need not be of one instant with others.
    struct Slow(Waits);

    impl Monitor for Slow {
        fn columns(&self) -> Vec<String> {
            self.0.columns()
        }

        fn read(&mut self, at_ns: u64, row: &mut Row) {
            self.0.read(at_ns, row);
        }

        fn of_one_instant(&self) -> bool {
            false
        }
    }

    #[test]
    fn what_need_not_be_of_one_instant_is_read_once_however_long_it_takes() {
        let slow = Waits {
            read: 0,
            slow: u64::MAX,
        };
        let line = line_of(vec![waits(2), Box::new(Slow(slow))]);
        assert!(line.ends_with(",3,1\n"), "{line}");
    }

    #[test]
    fn reads_that_are_work_do_not_set_a_line_apart() {
        assert!(is_apart(25_000_000, 1_000_000));
        assert!(!is_apart(25_000_000, 25_000_001));
        assert!(!is_apart(90_000_000, 75_000_000));
    }
}
