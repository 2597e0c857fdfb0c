//! One query of the file.

use std::path::PathBuf;

use serde::Deserialize;

use crate::distribution::skew::{Shape, SkewName};
use crate::distribution::weights::{sample, weight};
use crate::sql::mix::query::{Binding, ExpectedRows, PreparedQuery, Query, Source, TABLES};
use crate::sql::mix::tables::{Place, Purpose, Tables, Wanted};

/// The share of responses checked if no other is given.
const SAMPLE: f64 = 0.01;

/// Counted numbers begin below this, so that none passes the largest.
const COUNTS_LIMIT: i64 = 1 << 62;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QueryEntry {
    pub name: String,
    #[serde(default = "one")]
    weight: f64,
    sql: String,
    #[serde(default)]
    parameters: Vec<Parameter>,
    rows: Option<Rows>,
    checksum: Option<Column>,
    sample: Option<f64>,
    #[serde(default)]
    writes: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    table: Option<PathBuf>,
    column: Option<String>,
    skew: Option<SkewName>,
    exponent: Option<f64>,
    counts_from: Option<i64>,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "rows is neither a number nor a table with a column"
)]
enum Rows {
    Number(u64),
    Column(Column),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    table: PathBuf,
    column: String,
}

fn one() -> f64 {
    1.0
}

/// A query whose tables are named and not read yet.
pub struct UnboundQuery {
    pub query: Query,
    pub weight: f64,
    sources: Vec<(usize, Shape)>,
    bindings: Vec<Binding>,
    rows: Option<ExpectedRows>,
    checksum: Option<(usize, Place)>,
    /// Tables of which one row must be all, as none is drawn.
    whole: Vec<(usize, PathBuf)>,
    sample: f64,
}

impl QueryEntry {
    /// Whether it is ever sent.
    ///
    /// # Errors
    /// Its weight is none.
    pub fn is_asked(&self) -> Result<bool, String> {
        Ok(weight(self.weight)? > 0.0)
    }

    /// Says what it needs.
    ///
    /// # Errors
    /// Its fields contradict each other.
    pub fn named(self, wanted: &mut Wanted) -> Result<UnboundQuery, String> {
        let sample = self.checked()?;
        let mut named = UnboundQuery {
            query: Query {
                name: self.name,
                sql: self.sql,
                parameters: self.parameters.len(),
                writes: self.writes,
            },
            weight: self.weight,
            sources: Vec::new(),
            bindings: Vec::new(),
            rows: None,
            checksum: None,
            whole: Vec::new(),
            sample,
        };
        for parameter in self.parameters {
            let binding = named.binding(parameter, wanted)?;
            named.bindings.push(binding);
        }
        named.rows = match self.rows {
            None => None,
            Some(Rows::Number(rows)) => Some(ExpectedRows::Number(rows)),
            Some(Rows::Column(of)) => {
                let (place, column) = named.due(&of, Purpose::Counts, wanted)?;
                Some(ExpectedRows::Column { place, column })
            }
        };
        if let Some(of) = self.checksum {
            named.checksum = Some(named.due(&of, Purpose::Sums, wanted)?);
        }
        Ok(named)
    }

    /// The share of responses whose checksum is checked.
    fn checked(&self) -> Result<f64, String> {
        let (due, given) = (self.sql.matches('?').count(), self.parameters.len());
        if due != given {
            return Err(format!(
                "its sql has {due} ?, and it has {given} parameters"
            ));
        }
        if self.writes && self.checksum.is_some() {
            return Err("rows that are written have no checksum".to_owned());
        }
        let sample = sample(self.sample.unwrap_or(SAMPLE))?;
        Ok(self.checksum.as_ref().map_or(0.0, |_| sample))
    }
}

impl UnboundQuery {
    /// Puts it together with the tables that were read; `turns` counts the tables that queries draw from.
    ///
    /// # Errors
    /// A table has several rows, and nothing selects one.
    pub fn asked(self, tables: &Tables, turns: &mut usize) -> Result<PreparedQuery, String> {
        for (table, file) in &self.whole {
            let rows = tables.rows(*table);
            if rows != 1 {
                return Err(format!(
                    "no parameter draws from {}, and it has {rows} rows, not one",
                    file.display()
                ));
            }
        }
        let sources = self.sources.into_iter().map(|(table, shape)| {
            let turn = *turns;
            *turns += 1;
            Source {
                table,
                skew: shape.over(tables.rows(table)),
                turn,
            }
        });
        Ok(PreparedQuery {
            query: self.query,
            sources: sources.collect(),
            counts: self
                .bindings
                .iter()
                .any(|binding| matches!(binding, Binding::Counts { .. })),
            bindings: self.bindings,
            rows: self.rows,
            checksum: self.checksum,
            sample: self.sample,
        })
    }

    fn binding(&mut self, parameter: Parameter, wanted: &mut Wanted) -> Result<Binding, String> {
        let (skew, exponent) = (parameter.skew, parameter.exponent);
        let says_skew = skew.is_some() || exponent.is_some();
        match (parameter.table, parameter.column, parameter.counts_from) {
            (Some(file), Some(column), None) => {
                let table = wanted.table(&file);
                let place = self.place(table);
                if place.is_some() && says_skew {
                    return Err(format!(
                        "skew and exponent are for the first parameter of {}",
                        file.display()
                    ));
                }
                let place = match place {
                    Some(place) => place,
                    None => self.draw(table, skew.unwrap_or_default().shape(exponent)?)?,
                };
                let column = wanted.column(table, &column, Purpose::Values);
                Ok(Binding::Column { place, column })
            }
            (None, None, Some(from)) if !says_skew => {
                if (0..COUNTS_LIMIT).contains(&from) {
                    Ok(Binding::Counts { from })
                } else {
                    Err("counts_from is not from 0 to 2^62".to_owned())
                }
            }
            (None, None, Some(_)) => Err("skew and exponent are for tables".to_owned()),
            _ => {
                Err("each parameter needs either a table with a column, or counts_from".to_owned())
            }
        }
    }

    /// Which of the drawn rows is this table's.
    fn place(&self, table: usize) -> Option<usize> {
        self.sources.iter().position(|&(other, _)| other == table)
    }

    fn draw(&mut self, table: usize, shape: Shape) -> Result<usize, String> {
        if self.sources.len() == TABLES {
            return Err(format!("it draws from more than {TABLES} tables"));
        }
        self.sources.push((table, shape));
        Ok(self.sources.len() - 1)
    }

    /// Where a correct response is.
    fn due(
        &mut self,
        of: &Column,
        purpose: Purpose,
        wanted: &mut Wanted,
    ) -> Result<(usize, Place), String> {
        let table = wanted.table(&of.table);
        let column = wanted.column(table, &of.column, purpose);
        match self.place(table) {
            Some(place) => Ok((place, column)),
            None if self.sources.is_empty() => {
                self.whole.push((table, of.table.clone()));
                Ok((0, column))
            }
            None => Err(format!(
                "a correct answer comes from {}, from which no parameter draws",
                of.table.display()
            )),
        }
    }
}
