//! What the subject's and the driver's processes use, and what the harness does.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use base::clock::process_cpu_ns;

use super::monitor::Monitor;
use super::row::Row;
use crate::cgroup::Meter;
use crate::syscalls::cpu_ns_of;
use crate::tree::Tree;
use crate::tree::attached::AttachedSlot;

/// The highest of many readings.
#[derive(Debug, Default)]
pub struct Peak(AtomicU64);

impl Peak {
    /// Take a reading into account.
    pub fn raise(&self, reading: Option<u64>) {
        let _ = self.0.fetch_max(reading.unwrap_or(0), Ordering::Relaxed);
    }

    /// The highest so far; `None` if nothing was ever read.
    #[must_use]
    pub fn highest(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|&highest| highest > 0)
    }
}

/// What a group uses at an instant; `None` if it was not read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Reading {
    /// CPU time so far, ended processes included.
    pub cpu_ns: Option<u64>,
    /// Memory that its processes hold now.
    pub memory_bytes: Option<u64>,
}

/// A group's figures, from its control group or process by process.
#[derive(Debug)]
pub struct GroupMeter {
    from: ReadingSource,
    peak: Arc<Peak>,
    attached: AttachedSlot,
}

#[derive(Debug)]
enum ReadingSource {
    Cgroup(Meter),
    Tree(Arc<Mutex<Tree>>, String),
}

impl GroupMeter {
    /// A meter of a control group.
    #[must_use]
    pub fn of_cgroup(meter: Meter, peak: Arc<Peak>) -> Self {
        Self {
            from: ReadingSource::Cgroup(meter),
            peak,
            attached: AttachedSlot::default(),
        }
    }

    /// A meter of a tree's processes.
    #[must_use]
    pub fn of_tree(tree: Arc<Mutex<Tree>>, group: &str, peak: Arc<Peak>) -> Self {
        Self {
            from: ReadingSource::Tree(tree, group.to_owned()),
            peak,
            attached: AttachedSlot::default(),
        }
    }

    /// The same meter, with processes that count as the group's though they are not in it.
    #[must_use]
    pub fn with(self, attached: &AttachedSlot) -> Self {
        Self {
            attached: Arc::clone(attached),
            ..self
        }
    }

    /// Everything, at that instant; empty while a large tree rests.
    pub fn read(&mut self, at_ns: u64) -> Reading {
        let own = self.read_by(|tree| tree.read(at_ns));
        self.whole(own, at_ns, false)
    }

    /// Everything, at that instant, however large the tree is.
    pub fn read_all(&mut self, at_ns: u64) -> Reading {
        let own = self.read_by(|tree| {
            tree.read_all(at_ns);
            true
        });
        self.whole(own, at_ns, true)
    }

    /// Forget that it was read at that instant, so that a large tree does not rest now.
    pub fn forget(&self, at_ns: u64) {
        if let ReadingSource::Tree(tree, _) = &self.from {
            tree.lock()
                .unwrap_or_else(PoisonError::into_inner)
                .forget(at_ns);
        }
        if let Some(attached) = self.attached.get() {
            attached.forget(at_ns);
        }
    }

    fn read_by(&mut self, read_tree: impl Fn(&mut Tree) -> bool) -> Reading {
        match &mut self.from {
            ReadingSource::Cgroup(meter) => Reading {
                cpu_ns: meter.cpu_ns(),
                memory_bytes: meter.memory_bytes(),
            },
            ReadingSource::Tree(tree, group) => {
                let mut tree = tree.lock().unwrap_or_else(PoisonError::into_inner);
                // A group without a process yet has used nothing.
                let usage = read_tree(&mut tree).then(|| tree.usage(group).unwrap_or_default());
                Reading {
                    cpu_ns: usage.map(|usage| usage.cpu_ns),
                    memory_bytes: usage.map(|usage| usage.memory_bytes),
                }
            }
        }
    }

    /// The group's own reading with that of the attached processes; empty while a large tree of them rests.
    fn whole(&self, own: Reading, at_ns: u64, every: bool) -> Reading {
        let Some(attached) = self.attached.get() else {
            self.peak.raise(own.memory_bytes);
            return own;
        };
        let Some((cpu_ns, memory_bytes)) = attached.read(at_ns, every) else {
            return Reading::default();
        };
        let reading = Reading {
            cpu_ns: own.cpu_ns.map(|own| own + cpu_ns),
            memory_bytes: own.memory_bytes.map(|own| own + memory_bytes),
        };
        self.peak.raise(reading.memory_bytes);
        reading
    }

    /// CPU time alone, which is cheaper if memory is a separate file; of a tree however large it is.
    pub fn cpu_ns(&mut self, at_ns: u64) -> Option<u64> {
        match &mut self.from {
            ReadingSource::Cgroup(meter) if self.attached.get().is_none() => meter.cpu_ns(),
            _ => self.read_all(at_ns).cpu_ns,
        }
    }
}

/// The groups as columns: CPU time of each, then memory of each.
#[derive(Debug)]
pub struct Groups {
    meters: Vec<(String, GroupMeter)>,
    memory: Vec<Option<u64>>,
}

impl Groups {
    /// Columns for these groups.
    #[must_use]
    pub fn new(meters: Vec<(String, GroupMeter)>) -> Self {
        Self {
            memory: Vec::with_capacity(meters.len()),
            meters,
        }
    }
}

impl Monitor for Groups {
    fn columns(&self) -> Vec<String> {
        let of = |ending: &'static str| {
            self.meters
                .iter()
                .map(move |(name, _)| format!("{name}_{ending}"))
        };
        of("cpu_ns").chain(of("memory_bytes")).collect()
    }

    fn read(&mut self, at_ns: u64, row: &mut Row) {
        self.memory.clear();
        for (_, meter) in &mut self.meters {
            let reading = meter.read(at_ns);
            row.add(reading.cpu_ns);
            self.memory.push(reading.memory_bytes);
        }
        for &bytes in &self.memory {
            row.add(bytes);
        }
    }

    fn forget(&mut self, at_ns: u64) {
        for (_, meter) in &self.meters {
            meter.forget(at_ns);
        }
    }
}

/// CPU time of processes by their own clocks. One that has ended counts as last read.
#[derive(Debug)]
pub struct Clocks {
    each: Vec<(i32, u64)>,
    ended_ns: u64,
}

impl Clocks {
    /// The clocks of these processes.
    #[must_use]
    pub fn new(pids: &[i32]) -> Self {
        Self {
            each: pids.iter().map(|&pid| (pid, 0)).collect(),
            ended_ns: 0,
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.each.is_empty()
    }

    /// Count one more.
    pub fn add(&mut self, pid: i32) {
        self.each.push((pid, 0));
    }

    /// Stop reading those that no longer live; what they used stays in the sum.
    pub fn keep(&mut self, living: &HashSet<i32>) {
        let ended = &mut self.ended_ns;
        self.each.retain(|(pid, last)| {
            let lives = living.contains(pid);
            *ended += if lives { 0 } else { *last };
            lives
        });
    }

    /// CPU time of all of them so far.
    pub fn cpu_ns(&mut self) -> u64 {
        for (pid, last) in &mut self.each {
            *last = cpu_ns_of(*pid).unwrap_or(*last);
        }
        self.ended_ns + self.each.iter().map(|(_, last)| last).sum::<u64>()
    }
}

/// CPU time of the harness: ours, and that of the processes named.
#[derive(Debug)]
pub struct Harness(Clocks);

impl Harness {
    /// The harness of these processes and ourselves.
    #[must_use]
    pub fn new(pids: &[i32]) -> Self {
        Self(Clocks::new(pids))
    }

    /// CPU time so far.
    pub fn cpu_ns(&mut self) -> u64 {
        process_cpu_ns() + self.0.cpu_ns()
    }
}

impl Monitor for Harness {
    fn columns(&self) -> Vec<String> {
        vec!["harness_cpu_ns".to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.cpu_ns());
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Clocks, Peak};

    #[test]
    fn a_peak_is_the_highest_reading_and_none_before_the_first() {
        let peak = Peak::default();
        peak.raise(None);
        assert_eq!(peak.highest(), None);
        peak.raise(Some(7));
        peak.raise(Some(3));
        assert_eq!(peak.highest(), Some(7));
    }

    #[test]
    fn a_process_that_is_gone_still_counts_as_last_read() {
        let mut clocks = Clocks::new(&[1 << 22]);
        clocks.each[0].1 = 1_000_000_000_000;
        assert_eq!(clocks.cpu_ns(), 1_000_000_000_000);
        clocks.keep(&HashSet::new());
        assert!(clocks.is_empty());
        assert_eq!(clocks.cpu_ns(), 1_000_000_000_000);
    }
}
