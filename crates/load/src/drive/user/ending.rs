//! How a user's request ends, and what becomes of the connection.

use base::clock::now_ns;

use super::{RequestEnd, Stage, User};
use crate::dialogue::{CheckedResponse, Dialogue};
use crate::drive::thread_state::ThreadState;
use crate::tally::RequestTimes;
use crate::tally::fault::Fault;

impl<D: Dialogue> User<D> {
    pub(super) fn finish(
        &mut self,
        answer: &CheckedResponse,
        thread: &mut ThreadState<D>,
    ) -> RequestEnd {
        self.done(thread);
        let RequestTimes {
            intended_ns,
            sent_ns,
            received_bytes,
            done_ns,
            ..
        } = self.times;
        if done_ns - intended_ns > thread.timeout_ns {
            self.connection = None;
            thread.tally.timed_out(&self.times);
            return self.ending(Some(Fault::Timeout));
        }
        let took_ns = done_ns.saturating_sub(sent_ns.unwrap_or(done_ns));
        thread
            .wake_threshold
            .answered(received_bytes, answer.length_bytes, self.wake_at, took_ns);
        thread.tally.answered(&self.times, answer);
        self.used = true;
        if self.last || self.hung_up || !answer.keep_alive {
            self.part(thread);
        }
        RequestEnd {
            ends_session: answer.ends_session,
            ..self.ending(None)
        }
    }

    /// The connection has carried its last response.
    fn part(&mut self, thread: &mut ThreadState<D>) {
        if !self.last {
            thread.tally.reconnected(self.times.done_ns);
        }
        let event = self.event();
        if let Some(connection) = self.connection.take().filter(|_| !self.hung_up) {
            thread.lingering.wait(event, connection, self.times.done_ns);
        }
    }

    /// The connection ended before the response was whole. If it had carried responses, and this request may be
    /// repeated, it is sent once more, on a new connection.
    pub(super) fn lost(&mut self, fault: Fault, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        let between = self.used && matches!(fault, Fault::Closed | Fault::Reset);
        if !between || self.resent || !thread.talk.repeats(&self.reader) {
            return Some(self.fail(fault, thread));
        }
        self.resent = true;
        self.written = 0;
        self.connection = None;
        thread.looks.leave(self.number);
        thread.tally.reconnected(now_ns());
        self.connect(thread)
    }

    pub(super) fn fail(&mut self, fault: Fault, thread: &mut ThreadState<D>) -> RequestEnd {
        if fault == Fault::Timeout {
            return self.give_up(thread);
        }
        self.done(thread);
        self.connection = None;
        thread.tally.failed(&self.times, fault);
        self.ending(Some(fault))
    }

    pub(super) fn done(&mut self, thread: &mut ThreadState<D>) {
        thread.now_ns = now_ns();
        self.times.done_ns = thread.now_ns;
        self.stage = Stage::Free;
        thread.timeouts.leave(self.number);
        thread.looks.leave(self.number);
        self.part_with(false, thread);
    }

    pub(super) fn ending(&self, lost: Option<Fault>) -> RequestEnd {
        RequestEnd {
            done_ns: self.times.done_ns,
            lost,
            ends_session: lost.is_some(),
        }
    }
}
