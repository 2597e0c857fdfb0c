//! How a user's request ends, and what becomes of the connection.

use super::{Ending, Stage, User};
use crate::clock::now_ns;
use crate::common::Common;
use crate::dialogue::{Dialogue, Judged};
use crate::fault::Fault;
use crate::tally::Course;

impl<D: Dialogue> User<D> {
    pub(super) fn finish(&mut self, answer: &Judged, common: &mut Common<D>) -> Ending {
        self.done(common);
        let Course {
            intended_ns,
            sent_ns,
            received_bytes,
            done_ns,
            ..
        } = self.course;
        if done_ns - intended_ns > common.timeout_ns {
            self.connection = None;
            common.tally.timed_out(&self.course);
            return self.ending(Some(Fault::Timeout));
        }
        let took_ns = done_ns.saturating_sub(sent_ns.unwrap_or(done_ns));
        common
            .patience
            .answered(received_bytes, answer.length_bytes, self.wake_at, took_ns);
        common.tally.answered(&self.course, answer);
        self.used = true;
        if self.last || self.hung_up || !answer.keep_alive {
            self.part(common);
        }
        self.ending(None)
    }

    /// The connection has carried its last answer.
    fn part(&mut self, common: &mut Common<D>) {
        if !self.last {
            common.tally.reconnected(self.course.done_ns);
        }
        let event = self.event();
        if let Some(connection) = self.connection.take().filter(|_| !self.hung_up) {
            common.leaving.wait(event, connection, self.course.done_ns);
        }
    }

    /// The connection has gone before the answer was whole. Where it had carried answers, and this request may be
    /// repeated, it is sent once more, on a new connection.
    pub(super) fn lost(&mut self, fault: Fault, common: &mut Common<D>) -> Option<Ending> {
        let between = self.used && matches!(fault, Fault::Closed | Fault::Reset);
        if !between || self.resent || !common.talk.repeats(&self.reader) {
            return Some(self.fail(fault, common));
        }
        self.resent = true;
        self.written = 0;
        self.connection = None;
        common.looks.leave(self.number);
        common.tally.reconnected(now_ns());
        self.connect(common)
    }

    pub(super) fn fail(&mut self, fault: Fault, common: &mut Common<D>) -> Ending {
        if fault == Fault::Timeout {
            return self.give_up(common);
        }
        self.done(common);
        self.connection = None;
        common.tally.failed(&self.course, fault);
        self.ending(Some(fault))
    }

    pub(super) fn done(&mut self, common: &mut Common<D>) {
        common.now_ns = now_ns();
        self.course.done_ns = common.now_ns;
        self.stage = Stage::Free;
        common.timeouts.leave(self.number);
        common.looks.leave(self.number);
    }

    pub(super) fn ending(&self, lost: Option<Fault>) -> Ending {
        Ending {
            done_ns: self.course.done_ns,
            lost,
        }
    }
}
