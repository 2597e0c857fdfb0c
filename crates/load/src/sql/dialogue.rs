//! SQL as the users speak it, in either protocol.

use std::cell::OnceCell;

use super::client::{Client, ConnectionSetup, Login};
use super::mix::{Answer, Drawn, Draws, Queries};
use crate::dialogue::{CheckedResponse, Dialogue, Malformed, Refusal, ThreadContext};

/// What one thread requests, and how it reads the responses.
#[derive(Debug)]
pub struct SqlDialogue<'a, C> {
    hello: ConnectionSetup<'a>,
    draws: Draws,
    /// The server's text the first time that it returned an error.
    said: OnceCell<String>,
    client: std::marker::PhantomData<C>,
}

impl<'a, C: Client> SqlDialogue<'a, C> {
    /// The conversation of the thread in this context.
    pub fn new(login: &'a Login, queries: &'a Queries, context: ThreadContext) -> Self {
        Self {
            hello: ConnectionSetup { login, queries },
            draws: queries.draws(context.random, context.thread, context.threads),
            said: OnceCell::new(),
            client: std::marker::PhantomData,
        }
    }

    fn checked(&self, client: &C, drawn: Drawn, answer: &Answer) -> CheckedResponse {
        let query = self.hello.queries.query(drawn.query);
        if answer.error {
            let words = || format!("the query {}: {}", query.name, client.said());
            let _ = self.said.get_or_init(words);
        }
        CheckedResponse {
            fault: self.hello.queries.judge(&drawn, answer),
            rows: if query.writes { 0 } else { answer.rows },
            keep_alive: true,
            ..CheckedResponse::default()
        }
    }
}

impl<C: Client> Dialogue for SqlDialogue<'_, C> {
    type Drawn = Drawn;
    type Reader = C;

    fn draw(&mut self, _client: &mut C, _first: bool) -> Drawn {
        self.hello.queries.draw(&mut self.draws)
    }

    fn open(&self, client: &mut C, say: &mut Vec<u8>) -> bool {
        *client = C::default();
        client.open(self.hello.login, say);
        false
    }

    fn greet(&self, client: &mut C, came: &[u8], say: &mut Vec<u8>) -> Result<bool, Refusal> {
        let welcome = client.greet(&self.hello, came, say);
        if let Err(Refusal::Said(error)) = &welcome {
            let _ = self.said.get_or_init(|| error.to_string());
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
    ) -> Result<Option<CheckedResponse>, Malformed> {
        let answer = client.feed(bytes)?;
        Ok(answer.map(|answer| self.checked(client, drawn, &answer)))
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
