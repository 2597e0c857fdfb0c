//! A response's rows as they pass. They are not kept.

use sha2::{Digest, Sha256};

/// How NULL is written in a checksum.
const NULL: &[u8] = b"\\N";

/// A whole response.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Rows that came, or that were affected by a query that writes.
    pub rows: u64,
    /// Whether the server stated how many they are, and none came.
    pub stated: bool,
    /// The SHA-256 of the rows, if the response is sampled.
    pub sum: Option<[u8; 32]>,
    /// Whether the engine returned an error.
    pub error: bool,
}

/// The rows of a response as they come: counted, and hashed if the response is sampled. The sum is that of
/// the fields' texts, with a tab between two of them and a line end after each row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    count: u64,
    sum: Option<Sha256>,
    /// Whether the row has a field already.
    inside: bool,
}

impl Rows {
    /// A response begins; if it is not sampled, the fields may be left out.
    pub fn begin(&mut self, sampled: bool) {
        *self = Self {
            sum: sampled.then(Sha256::new),
            ..Self::default()
        };
    }

    /// The whole text of the row's next field.
    pub fn field(&mut self, text: &[u8]) {
        if let Some(sum) = &mut self.sum {
            if self.inside {
                sum.update(b"\t");
            }
            sum.update(text);
            self.inside = true;
        }
    }

    /// The row's next field is NULL.
    pub fn null(&mut self) {
        self.field(NULL);
    }

    /// The row is over.
    pub fn end_row(&mut self) {
        if let Some(sum) = &mut self.sum {
            sum.update(b"\n");
        }
        self.inside = false;
        self.count += 1;
    }

    /// A row whose fields are not read.
    pub fn skip_row(&mut self) {
        self.count += 1;
    }

    /// The response is whole.
    pub fn finish(&mut self) -> Answer {
        Answer {
            rows: self.count,
            stated: false,
            sum: self.sum.take().map(|sum| sum.finalize().into()),
            error: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, Rows};
    use crate::checksum::sha256;

    fn answer(sampled: bool) -> Answer {
        let mut rows = Rows::default();
        rows.begin(sampled);
        for fields in [&["7", "-1", "a\tb"][..], &["", "\\N"][..]] {
            for field in fields {
                rows.field(field.as_bytes());
            }
            rows.null();
            rows.end_row();
        }
        rows.finish()
    }

    #[test]
    fn the_sum_is_that_of_fields_between_tabs_and_rows_with_their_line_end() {
        // printf '7\t-1\ta\tb\t\\N\n\t\\N\t\\N\n' | sha256sum
        let due = sha256("863849184490f5958cf1b28937549f8f595a3cae194eb4345baa062908cb0f13");
        let right = Answer {
            rows: 2,
            sum: due,
            stated: false,
            error: false,
        };
        assert_eq!(answer(true), right);
    }

    #[test]
    fn an_answer_that_is_not_sampled_is_counted_only() {
        let mut rows = Rows::default();
        rows.begin(true);
        rows.field(b"left behind");
        rows.begin(false);
        rows.skip_row();
        rows.skip_row();
        assert_eq!(rows.finish(), answer(false));
        assert_eq!((answer(false).rows, answer(false).sum), (2, None));
    }

    #[test]
    fn an_answer_without_rows_has_the_sum_of_nothing() {
        let mut rows = Rows::default();
        rows.begin(true);
        let nothing = sha256("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!((rows.finish().rows, rows.finish().sum), (0, None));
        rows.begin(true);
        assert_eq!(rows.finish().sum, nothing);
    }
}
