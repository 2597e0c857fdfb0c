//! What every monitor is.

use super::row::Row;

/// Something that is read: it names its columns once and fills exactly those at every reading.
pub trait Monitor: Send {
    /// The names of its columns, units in the names.
    fn columns(&self) -> Vec<String>;

    /// Add one cell for each column.
    fn read(&mut self, at_ns: u64, row: &mut Row);
}
