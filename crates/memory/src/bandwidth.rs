//! `h2h-memory bandwidth`: copy, scale, add and triad over arrays in memory.

pub mod arrays;
pub mod pass_leader;
pub mod passes;
mod report;

use base::error::Error;
use serde_json::Value;

use crate::access::vector::{BLOCK, Operation, Width};
use crate::bandwidth::arrays::Arrays;
use crate::bandwidth::pass_leader::Passes;
use crate::bandwidth::passes::Job;
use crate::bandwidth::report::{CaseRun, told};
use crate::cases::{self, CaseFields, case};
use crate::cli::Bandwidth;
use crate::machine::{available_memory, caches, cpus};
use crate::numbers::{count, size};
use crate::record::{CaseResult, print};
use crate::remark;

const OPERATIONS: [(&str, Operation); 4] = [
    ("copy", Operation::Copy),
    ("scale", Operation::Scale),
    ("add", Operation::Add),
    ("triad", Operation::Triad),
];
const STORES: [(&str, bool); 2] = [("ordinary", false), ("non-temporal", true)];

/// A case, as it is reported and as it is run.
#[derive(Clone, Debug)]
struct PlannedCase {
    case: wire::Case,
    job: Job,
    threads: usize,
    why_not: Option<String>,
}

/// What holds for all cases.
struct Settings {
    cpus: Vec<usize>,
    /// Bytes of all arrays, those of every copy included.
    size: u64,
    doubles: bool,
    /// Whether each thread works by itself, a copy of its own.
    copies: bool,
    width: Width,
}

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// The case does not exist, the memory is not available, or standard output is closed.
pub fn bandwidth(options: &Bandwidth) -> Result<(), Error> {
    let cpus = cpus::allowed()?;
    let most = threads(options, cpus.len())?;
    let each = options
        .size
        .unwrap_or_else(|| caches::beyond(&caches::of(&cpus)));
    let size = each.saturating_mul(options.copies.map_or(1, u64::from));
    let frame = Settings {
        size,
        cpus,
        // The arrays of all copies may fill the memory: then the plateau is not checked, and its figure is absent.
        doubles: !options.no_plateau
            && (options.copies.is_none() || fits(size.saturating_mul(2)).is_ok()),
        copies: options.copies.is_some(),
        width: Width::within(options.vector_bits),
    };
    let wanted = match &options.cases {
        Some(file) => cases::read(file)?
            .into_iter()
            .map(|asked| frame.understood(asked, most))
            .collect::<Result<Vec<_>, _>>()?,
        None => frame.all(options, most),
    };
    frame.need(&wanted)?;
    let mut arrays: Vec<Arrays> = Vec::new();
    for each in wanted {
        if let Some(why) = each.why_not {
            print(CaseResult::absent(each.case, "bytes", why))?;
            continue;
        }
        if arrays.len() != each.threads {
            // The old ones first: both together may be more than there is.
            arrays.clear();
            arrays = frame.arrays(each.threads)?;
        }
        let job = Job {
            lasting_ns: options.seconds,
            ..each.job
        };
        let cpus = &frame.cpus[..each.threads];
        let passes = if frame.copies {
            passes::copies(&mut arrays, cpus, &job)?
        } else {
            vec![passes::run(&mut arrays, cpus, &job)?]
        };
        let huge_share = arrays.first().and_then(Arrays::huge_share);
        print(frame.told(each, &passes, huge_share))?;
    }
    Ok(())
}

/// How many threads there are at most, or copies.
fn threads(options: &Bandwidth, cpus: usize) -> Result<usize, Error> {
    let (word, named) = match (options.threads, options.copies) {
        (_, Some(copies)) => ("copies", Some(copies)),
        (threads, None) => ("threads", threads),
    };
    match named.map(|named| size(named.into())) {
        Some(named) if named > cpus => Err(Error::usage(
            format!("--{word} {named}"),
            format!("this program may use {cpus} CPUs, and each of the {word} needs its own"),
            format!("Name fewer {word}, or give it more CPUs."),
        )),
        named => Ok(named.unwrap_or(cpus)),
    }
}

fn fits(bytes: u64) -> Result<(), Error> {
    available_memory::need(
        bytes,
        "three arrays",
        "Name a smaller --size, or --no-plateau for half of it, or end what holds the memory.",
    )
}

impl Settings {
    fn understood(&self, mut asked: CaseFields, threads: usize) -> Result<PlannedCase, Error> {
        let operation = asked.one_of("operation", &OPERATIONS)?;
        let streams = asked.one_of("stores", &STORES)?;
        asked.done("operation and stores")?;
        Ok(self.wanted(operation, streams, threads, None))
    }

    /// Every operation by every kind of store, with the threads that were named, or with 1 to as many as there may be.
    fn all(&self, options: &Bandwidth, most: usize) -> Vec<PlannedCase> {
        let named = options.threads.is_some() || self.copies;
        let least = if named { most } else { 1 };
        let can_stream = self.width.need_streams();
        if let Err(error) = &can_stream {
            remark(&error.to_string());
        }
        let mut found = Vec::new();
        for threads in least..=most {
            for (_, operation) in OPERATIONS {
                for (_, streams) in STORES {
                    if !streams || can_stream.is_ok() {
                        found.push(self.wanted(operation, streams, threads, Some(threads)));
                    }
                }
            }
        }
        found
    }

    /// A case; the number of its threads is reported if several numbers are measured. Stores that the processor lacks
    /// are absent: another machine has them.
    fn wanted(
        &self,
        operation: Operation,
        streams: bool,
        threads: usize,
        told: Option<usize>,
    ) -> PlannedCase {
        let name = |known: &[(&'static str, Operation)]| {
            let found = known.iter().find(|(_, each)| *each == operation);
            found.map(|(name, _)| Value::from(*name))
        };
        let stores = STORES[usize::from(streams)].0;
        let counted = if self.copies { "copies" } else { "threads" };
        let refused = self.width.need_streams().err().filter(|_| streams);
        PlannedCase {
            case: case([
                ("operation", name(&OPERATIONS)),
                ("stores", Some(Value::from(stores))),
                (counted, told.map(Value::from)),
            ]),
            job: Job {
                operation,
                streams,
                width: self.width,
                lasting_ns: 0,
            },
            threads,
            why_not: refused.map(|error| error.to_string()),
        }
    }

    /// The numbers of one array that each thread has.
    fn share(&self, threads: usize) -> usize {
        let numbers = size(self.size / 24) / threads;
        numbers / BLOCK * BLOCK
    }

    fn need(&self, wanted: &[PlannedCase]) -> Result<(), Error> {
        let most = wanted.iter().map(|each| each.threads).max().unwrap_or(1);
        if self.share(most) == 0 {
            return Err(Error::usage(
                format!("--size {}", self.size),
                format!(
                    "three arrays need {} bytes for each of {most} threads",
                    24 * BLOCK
                ),
                "Name a larger --size.",
            ));
        }
        fits(self.size.saturating_mul(if self.doubles { 2 } else { 1 }))
    }

    fn arrays(&self, threads: usize) -> Result<Vec<Arrays>, Error> {
        let parts = if self.doubles { 2 } else { 1 };
        passes::touched(&self.cpus[..threads], self.share(threads), parts, None)
    }

    fn told(&self, wanted: PlannedCase, passes: &[Passes], huge_share: Option<f64>) -> CaseResult {
        told(
            wanted.case,
            passes,
            &CaseRun {
                job: wanted.job,
                threads: wanted.threads,
                copies: self.copies.then_some(wanted.threads),
                places: count(self.share(wanted.threads)),
                huge_share,
            },
        )
    }
}
