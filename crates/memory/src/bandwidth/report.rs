//! The result of a case's passes.

use std::collections::BTreeMap;

use crate::bandwidth::pass_leader::Passes;
use crate::bandwidth::passes::Job;
use crate::numbers::{count, float, least, median};
use crate::record::{CaseResult, figures};
use crate::remark;

/// The largest difference that arrays of twice the size may show; above it, memory alone was not what was measured.
const PLATEAU: f64 = 0.02;

/// What was done.
#[derive(Clone, Copy, Debug)]
pub struct CaseRun {
    /// What each pass did.
    pub job: Job,
    /// How many threads did it.
    pub threads: usize,
    /// How many copies, if each thread was one.
    pub copies: Option<usize>,
    /// The length of one array of each thread.
    pub places: u64,
    /// The share of huge pages among the arrays' pages.
    pub huge_share: Option<f64>,
}

impl CaseRun {
    /// Bytes of a pass over the arrays of all threads.
    fn bytes(&self) -> u64 {
        self.places * count(self.threads) * self.job.operation.bytes()
    }
}

/// The record of a case. The passes are those of all threads together, or those of each copy.
pub fn told(case: wire::Case, passes: &[Passes], done: &CaseRun) -> CaseResult {
    let bytes = done.bytes() / count(passes.len()).max(1);
    let mut metrics = rates(passes, bytes);
    metrics.extend(figures([
        ("threads", Some(float(count(done.threads)))),
        ("copies", done.copies.map(|copies| float(count(copies)))),
        (
            "working_set_bytes",
            Some(float(done.places * count(done.threads) * 24)),
        ),
        ("vector_bits", done.job.width.bits()),
        ("huge_pages_share", done.huge_share),
    ]));
    if done.copies.is_some() {
        metrics.extend(of_copies(passes, bytes));
    }
    if metrics.get("plateau").is_some_and(|&plateau| plateau < 0.5) {
        remark(&format!(
            "{}: not a plateau: arrays of twice the size give {:+.1} %.",
            wire::line(&case).unwrap_or_default(),
            100.0 * (metrics.get("doubled_size_ratio").unwrap_or(&f64::NAN) - 1.0),
        ));
    }
    let made: u64 = passes.iter().map(|each| count(each.single_ns.len())).sum();
    let elapsed = passes.iter().map(|each| each.single_ns.iter().sum::<u64>());
    let began = passes.iter().map(|each| each.window_ns.0).min();
    let ended = passes.iter().map(|each| each.window_ns.1).max();
    CaseResult {
        case,
        work: (made * bytes, "bytes"),
        // Copies work at the same time: their time is that of the one that needed most.
        elapsed_ns: elapsed.max().unwrap_or(0),
        window_ns: (began.unwrap_or(0), ended.unwrap_or(0)),
        wrong: passes.iter().flat_map(|each| each.wrong.clone()).collect(),
        metrics,
        why_not: None,
    }
}

/// Bytes a second of the pass in the middle and of the fastest, copies added up, and whether arrays of twice the size
/// give the same.
fn rates(passes: &[Passes], bytes: u64) -> BTreeMap<String, f64> {
    let total = |rate: &dyn Fn(&Passes) -> f64| passes.iter().map(rate).sum::<f64>();
    let rate = total(&|each| float(bytes) / middle_s(&each.single_ns));
    let best = total(&|each| float(bytes) / least(&seconds(&each.single_ns)));
    let has_doubles = passes.iter().all(|each| !each.double_ns.is_empty());
    let doubled =
        has_doubles.then(|| total(&|each| 2.0 * float(bytes) / middle_s(&each.double_ns)) / rate);
    let is_flat = |ratio: f64| f64::from(u8::from((ratio - 1.0).abs() < PLATEAU));
    figures([
        ("memory_bandwidth_bytes_per_s", Some(rate)),
        ("memory_bandwidth_best_bytes_per_s", Some(best)),
        ("doubled_size_ratio", doubled),
        ("plateau", doubled.map(is_flat)),
    ])
}

/// What one copy has, in the mean and at least.
fn of_copies(passes: &[Passes], bytes: u64) -> BTreeMap<String, f64> {
    let each: Vec<f64> = passes
        .iter()
        .map(|copy| float(bytes) / middle_s(&copy.single_ns))
        .collect();
    figures([
        (
            "copy_bandwidth_bytes_per_s",
            Some(each.iter().sum::<f64>() / float(count(each.len()))),
        ),
        ("copy_bandwidth_least_bytes_per_s", Some(least(&each))),
    ])
}

fn seconds(ns: &[u64]) -> Vec<f64> {
    ns.iter().map(|&each| float(each) / 1e9).collect()
}

fn middle_s(ns: &[u64]) -> f64 {
    median(&seconds(ns))
}

#[cfg(test)]
mod tests {
    use super::{Passes, of_copies, rates};

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
        let found = rates(&[passes(&[])], 4000);
        assert!((found["memory_bandwidth_bytes_per_s"] - 2e6).abs() < 1e-3);
        assert!((found["memory_bandwidth_best_bytes_per_s"] - 4e6).abs() < 1e-3);
        assert!(!found.contains_key("plateau"));
    }

    #[test]
    fn it_is_a_plateau_where_twice_the_size_gives_the_same_within_two_percent() {
        let flat = rates(&[passes(&[4_070_000])], 4000);
        assert!((flat["plateau"] - 1.0).abs() < 1e-9);
        let not = rates(&[passes(&[5_000_000])], 4000);
        assert!(not["plateau"].abs() < 1e-9);
        assert!((not["doubled_size_ratio"] - 0.8).abs() < 1e-9);
    }

    #[test]
    fn copies_are_added_up_and_told_each() {
        let slow = Passes {
            single_ns: vec![4_000_000; 3],
            ..passes(&[])
        };
        let both = [passes(&[]), slow];
        assert!((rates(&both, 4000)["memory_bandwidth_bytes_per_s"] - 3e6).abs() < 1e-3);
        let each = of_copies(&both, 4000);
        assert!((each["copy_bandwidth_bytes_per_s"] - 1.5e6).abs() < 1e-3);
        assert!((each["copy_bandwidth_least_bytes_per_s"] - 1e6).abs() < 1e-3);
    }
}
