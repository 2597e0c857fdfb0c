//! The result of a case's walks.

use std::collections::BTreeMap;

use crate::access::pointer_chase::WalkResult;
use crate::access::working_sets::{self, FLAT};
use crate::latency::working_memory::{Measured, obtained};
use crate::latency::{Figures, PlannedCase};
use crate::numbers::{float, least, median};
use crate::record::{CaseResult, figures};

/// The record of a case that was measured; without the figures of sizes whose pages were not obtained.
pub fn told(wanted: PlannedCase, measured: &Measured, frequency_hz: Option<f64>) -> CaseResult {
    let (walks, huge_share) = (&measured.walks, measured.huge_share());
    let mut metrics = figures([("huge_pages_share", huge_share)]);
    let missed = if wanted.kind == Figures::Points {
        metrics.extend(points(&wanted, measured, frequency_hz));
        let shares = measured.huge_shares.iter();
        shares
            .filter(|&&share| !obtained(wanted.pages, share))
            .count()
    } else if obtained(wanted.pages, huge_share) {
        metrics.extend(latencies(&wanted.sizes, walks, frequency_hz));
        0
    } else {
        wanted.sizes.len()
    };
    let began = walks.iter().map(|walked| walked.window_ns.0).min();
    let ended = walks.iter().map(|walked| walked.window_ns.1).max();
    let strayed = walks.iter().filter(|walked| !walked.right).count();
    CaseResult {
        case: wanted.case,
        work: (walks.iter().map(|walked| walked.loads).sum(), "loads"),
        elapsed_ns: walks.iter().map(|walked| walked.elapsed_ns).sum(),
        window_ns: (began.unwrap_or(0), ended.unwrap_or(0)),
        wrong: (strayed > 0)
            .then(|| format!("{strayed} walks did not end where their loads lead"))
            .into_iter()
            .collect(),
        metrics,
        why_not: (missed > 0).then(|| not_obtained(missed, wanted.sizes.len(), huge_share)),
    }
}

fn not_obtained(missed: usize, sizes: usize, huge_share: Option<f64>) -> String {
    format!(
        "{missed} of {sizes} sizes did not lie on these pages ({:.0} % of them are huge) and have no latency; see \
         /sys/kernel/mm/transparent_hugepage/enabled",
        100.0 * huge_share.unwrap_or(0.0),
    )
}

/// The result of a case's walks; cycles if the clock's frequency is known.
fn latencies(
    sizes: &[u64],
    walks: &[WalkResult],
    frequency_hz: Option<f64>,
) -> BTreeMap<String, f64> {
    let medians: Vec<f64> = walks.iter().map(|walked| median(&walked.load_ns)).collect();
    let fastest: Vec<f64> = walks.iter().map(|walked| least(&walked.load_ns)).collect();
    let latency_ns = median(&medians);
    let spread = working_sets::spread(&medians);
    let size = |found: Option<&u64>| found.map(|&bytes| float(bytes));
    figures([
        ("load_latency_ns", Some(latency_ns)),
        ("load_latency_least_ns", Some(least(&fastest))),
        (
            "load_latency_cycles",
            frequency_hz.map(|hz| latency_ns * hz / 1e9),
        ),
        ("working_set_least_bytes", size(sizes.iter().min())),
        ("working_set_most_bytes", size(sizes.iter().max())),
        ("plateau_spread", spread),
        (
            "plateau",
            spread.map(|spread| f64::from(u8::from(spread <= 1.0 + FLAT))),
        ),
    ])
}

/// A point for each size: `point_00_size_bytes`, `point_00_load_ns`, and cycles if the frequency is known.
fn points(
    wanted: &PlannedCase,
    measured: &Measured,
    frequency_hz: Option<f64>,
) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    let walks = measured.walks.iter().zip(&measured.huge_shares);
    for (number, (&bytes, (walked, &share))) in wanted.sizes.iter().zip(walks).enumerate() {
        if !obtained(wanted.pages, share) {
            continue;
        }
        let load_ns = median(&walked.load_ns);
        let cycles = frequency_hz.map(|hz| load_ns * hz / 1e9);
        let each = figures([
            ("size_bytes", Some(float(bytes))),
            ("load_ns", Some(load_ns)),
            ("load_cycles", cycles),
        ]);
        let named = |(name, value): (String, f64)| (format!("point_{number:02}_{name}"), value);
        found.extend(each.into_iter().map(named));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Figures, Measured, WalkResult, told};
    use crate::access::mapping::Pages;
    use crate::latency::stairs;

    fn walked(load_ns: f64) -> WalkResult {
        WalkResult {
            loads: 64,
            elapsed_ns: 100,
            window_ns: (1, 101),
            load_ns: vec![load_ns; 3],
            right: true,
        }
    }

    fn measured(huge_shares: [f64; 5]) -> Measured {
        Measured {
            walks: [1.0, 1.0, 1.0, 1.0, 4.0].map(walked).to_vec(),
            huge_shares: huge_shares.map(Some).to_vec(),
        }
    }

    #[test]
    fn stairs_are_points_in_the_order_of_their_sizes() {
        let told = told(stairs(Pages::Small, 8192), &measured([0.0; 5]), Some(2e9));
        assert_eq!(told.metrics.len(), 1 + 3 * 5);
        assert!((told.metrics["point_04_size_bytes"] - 8192.0).abs() < 1e-9);
        assert!((told.metrics["point_04_load_ns"] - 4.0).abs() < 1e-9);
        assert!((told.metrics["point_04_load_cycles"] - 8.0).abs() < 1e-9);
        assert_eq!((told.work.0, told.why_not), (320, None));
    }

    #[test]
    fn sizes_whose_pages_were_not_obtained_leave_no_point_and_a_reason() {
        let shares = [1.0, 1.0, 1.0, 0.8, 0.25];
        let told = told(stairs(Pages::Huge, 8192), &measured(shares), None);
        assert_eq!(told.metrics.len(), 1 + 2 * 3);
        assert!(!told.metrics.contains_key("point_03_load_ns"));
        let why = told.why_not.expect("a reason");
        assert!(
            why.starts_with("2 of 5 sizes") && why.contains("25 %"),
            "{why}"
        );
    }

    #[test]
    fn a_level_on_other_pages_has_no_figure_at_all() {
        let mut wanted = stairs(Pages::Huge, 8192);
        wanted.kind = Figures::Figure;
        let told = told(wanted, &measured([0.25; 5]), None);
        assert_eq!(told.metrics.len(), 1);
        assert!(told.why_not.is_some());
    }
}
