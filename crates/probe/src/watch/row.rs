//! One line of readings.csv, in memory that is used again for the next.

use std::io::Write;

/// Digits of the largest number, and a comma.
const CELL_BYTES: usize = 21;

/// The line being made.
#[derive(Debug)]
pub struct Row {
    line: Vec<u8>,
}

impl Row {
    /// Room for N cells.
    #[must_use]
    pub fn new(cells: usize) -> Self {
        Self {
            line: Vec::with_capacity(cells * CELL_BYTES),
        }
    }

    /// Begin a line with its time.
    pub fn begin(&mut self, t_ns: u64) {
        self.line.clear();
        self.number(t_ns);
    }

    /// Add a cell; `None` is an empty one.
    pub fn add(&mut self, value: impl Into<Option<u64>>) {
        self.line.push(b',');
        if let Some(number) = value.into() {
            self.number(number);
        }
    }

    /// Add N empty cells.
    pub fn skip(&mut self, cells: usize) {
        self.line.resize(self.line.len() + cells, b',');
    }

    /// The finished line.
    pub fn line(&mut self) -> &[u8] {
        self.line.push(b'\n');
        &self.line
    }

    fn number(&mut self, number: u64) {
        // Writing into a Vec cannot fail.
        let _ = write!(self.line, "{number}");
    }
}

#[cfg(test)]
mod tests {
    use super::Row;

    #[test]
    fn an_empty_cell_is_not_nought() {
        let mut row = Row::new(4);
        row.begin(5);
        row.add(None);
        row.add(0);
        row.skip(2);
        row.add(Some(7));
        assert_eq!(row.line(), b"5,,0,,,7\n");
        row.begin(6);
        assert_eq!(row.line(), b"6\n");
    }
}
