//! Preparing a query: the server's response to it, and what is sent to execute it.

use super::super::bytes::Bytes;
use super::super::mix::{Query, Value};
use super::columns::Column;
use super::packets::Packet;
use super::{EOF, EXECUTE, INTEGER, OK, TEXT};
use crate::dialogue::Malformed;

/// A prepared query.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statement {
    /// The server's number for it, of this connection.
    id: u32,
    parameters: u16,
    /// Each column, from 1, that is neither an integer nor a text.
    strange: Vec<usize>,
}

/// How much of the response has come.
#[derive(Debug, Default)]
pub struct Preparing {
    part: Part,
    statement: Statement,
    columns: usize,
}

#[derive(Clone, Copy, Debug, Default)]
enum Part {
    #[default]
    Head,
    /// So many of the parameters' descriptions are to come.
    Parameters(u16),
    ParametersEnd,
    /// So many of the columns' are.
    Columns(u16),
    ColumnsEnd,
}

impl Preparing {
    /// Takes the next packet; gives the statement once all is known of it.
    ///
    /// # Errors
    /// The packet is none that belongs here.
    pub fn take(
        &mut self,
        packet: &Packet,
        unmarked: bool,
    ) -> Result<Option<Statement>, Malformed> {
        let columns = u16::try_from(self.columns).unwrap_or(u16::MAX);
        self.part = match (self.part, packet.first) {
            (Part::Head, OK) => {
                let mut bytes = Bytes(&packet.content[1..]);
                self.statement.id = u32::from_le_bytes(bytes.array()?);
                let columns = u16::from_le_bytes(bytes.array()?);
                self.columns = usize::from(columns);
                self.statement.parameters = u16::from_le_bytes(bytes.array()?);
                match (self.statement.parameters, columns) {
                    (0, 0) => return Ok(Some(std::mem::take(&mut self.statement))),
                    (0, columns) => Part::Columns(columns),
                    (parameters, _) => Part::Parameters(parameters),
                }
            }
            (Part::Parameters(2..), _) => self.fewer(),
            (Part::Parameters(_), _) if !unmarked => Part::ParametersEnd,
            (Part::Parameters(_), _) | (Part::ParametersEnd, EOF) => match columns {
                0 => return Ok(Some(std::mem::take(&mut self.statement))),
                columns => Part::Columns(columns),
            },
            (Part::Columns(left), _) => {
                if Column::of(packet.content)?.is_none() {
                    let number = self.columns + 1 - usize::from(left);
                    self.statement.strange.push(number);
                }
                match left {
                    2.. => self.fewer(),
                    _ if !unmarked => Part::ColumnsEnd,
                    _ => return Ok(Some(std::mem::take(&mut self.statement))),
                }
            }
            (Part::ColumnsEnd, EOF) => return Ok(Some(std::mem::take(&mut self.statement))),
            _ => return Err(Malformed),
        };
        Ok(None)
    }

    /// One description fewer is to come.
    fn fewer(&self) -> Part {
        match self.part {
            Part::Parameters(left) => Part::Parameters(left - 1),
            Part::Columns(left) => Part::Columns(left - 1),
            part => part,
        }
    }
}

impl Statement {
    /// Why this is not what was meant, if so.
    pub fn wrong(&self, query: &Query) -> Option<String> {
        if usize::from(self.parameters) != query.parameters {
            let (sees, meant) = (self.parameters, query.parameters);
            return Some(format!(
                "the server sees {sees} parameters in it, not {meant}"
            ));
        }
        let column = self.strange.first()?;
        Some(format!(
            "its column {column} is neither an integer nor a text (write CAST)"
        ))
    }

    /// Adds what executes it with these values.
    pub fn execute<'a>(&self, values: impl Iterator<Item = Value<'a>>, say: &mut Vec<u8>) {
        say.push(EXECUTE);
        say.extend_from_slice(&self.id.to_le_bytes());
        // No cursor, once.
        say.extend_from_slice(&[0, 1, 0, 0, 0]);
        if self.parameters == 0 {
            return;
        }
        let parameters = usize::from(self.parameters);
        // None of the values is NULL, and their types precede them.
        say.resize(say.len() + parameters.div_ceil(8), 0);
        say.push(1);
        let mut types = say.len();
        say.resize(types + 2 * parameters, 0);
        for value in values.take(parameters) {
            let own = match value {
                Value::Integer(number) => {
                    say.extend_from_slice(&number.to_le_bytes());
                    INTEGER
                }
                Value::Text(text) => {
                    lengthen(text.len(), say);
                    say.extend_from_slice(text.as_bytes());
                    TEXT
                }
            };
            say[types..][..2].copy_from_slice(&own);
            types += 2;
        }
    }
}

/// Adds a length in front of as many bytes.
fn lengthen(length: usize, say: &mut Vec<u8>) {
    let [first, second, third, ..] = length.to_le_bytes();
    match length {
        0..=250 => say.push(first),
        251..=0xffff => say.extend_from_slice(&[0xfc, first, second]),
        _ => say.extend_from_slice(&[0xfd, first, second, third]),
    }
}
