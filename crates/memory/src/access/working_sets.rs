//! Sizes of working sets, four an octave, and the cache that holds each.

use crate::access::pointer_chase::STRIDE;
use crate::machine::caches::Cache;
use crate::numbers::{count, least, most};

/// The smallest size.
pub const FROM: u64 = 4096;

/// The fourth roots of 2, 4 and 8, times 2^16.
const QUARTERS: [u64; 4] = [65_536, 77_936, 92_682, 110_218];

/// So many sizes of a level are measured for its one figure.
const PICKS: usize = 3;

/// Sizes of one plateau that differ by more than this share are none.
pub const FLAT: f64 = 0.10;

/// The sizes that are well within one level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Band {
    /// `L1`, `L2`, `L3`, `DRAM`.
    pub name: String,
    /// The smallest size that is certainly in it.
    pub from: u64,
    /// The largest.
    pub to: u64,
}

/// From 4 KiB up to the first size that reaches `to`, four an octave, in whole strides.
pub fn sizes(to: u64) -> Vec<u64> {
    let stride = count(STRIDE);
    let octaves =
        (0..46).flat_map(|octave| QUARTERS.map(|quarter| ((FROM << octave) * quarter) >> 16));
    let mut found = Vec::new();
    for size in octaves.map(|size| size / stride * stride) {
        found.push(size);
        if size >= to {
            break;
        }
    }
    found
}

/// The levels that sizes up to `to` can distinguish: a size is in a cache if it has at least twice the size of the
/// cache before it and at most half (of the first, three quarters) of its own; in memory is 3 times the last cache and
/// more.
pub fn bands(caches: &[Cache], to: u64) -> Vec<Band> {
    let mut found = Vec::new();
    let mut before = None;
    for cache in caches {
        let (from, share) = match before {
            None => (FROM, cache.bytes / 4 * 3),
            Some(before) => (2 * before, cache.bytes / 2),
        };
        found.push(Band {
            name: format!("L{}", cache.level),
            from,
            to: share,
        });
        before = Some(cache.bytes);
    }
    if let Some(last) = before {
        found.push(Band {
            name: "DRAM".to_owned(),
            from: 3 * last,
            to: u64::MAX,
        });
    }
    let sizes = sizes(to);
    found.retain(|band| sizes.iter().any(|&size| band.holds(size)));
    found
}

impl Band {
    /// Whether a size is in it.
    pub fn holds(&self, size: u64) -> bool {
        (self.from..=self.to).contains(&size)
    }

    /// The sizes that represent it: the smallest, the largest and one in between.
    pub fn picks(&self, to: u64) -> Vec<u64> {
        let all: Vec<u64> = sizes(to)
            .into_iter()
            .filter(|&size| self.holds(size))
            .collect();
        if all.len() <= PICKS {
            return all;
        }
        vec![all[0], all[all.len() / 2], all[all.len() - 1]]
    }
}

/// The level of a size, if it is within one.
pub fn name(bands: &[Band], size: u64) -> Option<&str> {
    let mut holding = bands.iter().filter(|band| band.holds(size));
    holding.next().map(|band| band.name.as_str())
}

/// How far the values of one plateau differ, the largest over the smallest; `None` for fewer than two.
pub fn spread(values: &[f64]) -> Option<f64> {
    (values.len() > 1).then(|| most(values) / least(values))
}

#[cfg(test)]
mod tests {
    use super::{Band, bands, name, sizes, spread};
    use crate::machine::caches::{Cache, tests::recorded};

    const KIB: u64 = 1 << 10;
    const MIB: u64 = 1 << 20;

    #[test]
    fn sizes_are_four_an_octave_in_whole_strides_and_reach_the_last() {
        let all = sizes(1200 * MIB);
        assert_eq!(all[..5], [4096, 4864, 5632, 6656, 8192]);
        assert_eq!(all[all.len() - 2], 1024 * MIB);
        assert!(all[all.len() - 1] >= 1200 * MIB);
        assert!(all.iter().all(|size| size % 256 == 0));
    }

    #[test]
    fn plateaus_of_a_recorded_machine_are_named_from_its_caches() {
        let bands = bands(&recorded(), 1200 * MIB);
        let names: Vec<Option<&str>> = [
            4 * KIB,
            32 * KIB,
            48 * KIB,
            128 * KIB,
            1024 * KIB,
            2 * MIB,
            8 * MIB,
            128 * MIB,
            300 * MIB,
            1024 * MIB,
        ]
        .iter()
        .map(|&size| name(&bands, size))
        .collect();
        let expected = [
            Some("L1"),
            Some("L1"),
            None,
            Some("L2"),
            Some("L2"),
            None,
            Some("L3"),
            Some("L3"),
            None,
            Some("DRAM"),
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn a_level_without_a_size_of_its_own_is_none_and_without_caches_nothing_has_a_name() {
        let cache = |level, bytes| Cache {
            level,
            bytes,
            instances: 1,
        };
        // Half of 3 MiB is less than twice 2 MiB.
        let close = [cache(1, 32 * KIB), cache(2, 2 * MIB), cache(3, 3 * MIB)];
        let found: Vec<String> = bands(&close, 512 * MIB)
            .into_iter()
            .map(|band| band.name)
            .collect();
        assert_eq!(found, ["L1", "L2", "DRAM"]);
        assert_eq!(bands(&[], 512 * MIB), []);
    }

    #[test]
    fn the_ends_of_a_level_and_its_middle_stand_for_it() {
        let band = Band {
            name: "L2".to_owned(),
            from: 96 * KIB,
            to: MIB,
        };
        let picks = band.picks(1200 * MIB);
        assert_eq!(picks.len(), 3);
        assert!(picks[0] >= 96 * KIB && picks[2] == MIB);
        assert!((spread(&[2.0, 3.0]).expect("two values") - 1.5).abs() < 1e-12);
        assert_eq!(spread(&[2.0]), None);
    }
}
