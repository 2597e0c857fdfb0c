//! The gate: wait until nothing but the run uses its cores.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use base::clock::now_ns;
use base::durations::{seconds, whole_ns};
use serde_json::json;

use super::events::Event;
use super::immediate::A_DAY;
use super::protocol::{RequestError, Response, duration};
use super::request_fields::GateRequest;
use super::{Supervisor, fields};
use crate::cgroup::Hierarchy;
use crate::watch::other_processes::{ForeignTime, OtherProcesses};

/// Six looks in the usual 0.3 s; each costs about 0.1 ms.
const LOOK_EVERY: Duration = Duration::from_millis(50);

impl Supervisor {
    /// Wait until the CPU time of other processes, except on CPUs apart, stayed below the limit for this long.
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
        let mut foreign = OtherProcesses::new(machine, sources, &request.apart)?;
        let mut window = QuietWindow::new(lasting_ns);
        loop {
            let used = window.add(now_ns(), foreign.read());
            let quiet = window.full && used.in_use_cpus < request.below_cpus;
            let waited = began.elapsed();
            if quiet || waited >= within {
                return Ok(fields(json!({
                    "quiet": quiet,
                    "waited_s": waited.as_secs_f64(),
                    "foreign_cpus": used.in_use_cpus,
                    "apart_cpus": used.apart_cpus,
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
    readings: VecDeque<(u64, ForeignTime)>,
    full: bool,
}

/// The CPUs that other processes used over the window.
#[derive(Clone, Copy, Debug, Default)]
struct ForeignUse {
    /// On cores of the subject and the driver, or where it is not known.
    in_use_cpus: f64,
    /// Certainly on CPUs apart.
    apart_cpus: f64,
}

impl QuietWindow {
    fn new(lasting_ns: u64) -> Self {
        Self {
            lasting_ns,
            readings: VecDeque::new(),
            full: false,
        }
    }

    /// Add a reading of the CPU time of other processes so far; returns their use over the window.
    fn add(&mut self, at_ns: u64, foreign: ForeignTime) -> ForeignUse {
        self.readings.push_back((at_ns, foreign));
        while self.readings.len() > 2 && at_ns - self.readings[1].0 >= self.lasting_ns {
            let _ = self.readings.pop_front();
        }
        let (from_ns, before) = self.readings[0];
        let elapsed_ns = at_ns - from_ns;
        self.full = elapsed_ns >= self.lasting_ns && elapsed_ns > 0;
        if elapsed_ns == 0 {
            return ForeignUse::default();
        }
        let apart_ns = (foreign.apart_ns - before.apart_ns).max(0);
        let in_use_ns = foreign.all_ns - before.all_ns - apart_ns;
        let cpus = |used_ns: i64| {
            let size = seconds(used_ns.unsigned_abs()) / seconds(elapsed_ns);
            if used_ns < 0 { -size } else { size }
        };
        ForeignUse {
            in_use_cpus: cpus(in_use_ns),
            apart_cpus: cpus(apart_ns),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::QuietWindow;
    use crate::watch::other_processes::ForeignTime;

    const MS: u64 = 1_000_000;
    const MS_USED: i64 = 1_000_000;

    fn used(all_ns: i64, apart_ns: i64) -> ForeignTime {
        ForeignTime { all_ns, apart_ns }
    }

    #[test]
    fn a_window_is_full_after_its_time_and_forgets_what_is_older() {
        let mut window = QuietWindow::new(100 * MS);
        let _ = window.add(0, used(0, 0));
        assert!(!window.full);
        let busy = window.add(50 * MS, used(50 * MS_USED, 0)).in_use_cpus;
        assert!((busy - 1.0).abs() < 1e-9 && !window.full);
        let _ = window.add(100 * MS, used(50 * MS_USED, 0));
        assert!(window.full);
        let share = window.add(150 * MS, used(51 * MS_USED, 0)).in_use_cpus;
        assert!((share - 0.01).abs() < 1e-9, "{share}");
    }

    #[test]
    fn less_than_nothing_is_said_as_it_was_seen() {
        let mut window = QuietWindow::new(10 * MS);
        let _ = window.add(0, used(0, 0));
        assert!(window.add(10 * MS, used(-MS_USED, 0)).in_use_cpus < 0.0);
    }

    #[test]
    fn what_is_used_on_cpus_apart_is_not_waited_for() {
        let mut window = QuietWindow::new(300 * MS);
        let _ = window.add(0, used(0, 0));
        // One process fills a CPU apart, another uses a tenth of one in use.
        let seen = window.add(300 * MS, used(330 * MS_USED, 300 * MS_USED));
        assert!((seen.apart_cpus - 1.0).abs() < 1e-9, "{seen:?}");
        assert!((seen.in_use_cpus - 0.1).abs() < 1e-9, "{seen:?}");
        // The harness used more than there was apart: nothing is known to have been used there.
        let seen = window.add(600 * MS, used(360 * MS_USED, 290 * MS_USED));
        assert!(seen.apart_cpus.abs() < 1e-9 && (seen.in_use_cpus - 0.1).abs() < 1e-9);
    }
}
