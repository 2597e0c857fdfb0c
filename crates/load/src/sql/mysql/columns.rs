//! The columns of a response, and the fields of its rows as texts.

use super::super::bytes::Bytes;
use super::super::mix::Rows;
use crate::dialogue::Malformed;

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// An integer of this many bytes.
    Integer {
        /// 1, 2, 4 or 8.
        bytes: usize,
        /// Whether it may be negative.
        signed: bool,
    },
    /// A text, or a decimal number written as one.
    Text,
}

/// No response has more columns.
const MOST_COLUMNS: u64 = 4096;

/// The flag of a column whose integers are never negative.
const UNSIGNED: u16 = 0x20;

impl Column {
    /// What a column holds by its description; `None` for what is neither an integer nor a text, as we do not write
    /// those.
    ///
    /// # Errors
    /// It is no description.
    pub fn of(description: &[u8]) -> Result<Option<Self>, Malformed> {
        // Names come first. At the end are twelve bytes after their length: character set, width, type, flags,
        // decimals.
        let Some([12, _, _, _, _, _, _, kind, low, high, _, _, _]) = description.last_chunk()
        else {
            return Err(Malformed);
        };
        let signed = u16::from_le_bytes([*low, *high]) & UNSIGNED == 0;
        let integer = |bytes| Some(Self::Integer { bytes, signed });
        Ok(match kind {
            0x01 => integer(1),
            // SMALLINT, YEAR.
            0x02 | 0x0d => integer(2),
            // INT, MEDIUMINT.
            0x03 | 0x09 => integer(4),
            0x08 => integer(8),
            // DECIMAL of old and new, NULL, VARCHAR, JSON, ENUM, SET, BLOBs, VARCHAR and CHAR of responses.
            0x00 | 0x06 | 0x0f | 0xf5..=0xfe => Some(Self::Text),
            _ => None,
        })
    }
}

/// How many columns a response has, according to a packet of its own.
///
/// # Errors
/// It has other content too, or more columns than any response.
pub fn count(content: &[u8]) -> Result<u64, Malformed> {
    let mut bytes = Bytes(content);
    let count = number(&mut bytes)?;
    bytes.end()?;
    if count > MOST_COLUMNS {
        return Err(Malformed);
    }
    Ok(count)
}

/// The next text, after its length.
///
/// # Errors
/// There are fewer bytes than that.
fn text<'a>(bytes: &mut Bytes<'a>) -> Result<&'a [u8], Malformed> {
    let length = number(bytes)?;
    bytes.take(usize::try_from(length).map_err(|_| Malformed)?)
}

/// The next number of one to nine bytes.
///
/// # Errors
/// There are fewer bytes, or they are no number.
pub fn number(bytes: &mut Bytes) -> Result<u64, Malformed> {
    Ok(match bytes.byte()? {
        small @ 0..=0xfa => u64::from(small),
        0xfc => u64::from(u16::from_le_bytes(bytes.array()?)),
        0xfd => {
            let [low, middle, high] = bytes.array()?;
            u64::from(u32::from_le_bytes([low, middle, high, 0]))
        }
        0xfe => u64::from_le_bytes(bytes.array()?),
        _ => return Err(Malformed),
    })
}

/// Passes the fields of a row to `rows`. A row is a zero, a bit for each column that is NULL (after two that mean
/// nothing), and the fields of the others.
///
/// # Errors
/// It has more or fewer bytes than the columns require.
pub fn row(content: &[u8], columns: &[Column], rows: &mut Rows) -> Result<(), Malformed> {
    let mut bytes = Bytes(content);
    let _ = bytes.byte()?;
    let nulls = bytes.take((columns.len() + 2).div_ceil(8))?;
    for (bit, column) in (2..).zip(columns) {
        if nulls[bit / 8] >> (bit % 8) & 1 == 1 {
            rows.null();
            continue;
        }
        match *column {
            Column::Text => rows.field(text(&mut bytes)?),
            Column::Integer {
                bytes: width,
                signed,
            } => {
                let mut wide = [0; 8];
                let narrow = bytes.take(width)?;
                if signed && narrow.last().is_some_and(|last| last & 0x80 != 0) {
                    wide = [0xff; 8];
                }
                wide[..width].copy_from_slice(narrow);
                let mut digits = itoa::Buffer::new();
                let digits = if signed {
                    digits.format(i64::from_le_bytes(wide))
                } else {
                    digits.format(u64::from_le_bytes(wide))
                };
                rows.field(digits.as_bytes());
            }
        }
    }
    bytes.end()?;
    rows.end_row();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Column, number, row};
    use crate::sql::mix::{Answer, Rows};

    const TINY: Column = Column::Integer {
        bytes: 1,
        signed: true,
    };
    const BIG: Column = Column::Integer {
        bytes: 8,
        signed: false,
    };

    fn description(kind: u8, flags: u16) -> Vec<u8> {
        let [low, high] = flags.to_le_bytes();
        [
            &b"\x03def\x00\x00\x00\x01n\x00"[..],
            &[12, 33, 0, 0, 0, 0, 0, kind, low, high, 0, 0, 0],
        ]
        .concat()
    }

    #[test]
    fn a_column_is_an_integer_a_text_or_neither() {
        let signed = |bytes| {
            Some(Column::Integer {
                bytes,
                signed: true,
            })
        };
        for (kind, due) in [
            (1, signed(1)),
            (2, signed(2)),
            (3, signed(4)),
            (8, signed(8)),
            (9, signed(4)),
            (13, signed(2)),
            (246, Some(Column::Text)),
            (253, Some(Column::Text)),
            (4, None),
            (5, None),
            (12, None),
            (16, None),
            (255, None),
        ] {
            assert_eq!(Column::of(&description(kind, 0x81)), Ok(due), "kind {kind}");
        }
        assert_eq!(Column::of(&description(8, 0x20)), Ok(Some(BIG)));
        for wrong in [
            &b""[..],
            &description(8, 0)[1..13],
            &[&description(8, 0)[..], b"x"].concat(),
        ] {
            assert!(Column::of(wrong).is_err(), "{wrong:?}");
        }
    }

    fn answer(fields: &[Option<&str>]) -> Answer {
        let mut rows = Rows::default();
        rows.begin(true);
        for field in fields {
            match field {
                Some(text) => rows.field(text.as_bytes()),
                None => rows.null(),
            }
        }
        rows.end_row();
        rows.finish()
    }

    #[test]
    fn fields_become_texts() {
        let mut rows = Rows::default();
        let columns = [TINY, BIG, Column::Text, TINY, Column::Text, TINY, TINY];
        rows.begin(true);
        let bytes = b"\x00\x20\x01\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x02\xc3\xa9\x00\x80";
        row(bytes, &columns, &mut rows).expect("a row");
        let due = [
            Some("-2"),
            Some("18446744073709551615"),
            Some("é"),
            None,
            Some(""),
            Some("-128"),
            None,
        ];
        assert_eq!(rows.finish(), answer(&due));
    }

    #[test]
    fn a_row_of_another_length_than_its_columns_is_malformed() {
        let whole = b"\x00\x00\x07\x03abc";
        for end in 0..whole.len() {
            assert!(row(&whole[..end], &[TINY, Column::Text], &mut Rows::default()).is_err());
        }
        assert!(
            row(
                &[&whole[..], b"x"].concat(),
                &[TINY, Column::Text],
                &mut Rows::default()
            )
            .is_err()
        );
        assert!(row(whole, &[TINY, Column::Text], &mut Rows::default()).is_ok());
    }

    #[test]
    fn numbers_have_one_to_nine_bytes() {
        for (bytes, due) in [
            (&b"\xfa"[..], 250),
            (b"\xfc\xfb\x00", 251),
            (b"\xfd\x00\x00\x01", 65_536),
            (b"\xfe\x00\x00\x00\x00\x01\x00\x00\x00", 1 << 32),
        ] {
            assert_eq!(number(&mut Bytes(bytes)), Ok(due));
            assert!(number(&mut Bytes(&bytes[..bytes.len() - 1])).is_err());
        }
        assert!(number(&mut Bytes(b"\xfb")).is_err() && number(&mut Bytes(b"\xff")).is_err());
    }
}
