//! How a user takes its answer from the connection.

use super::{Ending, User};
use crate::clock::now_ns;
use crate::common::Common;
use crate::fault::Fault;
use crate::patience::Patience;
use crate::transport::{Connection, Read};

/// Where a whole answer has come, so much is read first: the head. Uncopied is what is left of the body behind it; below
/// this the second call would cost more than it saves.
const HEAD_ROOM_BYTES: u32 = 1024;

/// How bytes of an answer are taken from the connection, and how many at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Taking {
    Seen(usize),
    Unseen(usize),
}

impl Taking {
    fn room(self) -> usize {
        match self {
            Self::Seen(room) | Self::Unseen(room) => room,
        }
    }
}

impl User {
    /// Reads until nothing is left, or the answer is whole.
    pub(super) fn receive(&mut self, common: &mut Common) -> Option<Ending> {
        loop {
            let check = common.mix.check(self.drawn);
            let taking = self.taking(check.is_some(), common.buffer.len());
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
            let fed = match taking {
                Taking::Seen(_) => self.reader.feed(&common.buffer[..bytes], check.as_ref()),
                Taking::Unseen(_) => self.reader.pass(count),
            };
            match fed {
                Ok(Some(answer)) => return Some(self.finish(&answer, common)),
                Err(_) => return Some(self.fail(Fault::Malformed, common)),
                Ok(None) if bytes == taking.room() => {
                    if self.is_flooded(taking, common) {
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

    fn closed(&mut self, common: &mut Common) -> Option<Ending> {
        self.hung_up = true;
        match self.reader.close(common.mix.check(self.drawn).as_ref()) {
            Some(answer) => Some(self.finish(&answer, common)),
            None => self.lost(Fault::Closed, common),
        }
    }

    /// Whether the server fills the buffer again and again: it must not keep the others waiting for longer than its
    /// timeout.
    fn is_flooded(&self, taking: Taking, common: &Common) -> bool {
        taking.room() == common.buffer.len()
            && now_ns() > self.course.intended_ns + common.timeout_ns
    }

    /// How the next bytes are taken: those of a body that is not looked at, unseen, and one more, so that what comes
    /// behind its end is noticed.
    fn taking(&self, looked_at: bool, most: usize) -> Taking {
        let unseen = !looked_at && self.connection.as_ref().is_some_and(Connection::discards);
        match self.reader.left_bytes() {
            _ if !unseen => Taking::Seen(most),
            Some(left) => {
                let room = usize::try_from(left).unwrap_or(most).saturating_add(1);
                Taking::Unseen(room.min(most))
            }
            // The whole answer is there: its head first.
            None if self.wake_at > HEAD_ROOM_BYTES && !self.reader.started() => {
                Taking::Seen(usize::try_from(HEAD_ROOM_BYTES).unwrap_or(most))
            }
            None => Taking::Seen(most),
        }
    }

    /// The answer is longer than what woke the user.
    fn wait_for_the_rest(&mut self, common: &mut Common) {
        if self.wake_at == 1 {
            return;
        }
        let whole_bytes = common
            .patience
            .whole_bytes(common.mix.length_bytes(self.drawn));
        if let Some(connection) = &mut self.connection {
            let _ = connection.wake_at(Patience::rest(whole_bytes, self.course.received_bytes));
        }
    }
}
