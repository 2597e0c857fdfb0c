//! The record of a case: one batch record, on standard output as soon as it is known.

use std::collections::BTreeMap;
use std::io::{self, Write, stdout};

use base::clock::now_ns;
use base::error::{Error, kernel_text};
use serde_json::Value;
use wire::{BatchRecord, Case, FORMAT, Kind};

use crate::numbers::float;
use crate::remark;

/// The answer of a case in which every check passed.
pub const RIGHT: &str = "right";

/// A case that was measured.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The case.
    pub case: Case,
    /// How much was done, and what it is counted in.
    pub work: (u64, &'static str),
    /// How long that took.
    pub elapsed_ns: u64,
    /// When it began and ended.
    pub window_ns: (u64, u64),
    /// What was wrong; empty if nothing was.
    pub wrong: Vec<String>,
    /// More figures.
    pub metrics: BTreeMap<String, f64>,
    /// Why figures that the case should have are not among them.
    pub why_not: Option<String>,
}

impl CaseResult {
    /// A case that this machine cannot give: nothing was done, and why.
    pub fn absent(case: Case, work_in: &'static str, why_not: String) -> Self {
        let now_ns = now_ns();
        Self {
            case,
            work: (0, work_in),
            elapsed_ns: 1,
            window_ns: (now_ns, now_ns + 1),
            wrong: Vec::new(),
            metrics: BTreeMap::new(),
            why_not: Some(why_not),
        }
    }
}

/// Prints the record of a case.
///
/// # Errors
/// Standard output is gone.
pub fn print(told: CaseResult) -> Result<(), Error> {
    if let Some(why_not) = &told.why_not {
        let case = wire::line(&told.case).unwrap_or_default();
        remark(&format!("{case}: {why_not}"));
    }
    let line = wire::line(&record(told)).map_err(io::Error::from);
    let written = line.and_then(|line| {
        let mut out = stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()
    });
    written.map_err(|error| {
        Error::failure(
            "The record of a case",
            kernel_text(&error),
            "Keep standard output open until the program has ended.",
        )
    })
}

fn record(told: CaseResult) -> BatchRecord {
    let answer = if told.wrong.is_empty() {
        RIGHT.to_owned()
    } else {
        told.wrong.join("; ")
    };
    BatchRecord {
        format: FORMAT,
        record: Kind::Batch,
        case: told.case,
        work: float(told.work.0),
        work_in: told.work.1.to_owned(),
        elapsed_ns: told.elapsed_ns.max(1),
        answer: Value::String(answer),
        // JSON has no infinity: a figure that is none is left out, as every other that was not obtained.
        metrics: told
            .metrics
            .into_iter()
            .filter(|(_, value)| value.is_finite())
            .collect(),
        why_not: told.why_not,
        from_ns: Some(told.window_ns.0),
        to_ns: Some(told.window_ns.1),
    }
}

/// Figures by name; those that are `None` were not obtained and are left out.
pub fn figures<const N: usize>(named: [(&str, Option<f64>); N]) -> BTreeMap<String, f64> {
    let there = named
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)));
    there.collect()
}

#[cfg(test)]
mod tests {
    use super::{CaseResult, figures, record};

    fn told(wrong: &[&str]) -> CaseResult {
        CaseResult {
            case: wire::Case::new(),
            work: (3, "bytes"),
            elapsed_ns: 0,
            window_ns: (5, 6),
            wrong: wrong.iter().map(|&each| each.to_owned()).collect(),
            metrics: figures([("a", Some(1.0)), ("b", None), ("c", Some(f64::INFINITY))]),
            why_not: None,
        }
    }

    #[test]
    fn what_was_not_obtained_is_left_out_and_what_was_wrong_is_the_answer() {
        let line = wire::line(&record(told(&[]))).expect("a line");
        assert_eq!(
            line,
            r#"{"format":1,"record":"batch","case":{},"work":3.0,"work_in":"bytes","elapsed_ns":1,"answer":"right","metrics":{"a":1.0},"from_ns":5,"to_ns":6}"#
        );
        let spoiled = record(told(&["one value", "another"]));
        assert_eq!(spoiled.answer, "one value; another");
    }

    #[test]
    fn what_a_machine_cannot_give_has_no_figures_and_says_why() {
        let told = CaseResult::absent(wire::Case::new(), "loads", "there is no L3".to_owned());
        let record = record(told);
        assert!(record.metrics.is_empty() && record.work.abs() < 1e-9);
        assert_eq!(record.why_not.as_deref(), Some("there is no L3"));
        assert_eq!(record.answer, "right");
    }
}
