//! How a user takes its response from the connection.

use base::clock::now_ns;

use super::{RequestEnd, User};
use crate::connection::tls::Read;
use crate::connection::transport::Connection;
use crate::dialogue::{Dialogue, ReadMode};
use crate::drive::thread_state::ThreadState;
use crate::drive::wake_threshold::WakeThreshold;
use crate::tally::fault::Fault;

impl<D: Dialogue> User<D> {
    /// Reads until nothing is left, or the response is whole.
    pub(super) fn receive(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        loop {
            let taking = self.taking(thread);
            let buffer = &mut thread.buffer[..taking.room()];
            let connection = self.connection.as_mut()?;
            let came = match taking {
                ReadMode::Seen(_) => connection.read(buffer),
                ReadMode::Unseen(_) => connection.discard(buffer),
            };
            let bytes = match came {
                Ok(Read::Bytes(bytes)) => bytes,
                Ok(Read::Nothing) => return None,
                Ok(Read::End) => return self.closed(thread),
                Err(fault) => return self.lost(fault, thread),
            };
            let count = u64::try_from(bytes).unwrap_or(0);
            self.times.received_bytes += count;
            let (talk, reader) = (&thread.talk, &mut self.reader);
            let fed = match taking {
                ReadMode::Seen(_) => talk.feed(reader, self.drawn, &thread.buffer[..bytes]),
                ReadMode::Unseen(_) => talk.pass(reader, self.drawn, count),
            };
            match fed {
                Ok(Some(answer)) => return Some(self.finish(&answer, thread)),
                Err(_) => return Some(self.fail(Fault::Malformed, thread)),
                Ok(None) if bytes == taking.room() => {
                    if self.is_flooded(bytes, thread) {
                        return Some(self.give_up(thread));
                    }
                }
                // The end of the connection is read after the last bytes.
                Ok(None) if self.hung_up => {}
                Ok(None) => {
                    self.wait_for_the_rest(thread);
                    return None;
                }
            }
        }
    }

    fn closed(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        self.hung_up = true;
        match thread.talk.close(&mut self.reader, self.drawn) {
            Some(answer) => Some(self.finish(&answer, thread)),
            None => self.lost(Fault::Closed, thread),
        }
    }

    /// Whether the server fills the buffer again and again: it must not keep the others waiting for longer than its
    /// timeout.
    pub(super) fn is_flooded(&self, bytes: usize, thread: &ThreadState<D>) -> bool {
        bytes == thread.buffer.len() && now_ns() > self.times.intended_ns + thread.timeout_ns
    }

    fn taking(&self, thread: &ThreadState<D>) -> ReadMode {
        let most = thread.buffer.len();
        if !self.connection.as_ref().is_some_and(Connection::discards) {
            return ReadMode::Seen(most);
        }
        let talk = &thread.talk;
        talk.taking(&self.reader, self.drawn, most, self.wake_at)
    }

    /// The response is longer than what woke the user.
    fn wait_for_the_rest(&mut self, thread: &mut ThreadState<D>) {
        if self.wake_at == 1 {
            return;
        }
        let length_bytes = thread.talk.length_bytes(self.drawn);
        let whole_bytes = thread.wake_threshold.whole_bytes(length_bytes);
        if let Some(connection) = &mut self.connection {
            let _ = connection.wake_at(WakeThreshold::rest(whole_bytes, self.times.received_bytes));
        }
    }
}
