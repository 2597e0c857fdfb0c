//! The protocol of PostgreSQL (version 3, since 7.4), as far as our queries need it: logging in, preparing,
//! executing with values, rows in text.
//! <https://www.postgresql.org/docs/current/protocol.html> has all of it.

mod answer;
mod frames;
mod requests;
#[cfg(test)]
mod tests;

use super::bytes::Bytes;
use super::client::{Client, ConnectionSetup, Login, words};
use super::mix::{Answer, Value};
use super::password::Scram;
use crate::dialogue::{Malformed, Refusal};
use answer::Reading;
use frames::Frames;

/// The way to prove a password.
const SCRAM: &str = "SCRAM-SHA-256";

/// One connection.
#[derive(Debug, Default)]
pub struct PostgreSql {
    frames: Frames,
    stage: Stage,
    reading: Reading,
    proof: Option<Scram>,
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
                (Stage::Login, b'R') => {
                    prove(&mut self.proof, frame.content, hello, say)?;
                    Stage::Login
                }
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

/// Shows what the server requires before it lets us in.
fn prove(
    proof: &mut Option<Scram>,
    content: &[u8],
    hello: &ConnectionSetup,
    say: &mut Vec<u8>,
) -> Result<(), Refusal> {
    let (kind, rest) = content.split_first_chunk().ok_or(Malformed)?;
    let text = || str::from_utf8(rest).map_err(|_| Malformed);
    let wanted = match u32::from_be_bytes(*kind) {
        0 => return Ok(()),
        10 if rest
            .split(|&byte| byte == 0)
            .any(|each| each == SCRAM.as_bytes()) =>
        {
            if hello.login.password.is_empty() {
                let why = "the server requires a password (SCRAM-SHA-256), and none was given";
                return Err(hello.refused(why));
            }
            let login = Scram::new()?;
            requests::prove_by(SCRAM, &login.first(), say);
            *proof = Some(login);
            return Ok(());
        }
        11 => {
            let login = proof.as_mut().ok_or(Malformed)?;
            requests::prove(&login.proof(&hello.login.password, text()?)?, say);
            return Ok(());
        }
        12 => {
            let login = proof.take().ok_or(Malformed)?;
            if login.is_known(text()?) {
                return Ok(());
            }
            return Err(hello.refused("the server does not know the password itself"));
        }
        2 => "Kerberos".to_owned(),
        3 => "a password".to_owned(),
        5 => "a password (md5)".to_owned(),
        7 | 9 => "GSSAPI or SSPI".to_owned(),
        10 => format!("a password ({})", words(Bytes(rest).text()?)),
        _ => return Err(Refusal::Malformed),
    };
    Err(hello.refused(unprovable(&wanted)))
}

/// Why the server cannot let us in, by what it requires.
fn unprovable(wanted: &str) -> String {
    format!("the server requires {wanted}, and this program supports SCRAM-SHA-256 only")
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
