//! The gate: wait until nothing but the run uses this machine.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use base::clock::now_ns;
use base::durations::{seconds, whole_ns};
use serde_json::json;

use super::events::Event;
use super::immediate::A_DAY;
use super::protocol::{GateRequest, RequestError, Response, duration};
use super::{Supervisor, fields};
use crate::cgroup::Hierarchy;
use crate::watch::other_processes::OtherProcesses;

/// Six looks in the usual 0.3 s; each costs about 0.1 ms.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Supervisor {
    /// Wait until the CPU time of other processes stayed below the limit for this long.
    pub(super) fn gate(&mut self, request: &GateRequest) -> Result<Response, RequestError> {
        let lasting_ns = whole_ns(duration("for_s", request.for_s)?);
        let within = duration("within_s", request.within_s)?.min(A_DAY);
        let began = Instant::now();
        let sources = self.parties();
        let machine = self
            .given
            .mounted
            .as_deref()
            .and_then(Hierarchy::machine_meter);
        let mut foreign = OtherProcesses::new(machine, sources)?;
        let mut window = QuietWindow::new(lasting_ns);
        loop {
            let share = window.add(now_ns(), foreign.read_ns());
            let quiet = window.full && share < request.below_cpus;
            let waited = began.elapsed();
            if quiet || waited >= within {
                return Ok(fields(json!({
                    "quiet": quiet,
                    "waited_s": waited.as_secs_f64(),
                    "foreign_cpus": share,
                })));
            }
            self.rest()?;
        }
    }

    fn rest(&mut self) -> Result<(), RequestError> {
        let until = Instant::now() + LOOK_EVERY;
        while Instant::now() < until {
            if self.events.pause(until) == Event::Over {
                return Err(RequestError::Over);
            }
            self.processes.reap();
        }
        Ok(())
    }
}

/// The last readings, as far back as the time that counts.
struct QuietWindow {
    lasting_ns: u64,
    readings: VecDeque<(u64, i64)>,
    full: bool,
}

impl QuietWindow {
    fn new(lasting_ns: u64) -> Self {
        Self {
            lasting_ns,
            readings: VecDeque::new(),
            full: false,
        }
    }

    /// Add a reading of the CPU time of other processes so far; returns their use over the window, in CPUs.
    fn add(&mut self, at_ns: u64, foreign_ns: i64) -> f64 {
        self.readings.push_back((at_ns, foreign_ns));
        while self.readings.len() > 2 && at_ns - self.readings[1].0 >= self.lasting_ns {
            let _ = self.readings.pop_front();
        }
        let (from_ns, before_ns) = self.readings[0];
        let elapsed_ns = at_ns - from_ns;
        self.full = elapsed_ns >= self.lasting_ns && elapsed_ns > 0;
        if elapsed_ns == 0 {
            return 0.0;
        }
        let used = foreign_ns - before_ns;
        let size = seconds(used.unsigned_abs()) / seconds(elapsed_ns);
        if used < 0 { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::QuietWindow;

    const MS: u64 = 1_000_000;

    #[test]
    fn a_window_is_full_after_its_time_and_forgets_what_is_older() {
        let mut window = QuietWindow::new(100 * MS);
        let _ = window.add(0, 0);
        assert!(!window.full);
        let busy = window.add(50 * MS, 50_000_000);
        assert!((busy - 1.0).abs() < 1e-9 && !window.full);
        let _ = window.add(100 * MS, 50_000_000);
        assert!(window.full);
        let share = window.add(150 * MS, 51_000_000);
        assert!((share - 0.01).abs() < 1e-9, "{share}");
    }

    #[test]
    fn less_than_nothing_is_said_as_it_was_seen() {
        let mut window = QuietWindow::new(10 * MS);
        let _ = window.add(0, 0);
        assert!(window.add(10 * MS, -1_000_000) < 0.0);
    }
}
