//! What is counted while the window is open; outside of it nothing is.

use crate::clock::SECOND_NS;
use crate::fault::Fault;
use crate::http::answer::Answer;
use crate::mix::Compression;
use crate::times::Times;

/// The three instants of a request, in ns of `CLOCK_MONOTONIC`.
// The unit rides in the name.
#[allow(clippy::struct_field_names)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instants {
    /// When the schedule meant it to be sent.
    pub intended_ns: u64,
    /// When it was really sent; `None` where it never got that far.
    pub sent_ns: Option<u64>,
    /// When its last byte had come, or it was given up.
    pub done_ns: u64,
}

/// The counts of one measured window. Counting allocates nothing but a few kilobytes a second.
#[derive(Debug)]
pub struct Tally {
    open: bool,
    timeout_ns: u64,
    interval_end_ns: u64,
    window_end_ns: u64,
    /// Requests that ended, however they ended.
    pub ended: u64,
    /// Whole answers, right or wrong.
    pub answers: u64,
    /// Right answers within the timeout.
    pub right: u64,
    /// Faults, by the number of their kind.
    pub faults: [u64; Fault::ALL.len()],
    /// Bytes received, heads included.
    pub received_bytes: u64,
    /// Connections that the server ended between two requests.
    pub reconnects: u64,
    /// What is known of compressed answers; `None` where none were asked for.
    pub compression: Option<Compression>,
    /// Done - intended of answers and timeouts.
    pub response: Times,
    /// Done - sent of answers and timeouts.
    pub service: Times,
}

impl Tally {
    /// Nothing counted, the window closed.
    pub fn new(timeout_ns: u64) -> Self {
        Self {
            open: false,
            timeout_ns,
            interval_end_ns: 0,
            window_end_ns: 0,
            ended: 0,
            answers: 0,
            right: 0,
            faults: [0; Fault::ALL.len()],
            received_bytes: 0,
            reconnects: 0,
            compression: None,
            response: Times::new(timeout_ns),
            service: Times::new(timeout_ns),
        }
    }

    /// The window opens: what ends from now on counts. It is meant to close at `window_end_ns`; what ends a little later,
    /// before it really closes, belongs to its last interval.
    pub fn open(&mut self, now_ns: u64, window_end_ns: u64) {
        self.open = true;
        self.interval_end_ns = now_ns + SECOND_NS;
        self.window_end_ns = window_end_ns;
    }

    /// The window closes: what has not ended does not count.
    pub fn close(&mut self) {
        self.end_intervals(self.window_end_ns);
        self.response.end_interval();
        self.service.end_interval();
        self.open = false;
    }

    /// A whole answer has come, right (`fault` is `None`) or wrong.
    pub fn answered(&mut self, at: Instants, fault: Option<Fault>) {
        if !self.open {
            return;
        }
        self.answers += 1;
        self.time(at, 0);
        match fault {
            None => {
                self.ended += 1;
                self.right += 1;
            }
            Some(fault) => self.fault(fault),
        }
    }

    /// A request was given up for want of time; it is recorded as having taken at least the timeout.
    pub fn timed_out(&mut self, at: Instants) {
        if self.open {
            self.time(at, self.timeout_ns);
            self.fault(Fault::Timeout);
        }
    }

    /// A request ended without an answer, by a fault that says nothing about time.
    pub fn failed(&mut self, fault: Fault) {
        if self.open {
            self.fault(fault);
        }
    }

    /// A right answer came, compressed or not.
    pub fn compressed(&mut self, answer: &Answer) {
        if let Some(compression) = self.compression.as_mut().filter(|_| self.open) {
            compression.count(answer);
        }
    }

    /// So many bytes have come.
    pub fn received(&mut self, bytes: usize) {
        if self.open {
            self.received_bytes += u64::try_from(bytes).unwrap_or(0);
        }
    }

    /// The server has ended a connection between two requests.
    pub fn reconnected(&mut self) {
        if self.open {
            self.reconnects += 1;
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.ended += 1;
        self.faults[fault as usize] += 1;
    }

    fn time(&mut self, at: Instants, at_least_ns: u64) {
        self.end_intervals(at.done_ns);
        self.response
            .record(at.done_ns.saturating_sub(at.intended_ns).max(at_least_ns));
        if let Some(sent_ns) = at.sent_ns {
            self.service
                .record(at.done_ns.saturating_sub(sent_ns).max(at_least_ns));
        }
    }

    fn end_intervals(&mut self, now_ns: u64) {
        while now_ns >= self.interval_end_ns && self.interval_end_ns < self.window_end_ns {
            self.response.end_interval();
            self.service.end_interval();
            self.interval_end_ns += SECOND_NS;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Instants, Tally};
    use crate::clock::SECOND_NS;
    use crate::fault::Fault;

    fn at(done_ns: u64) -> Instants {
        Instants {
            intended_ns: done_ns - 1000,
            sent_ns: Some(done_ns - 900),
            done_ns,
        }
    }

    #[test]
    fn only_what_ends_in_the_open_window_counts() {
        let mut tally = Tally::new(SECOND_NS);
        tally.answered(at(2000), None);
        tally.failed(Fault::Reset);
        tally.received(7);
        tally.reconnected();
        tally.open(5000, SECOND_NS);
        tally.answered(at(6000), None);
        tally.close();
        tally.timed_out(at(7000));
        assert_eq!(
            (
                tally.ended,
                tally.right,
                tally.answers,
                tally.received_bytes,
                tally.reconnects
            ),
            (1, 1, 1, 0, 0)
        );
        assert_eq!(tally.faults, [0; Fault::ALL.len()]);
    }

    #[test]
    fn requests_are_right_answers_and_faults_together() {
        let mut tally = Tally::new(SECOND_NS);
        tally.open(0, SECOND_NS);
        tally.answered(at(2000), None);
        tally.answered(at(3000), Some(Fault::WrongBody));
        tally.timed_out(at(4000));
        tally.failed(Fault::Refused);
        tally.close();
        assert_eq!((tally.ended, tally.right, tally.answers), (4, 1, 2));
        assert_eq!(tally.faults.iter().sum::<u64>(), 3);
        let recorded: u64 = tally.response.intervals().map(|each| each.len()).sum();
        assert_eq!(
            recorded, 3,
            "answers and timeouts are timed, a refusal is not"
        );
    }

    #[test]
    fn a_timeout_is_recorded_as_at_least_the_timeout() {
        let mut tally = Tally::new(SECOND_NS);
        tally.open(0, SECOND_NS);
        tally.timed_out(at(4000));
        tally.timed_out(Instants {
            intended_ns: 0,
            sent_ns: None,
            done_ns: 2 * SECOND_NS,
        });
        tally.close();
        let response = tally.response.summary().expect("a summary");
        assert_eq!(
            (response.max_ns, response.mean_ns),
            (2 * SECOND_NS, 3 * SECOND_NS / 2)
        );
        assert_eq!(
            tally.service.summary().expect("a summary").mean_ns,
            SECOND_NS
        );
    }

    #[test]
    fn each_second_of_the_window_has_an_interval_even_where_nothing_ended() {
        let mut tally = Tally::new(SECOND_NS);
        tally.open(1500, 4 * SECOND_NS + 1500);
        for done in [2500, SECOND_NS + 1499, SECOND_NS + 1500] {
            tally.answered(at(done), None);
        }
        tally.close();
        for times in [&tally.response, &tally.service] {
            assert_eq!(
                times.intervals().map(|each| each.len()).collect::<Vec<_>>(),
                [2, 1, 0, 0]
            );
        }
    }

    #[test]
    fn what_ends_just_behind_the_last_second_belongs_to_it() {
        let mut tally = Tally::new(SECOND_NS);
        tally.open(0, 2 * SECOND_NS);
        for done in [
            1000,
            2 * SECOND_NS - 1,
            2 * SECOND_NS,
            2 * SECOND_NS + 90_000,
        ] {
            tally.answered(at(done), None);
        }
        tally.close();
        assert_eq!(
            tally
                .response
                .intervals()
                .map(|each| each.len())
                .collect::<Vec<_>>(),
            [1, 3]
        );
    }
}
