//! `h2h-memory loaded-latency`: the time of a load in memory while other CPUs read and write.

mod curve;
mod traffic;

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::thread;

use base::clock::now_ns;
use base::error::Error;
use base::random::Random;
use serde_json::Value;

use crate::access::mapping::{Mapping, Pages};
use crate::access::pointer_chase::{Cycle, WARM_NS, order_bytes};
use crate::access::spin_barrier::until;
use crate::access::vector::Width;
use crate::access::working_sets;
use crate::cases::{self, CaseFields, case};
use crate::cli::Loaded;
use crate::loaded_latency::curve::{Curve, Point};
use crate::loaded_latency::traffic::{Mix, Signals, ThreadMemory, drive};
use crate::machine::{available_memory, caches, cpus};
use crate::numbers::{count, float, median, size};
use crate::record::{CaseResult, figures, print};
use crate::remark;

/// How long each traffic thread pauses between two KiB, in turns of a loop of some nanoseconds: from much to nothing.
const PAUSES: [u64; 9] = [4096, 1024, 512, 256, 128, 64, 32, 16, 0];

/// Traffic whose pause has just changed runs this long before it counts, and until something was seen to
/// move, which on a busy machine may take longer; but no longer than a second.
const SETTLES_NS: u64 = 5_000_000;
const SETTLES_WITHIN_NS: u64 = 1_000_000_000;

const MIXES: [(&str, Mix); 3] = [
    ("1r0w", Mix::Reads),
    ("2r1w", Mix::TwoReadsOneWrite),
    ("1r1w", Mix::ReadsAndWrites),
];

/// Measures the cases, and prints a record of each.
///
/// # Errors
/// The case does not exist, there are too few CPUs, the memory is not available, or standard output is closed.
pub fn loaded(options: &Loaded) -> Result<(), Error> {
    let cpus = cpus::allowed()?;
    let mixes = match &options.cases {
        Some(file) => cases::read(file)?
            .into_iter()
            .map(understood)
            .collect::<Result<Vec<_>, _>>()?,
        None => MIXES.map(|(_, mix)| mix).to_vec(),
    };
    if cpus.len() < 2 {
        return Err(Error::usage(
            "Latency under load",
            format!(
                "this program may use {} CPU, and needs one for the loads and one for the traffic",
                cpus.len()
            ),
            "Give it two CPUs or more (cpus = 2 in a study).",
        ));
    }
    let bytes = options
        .size
        .unwrap_or_else(|| caches::beyond(&caches::of(&cpus)));
    cpus::on(cpus[0], || {
        let mut bench = Setup::make(bytes, &cpus, options.seed)?;
        for mix in mixes {
            let width = Width::within(options.vector_bits);
            let measured = bench.measure(mix, width, options.seconds)?;
            print(bench.told(mix, &measured))?;
        }
        Ok(())
    })
}

fn understood(mut asked: CaseFields) -> Result<Mix, Error> {
    let mix = asked.one_of("traffic", &MIXES)?;
    asked.done("traffic")?;
    Ok(mix)
}

/// The memory of all threads, and their CPUs.
struct Setup {
    cpus: Vec<usize>,
    map: Mapping,
    cycle: Cycle,
    lanes: Vec<ThreadMemory>,
}

/// The result of a case.
struct Measured {
    curve: Curve,
    loads: u64,
    elapsed_ns: u64,
    window_ns: (u64, u64),
    wrong: Vec<String>,
}

impl Setup {
    fn make(bytes: u64, cpus: &[usize], seed: u64) -> Result<Self, Error> {
        let share = size(bytes) / (cpus.len() - 1);
        need(bytes, share)?;
        cpus::pin(cpus[0])?;
        let mut map = Mapping::new(size(bytes), Pages::Huge)?;
        let cycle = Cycle::lay(&mut map, bytes, &mut Random::new(seed));
        let mut bench = Self {
            cpus: cpus.to_vec(),
            map,
            cycle,
            lanes: Vec::new(),
        };
        for &cpu in &cpus[1..] {
            // Each is touched on the CPU that will use it.
            cpus::pin(cpu)?;
            bench.lanes.push(ThreadMemory::touch(share)?);
        }
        cpus::pin(cpus[0])?;
        Ok(bench)
    }

    /// Walks without traffic, then under more and more of it.
    fn measure(&mut self, mix: Mix, width: Width, seconds: u64) -> Result<Measured, Error> {
        let each_ns = seconds / (count(PAUSES.len()) + 1);
        let signals = Signals::new(self.lanes.len(), mix, width);
        let idle = self.cycle.walk(each_ns, WARM_NS);
        let mut measured = Measured {
            curve: Curve::new(median(&idle.load_ns)),
            loads: idle.loads,
            elapsed_ns: idle.elapsed_ns,
            window_ns: idle.window_ns,
            wrong: strayed(idle.right),
        };
        let (cycle, cpus, lanes) = (&self.cycle, &self.cpus[1..], &mut self.lanes);
        let wrong = thread::scope(|scope| {
            let threads: Vec<_> = (lanes.iter_mut().zip(cpus).enumerate())
                .map(|(number, (lane, &cpu))| {
                    let signals = &signals;
                    scope.spawn(move || drive(lane, (number, cpu), signals))
                })
                .collect();
            for pause in PAUSES {
                measured.point(cycle, each_ns, pause, &signals);
            }
            signals.ended.store(true, Ordering::Relaxed);
            let joined = threads.into_iter().map(|each| each.join().unwrap_or(Ok(1)));
            joined.sum::<Result<usize, Error>>()
        })?;
        if wrong > 0 {
            let said =
                format!("{wrong} blocks of the traffic do not hold what this many passes leave");
            measured.wrong.push(said);
        }
        Ok(measured)
    }

    fn told(&self, mix: Mix, measured: &Measured) -> CaseResult {
        let name = MIXES.iter().find(|(_, each)| *each == mix);
        let case = case([("traffic", name.map(|(name, _)| Value::from(*name)))]);
        let partial = measured.curve.is_partial(self.lanes.len());
        if partial {
            remark(&format!(
                "{}: a partial curve, up to {:.1} GB/s: {} traffic thread(s) do not saturate the memory.",
                wire::line(&case).unwrap_or_default(),
                measured.curve.most_bytes_per_s() / 1e9,
                self.lanes.len(),
            ));
        }
        let mut metrics: BTreeMap<String, f64> = measured.curve.metrics();
        metrics.extend(figures([
            ("partial_curve", Some(f64::from(u8::from(partial)))),
            ("threads", Some(float(count(self.lanes.len())))),
            ("huge_pages_share", self.map.huge_share()),
        ]));
        CaseResult {
            case,
            work: (measured.loads, "loads"),
            elapsed_ns: measured.elapsed_ns,
            window_ns: measured.window_ns,
            wrong: measured.wrong.clone(),
            metrics,
            why_not: None,
        }
    }
}

impl Measured {
    /// Walks once while the traffic pauses this much.
    fn point(&mut self, cycle: &Cycle, lasting_ns: u64, pause: u64, signals: &Signals) {
        signals.pause.store(pause, Ordering::Relaxed);
        let told_ns = now_ns();
        let before = signals.moved_bytes();
        until(|| {
            let since_ns = now_ns() - told_ns;
            let is_under_way = signals.moved_bytes() > before;
            since_ns >= SETTLES_WITHIN_NS || (is_under_way && since_ns >= SETTLES_NS)
        });
        let (before, from_ns) = (signals.moved_bytes(), now_ns());
        let walked = cycle.walk(lasting_ns, SETTLES_NS);
        let (after, to_ns) = (signals.moved_bytes(), now_ns());
        self.curve.points.push(Point {
            bytes_per_s: float(after - before) / float(to_ns - from_ns) * 1e9,
            load_ns: median(&walked.load_ns),
        });
        self.loads += walked.loads;
        self.elapsed_ns += walked.elapsed_ns;
        self.window_ns.1 = walked.window_ns.1;
        self.wrong.extend(strayed(walked.right));
    }
}

/// Refuses a size of which a traffic thread's share is too small, or that is more than there is.
fn need(bytes: u64, share: usize) -> Result<(), Error> {
    if share < ThreadMemory::LEAST_BYTES || bytes < working_sets::FROM {
        return Err(Error::usage(
            format!("--size {bytes}"),
            format!(
                "each traffic thread needs {} bytes, the loads 4096",
                ThreadMemory::LEAST_BYTES
            ),
            "Name a larger --size.",
        ));
    }
    available_memory::need(
        2 * bytes + order_bytes(bytes),
        "the loads and the traffic",
        "Name a smaller --size, or end what holds the memory.",
    )
}

fn strayed(right: bool) -> Vec<String> {
    if right {
        Vec::new()
    } else {
        vec!["a walk did not end where its loads lead".to_owned()]
    }
}
