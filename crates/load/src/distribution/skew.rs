//! Which member of a set, a page or a row, is drawn how often.

use serde::Deserialize;

use base::random::Random;

/// A skew as files name it.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SkewName {
    /// Each as often as any other.
    #[default]
    Uniform,
    /// The first most often.
    Zipf,
    /// In order.
    Sequential,
}

impl SkewName {
    /// The skew with the exponent that was given for it, if one was; 1 without.
    ///
    /// # Errors
    /// The exponent is for another skew, or no exponent that anybody has seen.
    pub fn shape(self, exponent: Option<f64>) -> Result<Shape, String> {
        if exponent.is_some() && self != Self::Zipf {
            return Err("an exponent is for the skew zipf".to_owned());
        }
        let exponent = exponent.unwrap_or(1.0);
        if !(0.0..=10.0).contains(&exponent) {
            return Err("the exponent is not from 0 to 10".to_owned());
        }
        Ok(match self {
            Self::Uniform => Shape::Uniform,
            Self::Zipf => Shape::Zipf { exponent },
            Self::Sequential => Shape::Sequential,
        })
    }
}

/// A skew of a set whose size is not known yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Each as often as any other.
    Uniform,
    /// The k-th 1 / k^exponent times as often as the first.
    Zipf {
        /// How fast the later ones become rare.
        exponent: f64,
    },
    /// In order.
    Sequential,
}

impl Shape {
    /// The skew of a set of `count` members, of which there is at least one and at most 2^32 - 1.
    pub fn over(self, count: usize) -> Skew {
        match self {
            Self::Uniform => Skew::Uniform,
            Self::Zipf { exponent } => Skew::Zipf(Alias::zipf(
                u32::try_from(count).unwrap_or(u32::MAX),
                exponent,
            )),
            Self::Sequential => Skew::Sequential,
        }
    }
}

/// The order in which the members of a set are drawn.
#[derive(Debug)]
pub enum Skew {
    /// Each as often as any other, at random.
    Uniform,
    /// The first most often, at random: the k-th 1 / k^exponent times as often as the first.
    Zipf(Alias),
    /// In order, and from the beginning again; not random.
    Sequential,
}

impl Skew {
    /// Draws a member of a set of `count`, which must not be 0. A random number is used only if there is a choice;
    /// `turn` is the thread's position in this set.
    pub fn draw(&self, count: usize, random: &mut Random, turn: &mut SequencePosition) -> usize {
        match self {
            _ if count == 1 => 0,
            Self::Uniform => random.below(count),
            Self::Zipf(zipf) => zipf.draw(random),
            Self::Sequential => {
                let member = turn.next % count;
                turn.next = member + turn.threads;
                member
            }
        }
    }
}

/// One thread's position in a set that is drawn in order.
#[derive(Clone, Copy, Debug)]
pub struct SequencePosition {
    next: usize,
    threads: usize,
}

impl SequencePosition {
    /// The start of thread `thread` (from 0) of `threads`: it takes every `threads`-th member, so that all together
    /// walk the set.
    pub fn new(thread: usize, threads: usize) -> Self {
        Self {
            next: thread,
            threads,
        }
    }
}

/// A table that draws from any weights with one random number and one look-up (Walker 1977, built as by Vose 1991).
#[derive(Debug)]
pub struct Alias {
    /// For each column the share of it that is its own, and whose the rest is.
    columns: Vec<(f64, u32)>,
}

impl Alias {
    /// Zipf's law: the number `k` (from 0) has the weight 1 / (k + 1)^exponent. `count` must not be 0.
    pub fn zipf(count: u32, exponent: f64) -> Self {
        let weights: Vec<f64> = (1..=count)
            .map(|rank| f64::from(rank).powf(-exponent))
            .collect();
        Self::new(&weights)
    }

    fn new(weights: &[f64]) -> Self {
        let count = u32::try_from(weights.len()).unwrap_or(u32::MAX);
        let total: f64 = weights.iter().sum();
        // Scaled so that a column of average weight has 1.
        let mut columns: Vec<(f64, u32)> = (0..count)
            .zip(weights)
            .map(|(number, weight)| (weight / total * f64::from(count), number))
            .collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..columns.len()).partition(|&column| columns[column].0 < 1.0);
        while let (Some(&under), Some(&over)) = (small.last(), large.last()) {
            let _ = small.pop();
            columns[under].1 = u32::try_from(over).unwrap_or(u32::MAX);
            columns[over].0 -= 1.0 - columns[under].0;
            if columns[over].0 < 1.0 {
                let _ = large.pop();
                small.push(over);
            }
        }
        // What rounding left over is full.
        for column in small.into_iter().chain(large) {
            columns[column].0 = 1.0;
        }
        Self { columns }
    }

    /// Draws a number by its weight.
    pub fn draw(&self, random: &mut Random) -> usize {
        let (column, share) = random.below_with_rest(self.columns.len());
        let (own, other) = self.columns[column];
        if share < own {
            column
        } else {
            usize::try_from(other).unwrap_or(column)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Alias;
    use base::random::Random;

    #[test]
    fn the_table_holds_exactly_the_weights() {
        for (count, exponent) in [(1, 1.0), (2, 1.0), (1000, 1.0), (1000, 0.0), (777, 2.5)] {
            let table = Alias::zipf(count, exponent);
            let mut shares = vec![0.0; table.columns.len()];
            for (number, &(own, other)) in table.columns.iter().enumerate() {
                assert!((0.0..=1.0).contains(&own));
                shares[number] += own / f64::from(count);
                shares[usize::try_from(other).expect("an index")] += (1.0 - own) / f64::from(count);
            }
            let total: f64 = (1..=count)
                .map(|rank| f64::from(rank).powf(-exponent))
                .sum();
            for (rank, share) in (1..=count).zip(shares) {
                let due = f64::from(rank).powf(-exponent) / total;
                assert!(
                    (share - due).abs() < 1e-12,
                    "rank {rank} of {count}: {share}"
                );
            }
        }
    }

    #[test]
    fn draws_follow_the_weights() {
        let table = Alias::zipf(10, 1.0);
        let mut random = Random::new(3);
        let mut counts = [0_u32; 10];
        for _ in 0..100_000 {
            counts[table.draw(&mut random)] += 1;
        }
        let total: f64 = (1..=10).map(|rank| 1.0 / f64::from(rank)).sum();
        // Chi-squared with 9 degrees of freedom: 27.9 is passed once in 1000 seeds.
        let distance: f64 = (1..=10_u32)
            .zip(counts)
            .map(|(rank, count)| {
                let due = 100_000.0 / f64::from(rank) / total;
                (f64::from(count) - due).powi(2) / due
            })
            .sum();
        assert!(distance < 27.9, "{counts:?}: {distance}");
    }
}
