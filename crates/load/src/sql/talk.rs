//! SQL as the users talk it, in whichever protocol.

use std::cell::OnceCell;

use super::client::{Client, Hello, Login};
use super::mix::{Answer, Drawn, Draws, Queries};
use crate::dialogue::{Dialogue, Judged, Malformed, Refusal, Seat};

/// What one thread asks, and how it understands the answers.
#[derive(Debug)]
pub struct Talk<'a, C> {
    hello: Hello<'a>,
    draws: Draws,
    /// What a server said the first time that it could not answer.
    said: OnceCell<String>,
    client: std::marker::PhantomData<C>,
}

impl<'a, C: Client> Talk<'a, C> {
    /// The conversation of the thread in this seat.
    pub fn new(login: &'a Login, queries: &'a Queries, seat: Seat) -> Self {
        Self {
            hello: Hello { login, queries },
            draws: queries.draws(seat.random, seat.thread, seat.threads),
            said: OnceCell::new(),
            client: std::marker::PhantomData,
        }
    }

    fn judged(&self, client: &C, drawn: Drawn, answer: &Answer) -> Judged {
        let query = self.hello.queries.query(drawn.query);
        if answer.error {
            let words = || format!("the query {}: {}", query.name, client.said());
            let _ = self.said.get_or_init(words);
        }
        Judged {
            fault: self.hello.queries.judge(&drawn, answer),
            rows: if query.writes { 0 } else { answer.rows },
            keep_alive: true,
            ..Judged::default()
        }
    }
}

impl<C: Client> Dialogue for Talk<'_, C> {
    type Drawn = Drawn;
    type Reader = C;

    fn draw(&mut self) -> Drawn {
        self.hello.queries.draw(&mut self.draws)
    }

    fn open(&self, client: &mut C, say: &mut Vec<u8>) -> bool {
        *client = C::default();
        client.open(self.hello.login, say);
        false
    }

    fn greet(&self, client: &mut C, came: &[u8], say: &mut Vec<u8>) -> Result<bool, Refusal> {
        let welcome = client.greet(&self.hello, came, say);
        if let Err(Refusal::Said(complaint)) = &welcome {
            let _ = self.said.get_or_init(|| complaint.to_string());
        }
        welcome
    }

    fn request<'b>(
        &'b self,
        client: &C,
        drawn: Drawn,
        _last: bool,
        scratch: &'b mut Vec<u8>,
    ) -> &'b [u8] {
        scratch.clear();
        client.ask(drawn.query, self.hello.queries.values(&drawn), scratch);
        scratch
    }

    fn begin(&self, client: &mut C, drawn: Drawn) {
        client.begin(drawn.sampled);
    }

    fn feed(
        &self,
        client: &mut C,
        drawn: Drawn,
        bytes: &[u8],
    ) -> Result<Option<Judged>, Malformed> {
        let answer = client.feed(bytes)?;
        Ok(answer.map(|answer| self.judged(client, drawn, &answer)))
    }

    fn kinds(&self) -> Vec<String> {
        let queries = self.hello.queries.iter();
        queries.map(|query| query.name.clone()).collect()
    }

    fn kind(&self, drawn: Drawn) -> Option<usize> {
        Some(drawn.query)
    }

    fn said(&self) -> Option<String> {
        self.said.get().cloned()
    }
}
