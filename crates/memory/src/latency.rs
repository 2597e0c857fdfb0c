//! `h2h-memory latency`: the time of a load that waits for the one before it.

mod report;
mod working_memory;

use base::durations::MS_NS;
use base::error::Error;
use base::random::Random;
use serde_json::Value;

use crate::access::mapping::Pages;
use crate::access::working_sets::{self, Band};
use crate::cases::{self, CaseFields, case};
use crate::cli::Latency;
use crate::latency::working_memory::WorkingMemory;
use crate::machine::{caches, cpus};
use crate::numbers::count;
use crate::record::{CaseResult, print};

/// The largest working set; its places have numbers of 32 bits.
const MOST_BYTES: u64 = 1 << 38;

/// How long each size of a staircase is walked, at least.
const STEP_NS: u64 = 10 * MS_NS;

const PAGES: [(&str, Pages); 2] = [("small", Pages::Small), ("huge", Pages::Huge)];

/// The names of levels; the machine decides which of them exist.
const LEVELS: [&str; 5] = ["L1", "L2", "L3", "L4", "DRAM"];
const STAIRCASE: &str = "staircase";
const NAMES: &str = "level=L1, L2, L3, L4, DRAM or staircase, or size_bytes=65536";

/// A case: some sizes, on some pages.
#[derive(Clone, Debug)]
struct PlannedCase {
    case: wire::Case,
    pages: Pages,
    sizes: Vec<u64>,
    kind: Figures,
}

/// What is reported of the sizes of a case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Figures {
    /// One figure, of all of them.
    Figure,
    /// A figure each.
    Points,
    /// Nothing: the machine does not have it, and why.
    Absent(String),
}

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// The case does not exist, the memory is not available, or standard output is closed.
pub fn latency(options: &Latency) -> Result<(), Error> {
    let cpu = cpus::allowed()?.first().copied().unwrap_or(0);
    let caches = caches::of(&[cpu]);
    let to = options.to.unwrap_or_else(|| caches::beyond(&caches));
    if to > MOST_BYTES {
        return Err(Error::usage(
            format!("--to {to}"),
            "sizes go up to 256G",
            "Name a smaller one.",
        ));
    }
    let bands = working_sets::bands(&caches, to);
    let wanted = match &options.cases {
        Some(file) => {
            let asked = cases::read(file)?;
            let wanted = asked.into_iter().map(|each| understood(each, &bands, to));
            wanted.collect::<Result<Vec<_>, _>>()?
        }
        None => all(&bands, to),
    };
    let mut bed = WorkingMemory::make(&wanted)?;
    cpus::on(cpu, || {
        let mut random = Random::new(options.seed);
        for each in wanted {
            if let Figures::Absent(why) = each.kind {
                print(CaseResult::absent(each.case, "loads", why))?;
                continue;
            }
            let share_ns = options.seconds / count(each.sizes.len()).max(1);
            let lasting_ns = match each.kind {
                Figures::Points => share_ns.max(STEP_NS.min(options.seconds)),
                _ => share_ns,
            };
            let measured = bed.measure(&each, lasting_ns, &mut random);
            print(report::told(each, &measured, cpus::frequency_hz(cpu)))?;
        }
        Ok(())
    })
}

fn understood(mut asked: CaseFields, bands: &[Band], to: u64) -> Result<PlannedCase, Error> {
    let pages = asked.one_of("pages", &PAGES)?;
    let (level, bytes) = (asked.take("level"), asked.number("size_bytes")?);
    asked.done("pages, and level or size_bytes")?;
    match (level.as_deref(), bytes) {
        (Some(STAIRCASE), None) => Ok(stairs(pages, to)),
        (Some(level), None) => match bands.iter().find(|band| band.name == level) {
            Some(band) => Ok(of_level(band, pages, to)),
            None if LEVELS.contains(&level) => Ok(absent(level, pages, bands)),
            None => Err(asked.wrong(
                &format!("{level:?} is not a level"),
                &format!("Write {NAMES}."),
            )),
        },
        (None, Some(bytes)) if (working_sets::FROM..=MOST_BYTES).contains(&bytes) => {
            Ok(of_size(bytes, pages, None))
        }
        (None, Some(_)) => Err(asked.wrong("sizes go from 4096 to 274877906944", "Write another.")),
        _ => Err(asked.wrong(
            "it needs either a level or a size",
            &format!("Write {NAMES}."),
        )),
    }
}

/// Every size and every level, on small pages and on huge ones.
fn all(bands: &[Band], to: u64) -> Vec<PlannedCase> {
    let mut found = Vec::new();
    for (_, pages) in PAGES {
        let sizes = working_sets::sizes(to).into_iter();
        found.extend(sizes.map(|bytes| of_size(bytes, pages, working_sets::name(bands, bytes))));
        found.extend(bands.iter().map(|band| of_level(band, pages, to)));
    }
    found
}

fn of_level(band: &Band, pages: Pages, to: u64) -> PlannedCase {
    named_level(&band.name, pages, band.picks(to), Figures::Figure)
}

/// All sizes in one record: the levels seen as stairs.
fn stairs(pages: Pages, to: u64) -> PlannedCase {
    named_level(STAIRCASE, pages, working_sets::sizes(to), Figures::Points)
}

/// A level that other machines have.
fn absent(level: &str, pages: Pages, bands: &[Band]) -> PlannedCase {
    let names: Vec<&str> = bands.iter().map(|band| band.name.as_str()).collect();
    let there = if names.is_empty() {
        "the kernel shows no caches here".to_owned()
    } else {
        format!("this machine shows {}", names.join(", "))
    };
    let why = format!("there is no level {level} to choose sizes by: {there}");
    named_level(level, pages, Vec::new(), Figures::Absent(why))
}

fn named_level(level: &str, pages: Pages, sizes: Vec<u64>, kind: Figures) -> PlannedCase {
    let fields = [
        ("level", Some(Value::from(level))),
        ("pages", Some(Value::from(named(pages)))),
    ];
    PlannedCase {
        case: case(fields),
        pages,
        sizes,
        kind,
    }
}

/// `level` is reported if the size was not requested: a requested case is reported as it was requested.
fn of_size(bytes: u64, pages: Pages, level: Option<&str>) -> PlannedCase {
    let fields = [
        ("level", level.map(Value::from)),
        ("pages", Some(Value::from(named(pages)))),
        ("size_bytes", Some(Value::from(bytes))),
    ];
    PlannedCase {
        case: case(fields),
        pages,
        sizes: vec![bytes],
        kind: Figures::Figure,
    }
}

fn named(pages: Pages) -> &'static str {
    let found = PAGES.iter().find(|(_, each)| *each == pages);
    found.map_or("system", |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::{Figures, Pages, absent, stairs};
    use crate::access::working_sets::bands;
    use crate::machine::caches::tests::recorded;

    #[test]
    fn a_staircase_goes_through_every_size_and_gives_a_figure_of_each() {
        let wanted = stairs(Pages::Small, 8192);
        assert_eq!(wanted.sizes, [4096, 4864, 5632, 6656, 8192]);
        assert_eq!(wanted.kind, Figures::Points);
        assert_eq!(wanted.case["level"], "staircase");
    }

    #[test]
    fn a_level_that_the_machine_does_not_show_says_which_it_does() {
        let Figures::Absent(why) = absent("L4", Pages::Small, &bands(&recorded(), 1 << 31)).kind
        else {
            panic!("it is absent");
        };
        assert!(
            why.contains("no level L4") && why.ends_with("shows L1, L2, L3, DRAM"),
            "{why}"
        );
        let Figures::Absent(why) = absent("DRAM", Pages::Huge, &[]).kind else {
            panic!("it is absent");
        };
        assert!(why.ends_with("the kernel shows no caches here"), "{why}");
    }
}
