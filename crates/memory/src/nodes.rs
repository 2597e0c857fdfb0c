//! `h2h-memory nodes`: bandwidth and latency between the CPUs of each node and the memory of each.

mod report;

use base::durations::MS_NS;
use base::error::Error;
use base::random::Random;

use crate::access::mapping::{Mapping, Pages};
use crate::access::pointer_chase::{Cycle, WARM_NS, order_bytes};
use crate::access::vector::{BLOCK, Operation, Width};
use crate::bandwidth::arrays::Arrays;
use crate::bandwidth::passes::{self, Job};
use crate::cases;
use crate::cli;
use crate::machine::nodes::Node;
use crate::machine::{available_memory, caches, cpus, nodes};
use crate::nodes::report::{Pair, told};
use crate::numbers::{count, median, size};
use crate::record::print;

/// How long each pair is measured, at least, half of it for each of the two figures.
const LEAST_NS: u64 = 50 * MS_NS;

/// Measures every pair of nodes, and prints a record of all of them for each case.
///
/// # Errors
/// The case does not exist, the memory is not available, or standard output is closed.
pub fn nodes(options: &cli::Nodes) -> Result<(), Error> {
    let cpus = cpus::allowed()?;
    let asked = match &options.cases {
        Some(file) => cases::read(file)?,
        None => vec![cases::CaseFields::default()],
    };
    for each in &asked {
        each.done("no field: it is every pair")?;
    }
    let field = NodeMemory {
        bytes: options
            .size
            .unwrap_or_else(|| caches::beyond(&caches::of(&cpus))),
        nodes: nodes::of(&cpus),
    };
    field.need()?;
    for _ in asked {
        print(told(&field.measure(options)?))?;
    }
    Ok(())
}

/// The nodes, and how much of each one's memory is used.
struct NodeMemory {
    bytes: u64,
    nodes: Vec<Node>,
}

impl NodeMemory {
    /// The nodes whose CPUs are ours.
    fn from(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| !node.cpus.is_empty())
    }

    /// The nodes whose memory is available.
    fn to(&self) -> impl Iterator<Item = &Node> {
        self.nodes.iter().filter(|node| node.has_memory)
    }

    /// The length of one array of each of N threads.
    fn share(&self, threads: usize) -> usize {
        size(self.bytes / 24) / threads / BLOCK * BLOCK
    }

    fn need(&self) -> Result<(), Error> {
        let most = self.from().map(|node| node.cpus.len()).max().unwrap_or(1);
        if self.share(most) == 0 {
            return Err(Error::usage(
                format!("--size {}", self.bytes),
                format!(
                    "three arrays need {} bytes for each of {most} threads",
                    24 * BLOCK
                ),
                "Name a larger --size.",
            ));
        }
        available_memory::need(
            self.bytes + order_bytes(self.bytes),
            "the arrays and the loads of one node",
            "Name a smaller --size, or end what holds the memory.",
        )
    }

    /// Measures every pair, the memory of one node after the other.
    fn measure(&self, options: &cli::Nodes) -> Result<Vec<Pair>, Error> {
        let pairs = self.from().count() * self.to().count();
        let each_ns = (options.seconds / count(pairs).max(1)).max(LEAST_NS) / 2;
        let mut random = Random::new(options.seed);
        let mut found = Vec::new();
        for to in self.to() {
            // One node alone needs no binding, which a container may not allow.
            let bound = (self.nodes.len() > 1).then_some(to.number);
            let loads = LoadChain::lay(self.bytes, bound, &mut random)?;
            for from in self.from() {
                let mut pair = Pair::between(from.number, to.number);
                let cycle = &loads.cycle;
                let walked = cpus::on(from.cpus[0], || Ok(cycle.walk(each_ns, WARM_NS)))?;
                pair.saw(loads.map.node_share(to.number));
                pair.walked(&walked, median(&walked.load_ns));
                found.push(pair);
            }
            drop(loads);
            let begun = found.len() - self.from().count();
            for (from, pair) in self.from().zip(&mut found[begun..]) {
                self.stream(from, bound, each_ns, pair)?;
            }
        }
        Ok(found)
    }

    /// Triad by all CPUs of a node over memory of another.
    fn stream(
        &self,
        from: &Node,
        bound: Option<u32>,
        lasting_ns: u64,
        pair: &mut Pair,
    ) -> Result<(), Error> {
        let share = self.share(from.cpus.len());
        let mut arrays = passes::touched(&from.cpus, share, 1, bound)?;
        let job = Job {
            operation: Operation::Triad,
            streams: false,
            width: Width::widest(),
            lasting_ns,
        };
        let made = passes::run(&mut arrays, &from.cpus, &job)?;
        let to = pair.to;
        pair.saw(
            arrays
                .iter()
                .filter_map(|each| Arrays::node_share(each, to)),
        );
        pair.streamed(&made, count(share * from.cpus.len()));
        Ok(())
    }
}

/// A chain of loads on one node's memory.
struct LoadChain {
    map: Mapping,
    cycle: Cycle,
}

impl LoadChain {
    fn lay(bytes: u64, bound: Option<u32>, random: &mut Random) -> Result<Self, Error> {
        let mut map = Mapping::new(size(bytes), Pages::Huge)?;
        if let Some(node) = bound {
            map.bind(node)?;
        }
        let cycle = Cycle::lay(&mut map, bytes, random);
        Ok(Self { map, cycle })
    }
}
