//! Bytes of a message, taken from its front; what is not there is malformed.

use crate::dialogue::Malformed;

/// What is left of a message.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    ///
    /// # Errors
    /// There are fewer.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next ones, as an array.
    ///
    /// # Errors
    /// There are fewer.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Malformed)?;
        self.0 = rest;
        Ok(*taken)
    }

    /// The next one.
    ///
    /// # Errors
    /// There is none.
    pub fn byte(&mut self) -> Result<u8, Malformed> {
        self.array::<1>().map(|[byte]| byte)
    }

    /// Those before the next NUL, which is taken too.
    ///
    /// # Errors
    /// There is none.
    pub fn text(&mut self) -> Result<&'a [u8], Malformed> {
        let end = self.0.iter().position(|&byte| byte == 0);
        let text = self.take(end.ok_or(Malformed)?)?;
        let _ = self.byte()?;
        Ok(text)
    }

    /// Nothing is left.
    ///
    /// # Errors
    /// Something is.
    pub fn end(self) -> Result<(), Malformed> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Malformed)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Bytes;

    #[test]
    fn bytes_are_taken_from_the_front_until_there_are_no_more() {
        let mut bytes = Bytes(b"\x07ab\0cdefg");
        assert_eq!(bytes.byte(), Ok(7));
        assert_eq!(bytes.text(), Ok(b"ab".as_slice()));
        assert_eq!(bytes.array(), Ok(*b"cd"));
        assert!(bytes.text().is_err() && bytes.take(4).is_err() && bytes.end().is_err());
        assert_eq!(bytes.take(3), Ok(b"efg".as_slice()));
        assert!(bytes.end().is_ok() && bytes.byte().is_err());
    }
}
