//! The protocol of PostgreSQL (version 3, since 7.4), as far as our queries need it: logging in without a password,
//! preparing, executing with values, rows in text.
//! <https://www.postgresql.org/docs/current/protocol.html> has all of it.

mod answer;
mod frames;
mod requests;
#[cfg(test)]
mod tests;

use super::bytes::Bytes;
use super::client::{Client, ConnectionSetup, Login, words};
use super::mix::{Answer, Value};
use crate::dialogue::{Malformed, Refusal};
use answer::Reading;
use frames::Frames;

/// One connection.
#[derive(Debug, Default)]
pub struct PostgreSql {
    frames: Frames,
    stage: Stage,
    reading: Reading,
}

/// How far a connection has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Stage {
    /// The server looks whether it knows us.
    #[default]
    Login,
    /// It reads the queries, and has understood this many.
    Preparing(usize),
    /// Queries may be sent.
    Ready,
}

/// Whether the server may send this at any time: a notice, a setting, a notification.
fn is_aside(kind: u8) -> bool {
    matches!(kind, b'N' | b'S' | b'A')
}

impl Client for PostgreSql {
    fn open(&mut self, login: &Login, say: &mut Vec<u8>) {
        requests::startup(login, say);
    }

    fn greet(
        &mut self,
        hello: &ConnectionSetup,
        came: &[u8],
        say: &mut Vec<u8>,
    ) -> Result<bool, Refusal> {
        let mut rest = came;
        while let Some(frame) = self.frames.next(&mut rest, |_, _| Ok(true))? {
            self.stage = match (self.stage, frame.kind) {
                (stage, kind) if is_aside(kind) => stage,
                (Stage::Login, b'E') => return Err(hello.refused(said(frame.content)?)),
                (Stage::Preparing(query), b'E') => {
                    return Err(hello.misunderstood(query, said(frame.content)?));
                }
                (Stage::Login, b'R') => match proof(frame.content)? {
                    Some(why) => return Err(hello.refused(why)),
                    None => Stage::Login,
                },
                // The key to cancel with, and parts of the version that it does not know.
                (Stage::Login, b'K' | b'v') => Stage::Login,
                (Stage::Login, b'Z') => {
                    requests::prepare(hello.queries, say);
                    Stage::Preparing(0)
                }
                (Stage::Preparing(query), b'1') if query < hello.queries.len() => {
                    Stage::Preparing(query + 1)
                }
                (Stage::Preparing(query), b'Z') if query == hello.queries.len() => Stage::Ready,
                _ => return Err(Refusal::Malformed),
            };
        }
        Ok(self.stage == Stage::Ready)
    }

    fn ask<'a>(&self, query: usize, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>) {
        requests::bind(query, values, say);
        requests::execute(say);
        requests::sync(say);
    }

    fn begin(&mut self, sampled: bool) {
        self.reading.begin(sampled);
    }

    fn feed(&mut self, bytes: &[u8]) -> Result<Option<Answer>, Malformed> {
        let Self {
            frames, reading, ..
        } = self;
        let (mut rest, mut answer) = (bytes, None);
        while let Some(frame) =
            frames.next(&mut rest, |kind, length| reading.keeps(kind, length))?
        {
            answer = match (answer, reading.take(&frame)?) {
                (answer, None) => answer,
                (None, whole) => whole,
                (Some(_), Some(_)) => return Err(Malformed),
            };
        }
        Ok(answer)
    }

    fn said(&self) -> &str {
        self.reading.said()
    }
}

/// What the server requires before it lets us in, if anything.
fn proof(content: &[u8]) -> Result<Option<String>, Malformed> {
    let mut bytes = Bytes(content);
    let wanted = match u32::from_be_bytes(bytes.array()?) {
        0 => return Ok(None),
        2 => "Kerberos".to_owned(),
        3 => "a password".to_owned(),
        5 => "a password (md5)".to_owned(),
        7 | 9 => "GSSAPI or SSPI".to_owned(),
        10 => format!("a password ({})", words(bytes.text()?)),
        _ => return Err(Malformed),
    };
    Ok(Some(format!(
        "the server requires {wanted}, and this program has none; let its pg_hba.conf trust the user"
    )))
}

/// The server's text in an error: fields of a letter and a text each, among them the message (M) and its number (C).
fn said(content: &[u8]) -> Result<String, Malformed> {
    let mut bytes = Bytes(content);
    let (mut message, mut number) = (String::new(), String::new());
    loop {
        match bytes.byte()? {
            0 => break,
            b'M' => message = words(bytes.text()?),
            b'C' => number = words(bytes.text()?),
            _ => {
                let _ = bytes.text()?;
            }
        }
    }
    bytes.end()?;
    Ok(format!("the server says {message:?} (error {number})"))
}
