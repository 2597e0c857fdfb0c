//! CPU time of the kernel's own threads: those that work for disks, packets and memory, for any program.

use std::collections::HashSet;

use super::groups::Clocks;
use super::monitor::Monitor;
use super::row::Row;
use crate::procfs::process::{is_kernel_thread, pids_now};

/// How often threads that are new are looked for: the kernel starts workers as it needs them.
const LOOK_EVERY_NS: u64 = 1_000_000_000;

/// The kernel's threads. What one does before it is first looked for is in no figure until then.
#[derive(Debug)]
pub struct KernelThreads {
    clocks: Clocks,
    seen: HashSet<i32>,
    with_softirqs: bool,
    due_ns: u64,
}

impl KernelThreads {
    /// All of them, or all but those for deferred interrupt work; `None` if this namespace shows none.
    #[must_use]
    pub fn find(with_softirqs: bool) -> Option<Self> {
        let mut found = Self {
            clocks: Clocks::new(&[]),
            seen: HashSet::new(),
            with_softirqs,
            due_ns: 0,
        };
        found.look();
        (!found.clocks.is_empty()).then_some(found)
    }

    fn look(&mut self) {
        let now: HashSet<i32> = pids_now().into_iter().collect();
        for &pid in now.difference(&self.seen) {
            if is_kernel_thread(pid, self.with_softirqs) {
                self.clocks.add(pid);
            }
        }
        self.clocks.keep(&now);
        self.seen = now;
    }
}

impl Monitor for KernelThreads {
    fn columns(&self) -> Vec<String> {
        vec!["kernel_cpu_ns".to_owned()]
    }

    fn read(&mut self, at_ns: u64, row: &mut Row) {
        if at_ns >= self.due_ns {
            self.look();
            self.due_ns = at_ns + LOOK_EVERY_NS;
        }
        row.add(self.clocks.cpu_ns());
    }
}
