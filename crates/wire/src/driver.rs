//! What a record of several drivers has of each.

use serde::{Deserialize, Serialize};

/// The figures by which one of several drivers is judged; units and meanings are those of [`crate::LoadRecord`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DriverRecord {
    /// Requests accounted for.
    pub sent: u64,
    /// Correct responses.
    pub right: u64,
    /// Requests for which it had no file descriptor.
    pub descriptors: u64,
    /// Requests for which it had no local port.
    pub ports: u64,
    /// Requests of its schedule; null in the closed loop.
    pub scheduled: Option<u64>,
    /// Its missed share of them; null in the closed loop.
    pub rate_error: Option<f64>,
    /// How late 99 of 100 of its requests left at most; null in the closed loop.
    pub send_lag_p99_ns: Option<u64>,
    /// Its threads.
    pub threads: u64,
    /// Its CPU time without empty polls, in seconds.
    pub driver_cpu_s: f64,
    /// Its empty polls, in seconds.
    pub driver_empty_polls_s: Option<f64>,
    /// The share of the window that its busiest thread worked.
    pub driver_busiest_share: Option<f64>,
    /// Its run-queue delay, in seconds.
    pub driver_delay_s: Option<f64>,
    /// Its most memory at once.
    pub driver_memory_peak_bytes: Option<u64>,
}
