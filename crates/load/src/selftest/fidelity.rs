//! How accurately requests left: the instants at which they did, compared with the requested distribution.

use serde::Serialize;

use crate::distribution::arrivals::Spacing;
use crate::output::record::round;

/// Kolmogorov and Smirnov's statistic, times the root of the number of values, that is exceeded once in 100 times at
/// random.
const ONCE_IN_100: f64 = 1.628;

/// The result of the comparison. A distance is Kolmogorov and Smirnov's: the greatest difference between two cumulative
/// distributions, from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fidelity {
    /// `poisson` or `uniform`, as requested.
    pub arrivals: &'static str,
    /// Arrivals a second, as requested.
    pub rate_per_s: f64,
    /// How many requests left.
    pub sent: usize,
    /// Poisson: between the gaps and an exponential distribution with the requested mean.
    pub gaps_distance: Option<f64>,
    /// Between the instants and an even spread over the window.
    pub instants_distance: f64,
    /// The distance that this many values of the right distribution exceed once in 100 times, at random.
    pub distance_by_chance: f64,
    /// Even spacing: half of the gaps were off by at most this.
    pub gap_off_p50_ns: Option<u64>,
    /// Even spacing: 99 of 100 gaps were off by at most this.
    pub gap_off_p99_ns: Option<u64>,
}

/// Compares the instants, in any order, with the requested ones. `None` if fewer than two requests left.
pub fn fidelity(
    spacing: Spacing,
    per_s: f64,
    mut sent_at_ns: Vec<u64>,
    window_ns: (u64, u64),
) -> Option<Fidelity> {
    sent_at_ns.sort_unstable();
    let gaps_ns: Vec<u64> = sent_at_ns
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .collect();
    let (from_ns, until_ns) = window_ns;
    let length_ns = float(until_ns.saturating_sub(from_ns));
    let instants = sent_at_ns
        .iter()
        .map(|at_ns| float(at_ns.saturating_sub(from_ns)) / length_ns);
    let mean_ns = 1e9 / per_s;
    let exponential = |gap_ns: &u64| -(-float(*gap_ns) / mean_ns).exp_m1();
    let poisson = spacing == Spacing::Poisson;
    let (mut sorted, mut off_ns) = (gaps_ns.clone(), gaps_ns);
    sorted.sort_unstable();
    for gap_ns in &mut off_ns {
        *gap_ns = gap_ns.abs_diff(whole(mean_ns));
    }
    off_ns.sort_unstable();
    let last = off_ns.len().checked_sub(1)?;
    Some(Fidelity {
        arrivals: if poisson { "poisson" } else { "uniform" },
        rate_per_s: round(per_s),
        sent: sent_at_ns.len(),
        gaps_distance: poisson.then(|| round(distance(sorted.iter().map(exponential)))),
        instants_distance: round(distance(instants)),
        distance_by_chance: round(ONCE_IN_100 / float(sent_at_ns.len()).sqrt()),
        gap_off_p50_ns: (!poisson).then(|| off_ns[last / 2]),
        gap_off_p99_ns: (!poisson).then(|| off_ns[last * 99 / 100]),
    })
}

/// The distance between values and their distribution, given that distribution's share up to each, in ascending order.
fn distance(shares: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = float(shares.len());
    let mut before = 0.0;
    let mut greatest: f64 = 0.0;
    for share in shares {
        let behind = before + 1.0;
        greatest = greatest
            .max(share - before / count)
            .max(behind / count - share);
        before = behind;
    }
    greatest
}

/// Counts of values, and times in ns, far below 2^53.
trait Float {
    fn float(self) -> f64;
}

impl Float for u64 {
    #[allow(clippy::cast_precision_loss)]
    fn float(self) -> f64 {
        self as f64
    }
}

impl Float for usize {
    #[allow(clippy::cast_precision_loss)]
    fn float(self) -> f64 {
        self as f64
    }
}

fn float(value: impl Float) -> f64 {
    value.float()
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
fn whole(time_ns: f64) -> u64 {
    time_ns.round() as u64
}

#[cfg(test)]
mod tests {
    use super::{Fidelity, distance, fidelity};
    use crate::distribution::arrivals::{Arrivals, Rate, Spacing};
    use base::random::Random;

    const WINDOW_NS: (u64, u64) = (5_000_000, 10_005_000_000);

    /// The result of 10 s of arrivals at 1000 a second if the driver reads its clock once in `tick_ns`.
    fn sent(spacing: Spacing, tick_ns: u64) -> Fidelity {
        let rate = Rate {
            per_s: 1000.0,
            spacing,
        };
        let mut arrivals = Arrivals::new(rate, WINDOW_NS.0, 0, 1, Random::new(5));
        let mut sent_at_ns = Vec::new();
        while arrivals.next_ns() < WINDOW_NS.1 {
            sent_at_ns.push(arrivals.next_ns().next_multiple_of(tick_ns));
            arrivals.advance();
        }
        fidelity(spacing, 1000.0, sent_at_ns, WINDOW_NS).expect("enough of them")
    }

    #[test]
    fn the_distance_is_that_of_kolmogorov_and_smirnov() {
        let due = [
            ([0.5].as_slice(), 0.5),
            (&[0.1, 0.2, 0.3], 0.7),
            (&[0.25, 0.75], 0.25),
        ];
        for (shares, due) in due {
            let seen = distance(shares.iter().copied());
            assert!((seen - due).abs() < 1e-12, "{shares:?}: {seen}");
        }
    }

    #[test]
    fn arrivals_that_leave_in_time_are_as_asked_for() {
        let poisson = sent(Spacing::Poisson, 1);
        assert!(
            poisson.gaps_distance < Some(poisson.distance_by_chance),
            "{poisson:?}"
        );
        assert!(
            poisson.instants_distance < poisson.distance_by_chance,
            "{poisson:?}"
        );
        assert_eq!(poisson.gap_off_p99_ns, None);
        let even = sent(Spacing::Uniform, 1);
        assert!(even.instants_distance < 0.001, "{even:?}");
        assert_eq!(
            (even.gap_off_p50_ns, even.gap_off_p99_ns),
            (Some(0), Some(0))
        );
        assert_eq!(even.gaps_distance, None);
    }

    #[test]
    fn arrivals_that_leave_in_bunches_are_told_from_those_that_do_not() {
        let poisson = sent(Spacing::Poisson, 700_000);
        assert!(
            poisson.gaps_distance > Some(2.0 * poisson.distance_by_chance),
            "{poisson:?}"
        );
        let even = sent(Spacing::Uniform, 700_000);
        assert!(even.gap_off_p50_ns > Some(200_000) && even.gap_off_p99_ns < Some(1_000_000));
    }

    #[test]
    fn even_arrivals_do_not_pass_for_poisson_ones() {
        let even: Vec<u64> = (0..1000).map(|number| number * 1_000_000).collect();
        let held = fidelity(Spacing::Poisson, 1000.0, even, (0, 1_000_000_000));
        assert!(held.is_some_and(|held| held.gaps_distance > Some(0.5)));
        assert_eq!(fidelity(Spacing::Poisson, 1.0, vec![7], (0, 10)), None);
    }
}
