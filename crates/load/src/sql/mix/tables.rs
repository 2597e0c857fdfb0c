//! Answer tables: the values of queries and the correct responses. Each file is read once, and only those of
//! its columns are kept that a query names.

#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use crate::checksum::sha256;

/// A parameter's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// Of a column of whole numbers only.
    Integer(i64),
    /// Of any other.
    Text(&'a str),
}

/// What a column is read for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Its values go into queries.
    Values,
    /// It gives the correct number of rows.
    Counts,
    /// It gives the correct checksum.
    Sums,
}

/// A column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    table: usize,
    column: usize,
}

/// The tables that a file of queries names, and what of them; none is read yet.
#[derive(Debug, Default)]
pub struct Wanted {
    tables: Vec<(PathBuf, Vec<(String, Purpose)>)>,
}

impl Wanted {
    /// The number of the table in this file.
    pub fn table(&mut self, file: &Path) -> usize {
        let known = self.tables.iter().position(|(path, _)| path == file);
        known.unwrap_or_else(|| {
            self.tables.push((file.to_owned(), Vec::new()));
            self.tables.len() - 1
        })
    }

    /// A column of such a table.
    pub fn column(&mut self, table: usize, name: &str, purpose: Purpose) -> Place {
        let columns = &mut self.tables[table].1;
        let known = columns
            .iter()
            .position(|(other, of)| other == name && *of == purpose);
        let column = known.unwrap_or_else(|| {
            columns.push((name.to_owned(), purpose));
            columns.len() - 1
        });
        Place { table, column }
    }

    /// Reads all of it.
    ///
    /// # Errors
    /// Which file and line is wrong, and why.
    pub fn read(self) -> Result<Tables, String> {
        let tables = self.tables.into_iter().map(|(file, columns)| {
            Table::read(&file, &columns)
                .map_err(|why| format!("the table {}: {why}", file.display()))
        });
        Ok(Tables {
            tables: tables.collect::<Result<_, _>>()?,
        })
    }
}

/// All tables.
#[derive(Debug)]
pub struct Tables {
    tables: Vec<Table>,
}

impl Tables {
    /// How many rows this table has, at least one and fewer than 2^32.
    pub fn rows(&self, table: usize) -> usize {
        self.tables[table].rows
    }

    /// A value of a column that is read for its values.
    pub fn value(&self, place: Place, row: usize) -> Value<'_> {
        match self.column(place) {
            Column::Integers(values) => Value::Integer(values[row]),
            Column::Texts(texts) => Value::Text(texts.get(row)),
            Column::Counts(_) | Column::Sums(_) => unreachable!("{place:?} has no values"),
        }
    }

    /// A number of a column that is read for its counts.
    pub fn count(&self, place: Place, row: usize) -> u64 {
        match self.column(place) {
            Column::Counts(counts) => counts[row],
            other => unreachable!("{other:?} has no counts"),
        }
    }

    /// A checksum of a column that is read for those.
    pub fn sum(&self, place: Place, row: usize) -> &[u8; 32] {
        match self.column(place) {
            Column::Sums(sums) => &sums[row],
            other => unreachable!("{other:?} has no checksums"),
        }
    }

    fn column(&self, place: Place) -> &Column {
        &self.tables[place.table].columns[place.column]
    }
}

#[derive(Debug)]
struct Table {
    rows: usize,
    columns: Vec<Column>,
}

#[derive(Debug)]
enum Column {
    Integers(Vec<i64>),
    Texts(Texts),
    Counts(Vec<u64>),
    Sums(Vec<[u8; 32]>),
}

/// Many texts in one buffer.
#[derive(Debug, Default)]
struct Texts {
    bytes: String,
    ends: Vec<usize>,
}

impl Texts {
    fn get(&self, row: usize) -> &str {
        let from = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[from..self.ends[row]]
    }

    fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }
}

impl Table {
    fn read(file: &Path, wanted: &[(String, Purpose)]) -> Result<Self, String> {
        let text = fs::read_to_string(file).map_err(|error| error.to_string())?;
        let mut lines = text.lines();
        let names: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
        let places = wanted.iter().map(|(name, _)| {
            let at = names.iter().position(|each| each == name);
            at.ok_or_else(|| format!("its first line has no {name:?}: {}", names.join(",")))
        });
        let places: Vec<usize> = places.collect::<Result<_, _>>()?;
        let mut columns: Vec<Column> = wanted.iter().map(|(_, of)| Column::new(*of)).collect();
        let mut rows = 0;
        for (number, line) in (2..).zip(lines) {
            let wrong = |why: String| format!("line {number}: {why}");
            let fields = fields(line, names.len()).map_err(wrong)?;
            for (column, &place) in columns.iter_mut().zip(&places) {
                column
                    .push(fields[place])
                    .map_err(|why| wrong(format!("{} {why}", names[place])))?;
            }
            rows += 1;
        }
        if rows == 0 {
            return Err("it has no rows".to_owned());
        }
        if u32::try_from(rows).is_err() {
            return Err("it has 2^32 rows or more".to_owned());
        }
        Ok(Self {
            rows,
            columns: columns.into_iter().map(Column::settle).collect(),
        })
    }
}

fn fields(line: &str, due: usize) -> Result<Vec<&str>, String> {
    if line.contains('"') {
        return Err("it has a quote; fields are written without".to_owned());
    }
    let fields: Vec<&str> = line.split(',').collect();
    if fields.len() != due {
        return Err(format!("it has {} fields, not {due}", fields.len()));
    }
    Ok(fields)
}

impl Column {
    fn new(purpose: Purpose) -> Self {
        match purpose {
            // What the whole column is shows at its end.
            Purpose::Values => Self::Texts(Texts::default()),
            Purpose::Counts => Self::Counts(Vec::new()),
            Purpose::Sums => Self::Sums(Vec::new()),
        }
    }

    fn push(&mut self, field: &str) -> Result<(), String> {
        match self {
            Self::Texts(texts) => texts.push(field),
            Self::Integers(_) => unreachable!("a column is settled when it is whole"),
            Self::Counts(counts) => {
                let count = field.parse().ok();
                counts.push(count.ok_or_else(|| format!("is not a number of rows: {field:?}"))?);
            }
            Self::Sums(sums) => {
                let sum = sha256(field);
                sums.push(sum.ok_or_else(|| format!("is not a SHA-256 of 64 digits: {field:?}"))?);
            }
        }
        Ok(())
    }

    /// Texts that are all whole numbers are kept as such.
    fn settle(self) -> Self {
        match self {
            Self::Texts(texts) => {
                let rows = 0..texts.ends.len();
                let integers: Option<Vec<i64>> = rows.map(|row| integer(texts.get(row))).collect();
                integers.map_or(Self::Texts(texts), Self::Integers)
            }
            other => other,
        }
    }
}

/// A whole number as one is written: `+7` and `007` are texts, and a query would not find them as 7.
fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = digits == "0" || digits.starts_with(|digit: char| ('1'..='9').contains(&digit));
    text.parse().ok().filter(|_| plain && text != "-0")
}
