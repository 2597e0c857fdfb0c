//! Checksums as files give them.

/// A SHA-256 of 64 hexadecimal digits; `None` where the text is something else.
pub fn sha256(text: &str) -> Option<[u8; 32]> {
    let digits: &[u8; 64] = text.as_bytes().try_into().ok()?;
    let mut sum = [0; 32];
    for (byte, pair) in sum.iter_mut().zip(digits.chunks_exact(2)) {
        let value = |digit: u8| char::from(digit).to_digit(16);
        let both = value(pair[0])? * 16 + value(pair[1])?;
        *byte = u8::try_from(both).ok()?;
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::sha256;

    #[test]
    fn a_sum_has_64_hexadecimal_digits() {
        let text = "00ff".repeat(16);
        assert_eq!(
            sha256(&text),
            Some(
                *b"\0\xff"
                    .repeat(16)
                    .as_slice()
                    .first_chunk()
                    .expect("32 bytes")
            )
        );
        assert_eq!(sha256(&text.to_uppercase()), sha256(&text));
        for wrong in [
            "",
            "0",
            &"0".repeat(63),
            &"0".repeat(65),
            &"g".repeat(64),
            &"é".repeat(32),
        ] {
            assert_eq!(sha256(wrong), None, "{wrong:?}");
        }
    }
}
