//! One query: where its values come from, and where its correct response is.

use super::tables::Place;
use crate::distribution::skew::Skew;

/// The most tables from which a query may draw.
pub const TABLES: usize = 4;

/// A query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The name under which it is counted.
    pub name: String,
    /// Its text, a `?` for each parameter.
    pub sql: String,
    /// How many parameters it has.
    pub parameters: usize,
    /// Whether it changes rows; its response is then how many.
    pub writes: bool,
}

/// A query, and all that is known of it.
#[derive(Debug)]
pub struct PreparedQuery {
    /// What is sent.
    pub query: Query,
    /// The tables from which a row is drawn for each request.
    pub sources: Vec<Source>,
    /// Where each parameter comes from.
    pub bindings: Vec<Binding>,
    /// Whether a parameter is counted.
    pub counts: bool,
    /// How many rows are correct, if that is known.
    pub rows: Option<ExpectedRows>,
    /// Where the correct checksum is: in the row of this place, in this column.
    pub checksum: Option<(usize, Place)>,
    /// The share of responses whose checksum is checked; 0 if there is none.
    pub sample: f64,
}

/// A table from which a row is drawn.
#[derive(Debug)]
pub struct Source {
    /// The table's number.
    pub table: usize,
    /// In which order.
    pub skew: Skew,
    /// Whose place in it this is, among all of all queries.
    pub turn: usize,
}

/// Where a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binding {
    /// A column of the row drawn at this place among the query's sources.
    Column {
        /// Which of the drawn rows.
        place: usize,
        /// Which column.
        column: Place,
    },
    /// A number that no other request has.
    Counts {
        /// The first of them.
        from: i64,
    },
}

/// How many rows are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedRows {
    /// Always this many.
    Number(u64),
    /// As many as this column of the row at this place gives. If the query draws no row, the table has but one, and
    /// place 0 means its first.
    Column {
        /// Which of the drawn rows.
        place: usize,
        /// Which column.
        column: Place,
    },
}
