//! What a database's protocol is to the others: one connection's side of it, as bytes that come and bytes that are to be
//! sent. Nothing here knows a socket or a clock.

use base::error::Error;

use super::mix::{Answer, Queries, Value};
use crate::dialogue::{Malformed, Refusal};

/// Who logs in where; there is no password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user.
    pub user: String,
    /// The database.
    pub database: String,
}

/// One connection to a database, in one protocol.
pub trait Client: Default {
    /// The connection is open: what is to be said at once is added to `say`.
    fn open(&mut self, login: &Login, say: &mut Vec<u8>);

    /// Bytes came before queries may be asked: logs in, and prepares all of them; what is to be said now is added to `say`.
    /// True once they may be asked.
    ///
    /// # Errors
    /// The server does not let us in, does not understand a query, or does not make sense.
    fn greet(
        &mut self,
        hello: &ConnectionSetup,
        came: &[u8],
        say: &mut Vec<u8>,
    ) -> Result<bool, Refusal>;

    /// Adds what asks the query of this number, with these values, to `say`.
    fn ask<'a>(&self, query: usize, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>);

    /// Makes ready for the answer. Fields are looked at where it is one of the sample.
    fn begin(&mut self, sampled: bool);

    /// Takes the next bytes of the answer; gives it once it is whole.
    ///
    /// # Errors
    /// The bytes are not of the protocol, or go on behind the answer.
    fn feed(&mut self, bytes: &[u8]) -> Result<Option<Answer>, Malformed>;

    /// What the server said the last time that it could not answer.
    fn said(&self) -> &str;
}

/// What a connection is begun with.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionSetup<'a> {
    /// Who logs in.
    pub login: &'a Login,
    /// What is prepared.
    pub queries: &'a Queries,
}

impl ConnectionSetup<'_> {
    /// The server does not let us in, for a reason in its words.
    pub fn refused(&self, why: impl Into<String>) -> Refusal {
        let Login { user, database } = self.login;
        let remedy = "Give a user and a database that are there, and let the server ask this user for no password.";
        Refusal::Said(Error::failure(
            format!("the login of {user} at the database {database}"),
            why,
            remedy,
        ))
    }

    /// The server does not understand a query, for a reason in its words.
    pub fn misunderstood(&self, query: usize, why: impl Into<String>) -> Refusal {
        let name = &self.queries.query(query).name;
        let remedy = "Mend the query, or what it asks of the database.";
        Refusal::Said(Error::failure(format!("the query {name}"), why, remedy))
    }
}

/// A server's words, fit for a line of text.
pub fn words(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let plain = text.trim().chars();
    plain
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_server_s_words_stay_on_their_line_and_leave_the_terminal_alone() {
        assert_eq!(
            words(b" no\r\nsuch \x1b[31mtable\xff "),
            "no  such  [31mtable\u{fffd}"
        );
    }
}
