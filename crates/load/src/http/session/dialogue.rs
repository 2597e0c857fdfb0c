//! Sessions as the users speak them: step after step, with cookies and values of their own.

use std::cell::OnceCell;

use base::random::Random;

use super::Session;
use super::cookies::Cookies;
use super::kept::Kept;
use crate::dialogue::{CheckedResponse, Dialogue, Malformed, ThreadContext};
use crate::http::answer::{self, Answer};
use crate::tally::fault::Fault;

/// What one thread requests, and how it reads the responses.
#[derive(Debug)]
pub struct SessionDialogue<'a> {
    session: &'a Session,
    random: Random,
    /// The first wrong response, for people to read.
    said: OnceCell<String>,
}

/// One user's session, over any number of connections.
#[derive(Default)]
pub struct SessionReader {
    answer: answer::Reader,
    kept: Kept,
    values: Vec<Vec<u8>>,
    cookies: Cookies,
    step: usize,
}

impl<'a> SessionDialogue<'a> {
    /// The conversation of the thread in this context.
    pub fn new(session: &'a Session, context: ThreadContext) -> Self {
        Self {
            session,
            random: context.random,
            said: OnceCell::new(),
        }
    }

    /// Checks a whole response, and takes from it what later steps send.
    fn checked(
        &self,
        reader: &mut SessionReader,
        number: usize,
        answer: &Answer,
    ) -> CheckedResponse {
        let step = &self.session.steps[number];
        let SessionReader {
            kept,
            values,
            cookies,
            ..
        } = reader;
        let wrong = step.judge(answer, kept, values);
        let fault = wrong.or_else(|| step.take(kept, values).err());
        match fault {
            None => kept
                .headers("Set-Cookie")
                .for_each(|line| cookies.set(line)),
            Some(fault) => {
                let _ = self.said.get_or_init(|| said(&step.name, fault, answer));
            }
        }
        CheckedResponse {
            fault,
            length_bytes: answer.length_bytes,
            keep_alive: answer.keep_alive,
            ends_session: fault.is_some(),
            ..CheckedResponse::default()
        }
    }
}

fn said(name: &str, fault: Fault, answer: &Answer) -> String {
    let (kind, status, bytes) = (fault.name(), answer.status, answer.length_bytes);
    format!("the step {name}: {kind} (status {status}, {bytes} bytes)")
}

impl Dialogue for SessionDialogue<'_> {
    type Drawn = usize;
    type Reader = SessionReader;

    fn draw(&mut self, reader: &mut SessionReader, first: bool) -> usize {
        if first {
            reader.step = 0;
            reader.cookies.clear();
            self.session.begin(&mut self.random, &mut reader.values);
        } else {
            reader.step = (reader.step + 1) % self.session.steps.len();
        }
        reader.step
    }

    fn request<'b>(
        &'b self,
        reader: &SessionReader,
        number: usize,
        last: bool,
        scratch: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        scratch.clear();
        self.session.steps[number].write(&reader.values, &reader.cookies, last, scratch);
        scratch
    }

    fn length_bytes(&self, number: usize) -> Option<u64> {
        self.session.steps[number].right.length_bytes
    }

    fn begin(&self, reader: &mut SessionReader, number: usize) {
        reader.answer.begin();
        reader.kept.begin(self.session.steps[number].keeps_body());
    }

    fn feed(
        &self,
        reader: &mut SessionReader,
        number: usize,
        bytes: &[u8],
    ) -> Result<Option<CheckedResponse>, Malformed> {
        let check = self.session.steps[number].check();
        let SessionReader { answer, kept, .. } = reader;
        let answer = answer.feed_kept(bytes, Some(&check), kept)?;
        Ok(answer.map(|answer| self.checked(reader, number, &answer)))
    }

    fn close(&self, reader: &mut SessionReader, number: usize) -> Option<CheckedResponse> {
        let check = self.session.steps[number].check();
        let answer = reader.answer.close(Some(&check))?;
        Some(self.checked(reader, number, &answer))
    }

    /// If a kept connection ends before one byte of the response, the server may have carried out a POST all the same.
    fn repeats(&self, reader: &SessionReader) -> bool {
        !reader.answer.started() && self.session.steps[reader.step].idempotent
    }

    fn is_scripted(&self) -> bool {
        true
    }

    fn kinds(&self) -> Vec<String> {
        let steps = self.session.steps.iter();
        steps.map(|step| step.name.clone()).collect()
    }

    fn kind(&self, number: usize) -> Option<usize> {
        Some(number)
    }

    fn said(&self) -> Option<String> {
        self.said.get().cloned()
    }
}
