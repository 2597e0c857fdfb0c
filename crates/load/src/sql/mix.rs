//! The queries sent to a database, with their weights, their values, and the correct responses.

mod answer;
mod file;
mod query;
mod tables;
#[cfg(test)]
mod tests;

use std::path::Path;

use base::error::Error;
use base::random::Random;

use crate::distribution::skew::SequencePosition;
use crate::distribution::weights::Weights;
use crate::tally::fault::Fault;
use query::{Binding, PreparedQuery, TABLES};
use tables::Tables;

pub use answer::{Answer, Rows};
pub use query::Query;
pub use tables::Value;

/// A request that was drawn: a query, and all that is needed to find its values and its correct response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Drawn {
    /// Which query, by number.
    pub query: usize,
    /// Whether the checksum of its response is checked.
    pub sampled: bool,
    /// Of each table that the query draws from, in the order of its parameters: the row.
    rows: [u32; TABLES],
    /// How many numbers of their own all threads' requests have taken before.
    number: i64,
}

/// One thread's position: its own random numbers, its own position in every table that is walked in order, its own
/// counters.
#[derive(Debug)]
pub struct Draws {
    random: Random,
    turns: Vec<SequencePosition>,
    number: i64,
    threads: i64,
}

/// All queries that are sent; one whose weight is 0 is not among them.
#[derive(Debug)]
pub struct Queries {
    asked: Vec<PreparedQuery>,
    weights: Weights,
    tables: Tables,
    /// How many tables all queries draw from, each query's counted by themselves.
    turns: usize,
}

impl Queries {
    /// Reads a file of queries, and the answer tables that it names.
    ///
    /// # Errors
    /// The file cannot be read, has a wrong format, or names a table that is wrong: a usage error.
    pub fn read(path: &Path) -> Result<Self, Error> {
        file::read(path).map_err(|why| {
            let remedy = "Write {\"queries\": [{\"name\": ..., \"weight\": 1, \"sql\": \"... ? ...\", \"parameters\": \
                          [{\"table\": FILE, \"column\": ..., \"skew\": \"uniform\", \"zipf\" or \"sequential\"} or \
                          {\"counts_from\": N}], \"rows\": N or {\"table\": FILE, \"column\": ...} or null, \"checksum\": \
                          {\"table\": FILE, \"column\": ...} or null, \"sample\": 0.01, \"writes\": false}]}; tables are CSV \
                          with a line of names, without quotes.";
            Error::usage(format!("the queries of {}", path.display()), why, remedy)
        })
    }

    /// How many there are, at least one.
    // A file without queries is refused, so there is always one.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.asked.len()
    }

    /// The query of this number.
    pub fn query(&self, number: usize) -> &Query {
        &self.asked[number].query
    }

    /// All of them, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Query> {
        self.asked.iter().map(|asked| &asked.query)
    }

    /// Whether any of them writes.
    pub fn writes(&self) -> bool {
        self.iter().any(|query| query.writes)
    }

    /// The start of thread `thread` (from 0) of `threads`. Random numbers come from `random`, the thread's own stream;
    /// of a table that is walked in order, and of numbers that are counted, it takes every `threads`-th.
    pub fn draws(&self, random: Random, thread: usize, threads: usize) -> Draws {
        Draws {
            random,
            turns: vec![SequencePosition::new(thread, threads); self.turns],
            number: i64::try_from(thread).unwrap_or(0),
            threads: i64::try_from(threads).unwrap_or(1),
        }
    }

    /// Draws the next request by weight, and a row of each table that it takes values from. Allocates nothing.
    pub fn draw(&self, draws: &mut Draws) -> Drawn {
        let query = self.weights.draw(&mut draws.random);
        let asked = &self.asked[query];
        let mut rows = [0; TABLES];
        for (row, source) in rows.iter_mut().zip(&asked.sources) {
            let count = self.tables.rows(source.table);
            let turn = &mut draws.turns[source.turn];
            let member = source.skew.draw(count, &mut draws.random, turn);
            *row = u32::try_from(member).unwrap_or(u32::MAX);
        }
        let number = draws.number;
        if asked.counts {
            draws.number += draws.threads;
        }
        Drawn {
            query,
            sampled: asked.sample > 0.0 && draws.random.share() < asked.sample,
            rows,
            number,
        }
    }

    /// The values of its parameters, in their order.
    pub fn values<'a>(&'a self, drawn: &Drawn) -> impl Iterator<Item = Value<'a>> + use<'a> {
        let drawn = *drawn;
        let bindings = self.asked[drawn.query].bindings.iter();
        bindings.map(move |binding| match *binding {
            Binding::Counts { from } => Value::Integer(from + drawn.number),
            Binding::Column { place, column } => {
                self.tables.value(column, index(drawn.rows[place]))
            }
        })
    }

    /// How many rows the correct response has, or are affected if the query writes; `None` if it is not known.
    pub fn rows(&self, drawn: &Drawn) -> Option<u64> {
        let due = self.asked[drawn.query].rows.as_ref()?;
        Some(match *due {
            query::ExpectedRows::Number(rows) => rows,
            query::ExpectedRows::Column { place, column } => {
                self.tables.count(column, index(drawn.rows[place]))
            }
        })
    }

    /// What is wrong with a whole response, the gravest first; `None` if it is correct.
    pub fn judge(&self, drawn: &Drawn, answer: &Answer) -> Option<Fault> {
        if answer.error {
            return Some(Fault::ErrorAnswer);
        }
        // Of a query that reads, only rows that came count: a server may state any number of them.
        let came = if answer.stated && !self.query(drawn.query).writes {
            0
        } else {
            answer.rows
        };
        if self.rows(drawn).is_some_and(|due| due != came) {
            return Some(Fault::WrongRows);
        }
        let due = self.checksum(drawn).filter(|_| drawn.sampled)?;
        (answer.sum != Some(*due)).then_some(Fault::WrongChecksum)
    }

    fn checksum(&self, drawn: &Drawn) -> Option<&[u8; 32]> {
        let (place, column) = self.asked[drawn.query].checksum?;
        Some(self.tables.sum(column, index(drawn.rows[place])))
    }
}

fn index(row: u32) -> usize {
    usize::try_from(row).unwrap_or(usize::MAX)
}
