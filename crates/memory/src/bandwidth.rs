//! `h2h-memory bandwidth`: copy, scale, add and triad over arrays in memory.

mod arrays;
mod passes;

use std::collections::BTreeMap;

use serde_json::Value;

use crate::bandwidth::arrays::Arrays;
use crate::bandwidth::passes::{Job, Passes};
use crate::cases::{self, Asked, case};
use crate::cli::Bandwidth;
use crate::complaint::{Complaint, remark};
use crate::machine::{caches, cpus, room};
use crate::numbers::{count, float, least, median, size};
use crate::record::{Told, figures, print};
use crate::vector::{BLOCK, Operation, Width};

/// Arrays of twice the size may give so much more or less; else it was not memory alone that was measured.
const PLATEAU: f64 = 0.02;

const OPERATIONS: [(&str, Operation); 4] = [
    ("copy", Operation::Copy),
    ("scale", Operation::Scale),
    ("add", Operation::Add),
    ("triad", Operation::Triad),
];
const STORES: [(&str, bool); 2] = [("ordinary", false), ("non-temporal", true)];

/// A case, as it is told and as it is done.
#[derive(Clone, Debug)]
struct Wanted {
    case: wire::Case,
    job: Job,
    threads: usize,
}

/// What holds for all cases.
struct Frame {
    cpus: Vec<usize>,
    size: u64,
    doubles: bool,
}

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// A case that there is not, memory that cannot be had, no standard output.
pub fn bandwidth(words: &Bandwidth) -> Result<(), Complaint> {
    let cpus = cpus::allowed()?;
    let frame = Frame {
        size: words
            .size
            .unwrap_or_else(|| caches::beyond(&caches::of(&cpus))),
        cpus,
        doubles: !words.no_plateau,
    };
    let most = threads(words, frame.cpus.len())?;
    let wanted = match &words.cases {
        Some(file) => cases::read(file)?
            .into_iter()
            .map(|asked| understood(asked, most))
            .collect::<Result<Vec<_>, _>>()?,
        None => all(words, most),
    };
    frame.need(&wanted)?;
    let mut arrays: Vec<Arrays> = Vec::new();
    for each in wanted {
        if arrays.len() != each.threads {
            // The old ones first: both together may be more than there is.
            arrays.clear();
            arrays = frame.arrays(each.threads)?;
        }
        let job = Job {
            lasting_ns: words.seconds,
            ..each.job
        };
        let passes = passes::run(&mut arrays, &frame.cpus, &job)?;
        let huge_share = arrays.first().and_then(Arrays::huge_share);
        print(frame.told(each, &passes, huge_share))?;
    }
    Ok(())
}

/// How many threads there are at most.
fn threads(words: &Bandwidth, cpus: usize) -> Result<usize, Complaint> {
    match words.threads.map(|threads| size(threads.into())) {
        Some(threads) if threads > cpus => Err(Complaint::words(
            format!("--threads {threads}"),
            format!("this program may use {cpus} CPUs, and each thread has one of its own"),
            "Name fewer threads.",
        )),
        threads => Ok(threads.unwrap_or(cpus)),
    }
}

fn understood(mut asked: Asked, threads: usize) -> Result<Wanted, Complaint> {
    let operation = asked.one_of("operation", &OPERATIONS)?;
    let streams = asked.one_of("stores", &STORES)?;
    asked.done("operation and stores")?;
    let width = Width::widest();
    if streams {
        width.need_streams()?;
    }
    Ok(wanted(operation, streams, threads, None))
}

/// Every operation by every kind of store, with the threads that were named, or with 1 to as many as there may be.
fn all(words: &Bandwidth, most: usize) -> Vec<Wanted> {
    let least = if words.threads.is_some() { most } else { 1 };
    let can_stream = Width::widest().need_streams();
    if let Err(complaint) = &can_stream {
        remark(&complaint.to_string());
    }
    let mut found = Vec::new();
    for threads in least..=most {
        for (_, operation) in OPERATIONS {
            for (_, streams) in STORES {
                if !streams || can_stream.is_ok() {
                    found.push(wanted(operation, streams, threads, Some(threads)));
                }
            }
        }
    }
    found
}

/// A case; the number of its threads is told where several numbers are measured.
fn wanted(operation: Operation, streams: bool, threads: usize, told: Option<usize>) -> Wanted {
    let name = |known: &[(&'static str, Operation)]| {
        let found = known.iter().find(|(_, each)| *each == operation);
        found.map(|(name, _)| Value::from(*name))
    };
    let stores = STORES[usize::from(streams)].0;
    Wanted {
        case: case([
            ("operation", name(&OPERATIONS)),
            ("stores", Some(Value::from(stores))),
            ("threads", told.map(Value::from)),
        ]),
        job: Job {
            operation,
            streams,
            width: Width::widest(),
            lasting_ns: 0,
        },
        threads,
    }
}

impl Frame {
    /// The numbers of one array that each thread has.
    fn share(&self, threads: usize) -> usize {
        let numbers = size(self.size / 24) / threads;
        numbers / BLOCK * BLOCK
    }

    fn need(&self, wanted: &[Wanted]) -> Result<(), Complaint> {
        let most = wanted.iter().map(|each| each.threads).max().unwrap_or(1);
        if self.share(most) == 0 {
            return Err(Complaint::words(
                format!("--size {}", self.size),
                format!(
                    "three arrays need {} bytes for each of {most} threads",
                    24 * BLOCK
                ),
                "Name a larger --size.",
            ));
        }
        let bytes = self.size.saturating_mul(if self.doubles { 2 } else { 1 });
        room::need(
            bytes,
            "three arrays",
            "Name a smaller --size, or --no-plateau for half of it, or end what holds the memory.",
        )
    }

    fn arrays(&self, threads: usize) -> Result<Vec<Arrays>, Complaint> {
        let parts = if self.doubles { 2 } else { 1 };
        passes::touched(&self.cpus[..threads], self.share(threads), parts)
    }

    fn told(&self, wanted: Wanted, passes: &Passes, huge_share: Option<f64>) -> Told {
        let places = count(self.share(wanted.threads) * wanted.threads);
        let bytes = places * wanted.job.operation.bytes();
        let mut metrics = rates(passes, bytes);
        metrics.extend(figures([
            ("threads", Some(float(count(wanted.threads)))),
            ("working_set_bytes", Some(float(places * 24))),
            ("vector_bits", wanted.job.width.bits()),
            ("huge_pages_share", huge_share),
        ]));
        if metrics.get("plateau").is_some_and(|&plateau| plateau < 0.5) {
            remark(&format!(
                "{}: not a plateau: arrays of twice the size give {:+.1} %.",
                wire::line(&wanted.case).unwrap_or_default(),
                100.0 * (metrics.get("doubled_size_ratio").unwrap_or(&f64::NAN) - 1.0),
            ));
        }
        let done = count(passes.single_ns.len());
        Told {
            case: wanted.case,
            work: (done * bytes, "bytes"),
            elapsed_ns: passes.single_ns.iter().sum(),
            window_ns: passes.window_ns,
            wrong: passes.wrong.clone(),
            metrics,
        }
    }
}

/// Bytes a second of the pass in the middle and of the fastest, and whether arrays of twice the size give the same.
fn rates(passes: &Passes, bytes: u64) -> BTreeMap<String, f64> {
    let times = |ns: &[u64]| -> Vec<f64> { ns.iter().map(|&each| float(each) / 1e9).collect() };
    let (single, double) = (times(&passes.single_ns), times(&passes.double_ns));
    let rate = float(bytes) / median(&single);
    let doubled = (!double.is_empty()).then(|| 2.0 * float(bytes) / median(&double) / rate);
    let is_flat = |ratio: f64| f64::from(u8::from((ratio - 1.0).abs() < PLATEAU));
    figures([
        ("memory_bandwidth_bytes_per_s", Some(rate)),
        (
            "memory_bandwidth_best_bytes_per_s",
            Some(float(bytes) / least(&single)),
        ),
        ("doubled_size_ratio", doubled),
        ("plateau", doubled.map(is_flat)),
    ])
}

#[cfg(test)]
mod tests {
    use super::{Passes, rates};

    fn passes(double_ns: &[u64]) -> Passes {
        Passes {
            single_ns: vec![1_000_000, 2_000_000, 4_000_000],
            double_ns: double_ns.to_vec(),
            window_ns: (0, 1),
            wrong: Vec::new(),
        }
    }

    #[test]
    fn the_rate_is_of_the_pass_in_the_middle_and_the_best_of_the_fastest() {
        let found = rates(&passes(&[]), 4000);
        assert!((found["memory_bandwidth_bytes_per_s"] - 2e6).abs() < 1e-3);
        assert!((found["memory_bandwidth_best_bytes_per_s"] - 4e6).abs() < 1e-3);
        assert!(!found.contains_key("plateau"));
    }

    #[test]
    fn it_is_a_plateau_where_twice_the_size_gives_the_same_within_two_percent() {
        assert!((rates(&passes(&[4_070_000]), 4000)["plateau"] - 1.0).abs() < 1e-9);
        let not = rates(&passes(&[5_000_000]), 4000);
        assert!(not["plateau"].abs() < 1e-9);
        assert!((not["doubled_size_ratio"] - 0.8).abs() < 1e-9);
    }
}
