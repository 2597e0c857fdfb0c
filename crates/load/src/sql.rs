//! SQL: sends queries to a database in its own protocol, and reads and checks the responses. `client` defines a
//! protocol; `mysql` and `postgresql` implement it, and another one would be a third next to them. SQLite has none: it
//! is in this program ([`crate::sqlite`]).

mod bytes;
mod client;
mod dialogue;
mod endpoint;
mod message_head;
pub mod mix;
mod mysql;
mod password;
mod postgresql;
#[cfg(test)]
mod test_script;

use base::clock::now_ns;
use base::error::Error;

use crate::cli::Sql;
use crate::cli::load_options;
use crate::dialogue::ThreadContext;
use crate::drive::{self, Drive};
use crate::output::Outputs;
use crate::sqlite;
use client::{Client, Login};
use dialogue::SqlDialogue;
use endpoint::DatabaseEndpoint;
use mix::Queries;
use mysql::MySql;
use postgresql::PostgreSql;

/// Drives one case. TERM and INT end the process at once, with nothing written.
///
/// # Errors
/// Options are missing or wrong, the database cannot be reached or refuses the login, or a file cannot be written.
pub fn sql(options: Sql) -> Result<(), Error> {
    let began_ns = now_ns();
    let drive = load_options::drive(&options.load, None)?;
    let endpoint = DatabaseEndpoint::of(&options)?;
    let drive = match endpoint {
        DatabaseEndpoint::Sqlite(_) => sqlite::seated(drive, options.load.connections)?,
        _ => drive,
    };
    let queries = Queries::read(&options.mix)?;
    let outputs = Outputs::open(options.output, began_ns)?;
    let drive = Drive {
        keeps_seconds: outputs.wants_seconds(),
        ..drive
    };
    let outcome = match endpoint {
        DatabaseEndpoint::MySql(endpoint, login) => {
            drive::run(&drive, &endpoint, &talk::<MySql>(&login, &queries))
        }
        DatabaseEndpoint::PostgreSql(endpoint, login) => {
            drive::run(&drive, &endpoint, &talk::<PostgreSql>(&login, &queries))
        }
        DatabaseEndpoint::Sqlite(file) => sqlite::run(&drive, &file, &queries),
    }?;
    outputs.write(&drive, outcome)
}

/// What makes a conversation in this protocol for every thread.
fn talk<'a, C: Client>(
    login: &'a Login,
    queries: &'a Queries,
) -> impl Fn(ThreadContext) -> SqlDialogue<'a, C> + Sync {
    move |context| SqlDialogue::new(login, queries, context)
}
