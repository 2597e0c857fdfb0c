//! Arguments as people type them, turned into values: times and sizes. Errors show how to write them.

use std::time::Duration;

/// An hour: what takes longer is no measurement of memory.
const MOST_S: f64 = 3600.0;

/// Seconds such as `0.5`, in ns.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn seconds_ns(text: &str) -> Result<u64, String> {
    let wrong = || "it is not a number of seconds above 0 and up to 3600; write 0.5".to_owned();
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= MOST_S => {
            let lasting = Duration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
            let ns = u64::try_from(lasting.as_nanos()).map_err(|_| wrong())?;
            Ok(ns.max(1))
        }
        _ => Err(wrong()),
    }
}

/// Bytes such as `4096`, `64K`, `512M` or `2G`; K is 1024.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn bytes(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let number: Option<u64> = if plain { digits.parse().ok() } else { None };
    // 2^46 bytes is more than any machine's memory, and no sum of some of them overflows.
    match number.and_then(|number| number.checked_mul(1 << shift)) {
        Some(bytes) if bytes > 0 && bytes <= 1 << 46 => Ok(bytes),
        _ => Err("it is not a size; write 65536, 64K, 512M or 2G, at most 65536G".to_owned()),
    }
}

/// The width of a vector in bits: `128`, `256` or `512`.
///
/// # Errors
/// The text is wrong; the message shows how to write it.
pub fn vector_bits(text: &str) -> Result<u32, String> {
    match text {
        "128" => Ok(128),
        "256" => Ok(256),
        "512" => Ok(512),
        _ => Err("it is not a vector width; write 128, 256 or 512".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::{bytes, seconds_ns};

    #[test]
    fn seconds_are_numbers_above_0() {
        assert_eq!(seconds_ns("0.5"), Ok(500_000_000));
        assert_eq!(seconds_ns("2"), Ok(2_000_000_000));
        for wrong in ["0", "-1", "nan", "inf", "1s", "", "3601"] {
            assert!(seconds_ns(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn sizes_have_units_of_1024() {
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("64K"), Ok(65_536));
        assert_eq!(bytes("2G"), Ok(2_147_483_648));
        for wrong in ["", "K", "0", "-1", "1.5G", "1T", "99999999G", "+5"] {
            assert!(bytes(wrong).is_err(), "{wrong:?}");
        }
    }
}
