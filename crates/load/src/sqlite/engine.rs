//! One connection to the database, with its statements.

use std::io::{self, Write};
use std::path::Path;

use base::error::Error;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, Statement};

use super::deadline;
use crate::sql::mix::{Answer, Drawn, Queries, Query, Rows, Value};

/// How a request ended.
#[derive(Debug)]
pub enum Ended {
    /// With a response, correct or not.
    Answer(Answer),
    /// With SQLite's error text; it counts as a response.
    Failed(rusqlite::Error),
    /// Nobody waited any longer: within the statement, or for a lock.
    Stopped,
}

/// Opens the file, for reading alone unless it is written to.
///
/// # Errors
/// There is no such file, or it is no database, or another program has locked it.
pub fn open(file: &Path, writes: bool) -> Result<Connection, Error> {
    let access = if writes {
        OpenFlags::SQLITE_OPEN_READ_WRITE
    } else {
        OpenFlags::SQLITE_OPEN_READ_ONLY
    };
    // The connection stays with its thread, and nothing of it needs to be locked.
    let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let opened = Connection::open_with_flags(file, flags).and_then(|mut connection| {
        deadline::watch(&mut connection)?;
        // That a file is no database shows only when its first page is read.
        connection.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
        Ok(connection)
    });
    opened.map_err(|error| {
        Error::failure(
            format!("the database {}", file.display()),
            // SQLite's text for a missing file repeats the path.
            error
                .to_string()
                .replace(&format!(": {}", file.display()), ""),
            "With --file, name a file that SQLite has made and that no program has locked.",
        )
    })
}

/// One connection's statements, one for each query.
pub struct Engine<'c> {
    statements: Vec<Statement<'c>>,
    rows: Rows,
}

impl<'c> Engine<'c> {
    /// Prepares every query.
    ///
    /// # Errors
    /// SQLite does not understand one, or it has other parameters than in the file.
    pub fn prepare(connection: &'c Connection, queries: &Queries) -> Result<Self, Error> {
        let statements = queries.iter().map(|query| {
            statement(connection, query).map_err(|why| {
                let remedy = "Load the tables that the query needs, or correct its sql.";
                Error::failure(format!("the query {:?}", query.name), why, remedy)
            })
        });
        Ok(Self {
            statements: statements.collect::<Result<_, _>>()?,
            rows: Rows::default(),
        })
    }

    /// Asks, and takes all rows. The statement is then ready for the next request.
    pub fn ask(&mut self, queries: &Queries, drawn: &Drawn) -> Ended {
        match self.answer(queries, drawn) {
            Ok(answer) => Ended::Answer(answer),
            Err(error) => match error.sqlite_error_code() {
                Some(ErrorCode::OperationInterrupted) => Ended::Stopped,
                Some(ErrorCode::DatabaseBusy) if deadline::is_over() => Ended::Stopped,
                _ => Ended::Failed(error),
            },
        }
    }

    fn answer(&mut self, queries: &Queries, drawn: &Drawn) -> rusqlite::Result<Answer> {
        let statement = &mut self.statements[drawn.query];
        for (number, value) in (1..).zip(queries.values(drawn)) {
            match value {
                Value::Integer(integer) => statement.raw_bind_parameter(number, integer)?,
                Value::Text(text) => statement.raw_bind_parameter(number, text)?,
            }
        }
        if queries.query(drawn.query).writes {
            let affected = statement.raw_execute()?;
            return Ok(Answer {
                rows: u64::try_from(affected).unwrap_or(u64::MAX),
                ..Answer::default()
            });
        }
        let columns = statement.column_count();
        let mut answer = statement.raw_query();
        self.rows.begin(drawn.sampled);
        while let Some(row) = answer.next()? {
            if drawn.sampled {
                fields(row, columns, &mut self.rows)?;
                self.rows.end_row();
            } else {
                self.rows.skip_row();
            }
        }
        Ok(self.rows.finish())
    }
}

fn statement<'c>(connection: &'c Connection, query: &Query) -> Result<Statement<'c>, String> {
    let prepared = connection.prepare(&query.sql);
    let statement = prepared.map_err(|error| error.to_string())?;
    let (due, given) = (statement.parameter_count(), query.parameters);
    if due != given {
        return Err(format!("SQLite sees {due} parameters, and it has {given}"));
    }
    if !query.writes && !statement.readonly() {
        return Err("it writes, but lacks \"writes\": true".to_owned());
    }
    Ok(statement)
}

/// The texts of a row's fields.
fn fields(row: &Row, columns: usize, rows: &mut Rows) -> rusqlite::Result<()> {
    let mut buffer = [0; 24];
    for number in 0..columns {
        match row.get_ref(number)? {
            ValueRef::Null => rows.null(),
            ValueRef::Integer(integer) => rows.field(digits(integer, &mut buffer)),
            // No correct response has one; its text is then at least a wrong one.
            ValueRef::Real(real) => rows.field(real.to_string().as_bytes()),
            ValueRef::Text(text) | ValueRef::Blob(text) => rows.field(text),
        }
    }
    Ok(())
}

/// Decimal digits, which take 20 bytes at most.
fn digits(integer: i64, buffer: &mut [u8; 24]) -> &[u8] {
    let mut text = io::Cursor::new(&mut buffer[..]);
    let written = write!(text, "{integer}");
    debug_assert!(written.is_ok());
    let length = usize::try_from(text.position()).unwrap_or(0);
    &buffer[..length]
}

#[cfg(test)]
mod tests {
    use super::digits;

    #[test]
    fn whole_numbers_are_written_in_digits() {
        let mut buffer = [0; 24];
        for (number, due) in [
            (0, "0"),
            (-7, "-7"),
            (i64::MIN, "-9223372036854775808"),
            (i64::MAX, "9223372036854775807"),
        ] {
            assert_eq!(digits(number, &mut buffer), due.as_bytes());
        }
    }
}
