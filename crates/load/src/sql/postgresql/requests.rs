//! The messages sent to the server.

use super::super::client::Login;
use super::super::mix::{Queries, Value};

/// Version 3.0 of the protocol.
const VERSION: i32 = 3 << 16;

/// Who we are, and that texts come and go in UTF-8.
pub fn startup(login: &Login, say: &mut Vec<u8>) {
    sized(say, |say| {
        say.extend_from_slice(&VERSION.to_be_bytes());
        for text in [
            "user",
            &login.user,
            "database",
            &login.database,
            "application_name",
            "h2h-load",
            "client_encoding",
            "UTF8",
        ] {
            end(text, say);
        }
        say.push(0);
    });
}

/// The way to prove the password, and the first message of that.
pub fn prove_by(mechanism: &str, first: &str, say: &mut Vec<u8>) {
    message(b'p', say, |say| {
        end(mechanism, say);
        field(first.as_bytes(), say);
    });
}

/// The next message of the proof.
pub fn prove(text: &str, say: &mut Vec<u8>) {
    message(b'p', say, |say| say.extend_from_slice(text.as_bytes()));
}

/// Prepares all queries.
pub fn prepare(queries: &Queries, say: &mut Vec<u8>) {
    for (number, query) in queries.iter().enumerate() {
        parse(number, &query.sql, say);
    }
    sync(say);
}

/// Prepares the query of this number; its `?`, which are never within quotes, become `$1`, `$2` and so on.
fn parse(number: usize, sql: &str, say: &mut Vec<u8>) {
    message(b'P', say, |say| {
        name(number, say);
        let mut parts = sql.split('?');
        say.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
        for (parameter, part) in (1_usize..).zip(parts) {
            say.push(b'$');
            say.extend_from_slice(itoa::Buffer::new().format(parameter).as_bytes());
            say.extend_from_slice(part.as_bytes());
        }
        say.push(0);
        // The server finds out the parameters' types.
        say.extend_from_slice(&[0, 0]);
    });
}

/// Gives the query of this number its values, as texts.
pub fn bind<'a>(number: usize, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>) {
    message(b'B', say, |say| {
        // The portal has no name.
        say.push(0);
        name(number, say);
        say.extend_from_slice(&[0, 0]);
        let at = say.len();
        say.extend_from_slice(&[0, 0]);
        let mut count: u16 = 0;
        for value in values {
            match value {
                Value::Integer(number) => {
                    field(itoa::Buffer::new().format(number).as_bytes(), say);
                }
                Value::Text(text) => field(text.as_bytes(), say),
            }
            count = count.saturating_add(1);
        }
        say[at..][..2].copy_from_slice(&count.to_be_bytes());
        // The response comes as texts too.
        say.extend_from_slice(&[0, 0]);
    });
}

/// Executes it, to its last row.
pub fn execute(say: &mut Vec<u8>) {
    message(b'E', say, |say| say.extend_from_slice(&[0; 5]));
}

/// No more requests: the server responds, and reports when it is done.
pub fn sync(say: &mut Vec<u8>) {
    message(b'S', say, |_| {});
}

fn name(number: usize, say: &mut Vec<u8>) {
    say.push(b'q');
    end(itoa::Buffer::new().format(number), say);
}

fn end(text: &str, say: &mut Vec<u8>) {
    say.extend_from_slice(text.as_bytes());
    say.push(0);
}

fn field(text: &[u8], say: &mut Vec<u8>) {
    say.extend_from_slice(&length(text.len()));
    say.extend_from_slice(text);
}

fn message(kind: u8, say: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    say.push(kind);
    sized(say, content);
}

/// Content after its length, which counts itself.
fn sized(say: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    let from = say.len();
    say.extend_from_slice(&[0; 4]);
    content(say);
    let bytes = length(say.len() - from);
    say[from..][..4].copy_from_slice(&bytes);
}

/// No message that we send is longer than 2 GB, as no server takes more than 1.
fn length(bytes: usize) -> [u8; 4] {
    i32::try_from(bytes).unwrap_or(i32::MAX).to_be_bytes()
}

#[cfg(test)]
mod tests {
    use super::{Login, Value, bind, execute, parse, startup, sync};
    use crate::sql::password::Password;

    fn said(say: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
        let mut bytes = Vec::new();
        say(&mut bytes);
        bytes
    }

    #[test]
    fn messages_are_as_the_protocol_has_them() {
        let login = Login {
            user: "forum".to_owned(),
            database: "h2h".to_owned(),
            password: Password::default(),
        };
        let due = b"\0\0\0\x50\0\x03\0\0user\0forum\0database\0h2h\0application_name\0h2h-load\0client_encoding\0UTF8\0\0";
        assert_eq!(said(|say| startup(&login, say)), due);
        let sql = "SELECT ? FROM t WHERE a < ? -1";
        let due = b"P\0\0\0\x2aq0\0SELECT $1 FROM t WHERE a < $2 -1\0\0\0";
        assert_eq!(said(|say| parse(0, sql, say)), due);
        let values = [Value::Integer(-17), Value::Text("é")];
        let due = b"B\0\0\0\x1c\0q12\0\0\0\0\x02\0\0\0\x03-17\0\0\0\x02\xc3\xa9\0\0";
        assert_eq!(said(|say| bind(12, values.into_iter(), say)), due);
        assert_eq!(said(execute), b"E\0\0\0\x09\0\0\0\0\0");
        assert_eq!(said(sync), b"S\0\0\0\x04");
    }
}
