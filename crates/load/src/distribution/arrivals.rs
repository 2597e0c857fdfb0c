//! When requests or sessions are meant to arrive: an unending schedule, from a seed.

use base::random::Random;
use clap::ValueEnum;

/// How arrivals are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Spacing {
    /// At random, each independent of the others: the gaps are exponential.
    Poisson,
    /// Evenly.
    Uniform,
}

/// What all threads together are to send.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate {
    /// Arrivals a second, of all threads together.
    pub per_s: f64,
    /// How they are spaced.
    pub spacing: Spacing,
}

/// The arrivals of one thread, one after another. Poisson arrivals of several threads are, put together, Poisson
/// arrivals again; even ones are dealt out in turn.
#[derive(Debug)]
pub struct Arrivals {
    began_ns: u64,
    gap_ns: f64,
    spacing: Spacing,
    random: Random,
    /// Since the beginning, of the next arrival. Whole ns are exact for 104 days.
    offset_ns: f64,
    /// Even spacing: which arrival of all threads' comes next.
    number: f64,
    threads: f64,
}

impl Arrivals {
    /// The arrivals of thread `thread` (from 0) of `threads`; the first comes a gap after `began_ns` at the earliest if
    /// gaps are even.
    pub fn new(rate: Rate, began_ns: u64, thread: u32, threads: u32, random: Random) -> Self {
        let mut arrivals = Self {
            began_ns,
            gap_ns: 1e9 / rate.per_s,
            spacing: rate.spacing,
            random,
            offset_ns: 0.0,
            number: f64::from(thread) + 1.0 - f64::from(threads),
            threads: f64::from(threads),
        };
        arrivals.advance();
        arrivals
    }

    /// When the next one is meant to arrive, in ns of `CLOCK_MONOTONIC`.
    pub fn next_ns(&self) -> u64 {
        self.began_ns.saturating_add(whole(self.offset_ns))
    }

    /// Goes on to the one after it.
    pub fn advance(&mut self) {
        match self.spacing {
            Spacing::Poisson => {
                // The inverse of the exponential distribution's P(gap <= x) = 1 - exp(-x / mean), at a share below 1.
                let gaps = -(-self.random.share()).ln_1p();
                self.offset_ns += gaps * self.gap_ns * self.threads;
            }
            Spacing::Uniform => {
                self.number += self.threads;
                self.offset_ns = self.number * self.gap_ns;
            }
        }
    }
}

/// To the nearest ns; offsets are never negative, and a rate too small to matter ends at the largest.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(offset_ns: f64) -> u64 {
    offset_ns.round() as u64
}

#[cfg(test)]
mod tests {
    use super::{Arrivals, Random, Rate, Spacing};

    fn arrivals(spacing: Spacing, threads: u32, count: usize) -> Vec<u64> {
        let rate = Rate {
            per_s: 1000.0,
            spacing,
        };
        let mut all: Vec<u64> = (0..threads)
            .flat_map(|thread| {
                let random = Random::new(7 + u64::from(thread));
                let mut own = Arrivals::new(rate, 5_000, thread, threads, random);
                std::iter::repeat_with(move || {
                    let next = own.next_ns();
                    own.advance();
                    next
                })
                .take(count)
            })
            .collect();
        all.sort_unstable();
        all
    }

    /// The greatest distance between the gaps' distribution and the exponential one with a mean of 1 ms, times sqrt(n):
    /// Kolmogorov and Smirnov's statistic, above 1.63 once in a hundred times if the gaps are exponential.
    fn distance(arrivals: &[u64]) -> f64 {
        let mut gaps: Vec<f64> = arrivals
            .windows(2)
            .map(|pair| f64::from(u32::try_from(pair[1] - pair[0]).expect("a gap")) / 1e6)
            .collect();
        gaps.sort_by(f64::total_cmp);
        let count = f64::from(u32::try_from(gaps.len()).expect("a count"));
        let mut below = 0.0;
        let mut greatest: f64 = 0.0;
        for gap in gaps {
            let due = 1.0 - (-gap).exp();
            greatest = greatest.max((due - below / count).abs());
            below += 1.0;
            greatest = greatest.max((below / count - due).abs());
        }
        greatest * count.sqrt()
    }

    #[test]
    fn poisson_gaps_are_exponential() {
        let distance = distance(&arrivals(Spacing::Poisson, 1, 20_000));
        assert!(distance < 1.63, "{distance}");
    }

    #[test]
    fn poisson_arrivals_of_several_threads_together_are_poisson_arrivals() {
        let all = arrivals(Spacing::Poisson, 4, 6_000);
        // When one thread's arrivals have ended, the others' alone would be too few.
        let distance = distance(&all[..20_000]);
        assert!(distance < 1.63, "{distance}");
        let last_s = f64::from(u32::try_from(all[19_999] / 1000).expect("less than an hour")) / 1e6;
        assert!(
            (last_s / 20.0 - 1.0).abs() < 0.03,
            "20000 arrivals in {last_s} s"
        );
    }

    #[test]
    fn even_gaps_are_not_mistaken_for_exponential_ones() {
        assert!(distance(&arrivals(Spacing::Uniform, 1, 1_000)) > 5.0);
    }

    #[test]
    fn even_arrivals_are_even_however_many_threads_send_them() {
        let due: Vec<u64> = (1..=12).map(|number| 5_000 + number * 1_000_000).collect();
        for threads in [1, 2, 3, 4] {
            let count = 12 / usize::try_from(threads).expect("a count");
            assert_eq!(
                arrivals(Spacing::Uniform, threads, count),
                due,
                "{threads} threads"
            );
        }
    }

    #[test]
    fn equal_seeds_arrive_alike() {
        let twice = || arrivals(Spacing::Poisson, 2, 100);
        assert_eq!(twice(), twice());
    }
}
