//! Words and numbers out of bytes, in place.

/// The words of a line or a file, separated by any white space.
pub fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
}

/// The lines of a file.
pub fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
}

/// A word as a number; `None` if it is none or does not fit.
#[must_use]
pub fn number(word: &[u8]) -> Option<u64> {
    if word.is_empty() {
        return None;
    }
    word.iter().try_fold(0_u64, |sum, &byte| {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        sum.checked_mul(10)?.checked_add(u64::from(digit))
    })
}

/// The number at that place of a line, counted from 0.
#[must_use]
pub fn number_at(line: &[u8], place: usize) -> Option<u64> {
    number(words(line).nth(place)?)
}

/// The number after that key on a line of its own: `oom_kill 0`, `MemAvailable:   123 kB`.
#[must_use]
pub fn after(text: &[u8], key: &[u8]) -> Option<u64> {
    lines(text).find_map(|line| {
        let rest = line.strip_prefix(key)?;
        let _ = rest.first().filter(|byte| byte.is_ascii_whitespace())?;
        number(words(rest).next()?)
    })
}

#[cfg(test)]
mod tests {
    use super::{after, number, number_at};

    #[test]
    fn a_number_is_digits_only_and_fits() {
        assert_eq!(number(b"18446744073709551615"), Some(u64::MAX));
        assert_eq!(number(b"18446744073709551616"), None);
        assert_eq!(number(b"-1"), None);
        assert_eq!(number(b""), None);
        assert_eq!(number(b"max"), None);
    }

    #[test]
    fn a_place_is_counted_from_nought() {
        assert_eq!(number_at(b"  253  0 vda 7", 3), Some(7));
        assert_eq!(number_at(b"253 0 vda", 3), None);
    }

    #[test]
    fn a_key_is_matched_whole() {
        let text = b"oom_kill_disable 1\nunder_oom 0\noom_kill 3\n";
        assert_eq!(after(text, b"oom_kill"), Some(3));
        assert_eq!(after(text, b"oom"), None);
    }
}
