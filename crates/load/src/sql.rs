//! SQL: a database is asked in its own protocol, and its answers are read and judged. `client` says what a protocol is;
//! `mysql` and `postgresql` are those there are, and another one is a third beside them. SQLite has none: it is in this
//! program ([`crate::sqlite`]).

mod bytes;
mod client;
mod head;
pub mod mix;
mod mysql;
mod postgresql;
mod reach;
#[cfg(test)]
mod script;
mod talk;

use crate::asked;
use crate::cli::Sql;
use crate::clock::now_ns;
use crate::complaint::Complaint;
use crate::dialogue::Seat;
use crate::drive::{self, Drive};
use crate::output::Outputs;
use crate::sqlite;
use client::{Client, Login};
use mix::Queries;
use mysql::MySql;
use postgresql::PostgreSql;
use reach::Reach;
use talk::Talk;

/// Drives one case. TERM and INT end the process at once, with nothing written.
///
/// # Errors
/// Words are missing or wrong, the database cannot be reached or does not want us, or a file cannot be written.
pub fn sql(words: Sql) -> Result<(), Complaint> {
    let began_ns = now_ns();
    let drive = asked::drive(&words.load, None)?;
    let reach = Reach::of(&words)?;
    let drive = match reach {
        Reach::Sqlite(_) => sqlite::seated(drive, words.load.connections)?,
        _ => drive,
    };
    let queries = Queries::read(&words.mix)?;
    let outputs = Outputs::open(words.output, began_ns)?;
    let drive = Drive {
        keeps_seconds: outputs.wants_seconds(),
        ..drive
    };
    let outcome = match reach {
        Reach::MySql(endpoint, login) => {
            drive::run(&drive, &endpoint, &talk::<MySql>(&login, &queries))
        }
        Reach::PostgreSql(endpoint, login) => {
            drive::run(&drive, &endpoint, &talk::<PostgreSql>(&login, &queries))
        }
        Reach::Sqlite(file) => sqlite::run(&drive, &file, &queries),
    }?;
    outputs.write(&drive, &outcome)
}

/// What makes a conversation in this protocol for every thread.
fn talk<'a, C: Client>(
    login: &'a Login,
    queries: &'a Queries,
) -> impl Fn(Seat) -> Talk<'a, C> + Sync {
    move |seat| Talk::new(login, queries, seat)
}
