//! The response to a query: its rows, how many it affected, or an error.

use super::super::bytes::Bytes;
use super::super::mix::{Answer, Rows};
use super::columns::{self, Column};
use super::packets::Packet;
use super::{EOF, ERROR, OK, said};
use crate::dialogue::Malformed;

/// A packet shorter than this marks the end of columns and rows; a row could begin alike and be longer.
const MARK_BYTES: usize = 9;

/// How much of a response has come.
#[derive(Debug, Default)]
pub struct Reading {
    part: Part,
    sampled: bool,
    unmarked: bool,
    columns: Vec<Column>,
    rows: Rows,
    said: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    /// No query is under way.
    #[default]
    Idle,
    /// Whether there are columns, and how many.
    Head,
    /// So many of their descriptions are to come.
    Columns(u64),
    ColumnsEnd,
    Rows,
}

impl Reading {
    /// Prepares for the next response.
    pub fn begin(&mut self, sampled: bool, unmarked: bool) {
        self.part = Part::Head;
        self.sampled = sampled;
        self.unmarked = unmarked;
        self.columns.clear();
        self.rows.begin(sampled);
    }

    /// Whether the response is whole, so that nothing may come before the next one.
    pub fn is_over(&self) -> bool {
        self.part == Part::Idle
    }

    /// The server's text the last time that it returned an error.
    pub fn said(&self) -> &str {
        &self.said
    }

    /// Whether the content of a packet is looked at that begins like this.
    ///
    /// # Errors
    /// No packet begins like this here.
    pub fn keeps(&self, first: u8) -> Result<bool, Malformed> {
        match (self.part, first) {
            (_, ERROR) | (Part::ColumnsEnd | Part::Rows, EOF) | (Part::Head, ..=0xfa | 0xfc) => {
                // 0xfb would request a file from us.
                Ok(true)
            }
            (Part::Columns(_), ..=0xfa) | (Part::Rows, OK) => Ok(self.sampled),
            _ => Err(Malformed),
        }
    }

    /// Takes the next packet; returns the response once it is whole.
    ///
    /// # Errors
    /// The packet is none that belongs here.
    pub fn take(&mut self, packet: &Packet) -> Result<Option<Answer>, Malformed> {
        let answer = self.next(packet)?;
        if answer.is_some() {
            self.part = Part::Idle;
        }
        Ok(answer)
    }

    fn next(&mut self, packet: &Packet) -> Result<Option<Answer>, Malformed> {
        self.part = match (self.part, packet.first) {
            (_, ERROR) => {
                self.said = said(packet.content)?;
                return Ok(Some(Answer {
                    error: true,
                    ..self.rows.finish()
                }));
            }
            (Part::Head, OK) => {
                let mut bytes = Bytes(&packet.content[1..]);
                let affected = columns::number(&mut bytes)?;
                return Ok(Some(Answer {
                    rows: affected,
                    stated: true,
                    ..self.rows.finish()
                }));
            }
            (Part::Head, _) => Part::Columns(columns::count(packet.content)?),
            (Part::Columns(left), _) => {
                self.column(packet)?;
                match left {
                    2.. => Part::Columns(left - 1),
                    _ if self.unmarked => Part::Rows,
                    _ => Part::ColumnsEnd,
                }
            }
            (Part::ColumnsEnd, _) if packet.length < MARK_BYTES => Part::Rows,
            (Part::Rows, OK) => {
                self.row(packet)?;
                Part::Rows
            }
            (Part::Rows, _) if self.unmarked || packet.length < MARK_BYTES => {
                return Ok(Some(self.rows.finish()));
            }
            _ => return Err(Malformed),
        };
        Ok(None)
    }

    fn column(&mut self, packet: &Packet) -> Result<(), Malformed> {
        if self.sampled {
            // What is neither an integer nor a text was refused when the query was prepared.
            let column = Column::of(packet.content)?.ok_or(Malformed)?;
            self.columns.push(column);
        }
        Ok(())
    }

    fn row(&mut self, packet: &Packet) -> Result<(), Malformed> {
        if self.sampled {
            return columns::row(packet.content, &self.columns, &mut self.rows);
        }
        self.rows.skip_row();
        Ok(())
    }
}
