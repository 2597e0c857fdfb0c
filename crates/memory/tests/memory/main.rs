//! The program as a whole, at sizes that take no time.

#[cfg(test)]
mod answers;
#[cfg(test)]
mod arguments;
#[cfg(test)]
mod program;
#[cfg(test)]
#[path = "../../../load/tests/load/scratch.rs"]
mod scratch;
