//! Whole numbers as fractions, and summaries of many values.

const TWO_TO_32: f64 = 4_294_967_296.0;

/// A count as a fraction: exact below 2^53.
pub fn float(count: u64) -> f64 {
    let high = u32::try_from(count >> 32).unwrap_or(u32::MAX);
    let low = u32::try_from(count & u64::from(u32::MAX)).unwrap_or(u32::MAX);
    f64::from(high) * TWO_TO_32 + f64::from(low)
}

/// A size in memory as a count.
pub fn count(size: usize) -> u64 {
    u64::try_from(size).unwrap_or(u64::MAX)
}

/// A count as a size in memory; larger than any memory if it does not fit.
pub fn size(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

/// The value in the middle, of an even number the mean of the two; not a number for none.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => sorted[length / 2],
        length => f64::midpoint(sorted[length / 2 - 1], sorted[length / 2]),
    }
}

/// The smallest value; infinity for none.
pub fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

/// The largest value; minus infinity for none.
pub fn most(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Bytes as people write them: `48 KiB`, `1.2 GiB`.
pub fn sized(bytes: u64) -> String {
    let units = [(30, "GiB"), (20, "MiB"), (10, "KiB")];
    for (shift, unit) in units {
        let (whole, tenths) = (bytes >> shift, ((bytes & ((1 << shift) - 1)) * 10) >> shift);
        if whole > 0 && tenths > 0 && whole < 100 {
            return format!("{whole}.{tenths} {unit}");
        }
        if whole > 0 {
            return format!("{whole} {unit}");
        }
    }
    format!("{bytes} B")
}

#[cfg(test)]
mod tests {
    use super::{float, least, median, most, sized};

    fn same(left: f64, right: f64) -> bool {
        (left - right).abs() < 1e-9
    }

    #[test]
    fn the_median_is_the_value_in_the_middle() {
        assert!(same(median(&[3.0, 1.0, 2.0]), 2.0));
        assert!(same(median(&[4.0, 1.0, 2.0, 3.0]), 2.5));
        assert!(median(&[]).is_nan());
        assert!(same(least(&[2.0, 1.0]), 1.0) && same(most(&[2.0, 1.0]), 2.0));
    }

    #[test]
    fn counts_beyond_32_bits_are_exact() {
        assert!(same(float(5_000_000_001), 5_000_000_001.0));
    }

    #[test]
    fn sizes_read_as_people_say_them() {
        let said = [
            sized(0),
            sized(512),
            sized(49_152),
            sized(1_288_490_188),
            sized(1 << 30),
        ];
        assert_eq!(said, ["0 B", "512 B", "48 KiB", "1.1 GiB", "1 GiB"]);
    }
}
