//! What one driver measured in one case (`--tally`), or several together: all that the record and the logs are made from.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use base::clock::now_ns;
use serde::{Deserialize, Serialize};

use super::record;
use crate::cli::load_options;
use crate::drive::poll::Poll;
use crate::drive::{Drive, Outcome};
use crate::tally::Tally;
use crate::tally::usage::memory_peak_bytes;

/// What was measured. Instants count from the run's start, on each driver's own clock.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measured {
    /// The version of the form, [`wire::FORMAT`].
    pub format: u32,
    /// The host that drove; of several, their names joined by commas.
    pub driver: String,
    /// The case that was driven.
    pub case: wire::Case,
    /// `closed`, `open` or `sessions`.
    #[serde(rename = "loop")]
    pub load_loop: String,
    /// The run's start by the time of day, in ns since 1970.
    pub zero_unix_ns: u64,
    /// The window's beginning in ns from the run's start.
    pub from_ns: u64,
    /// The window's end in ns from the run's start.
    pub to_ns: u64,
    /// What was counted.
    pub tally: Tally,
    /// How many threads drove.
    pub threads: u32,
    /// Whether they polled.
    pub polls: bool,
    /// As in [`Outcome`], like the next four.
    pub encrypted: Option<bool>,
    /// CPU seconds.
    pub cpu_s: f64,
    /// Seconds of empty polls.
    pub empty_polls_s: Option<f64>,
    /// The share of the window that the busiest thread worked.
    pub busiest_share: Option<f64>,
    /// Seconds of run-queue delay.
    pub delay_s: Option<f64>,
    /// The most memory that the driver has held at once, in bytes; of several, that of the one which held most.
    pub memory_peak_bytes: Option<u64>,
    /// The figures of each driver, if several were added up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drivers: Option<BTreeMap<String, wire::DriverRecord>>,
}

/// The name of the case, the driver's host, and the instant from which times count.
#[derive(Debug)]
pub struct CaseContext {
    /// The host that drives.
    pub driver: String,
    /// The case; by default it is named after the load.
    pub case: Option<wire::Case>,
    /// The run's start on `CLOCK_MONOTONIC`.
    pub zero_ns: u64,
}

impl Measured {
    /// What this process measured.
    pub fn new(context: CaseContext, drive: &Drive, outcome: Outcome) -> Self {
        let CaseContext {
            driver,
            case,
            zero_ns,
        } = context;
        Self {
            format: wire::FORMAT,
            driver,
            case: case.unwrap_or_else(|| load_options::case(drive)),
            load_loop: drive.asked.name().to_owned(),
            zero_unix_ns: unix_ns().saturating_sub(now_ns().saturating_sub(zero_ns)),
            from_ns: outcome.from_ns.saturating_sub(zero_ns),
            to_ns: outcome.to_ns.saturating_sub(zero_ns),
            tally: outcome.tally,
            threads: drive.threads,
            polls: drive.poll == Poll::Busy,
            encrypted: outcome.encrypted,
            cpu_s: outcome.cpu_s,
            empty_polls_s: outcome.empty_polls_s,
            busiest_share: outcome.busiest_share,
            delay_s: outcome.delay_s,
            memory_peak_bytes: memory_peak_bytes(),
            drivers: None,
        }
    }

    /// The window's length in ns.
    pub fn elapsed_ns(&self) -> u64 {
        self.to_ns - self.from_ns
    }

    /// Return why this cannot be added to what another driver measured; `None` if it can.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let of_load = [
            (self.case != other.case, "cases"),
            (self.load_loop != other.load_loop, "loops"),
            (self.encrypted != other.encrypted, "encryption"),
        ];
        let of_load = of_load
            .into_iter()
            .find_map(|(differs, what)| differs.then_some(what));
        if let Some(what) = of_load.or_else(|| self.tally.difference(&other.tally)) {
            return Some(format!("their {what} differ"));
        }
        (self.from_ns != other.from_ns).then(|| {
            format!(
                "their windows begin {} ns apart, counted from --zero-ns of each",
                self.from_ns.abs_diff(other.from_ns)
            )
        })
    }

    /// Adds what another driver measured in the same window of the same case. The counts are exact.
    pub fn add(&mut self, other: &Self) {
        let mut drivers = self.by_driver();
        drivers.append(&mut other.by_driver());
        self.drivers = Some(drivers);
        self.driver = format!("{},{}", self.driver, other.driver);
        self.to_ns = self.to_ns.max(other.to_ns);
        self.tally.add(&other.tally);
        self.threads += other.threads;
        self.polls &= other.polls;
        self.cpu_s += other.cpu_s;
        self.empty_polls_s = both(self.empty_polls_s, other.empty_polls_s, |own, more| {
            own + more
        });
        self.busiest_share = both(self.busiest_share, other.busiest_share, f64::max);
        self.delay_s = both(self.delay_s, other.delay_s, |own, more| own + more);
        self.memory_peak_bytes = both(self.memory_peak_bytes, other.memory_peak_bytes, Ord::max);
    }

    /// The figures of each driver by its name.
    pub fn by_driver(&self) -> BTreeMap<String, wire::DriverRecord> {
        let alone = || BTreeMap::from([(self.driver.clone(), record::of_driver(self))]);
        self.drivers.clone().unwrap_or_else(alone)
    }
}

/// `None` if one of them is not known.
fn both<T>(own: Option<T>, more: Option<T>, join: impl Fn(T, T) -> T) -> Option<T> {
    own.zip(more).map(|(own, more)| join(own, more))
}

fn unix_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX))
}
