//! How a user takes its answer from the connection.

use super::{Ending, User};
use crate::clock::now_ns;
use crate::common::Common;
use crate::dialogue::{Dialogue, Taking};
use crate::fault::Fault;
use crate::patience::Patience;
use crate::transport::{Connection, Read};

impl<D: Dialogue> User<D> {
    /// Reads until nothing is left, or the answer is whole.
    pub(super) fn receive(&mut self, common: &mut Common<D>) -> Option<Ending> {
        loop {
            let taking = self.taking(common);
            let buffer = &mut common.buffer[..taking.room()];
            let connection = self.connection.as_mut()?;
            let came = match taking {
                Taking::Seen(_) => connection.read(buffer),
                Taking::Unseen(_) => connection.discard(buffer),
            };
            let bytes = match came {
                Ok(Read::Bytes(bytes)) => bytes,
                Ok(Read::Nothing) => return None,
                Ok(Read::End) => return self.closed(common),
                Err(fault) => return self.lost(fault, common),
            };
            let count = u64::try_from(bytes).unwrap_or(0);
            self.course.received_bytes += count;
            let (talk, reader) = (&common.talk, &mut self.reader);
            let fed = match taking {
                Taking::Seen(_) => talk.feed(reader, self.drawn, &common.buffer[..bytes]),
                Taking::Unseen(_) => talk.pass(reader, self.drawn, count),
            };
            match fed {
                Ok(Some(answer)) => return Some(self.finish(&answer, common)),
                Err(_) => return Some(self.fail(Fault::Malformed, common)),
                Ok(None) if bytes == taking.room() => {
                    if self.is_flooded(bytes, common) {
                        return Some(self.give_up(common));
                    }
                }
                // The end of the connection is read behind the last bytes.
                Ok(None) if self.hung_up => {}
                Ok(None) => {
                    self.wait_for_the_rest(common);
                    return None;
                }
            }
        }
    }

    fn closed(&mut self, common: &mut Common<D>) -> Option<Ending> {
        self.hung_up = true;
        match common.talk.close(&mut self.reader, self.drawn) {
            Some(answer) => Some(self.finish(&answer, common)),
            None => self.lost(Fault::Closed, common),
        }
    }

    /// Whether the server fills the buffer again and again: it must not keep the others waiting for longer than its
    /// timeout.
    pub(super) fn is_flooded(&self, bytes: usize, common: &Common<D>) -> bool {
        bytes == common.buffer.len() && now_ns() > self.course.intended_ns + common.timeout_ns
    }

    fn taking(&self, common: &Common<D>) -> Taking {
        let most = common.buffer.len();
        if !self.connection.as_ref().is_some_and(Connection::discards) {
            return Taking::Seen(most);
        }
        let talk = &common.talk;
        talk.taking(&self.reader, self.drawn, most, self.wake_at)
    }

    /// The answer is longer than what woke the user.
    fn wait_for_the_rest(&mut self, common: &mut Common<D>) {
        if self.wake_at == 1 {
            return;
        }
        let length_bytes = common.talk.length_bytes(self.drawn);
        let whole_bytes = common.patience.whole_bytes(length_bytes);
        if let Some(connection) = &mut self.connection {
            let _ = connection.wake_at(Patience::rest(whole_bytes, self.course.received_bytes));
        }
    }
}
