//! `h2h-memory core-to-core`: how long one cache line takes from one CPU to another.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use serde_json::Value;

use crate::cases::{self, Asked, case};
use crate::cli::CoreToCore;
use crate::clock::{MS, now_ns};
use crate::complaint::Complaint;
use crate::gate::until;
use crate::machine::cpus;
use crate::numbers::{count, float, least, median, most, size};
use crate::record::{Told, figures, print};

/// Each pair is measured so long at least.
const LEAST_NS: u64 = 5 * MS;

/// Exchanges of one slice; the figure is the median over slices.
const SLICE: u64 = 1000;

/// The fewest slices that count, behind one that does not.
const SLICES: usize = 5;

/// What tells the other side that it is enough.
const ENOUGH: u64 = u64::MAX;

/// A line that two CPUs write in turn, alone in what processors fetch together.
#[repr(align(256))]
struct Line(AtomicU64);

/// What the exchanges of a pair came to.
#[derive(Clone, Debug)]
struct Exchanged {
    pair: (usize, usize),
    exchanges: u64,
    elapsed_ns: u64,
    window_ns: (u64, u64),
    one_way_ns: Vec<f64>,
    /// What the two sides counted, and what they left in the line.
    counted: [u64; 3],
}

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// A case that there is not, one CPU alone, no standard output.
pub fn core_to_core(words: &CoreToCore) -> Result<(), Complaint> {
    let mut cpus = cpus::allowed()?;
    cpus.sort_unstable();
    let every = pairs(&cpus);
    let wanted = match &words.cases {
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
        return Err(Complaint::words(
            "The way from CPU to CPU",
            "this program may use one CPU",
            "Give it two CPUs or more (cpus = 2 in a study).",
        ));
    }
    for (case, pairs) in wanted {
        let each_ns = (words.seconds / count(pairs.len())).max(LEAST_NS);
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

type Wanted = (wire::Case, Vec<(usize, usize)>);

/// A case of one pair, or, without fields, of every pair.
fn understood(mut asked: Asked, every: &[(usize, usize)]) -> Result<Wanted, Complaint> {
    let (from, to) = (asked.number("from")?, asked.number("to")?);
    asked.done("from and to, or no field for every pair")?;
    match (from.map(size), to.map(size)) {
        (None, None) => Ok((wire::Case::new(), every.to_vec())),
        (Some(from), Some(to)) if every.contains(&(from.min(to), from.max(to))) => {
            Ok((case_of((from, to)), vec![(from, to)]))
        }
        _ => Err(asked.wrong(
            "it names no two CPUs that this program may use",
            "Write from=0,to=1, or an empty line.",
        )),
    }
}

/// Has two CPUs write one line in turn, for so long.
fn exchange(pair: (usize, usize), lasting_ns: u64) -> Result<Exchanged, Complaint> {
    let line = Line(AtomicU64::new(0));
    thread::scope(|scope| {
        let answering = scope.spawn(|| {
            cpus::pin(pair.1)?;
            Ok::<u64, Complaint>(answer(&line.0))
        });
        // A thread of its own: this one must not stay on the CPU of the last pair.
        let asking = scope.spawn(|| {
            let pinned = cpus::pin(pair.0);
            let exchanged = if pinned.is_ok() {
                ask(&line.0, pair, lasting_ns)
            } else {
                None
            };
            line.0.store(ENOUGH, Ordering::Release);
            pinned.map(|()| exchanged)
        });
        let exchanged = asking.join().unwrap_or(Ok(None));
        let answered = answering.join().unwrap_or(Ok(0))?;
        let mut exchanged = exchanged?.ok_or_else(lost)?;
        exchanged.counted[1] = answered;
        Ok(exchanged)
    })
}

fn lost() -> Complaint {
    Complaint::failure(
        "The exchange between two CPUs",
        "the other side did not answer for 10 s",
        "Look for what keeps a CPU of the pair busy.",
    )
}

/// Writes odd numbers and waits for the even ones behind them. `None` where nobody answers.
fn ask(line: &AtomicU64, pair: (usize, usize), lasting_ns: u64) -> Option<Exchanged> {
    let (mut written, mut one_way_ns) = (0, Vec::new());
    await_answerer(line)?;
    let mut slice = || {
        for _ in 0..SLICE {
            line.store(written + 1, Ordering::Release);
            until(|| line.load(Ordering::Acquire) == written + 2);
            written += 2;
        }
        now_ns()
    };
    let from_ns = slice();
    let mut now = from_ns;
    while now - from_ns < lasting_ns || one_way_ns.len() < SLICES {
        let before = now;
        now = slice();
        one_way_ns.push(float(now - before) / float(2 * SLICE));
    }
    let exchanges = count(one_way_ns.len()) * SLICE;
    Some(Exchanged {
        pair,
        exchanges,
        elapsed_ns: now - from_ns,
        window_ns: (from_ns, now),
        one_way_ns,
        counted: [exchanges + SLICE, 0, line.load(Ordering::Acquire)],
    })
}

/// Waits until the other side stands at the line, which it says by a number that no exchange uses.
fn await_answerer(line: &AtomicU64) -> Option<()> {
    let began_ns = now_ns();
    until(|| line.load(Ordering::Acquire) == READY || now_ns() - began_ns > 10_000 * MS);
    (line.load(Ordering::Acquire) == READY).then_some(())
}

/// What the answering side writes once it is there.
const READY: u64 = u64::MAX - 1;

/// Waits for odd numbers, and writes the even ones behind them; returns how often.
fn answer(line: &AtomicU64) -> u64 {
    let mut answered = 0;
    // Where the asker gave up before, its word stays.
    let _ = line.compare_exchange(0, READY, Ordering::AcqRel, Ordering::Acquire);
    loop {
        let expected = 2 * answered + 1;
        let mut seen = 0;
        while seen != expected && seen != ENOUGH {
            seen = look(line, expected);
        }
        if seen == ENOUGH {
            return answered;
        }
        line.store(expected + 1, Ordering::Release);
        answered += 1;
    }
}

/// Looks until the line holds this number, or that it is enough.
fn look(line: &AtomicU64, expected: u64) -> u64 {
    until(|| {
        let seen = line.load(Ordering::Acquire);
        seen == expected || seen == ENOUGH
    });
    line.load(Ordering::Acquire)
}

fn told(case: wire::Case, measured: &[Exchanged]) -> Told {
    let one_way = |each: &Exchanged| median(&each.one_way_ns);
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
        let named = |each: &Exchanged| format!("one_way_{}_{}_ns", each.pair.0, each.pair.1);
        metrics.extend(measured.iter().map(|each| (named(each), one_way(each))));
    }
    Told {
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

/// What is wrong where the two sides did not count the same, or the line does not hold twice that.
fn miscounted(each: &Exchanged) -> Option<String> {
    let [asked, answered, line] = each.counted;
    (asked != answered || line != 2 * asked).then(|| {
        let (from, to) = each.pair;
        format!("CPU {from} asked {asked} times, CPU {to} answered {answered} times, the line holds {line}")
    })
}

#[cfg(test)]
mod tests {
    use super::{Exchanged, exchange, miscounted, pairs, told};
    use crate::machine::cpus;

    fn exchanged(one_way_ns: f64, counted: [u64; 3]) -> Exchanged {
        Exchanged {
            pair: (0, 1),
            exchanges: 5000,
            elapsed_ns: 1000,
            window_ns: (0, 1000),
            one_way_ns: vec![one_way_ns; 5],
            counted,
        }
    }

    #[test]
    fn every_pair_is_there_once() {
        assert_eq!(pairs(&[0, 2, 3]), [(0, 2), (0, 3), (2, 3)]);
        assert_eq!(pairs(&[4]), []);
    }

    #[test]
    fn exchanges_are_right_where_both_sides_and_the_line_agree() {
        assert_eq!(miscounted(&exchanged(50.0, [6000, 6000, 12_000])), None);
        assert!(miscounted(&exchanged(50.0, [6000, 5999, 12_000])).is_some());
        assert!(miscounted(&exchanged(50.0, [6000, 6000, 11_998])).is_some());
    }

    #[test]
    fn all_pairs_in_one_record_are_a_matrix() {
        let fast = exchanged(40.0, [6000, 6000, 12_000]);
        let slow = Exchanged {
            pair: (0, 2),
            ..exchanged(90.0, [6000, 6000, 12_000])
        };
        let told = told(wire::Case::new(), &[fast, slow]);
        assert!((told.metrics["one_way_0_2_ns"] - 90.0).abs() < 1e-9);
        assert!((told.metrics["one_way_ns"] - 65.0).abs() < 1e-9);
        assert_eq!(told.work.0, 10_000);
        assert!(told.wrong.is_empty());
    }

    #[test]
    fn two_cpus_count_the_same() {
        let cpus = cpus::allowed().expect("CPUs");
        if let [one, other, ..] = cpus[..] {
            let exchanged = exchange((one, other), 1).expect("an exchange");
            assert_eq!(miscounted(&exchanged), None);
            assert!(exchanged.one_way_ns.iter().all(|&ns| ns > 0.0));
        }
    }
}
