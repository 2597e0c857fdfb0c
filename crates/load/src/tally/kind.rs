//! One kind of request by itself: a query of a mix.

use serde::{Deserialize, Serialize};

use crate::tally::fault::Fault;
use crate::tally::histograms::Histograms;

/// What is counted of one kind of request.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// What the mix calls it.
    pub name: String,
    /// Requests of the population that ended, however they ended.
    pub sent: u64,
    /// Correct responses among them.
    pub right: u64,
    /// Done - intended of responses and timeouts of the population.
    pub response: Histograms,
}

impl Kind {
    /// Nothing counted, of requests with this timeout.
    pub fn new(name: String, timeout_ns: u64) -> Self {
        Self {
            name,
            sent: 0,
            right: 0,
            response: Histograms::new(timeout_ns),
        }
    }

    /// One of the population has ended.
    pub fn ended(&mut self, fault: Option<Fault>) {
        self.sent += 1;
        self.right += u64::from(fault.is_none());
    }

    /// Adds the counts of another thread; both are closed.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.right += other.right;
        self.response.add(&other.response);
    }
}
