//! Random numbers from a seed: `SplitMix64` (Steele, Lea and Flood, OOPSLA 2014).

const TWO_TO_32: f64 = 4_294_967_296.0;

/// A generator whose numbers depend on its seed alone.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// Return a generator for `seed`. Equal seeds give equal numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// Return stream `number` of `seed`. Streams are unrelated to each other, so each thread and purpose has its own.
    #[must_use]
    pub fn stream(seed: u64, number: u64) -> Self {
        let mut seeds = Self::new(seed);
        // An odd factor, so that no two numbers give the same distance.
        let distance = number.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Self::new(Self::new(seeds.bits() ^ distance).bits())
    }

    /// Return the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Return a number from 0 (included) to 1 (excluded), in steps of 2^-32.
    pub fn share(&mut self) -> f64 {
        let high = u32::try_from(self.bits() >> 32).unwrap_or(u32::MAX);
        f64::from(high) / TWO_TO_32
    }

    /// Return a whole number from 0 to `count` (excluded). `count` must not be 0. The bias is at most `count` / 2^64.
    pub fn below(&mut self, count: usize) -> usize {
        self.below_with_rest(count).0
    }

    /// Return a number as [`Random::below`] does and a share as [`Random::share`] does, from the same 64 bits (Lemire,
    /// ACM TOMACS 2019).
    pub fn below_with_rest(&mut self, count: usize) -> (usize, f64) {
        let wide = u128::from(self.bits()) * u128::try_from(count).unwrap_or(u128::MAX);
        let number = usize::try_from(wide >> 64).unwrap_or(0);
        let rest = u32::try_from((wide >> 32) & u128::from(u32::MAX)).unwrap_or(0);
        (number, f64::from(rest) / TWO_TO_32)
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // First outputs for seed 1234567, as in the reference code at https://prng.di.unimi.it/splitmix64.c.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn streams_and_draws_stay_as_they_are() {
        // Other numbers would be another load for the same seed: studies could no longer be repeated.
        let streams = [0, 1, 2].map(|number| Random::stream(1, number).bits());
        assert_eq!(
            streams,
            [
                12_793_040_940_332_582_595,
                8_775_076_003_639_243_590,
                5_988_045_206_451_141_598
            ]
        );
        let mut random = Random::new(7);
        assert_eq!(
            [(); 5].map(|()| random.below(1000)),
            [389, 16, 900, 582, 452]
        );
    }

    #[test]
    fn streams_of_one_seed_differ_and_those_of_equal_seeds_do_not() {
        let first = |seed, number| Random::stream(seed, number).bits();
        let mut seen: Vec<u64> = (0..100)
            .flat_map(|seed| (0..100).map(move |number| first(seed, number)))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 10_000);
        assert_eq!(first(7, 3), first(7, 3));
    }

    #[test]
    fn whole_numbers_are_even_and_independent_of_the_rest() {
        let mut random = Random::new(11);
        let mut counts = [[0_u32; 2]; 5];
        for _ in 0..100_000 {
            let (number, rest) = random.below_with_rest(5);
            counts[number][usize::from(rest < 0.5)] += 1;
        }
        for count in counts.as_flattened() {
            assert!(count.abs_diff(10_000) < 400, "{counts:?}");
        }
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn a_share_is_from_0_to_1_and_even_on_average() {
        let mut random = Random::new(7);
        let shares: Vec<f64> = (0..10_000).map(|_| random.share()).collect();
        assert!(shares.iter().all(|share| (0.0..1.0).contains(share)));
        let mean = shares.iter().sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "the mean is {mean}");
    }
}
