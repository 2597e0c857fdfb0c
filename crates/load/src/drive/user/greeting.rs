//! What precedes the first request of a connection, if the protocol has such a thing: a login.

use base::clock::now_ns;

use super::{RequestEnd, User};
use crate::connection::tls::Read;
use crate::dialogue::Dialogue;
use crate::drive::thread_state::ThreadState;
use crate::tally::fault::Fault;

impl<D: Dialogue> User<D> {
    /// Goes on as far as that goes without waiting, and then with the request.
    pub(super) fn greet(&mut self, thread: &mut ThreadState<D>) -> Option<RequestEnd> {
        let mut drained = false;
        loop {
            match self.say(thread) {
                Ok(true) if self.welcome => {
                    thread.now_ns = now_ns();
                    return self.send(thread);
                }
                Ok(true) if !drained => {}
                Ok(_) => return None,
                Err(fault) => return Some(self.fail(fault, thread)),
            }
            let bytes = match self.connection.as_mut()?.read(&mut thread.buffer) {
                Ok(Read::Bytes(bytes)) => bytes,
                Ok(Read::Nothing) => return None,
                Ok(Read::End) => return Some(self.fail(Fault::Closed, thread)),
                Err(fault) => return Some(self.fail(fault, thread)),
            };
            let came = &thread.buffer[..bytes];
            match thread.talk.greet(&mut self.reader, came, &mut self.say) {
                Ok(welcome) => self.welcome = welcome,
                Err(refusal) => return Some(self.fail(refusal.fault(), thread)),
            }
            if self.is_flooded(bytes, thread) {
                return Some(self.give_up(thread));
            }
            // The end of the connection is read after the last bytes.
            drained = bytes < thread.buffer.len() && !self.hung_up;
        }
    }

    /// Sends what must be sent, as far as there is room; true once all of it has left.
    fn say(&mut self, thread: &mut ThreadState<D>) -> Result<bool, Fault> {
        let Some(connection) = &mut self.connection else {
            return Ok(false);
        };
        if self.said < self.say.len() {
            self.said += connection.write(&self.say[self.said..])?;
        }
        let said = self.said == self.say.len() && connection.flush()?;
        if said {
            self.say.clear();
            self.said = 0;
        }
        self.tell_of_room(!said, thread)?;
        Ok(said)
    }
}
