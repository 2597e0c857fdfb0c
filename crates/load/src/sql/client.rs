//! What a database's protocol is to the others: one connection's side of it, as bytes that come and bytes that are to
//! be sent. Nothing here knows a socket or a clock.

use base::error::Error;

use super::mix::{Answer, Queries, Value};
use super::password::Password;
use crate::dialogue::{Malformed, Refusal};

/// Who logs in where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// The user.
    pub user: String,
    /// The database.
    pub database: String,
    /// The password, for servers that require one.
    pub password: Password,
}

/// One connection to a database, in one protocol.
pub trait Client: Default {
    /// The connection is open: what must be sent at once is added to `say`.
    fn open(&mut self, login: &Login, say: &mut Vec<u8>);

    /// Bytes came before queries may be sent: logs in, and prepares all of them; what must be sent now is added to
    /// `say`. True once queries may be sent.
    ///
    /// # Errors
    /// The server does not let us in, does not understand a query, or does not make sense.
    fn greet(
        &mut self,
        hello: &ConnectionSetup,
        came: &[u8],
        say: &mut Vec<u8>,
    ) -> Result<bool, Refusal>;

    /// Adds the execution of the query with this number and these values to `say`.
    fn ask<'a>(&self, query: usize, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>);

    /// Prepares for the response. Fields are read if it is sampled.
    fn begin(&mut self, sampled: bool);

    /// Takes the next bytes of the response; returns it once it is whole.
    ///
    /// # Errors
    /// The bytes are not of the protocol, or go on after the response.
    fn feed(&mut self, bytes: &[u8]) -> Result<Option<Answer>, Malformed>;

    /// The server's text the last time that it returned an error.
    fn said(&self) -> &str;
}

/// What a connection starts with.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionSetup<'a> {
    /// Who logs in.
    pub login: &'a Login,
    /// What is prepared.
    pub queries: &'a Queries,
}

impl ConnectionSetup<'_> {
    /// The server refuses the login; its text gives the reason.
    pub fn refused(&self, why: impl Into<String>) -> Refusal {
        let Login { user, database, .. } = self.login;
        let remedy = "Give an existing user and database, and the right --password-file if the server requires a password.";
        Refusal::Said(Error::failure(
            format!("the login of {user} at the database {database}"),
            why,
            remedy,
        ))
    }

    /// The server does not understand a query; its text gives the reason.
    pub fn misunderstood(&self, query: usize, why: impl Into<String>) -> Refusal {
        let name = &self.queries.query(query).name;
        let remedy = "Correct the query, or create what it needs in the database.";
        Refusal::Said(Error::failure(format!("the query {name}"), why, remedy))
    }
}

/// A server's text, fit for one line.
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
