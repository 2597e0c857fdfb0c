//! Loads that wait for each other: each value is the address of the next one, in one cycle through a whole working set.

mod walk;

use base::clock::now_ns;
use base::durations::MS_NS;
use base::random::Random;

use crate::access::mapping::Mapping;
use crate::numbers::{count, float, size};

/// One place of the cycle in this many bytes: farther apart than the lines that processors fetch together.
pub const STRIDE: usize = 256;

/// Loads of one slice take about this long; the figure is the median over slices. Other programs take a CPU away for
/// some ms at a time: most slices then hold none of that.
const SLICE_NS: u64 = MS_NS / 2;

/// What is walked beforehand: all of the cycle, but no longer than this.
pub const WARM_NS: u64 = 250 * MS_NS;

/// The order in which the places of a working set are visited.
#[derive(Debug)]
pub struct Cycle {
    start: usize,
    next: Vec<u32>,
}

/// The result of a walk.
#[derive(Clone, Debug)]
pub struct WalkResult {
    /// Loads that were counted.
    pub loads: u64,
    /// How long they took.
    pub elapsed_ns: u64,
    /// When the first began, and the last ended.
    pub window_ns: (u64, u64),
    /// The time of a load in each slice.
    pub load_ns: Vec<f64>,
    /// Whether the walk ended where this number of loads leads.
    pub right: bool,
}

/// The next place of each, such that all of them are on one cycle (Sattolo, Information Processing Letters 22, 1986).
pub fn sattolo(places: u32, random: &mut Random) -> Vec<u32> {
    let mut next: Vec<u32> = (0..places).collect();
    for last in (1..next.len()).rev() {
        next.swap(last, random.below(last));
    }
    next
}

/// How much memory the order of a cycle through this many bytes takes, in addition to them.
pub fn order_bytes(working_set: u64) -> u64 {
    working_set / count(STRIDE) * 4
}

impl Cycle {
    /// Writes a cycle into the first bytes of a mapping, and touches nothing after them.
    pub fn lay(map: &mut Mapping, working_set: u64, random: &mut Random) -> Self {
        let places = u32::try_from(working_set / count(STRIDE)).unwrap_or(u32::MAX);
        let next = sattolo(places, random);
        let start = map.address();
        let words = map.words();
        for (place, &to) in next.iter().enumerate() {
            words[offset(place) / size_of::<usize>()] = start + offset(size(to.into()));
        }
        Self { start, next }
    }

    /// Walks until the time is over, and at least some slices; before that, walks the whole cycle or as long.
    pub fn walk(&self, lasting_ns: u64, warm_ns: u64) -> WalkResult {
        let (mut at, turns, warm) = self.warm(warm_ns);
        let (mut slices, mut load_ns) = (0, Vec::new());
        let from_ns = now_ns();
        let mut now = from_ns;
        while now - from_ns < lasting_ns || slices < 3 {
            at = walk::walk(at, turns);
            let before = now;
            now = now_ns();
            load_ns.push(float(now - before) / float(turns * walk::LOADS));
            slices += 1;
        }
        let counted = slices * turns * walk::LOADS;
        WalkResult {
            loads: counted,
            elapsed_ns: now - from_ns,
            window_ns: (from_ns, now),
            load_ns,
            right: at == self.after(warm * walk::LOADS + counted),
        }
    }

    /// Walks until the caches are in their final state; returns where that led, the turns of a slice, and the turns
    /// made.
    fn warm(&self, warm_ns: u64) -> (usize, u64, u64) {
        let (mut at, mut turns, mut made) = (self.start + offset(0), 1, 0);
        let begun_ns = now_ns();
        loop {
            let from_ns = now_ns();
            at = walk::walk(at, turns);
            made += turns;
            let to_ns = now_ns();
            let cycled = made * walk::LOADS >= count(self.next.len());
            if to_ns - from_ns < SLICE_NS / 2 {
                turns *= 2;
            } else if cycled || to_ns - begun_ns > warm_ns {
                return (at, turns, made);
            }
        }
    }

    /// Where this number of loads leads, according to the order itself and not to the memory.
    fn after(&self, loads: u64) -> usize {
        let mut place = 0;
        for _ in 0..loads % count(self.next.len()) {
            place = size(self.next[place].into());
        }
        self.start + offset(place)
    }
}

/// Where a place is: at its stride's beginning, and within that line at one of eight words, so that not all of them use
/// the same.
fn offset(place: usize) -> usize {
    let mixed = count(place).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 61;
    place * STRIDE + size(mixed) * size_of::<usize>()
}

#[cfg(test)]
mod tests {
    use super::{Cycle, STRIDE, offset, sattolo};
    use crate::access::mapping::{Mapping, Pages};
    use base::random::Random;

    #[test]
    fn sattolo_makes_one_cycle_of_any_length() {
        for places in [1, 2, 3, 16, 1000] {
            for seed in 0..20 {
                let next = sattolo(places, &mut Random::new(seed));
                let (mut at, mut steps) = (0, 0);
                loop {
                    at = next[usize::try_from(at).expect("a place")];
                    steps += 1;
                    if at == 0 {
                        break;
                    }
                }
                assert_eq!(steps, places, "seed {seed}");
            }
        }
    }

    #[test]
    fn places_lie_in_the_first_line_of_their_stride_at_different_words() {
        let within: Vec<usize> = (0..1000)
            .map(|place| offset(place) - place * STRIDE)
            .collect();
        assert!(within.iter().all(|&each| each < 64 && each % 8 == 0));
        for word in 0..8 {
            let share = within.iter().filter(|&&each| each == 8 * word).count();
            assert!((60..200).contains(&share), "word {word}: {share}");
        }
    }

    fn laid(map: &mut Mapping) -> Cycle {
        Cycle::lay(map, 64 << 10, &mut Random::new(1))
    }

    #[test]
    fn a_walk_ends_where_its_loads_lead() {
        let mut map = Mapping::new(64 << 10, Pages::System).expect("some pages");
        let walked = laid(&mut map).walk(1000, 1000);
        assert!(walked.right);
        assert!(walked.loads > 0 && walked.load_ns.len() >= 3);
        assert_eq!(walked.window_ns.1 - walked.window_ns.0, walked.elapsed_ns);
    }

    #[test]
    fn a_walk_through_a_spoiled_order_is_wrong() {
        let mut map = Mapping::new(64 << 10, Pages::System).expect("some pages");
        let cycle = laid(&mut map);
        let start = map.address();
        // Every place leads to the second one: the walk stays there.
        for place in 0..256 {
            map.words()[offset(place) / 8] = start + offset(1);
        }
        let lead_elsewhere = (0..8).any(|_| !cycle.walk(1000, 1000).right);
        assert!(lead_elsewhere);
    }
}
