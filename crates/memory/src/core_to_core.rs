//! `h2h-memory core-to-core`: how long one cache line takes from one CPU to another.

mod exchange;

use std::collections::BTreeMap;

use base::durations::MS_NS;
use base::error::Error;
use serde_json::Value;

use crate::cases::{self, CaseFields, case};
use crate::cli::CoreToCore;
use crate::machine::cpus;
use crate::numbers::{count, float, least, median, most, size};
use crate::record::{CaseResult, figures, print};
use exchange::{Exchange, exchange, miscounted};

/// How long each pair is measured, at least.
const LEAST_NS: u64 = 5 * MS_NS;

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// A case that there is not, one CPU alone, no standard output.
pub fn core_to_core(options: &CoreToCore) -> Result<(), Error> {
    let mut cpus = cpus::allowed()?;
    cpus.sort_unstable();
    let every = pairs(&cpus);
    let wanted = match &options.cases {
        Some(file) => cases::read(file)?
            .into_iter()
            .map(|asked| understood(asked, &every))
            .collect::<Result<Vec<_>, _>>()?,
        None => every
            .iter()
            .map(|&pair| (case_of(pair), vec![pair]))
            .collect(),
    };
    if every.is_empty() {
        return Err(Error::usage(
            "The latency between CPUs",
            "this program may use only one CPU",
            "Give it two CPUs or more (cpus = 2 in a study).",
        ));
    }
    for (case, pairs) in wanted {
        let each_ns = (options.seconds / count(pairs.len())).max(LEAST_NS);
        let measured = pairs.into_iter().map(|pair| exchange(pair, each_ns));
        print(told(case, &measured.collect::<Result<Vec<_>, _>>()?))?;
    }
    Ok(())
}

fn pairs(cpus: &[usize]) -> Vec<(usize, usize)> {
    let from = cpus.iter().enumerate();
    from.flat_map(|(at, &from)| cpus[at + 1..].iter().map(move |&to| (from, to)))
        .collect()
}

fn case_of((from, to): (usize, usize)) -> wire::Case {
    case([
        ("from", Some(Value::from(from))),
        ("to", Some(Value::from(to))),
    ])
}

type PlannedCase = (wire::Case, Vec<(usize, usize)>);

/// A case of one pair, or, without fields, of every pair.
fn understood(mut asked: CaseFields, every: &[(usize, usize)]) -> Result<PlannedCase, Error> {
    let (from, to) = (asked.number("from")?, asked.number("to")?);
    asked.done("from and to, or no field for every pair")?;
    match (from.map(size), to.map(size)) {
        (None, None) => Ok((wire::Case::new(), every.to_vec())),
        (Some(from), Some(to)) if every.contains(&(from.min(to), from.max(to))) => {
            Ok((case_of((from, to)), vec![(from, to)]))
        }
        _ => Err(asked.wrong(
            "it does not name two CPUs that this program may use",
            "Write from=0,to=1, or an empty line.",
        )),
    }
}

fn told(case: wire::Case, measured: &[Exchange]) -> CaseResult {
    let one_way = |each: &Exchange| median(&each.one_way_ns);
    let all: Vec<f64> = measured.iter().map(one_way).collect();
    let slices: Vec<f64> = measured
        .iter()
        .map(|each| least(&each.one_way_ns))
        .collect();
    let mut metrics: BTreeMap<String, f64> = figures([
        ("one_way_ns", Some(median(&all))),
        (
            "one_way_least_ns",
            Some(least(if all.len() > 1 { &all } else { &slices })),
        ),
        ("one_way_most_ns", (all.len() > 1).then(|| most(&all))),
        ("pairs", Some(float(count(all.len())))),
    ]);
    if case.is_empty() {
        let named = |each: &Exchange| format!("one_way_{}_{}_ns", each.pair.0, each.pair.1);
        metrics.extend(measured.iter().map(|each| (named(each), one_way(each))));
    }
    CaseResult {
        case,
        work: (
            measured.iter().map(|each| each.exchanges).sum(),
            "exchanges",
        ),
        elapsed_ns: measured.iter().map(|each| each.elapsed_ns).sum(),
        window_ns: (
            measured.first().map_or(0, |each| each.window_ns.0),
            measured.last().map_or(0, |each| each.window_ns.1),
        ),
        wrong: measured.iter().filter_map(miscounted).collect(),
        metrics,
        why_not: None,
    }
}

#[cfg(test)]
mod tests {
    use super::exchange::tests::exchanged;
    use super::{Exchange, pairs, told};

    #[test]
    fn every_pair_is_there_once() {
        assert_eq!(pairs(&[0, 2, 3]), [(0, 2), (0, 3), (2, 3)]);
        assert_eq!(pairs(&[4]), []);
    }

    #[test]
    fn all_pairs_in_one_record_are_a_matrix() {
        let fast = exchanged(40.0, [6000, 6000, 12_000]);
        let slow = Exchange {
            pair: (0, 2),
            ..exchanged(90.0, [6000, 6000, 12_000])
        };
        let told = told(wire::Case::new(), &[fast, slow]);
        assert!((told.metrics["one_way_0_2_ns"] - 90.0).abs() < 1e-9);
        assert!((told.metrics["one_way_ns"] - 65.0).abs() < 1e-9);
        assert_eq!(told.work.0, 10_000);
        assert!(told.wrong.is_empty());
    }
}
