//! The protocol of MySQL and MariaDB, as far as our queries need it: logging in without a password, preparing,
//! executing with values, rows in binary.
//! <https://mariadb.com/kb/en/clientserver-protocol/> has all of it.

mod answer;
mod columns;
mod login;
mod packets;
mod prepare;
mod startup;
#[cfg(test)]
mod tests;

use super::client::{Client, ConnectionSetup, Login, words};
use super::mix::{Answer, Value};
use crate::dialogue::{Malformed, Refusal};
use answer::Reading;
use packets::Packets;
use startup::Startup;

/// How packets begin that are no rows: all is well, the end of something, an error.
const OK: u8 = 0x00;
const EOF: u8 = 0xfe;
const ERROR: u8 = 0xff;

/// The commands that are sent.
const PREPARE: u8 = 0x16;
const EXECUTE: u8 = 0x17;

/// How values are sent: as 64-bit integers, and as texts.
const INTEGER: [u8; 2] = [0x08, 0x00];
const TEXT: [u8; 2] = [0xfd, 0x00];

/// One connection.
#[derive(Debug, Default)]
pub struct MySql {
    packets: Packets,
    beginning: Startup,
    reading: Reading,
}

impl Client for MySql {
    fn open(&mut self, _login: &Login, _say: &mut Vec<u8>) {
        // The server greets first.
    }

    fn greet(
        &mut self,
        hello: &ConnectionSetup,
        came: &[u8],
        say: &mut Vec<u8>,
    ) -> Result<bool, Refusal> {
        let Self {
            packets, beginning, ..
        } = self;
        let mut rest = came;
        while let Some(packet) = packets.next(&mut rest, |_| Ok(true))? {
            if let Some(due) = beginning.take(&packet, hello, say)? {
                packets.expect(due);
            }
        }
        Ok(beginning.is_over())
    }

    fn ask<'a>(&self, query: usize, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>) {
        let Some(statement) = self.beginning.statements.get(query) else {
            return;
        };
        packets::write(0, say, |say| statement.execute(values, say));
    }

    fn begin(&mut self, sampled: bool) {
        self.packets.expect(1);
        self.reading.begin(sampled, self.beginning.unmarked);
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<Option<Answer>, Malformed> {
        let Self {
            packets, reading, ..
        } = self;
        if reading.is_over() {
            return Err(Malformed);
        }
        let mut rest = bytes;
        while let Some(packet) = packets.next(&mut rest, |first| reading.keeps(first))? {
            if let Some(answer) = reading.take(&packet)? {
                return if rest.is_empty() {
                    Ok(Some(answer))
                } else {
                    Err(Malformed)
                };
            }
        }
        Ok(None)
    }

    fn said(&self) -> &str {
        self.reading.said()
    }
}

/// The server's text in an error.
fn said(content: &[u8]) -> Result<String, Malformed> {
    let [ERROR, low, high, text @ ..] = content else {
        return Err(Malformed);
    };
    // After `#` come five letters of the SQL standard's, which the number states better.
    let text = text
        .split_at_checked(6)
        .filter(|(standard, _)| standard[0] == b'#')
        .map_or(text, |(_, text)| text);
    let number = u16::from_le_bytes([*low, *high]);
    Ok(format!(
        "the server says {:?} (error {number})",
        words(text)
    ))
}
