//! What is counted: the requests of the window's population, and what was completed within the window.

mod encoded;
pub mod fault;
pub mod histograms;
pub mod intervals_csv;
mod kind;
mod merge;
mod request_times;
#[cfg(test)]
mod tests;
pub mod usage;
pub mod window;

use base::durations::SECOND_NS;
use serde::{Deserialize, Serialize};

use crate::connection::tls::Handshake;
use crate::dialogue::CheckedResponse;
use crate::http::mix::Compression;
use crate::tally::fault::Fault;
use crate::tally::histograms::Histograms;
use crate::tally::intervals_csv::Seconds;
use crate::tally::window::UnderWay;

pub use kind::Kind;
pub use request_times::{RequestTimes, Rules};

/// The counts of one thread, of all threads together, or of several drivers.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// What is counted, and how.
    pub rules: Rules,
    interval_end_ns: u64,
    /// Requests of the schedule that are in the window.
    pub scheduled: u64,
    /// Those of them that were handled before the window closed.
    pub issued: u64,
    /// Requests of the population that ended, however they ended.
    pub sent: u64,
    /// Correct responses among them.
    pub right: u64,
    /// Faults among them, by their number.
    pub faults: [u64; Fault::ALL.len()],
    /// Correct responses among them that came late.
    pub late: u64,
    /// Those that had to wait for a connection.
    pub queued: u64,
    /// Whole responses that came within the window, correct or not.
    pub answers_inside: u64,
    /// Correct responses that came within the window.
    pub right_inside: u64,
    /// Bytes of the requests that ended within the window, heads included.
    pub received_bytes: u64,
    /// Rows of the responses that came within the window.
    pub rows: u64,
    /// Connections that were opened in the window.
    pub connects: u64,
    /// Connections that the server ended between two requests.
    pub reconnects: u64,
    /// TLS handshakes.
    pub handshakes: u64,
    /// Those of them that resumed an earlier session.
    pub handshakes_resumed: u64,
    /// How long all that ended took, as far as it lies within the window, summed.
    pub within_ns: u128,
    /// What was under way in the window.
    pub under_way: UnderWay,
    /// What is known of compressed responses; `None` if none were requested.
    pub compression: Option<Compression>,
    /// The requests of each kind separately, if kinds are separate.
    pub kinds: Vec<Kind>,
    /// Done - intended of responses and timeouts of the population.
    pub response: Histograms,
    /// Done - sent of responses and timeouts of the population.
    pub service: Histograms,
    /// How late they left.
    pub lag: Histograms,
    /// What happened in each second.
    pub seconds: Seconds,
    /// When the requests of the population left, in the order in which they ended; empty if that is not kept.
    pub sent_at_ns: Vec<u64>,
}

impl Tally {
    /// Nothing counted. The requests of each of these kinds are counted by themselves too.
    pub fn new(rules: Rules, kinds: Vec<String>, compression: Option<Compression>) -> Self {
        let kinds = kinds.into_iter();
        Self {
            rules,
            interval_end_ns: rules.window.from_ns.saturating_add(SECOND_NS),
            scheduled: 0,
            issued: 0,
            sent: 0,
            right: 0,
            faults: [0; Fault::ALL.len()],
            late: 0,
            queued: 0,
            answers_inside: 0,
            right_inside: 0,
            received_bytes: 0,
            rows: 0,
            connects: 0,
            reconnects: 0,
            handshakes: 0,
            handshakes_resumed: 0,
            within_ns: 0,
            under_way: UnderWay::default(),
            compression,
            kinds: kinds
                .map(|name| Kind::new(name, rules.timeout_ns))
                .collect(),
            response: Histograms::new(rules.timeout_ns),
            service: Histograms::new(rules.timeout_ns),
            lag: Histograms::new(rules.timeout_ns),
            seconds: Seconds::default(),
            sent_at_ns: Vec::new(),
        }
    }

    /// A request begins at its intended instant, and is handled at `handled_ns`.
    pub fn began(&mut self, intended_ns: u64, handled_ns: u64) {
        let Rules {
            window,
            scheduled,
            keeps_seconds,
            ..
        } = self.rules;
        self.under_way.begin(&window, intended_ns);
        if scheduled && window.holds(intended_ns) {
            self.scheduled += 1;
            self.issued += u64::from(handled_ns < window.until_ns);
        }
        if keeps_seconds {
            self.seconds.begin(&window, intended_ns, scheduled);
        }
    }

    /// A whole response has come, correct or not.
    pub fn answered(&mut self, times: &RequestTimes, answer: &CheckedResponse) {
        let (inside, right) = (self.rules.window.holds(times.done_ns), answer.is_right());
        self.answers_inside += u64::from(inside);
        self.right_inside += u64::from(inside && right);
        if inside {
            self.rows += answer.rows;
        }
        if self.ended(times, answer.fault) {
            self.time(times, 0);
            if let (true, Some(own), Some(one)) =
                (right, &mut self.compression, &answer.compression)
            {
                own.add(one);
            }
        }
    }

    /// A request ran out of time; it is recorded as having taken at least the timeout.
    pub fn timed_out(&mut self, times: &RequestTimes) {
        if self.ended(times, Some(Fault::Timeout)) {
            self.time(times, self.rules.timeout_ns);
        }
    }

    /// A request ended without a response, by a fault that tells nothing about time.
    pub fn failed(&mut self, times: &RequestTimes, fault: Fault) {
        let _ = self.ended(times, Some(fault));
    }

    /// Polls that ended at `at_ns` found nothing for so long.
    pub fn waited(&mut self, at_ns: u64, empty_ns: u64) {
        if self.rules.keeps_seconds {
            self.seconds.wait(&self.rules.window, at_ns, empty_ns);
        }
    }

    /// So many calls of a session will not be made, since it ended at this instant.
    pub fn skipped(&mut self, calls: u64, at_ns: u64) {
        let times = RequestTimes {
            intended_ns: at_ns,
            done_ns: at_ns,
            ..RequestTimes::default()
        };
        for _ in 0..calls {
            self.began(at_ns, at_ns);
            self.failed(&times, Fault::Skipped);
        }
    }

    /// A connection was opened, with or without a handshake.
    pub fn connected(&mut self, at_ns: u64, handshake: Option<Handshake>) {
        if self.rules.window.holds(at_ns) {
            self.connects += 1;
            self.handshakes += u64::from(handshake.is_some());
            self.handshakes_resumed += u64::from(handshake == Some(Handshake::Resumed));
        }
    }

    /// The server has ended a connection between two requests.
    pub fn reconnected(&mut self, at_ns: u64) {
        self.reconnects += u64::from(self.rules.window.holds(at_ns));
    }

    /// Requests of the population that are still under way.
    pub fn pending(&self) -> u64 {
        self.scheduled - self.sent
    }

    /// The load is over, and the window closed at `until_ns`: what is pending will not be waited for.
    pub fn close(&mut self, until_ns: u64) {
        self.rules.window.until_ns = until_ns;
        if self.rules.scheduled {
            let pending = self.pending();
            self.sent += pending;
            self.faults[Fault::Unfinished as usize] += pending;
        }
        self.end_intervals(until_ns);
        self.response.end_interval();
        self.service.end_interval();
        self.lag.end_interval();
        self.kinds
            .iter_mut()
            .for_each(|kind| kind.response.end_interval());
    }

    /// Counts a request that has ended; true if it belongs to the population.
    fn ended(&mut self, times: &RequestTimes, fault: Option<Fault>) -> bool {
        let Rules {
            window, scheduled, ..
        } = self.rules;
        let response_ns = times.done_ns.saturating_sub(times.intended_ns);
        let inside = window.holds(times.done_ns);
        self.under_way.end(&window, times.done_ns);
        let [begins_ns, ends_ns] =
            [times.intended_ns, times.done_ns].map(|at_ns| window.offset_ns(at_ns));
        self.within_ns += u128::from(ends_ns.saturating_sub(begins_ns));
        if inside {
            self.received_bytes += times.received_bytes;
        }
        let late = fault.is_none()
            && self
                .rules
                .late_after_ns
                .is_some_and(|limit| response_ns > limit);
        if self.rules.keeps_seconds {
            let (sent_ns, done_ns) = (times.sent_ns, times.done_ns);
            self.seconds
                .end(&window, sent_ns, done_ns, fault.is_none(), late);
        }
        let counts = if scheduled {
            window.holds(times.intended_ns)
        } else {
            inside
        };
        if counts {
            if let Some(sent_ns) = times.sent_ns.filter(|_| self.rules.keeps_instants) {
                self.sent_at_ns.push(sent_ns);
            }
            self.sent += 1;
            self.queued += u64::from(times.queued);
            self.late += u64::from(late);
            match fault {
                None => self.right += 1,
                Some(fault) => self.faults[fault as usize] += 1,
            }
            if let Some(kind) = times.kind.and_then(|kind| self.kinds.get_mut(kind)) {
                kind.ended(fault);
            }
        }
        counts
    }

    fn time(&mut self, times: &RequestTimes, at_least_ns: u64) {
        let (intended_ns, done_ns) = (times.intended_ns, times.done_ns);
        self.end_intervals(done_ns);
        let response_ns = done_ns.saturating_sub(intended_ns).max(at_least_ns);
        self.response.record(response_ns);
        if let Some(kind) = times.kind.and_then(|kind| self.kinds.get_mut(kind)) {
            kind.response.record(response_ns);
        }
        if let Some(sent_ns) = times.sent_ns {
            self.service
                .record(done_ns.saturating_sub(sent_ns).max(at_least_ns));
            if self.rules.scheduled {
                self.lag.record(times.lag_ns);
            }
        }
    }

    /// What ends after the window belongs to its last interval.
    fn end_intervals(&mut self, now_ns: u64) {
        while now_ns >= self.interval_end_ns && self.interval_end_ns < self.rules.window.until_ns {
            self.response.end_interval();
            self.service.end_interval();
            for kind in &mut self.kinds {
                kind.response.end_interval();
            }
            self.interval_end_ns += SECOND_NS;
        }
    }
}
