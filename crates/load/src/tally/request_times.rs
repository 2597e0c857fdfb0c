//! One request as it is counted, and the rules by which it is.

use serde::{Deserialize, Serialize};

use crate::tally::window::Window;

/// What is counted, and how.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// The window.
    pub window: Window,
    /// Whether there is a schedule: requests intended in the window are then its population, else those that end in it.
    pub scheduled: bool,
    /// How long a request may take, in ns.
    pub timeout_ns: u64,
    /// Correct responses that took longer are late, if that is of interest.
    pub late_after_ns: Option<u64>,
    /// Whether what happened in each second is kept.
    pub keeps_seconds: bool,
    /// Whether every instant at which a request of the population left is kept.
    pub keeps_instants: bool,
}

/// The instants of a request that has ended, in ns of `CLOCK_MONOTONIC`, and what it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestTimes {
    /// Which of the separate kinds it is; `None` if it is of none, or was never drawn.
    pub kind: Option<usize>,
    /// When it was meant to be sent.
    pub intended_ns: u64,
    /// When it was sent; `None` when it never was.
    pub sent_ns: Option<u64>,
    /// How late it left by the driver's own fault.
    pub lag_ns: u64,
    /// Whether it had to wait for a free connection.
    pub queued: bool,
    /// When its last byte came, or it was given up.
    pub done_ns: u64,
    /// Bytes of its response that came, head included.
    pub received_bytes: u64,
}
