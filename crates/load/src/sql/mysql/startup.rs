//! What precedes queries: greeting, login, and preparing all of them.

use super::super::client::ConnectionSetup;
use super::login::{self, Greeting};
use super::packets::{self, Packet};
use super::prepare::{Preparing, Statement};
use super::{EOF, ERROR, PREPARE, said};
use crate::dialogue::Refusal;

/// How far a connection has come.
#[derive(Debug, Default)]
enum Stage {
    /// The server greets first.
    #[default]
    New,
    /// It looks whether it knows us.
    Login,
    /// It looks at the queries, one after another.
    Preparing(Preparing),
    /// Queries may be sent.
    Ready,
}

/// The start of a connection, and what was agreed.
#[derive(Debug, Default)]
pub struct Startup {
    stage: Stage,
    /// Whether the server leaves the ends of columns unmarked (`CLIENT_DEPRECATE_EOF`).
    pub unmarked: bool,
    /// The queries, as far as they are prepared.
    pub statements: Vec<Statement>,
}

/// The number that the next packet must have after something was sent; otherwise it goes on counting.
type PacketNumber = Option<u8>;

impl Startup {
    /// Whether queries may be sent.
    pub fn is_over(&self) -> bool {
        matches!(self.stage, Stage::Ready)
    }

    /// Takes the next packet; what must be sent now is added to `say`.
    ///
    /// # Errors
    /// The server does not let us in, does not understand a query, or does not make sense.
    pub fn take(
        &mut self,
        packet: &Packet,
        hello: &ConnectionSetup,
        say: &mut Vec<u8>,
    ) -> Result<PacketNumber, Refusal> {
        match &mut self.stage {
            Stage::New => self.greeted(packet, hello, say),
            Stage::Login => self.known(packet, hello, say),
            Stage::Preparing(preparing) => {
                let number = self.statements.len();
                if packet.first == ERROR {
                    return Err(hello.misunderstood(number, said(packet.content)?));
                }
                let Some(statement) = preparing.take(packet, self.unmarked)? else {
                    return Ok(None);
                };
                if let Some(why) = statement.wrong(hello.queries.query(number)) {
                    return Err(hello.misunderstood(number, why));
                }
                self.statements.push(statement);
                Ok(self.prepare_next(hello, say))
            }
            Stage::Ready => Err(Refusal::Malformed),
        }
    }

    fn greeted(
        &mut self,
        packet: &Packet,
        hello: &ConnectionSetup,
        say: &mut Vec<u8>,
    ) -> Result<PacketNumber, Refusal> {
        if packet.first == ERROR {
            return Err(hello.refused(said(packet.content)?));
        }
        let greeting = Greeting::read(packet.content)?;
        self.unmarked = greeting.is_unmarked();
        self.stage = Stage::Login;
        let number = packet.number.wrapping_add(1);
        login::reply(number, greeting, hello.login, say);
        Ok(Some(number.wrapping_add(1)))
    }

    fn known(
        &mut self,
        packet: &Packet,
        hello: &ConnectionSetup,
        say: &mut Vec<u8>,
    ) -> Result<PacketNumber, Refusal> {
        if let Some(why) = login::refusal(packet.first, packet.content)? {
            return Err(hello.refused(why));
        }
        if packet.first != EOF {
            return Ok(self.prepare_next(hello, say));
        }
        let proof = login::proof_again(packet.content, hello.login)?;
        let number = packet.number.wrapping_add(1);
        packets::write(number, say, |say| say.extend_from_slice(&proof));
        Ok(Some(number.wrapping_add(1)))
    }

    /// Goes on with the first query that is not prepared; if there is none, all may be sent.
    fn prepare_next(&mut self, hello: &ConnectionSetup, say: &mut Vec<u8>) -> PacketNumber {
        let number = self.statements.len();
        if number == hello.queries.len() {
            self.stage = Stage::Ready;
            return None;
        }
        self.stage = Stage::Preparing(Preparing::default());
        packets::write(0, say, |say| {
            say.push(PREPARE);
            say.extend_from_slice(hello.queries.query(number).sql.as_bytes());
        });
        Some(1)
    }
}
