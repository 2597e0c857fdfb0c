//! What comes between a connection and its first request, where a protocol has such a thing: a login.

use super::{Ending, User};
use crate::clock::now_ns;
use crate::common::Common;
use crate::dialogue::Dialogue;
use crate::fault::Fault;
use crate::transport::Read;

impl<D: Dialogue> User<D> {
    /// Goes on as far as that goes without waiting, and then with the request.
    pub(super) fn greet(&mut self, common: &mut Common<D>) -> Option<Ending> {
        let mut drained = false;
        loop {
            match self.say(common) {
                Ok(true) if self.welcome => {
                    common.now_ns = now_ns();
                    return self.send(common);
                }
                Ok(true) if !drained => {}
                Ok(_) => return None,
                Err(fault) => return Some(self.fail(fault, common)),
            }
            let bytes = match self.connection.as_mut()?.read(&mut common.buffer) {
                Ok(Read::Bytes(bytes)) => bytes,
                Ok(Read::Nothing) => return None,
                Ok(Read::End) => return Some(self.fail(Fault::Closed, common)),
                Err(fault) => return Some(self.fail(fault, common)),
            };
            let came = &common.buffer[..bytes];
            match common.talk.greet(&mut self.reader, came, &mut self.say) {
                Ok(welcome) => self.welcome = welcome,
                Err(refusal) => return Some(self.fail(refusal.fault(), common)),
            }
            if self.is_flooded(bytes, common) {
                return Some(self.give_up(common));
            }
            // The end of the connection is read behind the last bytes.
            drained = bytes < common.buffer.len() && !self.hung_up;
        }
    }

    /// Says what is to be said, as far as there is room; true once all of it has left.
    fn say(&mut self, common: &mut Common<D>) -> Result<bool, Fault> {
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
        self.tell_of_room(!said, common)?;
        Ok(said)
    }
}
