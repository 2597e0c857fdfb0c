//! Checksums in files.

/// Read a SHA-256 of 64 hexadecimal digits. Return `None` if the text is something else.
pub fn sha256(text: &str) -> Option<[u8; 32]> {
    let mut sum = [0; 32];
    let filled = base16ct::mixed::decode(text, &mut sum).ok()?.len();
    (filled == sum.len()).then_some(sum)
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
