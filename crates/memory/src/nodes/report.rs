//! The results of the pairs of nodes: two matrices in one record.

use crate::access::pointer_chase::WalkResult;
use crate::access::vector::Operation;
use crate::bandwidth::pass_leader::Passes;
use crate::numbers::{count, float, least, median};
use crate::record::{CaseResult, figures};

/// From this share of its pages on, memory counts as being on the requested node.
const THERE: f64 = 0.99;

/// The CPUs of one node at the memory of another.
#[derive(Clone, Debug)]
pub struct Pair {
    from: u32,
    /// Whose memory it is.
    pub to: u32,
    load_ns: f64,
    bytes_per_s: f64,
    loads: u64,
    elapsed_ns: u64,
    window_ns: Option<(u64, u64)>,
    /// The least share of its pages that was seen on the node.
    there: Option<f64>,
    wrong: Vec<String>,
}

impl Pair {
    /// A pair of which nothing is known yet.
    pub fn between(from: u32, to: u32) -> Self {
        Self {
            from,
            to,
            load_ns: f64::NAN,
            bytes_per_s: f64::NAN,
            loads: 0,
            elapsed_ns: 0,
            window_ns: None,
            there: None,
            wrong: Vec::new(),
        }
    }

    /// Records the node of pages.
    pub fn saw(&mut self, shares: impl IntoIterator<Item = f64>) {
        for share in shares {
            self.there = Some(self.there.map_or(share, |before| before.min(share)));
        }
    }

    /// Takes note of loads.
    pub fn walked(&mut self, walked: &WalkResult, load_ns: f64) {
        self.load_ns = load_ns;
        self.loads += walked.loads;
        self.lasted(walked.elapsed_ns, walked.window_ns);
        if !walked.right {
            self.wrong
                .push(self.named("a walk did not end where its loads lead"));
        }
    }

    /// Records passes over this many places.
    pub fn streamed(&mut self, passes: &Passes, places: u64) {
        let bytes = float(places * Operation::Triad.bytes());
        let seconds: Vec<f64> = (passes.single_ns.iter().map(|&ns| float(ns) / 1e9)).collect();
        self.bytes_per_s = bytes / median(&seconds);
        self.lasted(passes.single_ns.iter().sum(), passes.window_ns);
        let said: Vec<String> = passes.wrong.iter().map(|each| self.named(each)).collect();
        self.wrong.extend(said);
    }

    fn lasted(&mut self, elapsed_ns: u64, window_ns: (u64, u64)) {
        self.elapsed_ns += elapsed_ns;
        let before = self.window_ns.unwrap_or(window_ns);
        self.window_ns = Some((before.0.min(window_ns.0), before.1.max(window_ns.1)));
    }

    fn named(&self, what: &str) -> String {
        format!("node {} at node {}: {what}", self.from, self.to)
    }

    fn strayed(&self) -> Option<String> {
        let share = self.there.filter(|&share| share < THERE)?;
        Some(self.named(&format!("{:.0} % of the pages lie there", 100.0 * share)))
    }
}

/// The record of all pairs.
pub fn told(pairs: &[Pair]) -> CaseResult {
    let is_local = |pair: &&Pair| pair.from == pair.to;
    let (near, far): (Vec<&Pair>, Vec<&Pair>) = pairs.iter().partition(is_local);
    let latency = |of: &[&Pair]| middle(of, |pair| pair.load_ns);
    let bandwidth = |of: &[&Pair]| middle(of, |pair| pair.bytes_per_s);
    let shares: Vec<f64> = pairs.iter().filter_map(|pair| pair.there).collect();
    let mut nodes: Vec<u32> = pairs.iter().map(|pair| pair.to).collect();
    nodes.sort_unstable();
    nodes.dedup();
    let mut metrics = figures([
        ("nodes", Some(float(count(nodes.len())))),
        ("local_latency_ns", latency(&near)),
        ("remote_latency_ns", latency(&far)),
        ("local_bandwidth_bytes_per_s", bandwidth(&near)),
        ("remote_bandwidth_bytes_per_s", bandwidth(&far)),
        (
            "node_pages_share",
            (!shares.is_empty()).then(|| least(&shares)),
        ),
    ]);
    for pair in pairs {
        let (from, to) = (pair.from, pair.to);
        metrics.extend([
            (format!("node_latency_{from}_{to}_ns"), pair.load_ns),
            (
                format!("node_bandwidth_{from}_{to}_bytes_per_s"),
                pair.bytes_per_s,
            ),
        ]);
    }
    let windows = || pairs.iter().filter_map(|pair| pair.window_ns);
    let wrong = pairs.iter().flat_map(|pair| pair.wrong.iter().cloned());
    CaseResult {
        case: wire::Case::new(),
        work: (pairs.iter().map(|pair| pair.loads).sum(), "loads"),
        elapsed_ns: pairs.iter().map(|pair| pair.elapsed_ns).sum(),
        window_ns: (
            windows().map(|window| window.0).min().unwrap_or(0),
            windows().map(|window| window.1).max().unwrap_or(0),
        ),
        wrong: wrong
            .chain(pairs.iter().filter_map(Pair::strayed))
            .collect(),
        metrics,
        why_not: far
            .is_empty()
            .then(|| "this machine has one memory node: no other is farther away".to_owned()),
    }
}

fn middle(of: &[&Pair], value: impl Fn(&Pair) -> f64) -> Option<f64> {
    let values: Vec<f64> = of.iter().map(|pair| value(pair)).collect();
    (!values.is_empty()).then(|| median(&values))
}

#[cfg(test)]
mod tests {
    use super::{Pair, told};

    fn pair(from: u32, to: u32, load_ns: f64) -> Pair {
        Pair {
            load_ns,
            bytes_per_s: 1e12 / load_ns,
            window_ns: Some((1, 2)),
            ..Pair::between(from, to)
        }
    }

    #[test]
    fn two_nodes_are_two_matrices_and_four_figures() {
        let pairs = [
            pair(0, 0, 100.0),
            pair(1, 0, 180.0),
            pair(0, 1, 190.0),
            pair(1, 1, 110.0),
        ];
        let told = told(&pairs);
        assert_eq!(told.metrics.len(), 5 + 2 * 4);
        assert!((told.metrics["local_latency_ns"] - 105.0).abs() < 1e-9);
        assert!((told.metrics["remote_latency_ns"] - 185.0).abs() < 1e-9);
        assert!((told.metrics["node_latency_0_1_ns"] - 190.0).abs() < 1e-9);
        assert!((told.metrics["nodes"] - 2.0).abs() < 1e-9);
        assert!(told.wrong.is_empty() && told.why_not.is_none());
    }

    #[test]
    fn one_node_has_nothing_remote_and_says_so() {
        let told = told(&[pair(0, 0, 100.0)]);
        assert!(!told.metrics.contains_key("remote_latency_ns"));
        assert!(
            told.why_not
                .is_some_and(|why| why.contains("one memory node"))
        );
    }

    #[test]
    fn pages_that_lie_elsewhere_make_the_answer_wrong() {
        let mut strayed = pair(0, 1, 100.0);
        strayed.saw([1.0, 0.4]);
        let told = told(&[strayed]);
        assert_eq!(
            told.wrong,
            ["node 0 at node 1: 40 % of the pages lie there"]
        );
    }
}
