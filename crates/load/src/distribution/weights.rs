//! Which kind of request is drawn how often, and the shares that files give.

use base::random::Random;

/// The weights of several kinds of request.
#[derive(Debug)]
pub struct Weights {
    /// For each kind the share of draws that give it or one before it; the last is above 1.
    up_to: Vec<f64>,
}

impl Weights {
    /// Weights as [`weight`] gives them.
    ///
    /// # Errors
    /// There is nothing to draw.
    pub fn new(weights: &[f64]) -> Result<Self, String> {
        let total: f64 = weights.iter().sum();
        if !(total.is_finite() && total > 0.0) {
            return Err("the weights do not add up to more than 0".to_owned());
        }
        let mut sum = 0.0;
        let shares = weights.iter().map(|weight| {
            sum += weight;
            sum / total
        });
        let mut up_to: Vec<f64> = shares.collect();
        // Rounding must not leave a draw without a kind.
        if let Some(last) = up_to.last_mut() {
            *last = 2.0;
        }
        Ok(Self { up_to })
    }

    /// One kind, which is always drawn.
    pub fn one() -> Self {
        Self { up_to: vec![2.0] }
    }

    /// Draws a kind, by number; a random number is used only if there is a choice.
    pub fn draw(&self, random: &mut Random) -> usize {
        if self.up_to.len() == 1 {
            return 0;
        }
        let share = random.share();
        self.up_to.partition_point(|&up_to| up_to <= share)
    }
}

/// A weight as a file gives it.
///
/// # Errors
/// It is no weight.
pub fn weight(value: f64) -> Result<f64, String> {
    if value.is_finite() && value >= 0.0 {
        Ok(value)
    } else {
        Err("the weight is negative or not a number".to_owned())
    }
}

/// The share of responses whose content is checked, as a file gives it.
///
/// # Errors
/// It is no share.
pub fn sample(value: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&value) {
        Ok(value)
    } else {
        Err("the sample is not a share from 0 to 1".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::{Random, Weights, sample, weight};

    #[test]
    fn kinds_are_drawn_by_weight_and_those_without_never() {
        let weights = Weights::new(&[3.0, 0.0, 1.0]).expect("weights");
        let mut random = Random::new(1);
        let mut counts = [0_u32; 3];
        for _ in 0..10_000 {
            counts[weights.draw(&mut random)] += 1;
        }
        assert!((7_300..7_700).contains(&counts[0]), "{counts:?}");
        assert_eq!(counts[1], 0);
    }

    #[test]
    fn one_kind_takes_no_chance() {
        let mut random = Random::new(9);
        assert_eq!(Weights::one().draw(&mut random), 0);
        assert_eq!(Weights::new(&[5.0]).expect("a weight").draw(&mut random), 0);
        assert_eq!(random.bits(), Random::new(9).bits());
    }

    #[test]
    fn what_is_no_weight_and_no_share_is_refused() {
        for wrong in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(weight(wrong).is_err() && sample(wrong).is_err());
        }
        assert!(sample(1.5).is_err() && weight(1.5).is_ok());
        assert!(Weights::new(&[0.0, 0.0]).is_err() && Weights::new(&[]).is_err());
        assert!(Weights::new(&[f64::MAX, f64::MAX]).is_err());
    }
}
