//! CPU time of all tasks: busy time less the kernel's work for interrupts, which belongs to no task.

use super::monitor::Monitor;
use super::row::Row;
use crate::cgroup::Meter;

/// The column, whichever way it is read.
pub const COLUMN: &str = "tasks_cpu_ns";

/// Every task of the machine, the kernel's threads among them, to the nanosecond.
#[derive(Debug)]
pub struct Tasks(Meter);

impl Tasks {
    /// What this file of the root counts.
    #[must_use]
    pub fn of_root(all: Meter) -> Self {
        Self(all)
    }
}

impl Monitor for Tasks {
    fn columns(&self) -> Vec<String> {
        vec![COLUMN.to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.0.cpu_ns());
    }
}

/// Whether this kernel times interrupts by the clock and charges no task for them: it then reports how long they
/// stalled tasks (`CONFIG_IRQ_TIME_ACCOUNTING`, since Linux 6.1). Busy less interrupts is then what tasks used.
#[must_use]
pub fn interrupts_are_apart() -> bool {
    std::fs::exists("/proc/pressure/irq").unwrap_or(false)
}
