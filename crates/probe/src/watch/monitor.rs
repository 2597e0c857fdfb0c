//! What every monitor is.

use super::row::Row;

/// Something that is read: it names its columns once and fills exactly those at every reading.
pub trait Monitor: Send {
    /// The names of its columns, units in the names.
    fn columns(&self) -> Vec<String>;

    /// Add one cell for each column.
    fn read(&mut self, at_ns: u64, row: &mut Row);

    /// Whether its cells must be of one instant with those of other sources: differences between them count.
    fn of_one_instant(&self) -> bool {
        true
    }

    /// Forget that it was read at this instant: the line is read again.
    fn forget(&mut self, _at_ns: u64) {}
}
