//! `h2h-memory latency`: the time of a load that waits for the one before it.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cases::{self, Asked, case};
use crate::chase::{Cycle, WARM_NS, Walked, order_bytes};
use crate::cli::Latency;
use crate::complaint::{Complaint, remark};
use crate::machine::{caches, cpus, room};
use crate::map::{Map, Pages};
use crate::numbers::{least, median, size};
use crate::plateau::{self, Band, FLAT};
use crate::random::Random;
use crate::record::{Told, figures, print};

/// From this share of huge pages on a working set counts as lying on them; below the other it does not.
const HUGE: f64 = 0.9;
const NOT_HUGE: f64 = 0.05;

/// The largest working set; its places have numbers of 32 bits.
const MOST_BYTES: u64 = 1 << 38;

const PAGES: [(&str, Pages); 2] = [("small", Pages::Small), ("huge", Pages::Huge)];

/// A case: some sizes, on some pages.
#[derive(Clone, Debug)]
struct Wanted {
    case: wire::Case,
    pages: Pages,
    sizes: Vec<u64>,
}

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// A case that there is not, memory that cannot be had, no standard output.
pub fn latency(words: &Latency) -> Result<(), Complaint> {
    let cpu = cpus::allowed()?.first().copied().unwrap_or(0);
    let caches = caches::of(&[cpu]);
    let to = words.to.unwrap_or_else(|| caches::beyond(&caches));
    if to > MOST_BYTES {
        return Err(Complaint::words(
            format!("--to {to}"),
            "sizes go up to 256G",
            "Name a smaller one.",
        ));
    }
    let bands = plateau::bands(&caches, to);
    let wanted = match &words.cases {
        Some(file) => {
            let asked = cases::read(file)?;
            let wanted = asked.into_iter().map(|each| understood(each, &bands, to));
            wanted.collect::<Result<Vec<_>, _>>()?
        }
        None => all(&bands, to),
    };
    let mut bed = Bed::make(&wanted)?;
    cpus::on(cpu, || {
        let mut random = Random::new(words.seed);
        for each in wanted {
            let lasting_ns = words.seconds / u64::try_from(each.sizes.len()).unwrap_or(1);
            let measured = bed.measure(&each, lasting_ns, &mut random);
            print(told(each, &measured, cpus::frequency_hz(cpu)))?;
        }
        Ok(())
    })
}

fn understood(mut asked: Asked, bands: &[Band], to: u64) -> Result<Wanted, Complaint> {
    let pages = asked.one_of("pages", &PAGES)?;
    let (level, bytes) = (asked.take("level"), asked.number("size_bytes")?);
    asked.done("pages, and level or size_bytes")?;
    match (level, bytes) {
        (Some(level), None) => match bands.iter().find(|band| band.name == level) {
            Some(band) => Ok(of_level(band, pages, to)),
            None => Err(asked.wrong(
                &no_level(&level, bands),
                "Ask for those alone (load.level).",
            )),
        },
        (None, Some(bytes)) if (plateau::FROM..=MOST_BYTES).contains(&bytes) => {
            Ok(of_size(bytes, pages, None))
        }
        (None, Some(_)) => Err(asked.wrong("sizes go from 4096 to 274877906944", "Write another.")),
        _ => Err(asked.wrong("it names no level, or a size besides", "Write level=L1.")),
    }
}

fn no_level(level: &str, bands: &[Band]) -> String {
    let names: Vec<&str> = bands.iter().map(|band| band.name.as_str()).collect();
    let there = if names.is_empty() {
        "the kernel tells of no caches here".to_owned()
    } else {
        format!("this machine shows {}", names.join(", "))
    };
    format!("there is no level {level}: {there}")
}

/// Every size and every level, on small pages and on huge ones.
fn all(bands: &[Band], to: u64) -> Vec<Wanted> {
    let mut found = Vec::new();
    for (_, pages) in PAGES {
        let sizes = plateau::sizes(to).into_iter();
        found.extend(sizes.map(|bytes| of_size(bytes, pages, plateau::name(bands, bytes))));
        found.extend(bands.iter().map(|band| of_level(band, pages, to)));
    }
    found
}

fn of_level(band: &Band, pages: Pages, to: u64) -> Wanted {
    let fields = [
        ("level", Some(Value::from(band.name.as_str()))),
        ("pages", Some(Value::from(named(pages)))),
    ];
    Wanted {
        case: case(fields),
        pages,
        sizes: band.picks(to),
    }
}

/// `level` is told where the size was not asked for: a case that was is told as it was asked.
fn of_size(bytes: u64, pages: Pages, level: Option<&str>) -> Wanted {
    let fields = [
        ("level", level.map(Value::from)),
        ("pages", Some(Value::from(named(pages)))),
        ("size_bytes", Some(Value::from(bytes))),
    ];
    Wanted {
        case: case(fields),
        pages,
        sizes: vec![bytes],
    }
}

fn named(pages: Pages) -> &'static str {
    let found = PAGES.iter().find(|(_, each)| *each == pages);
    found.map_or("system", |(name, _)| name)
}

/// The memory that cases are measured in, a map for each kind of pages.
struct Bed {
    maps: Vec<(Pages, Map)>,
}

/// What the sizes of a case came to, and the share of huge pages that they lay on.
struct Measured {
    walks: Vec<Walked>,
    huge_share: Option<f64>,
}

impl Bed {
    fn make(wanted: &[Wanted]) -> Result<Self, Complaint> {
        let largest = |pages: Pages| {
            let its = wanted.iter().filter(|each| each.pages == pages);
            its.flat_map(|each| each.sizes.iter().copied()).max()
        };
        let kinds: Vec<(Pages, u64)> = PAGES
            .iter()
            .filter_map(|&(_, pages)| Some((pages, largest(pages)?)))
            .collect();
        let all: u64 = kinds.iter().map(|(_, bytes)| bytes).sum();
        let order = kinds.iter().map(|(_, bytes)| order_bytes(*bytes)).max();
        room::need(
            all + order.unwrap_or(0),
            "the working sets of all cases",
            "Name a smaller --to or fewer cases, or end what holds the memory.",
        )?;
        let maps = kinds
            .into_iter()
            .map(|(pages, bytes)| Ok((pages, Map::new(size(bytes), pages)?)));
        Ok(Self {
            maps: maps.collect::<Result<_, Complaint>>()?,
        })
    }

    fn measure(&mut self, wanted: &Wanted, lasting_ns: u64, random: &mut Random) -> Measured {
        let mut measured = Measured {
            walks: Vec::new(),
            huge_share: None,
        };
        let Some((_, map)) = self
            .maps
            .iter_mut()
            .find(|(pages, _)| *pages == wanted.pages)
        else {
            return measured;
        };
        for &bytes in &wanted.sizes {
            let cycle = Cycle::lay(map, bytes, random);
            if !obtained(wanted.pages, map.huge_share()) {
                map.collapse(size(bytes));
            }
            measured.walks.push(cycle.walk(lasting_ns, WARM_NS));
        }
        measured.huge_share = map.huge_share();
        measured
    }
}

fn told(wanted: Wanted, measured: &Measured, frequency_hz: Option<f64>) -> Told {
    let walks = &measured.walks;
    let obtained = obtained(wanted.pages, measured.huge_share);
    if !obtained {
        remark(&format!(
            "{}: these pages were not obtained ({:.0} % of them are huge), so its latency is left out. See \
             /sys/kernel/mm/transparent_hugepage/enabled.",
            wire::line(&wanted.case).unwrap_or_default(),
            100.0 * measured.huge_share.unwrap_or(0.0),
        ));
    }
    let mut metrics = figures([("huge_pages_share", measured.huge_share)]);
    if obtained {
        metrics.extend(latencies(walks, frequency_hz));
    }
    let began = walks.iter().map(|walked| walked.window_ns.0).min();
    let ended = walks.iter().map(|walked| walked.window_ns.1).max();
    let strayed = walks.iter().filter(|walked| !walked.right).count();
    Told {
        case: wanted.case,
        work: (walks.iter().map(|walked| walked.loads).sum(), "loads"),
        elapsed_ns: walks.iter().map(|walked| walked.elapsed_ns).sum(),
        window_ns: (began.unwrap_or(0), ended.unwrap_or(0)),
        wrong: (strayed > 0)
            .then(|| format!("{strayed} walks did not end where their loads lead"))
            .into_iter()
            .collect(),
        metrics,
    }
}

/// What the walks of a case come to; cycles where the clock's frequency is known.
fn latencies(walks: &[Walked], frequency_hz: Option<f64>) -> BTreeMap<String, f64> {
    let medians: Vec<f64> = walks.iter().map(|walked| median(&walked.load_ns)).collect();
    let fastest: Vec<f64> = walks.iter().map(|walked| least(&walked.load_ns)).collect();
    let latency_ns = median(&medians);
    let spread = plateau::spread(&medians);
    figures([
        ("load_latency_ns", Some(latency_ns)),
        ("load_latency_least_ns", Some(least(&fastest))),
        (
            "load_latency_cycles",
            frequency_hz.map(|hz| latency_ns * hz / 1e9),
        ),
        ("plateau_spread", spread),
        (
            "plateau",
            spread.map(|spread| f64::from(u8::from(spread <= 1.0 + FLAT))),
        ),
    ])
}

/// Whether the working set lay on the pages that were asked for; where nothing tells, small ones are believed.
fn obtained(pages: Pages, huge_share: Option<f64>) -> bool {
    match pages {
        Pages::Huge => huge_share.is_some_and(|share| share >= HUGE),
        Pages::Small => huge_share.is_none_or(|share| share <= NOT_HUGE),
        Pages::System => true,
    }
}

#[cfg(test)]
mod tests {
    use super::{Pages, obtained};

    #[test]
    fn pages_are_what_was_read_back_and_not_what_was_asked_for() {
        assert!(obtained(Pages::Huge, Some(0.97)));
        assert!(!obtained(Pages::Huge, Some(0.5)));
        assert!(!obtained(Pages::Huge, None));
        assert!(obtained(Pages::Small, Some(0.0)));
        assert!(!obtained(Pages::Small, Some(1.0)));
        assert!(obtained(Pages::Small, None));
    }
}
