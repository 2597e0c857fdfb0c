//! CPU time of all tasks: busy time less what the kernel did for interrupts, which is nobody's.

use super::groups::Clocks;
use super::row::Row;
use super::source::Source;
use crate::cgroup::Meter;
use crate::procfs::process::softirq_threads;

/// The column, whichever way it is read.
pub const COLUMN: &str = "tasks_cpu_ns";

/// Every task of the machine to the nanosecond, less the kernel's threads that work off what interrupts left to do.
#[derive(Debug)]
pub struct Tasks {
    all: Meter,
    softirqs: Clocks,
}

impl Tasks {
    /// What this file of the root counts, less those threads.
    #[must_use]
    pub fn of_root(all: Meter) -> Self {
        Self {
            all,
            softirqs: Clocks::new(&softirq_threads()),
        }
    }
}

impl Source for Tasks {
    fn columns(&self) -> Vec<String> {
        vec![COLUMN.to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        let softirqs_ns = self.softirqs.cpu_ns();
        let all_ns = self.all.cpu_ns();
        row.add(all_ns.map(|all_ns| all_ns.saturating_sub(softirqs_ns)));
    }
}

/// Whether this kernel times interrupts by the clock and charges no task for them: it then tells how long they stalled
/// tasks (`CONFIG_IRQ_TIME_ACCOUNTING`, since Linux 6.1). Busy less interrupts is then what tasks used.
#[must_use]
pub fn interrupts_are_apart() -> bool {
    std::fs::exists("/proc/pressure/irq").unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::{Clocks, Row, Source, Tasks};
    use crate::cgroup::{Hierarchy, v1::Mounted};
    use crate::clock::own_cpu_ns;
    use crate::fake::Folder;

    const ALL_NS: u64 = 1_000_000_000_000_000;

    #[test]
    fn what_works_off_interrupts_is_no_task() {
        let root = Folder::new();
        root.file("cpuacct/cgroup.procs", "");
        root.file("cpuacct/cgroup.sane_behavior", "0\n");
        root.file("cpuacct/cpuacct.usage", &format!("{ALL_NS}\n"));
        let mounted = Mounted::detect(root.path()).expect("cpuacct is enough");
        let ourselves = i32::try_from(std::process::id()).expect("a pid");
        let mut tasks = Tasks {
            all: mounted.tasks_meter().expect("the root's file"),
            softirqs: Clocks::new(&[ourselves]),
        };
        let before_ns = own_cpu_ns();
        let mut row = Row::new(1);
        row.begin(0);
        tasks.read(0, &mut row);
        let line = String::from_utf8_lossy(row.line()).into_owned();
        let cell = line.trim().strip_prefix("0,").expect("one cell");
        let left_ns: u64 = cell.parse().expect("a number");
        assert!(left_ns <= ALL_NS - before_ns, "{left_ns}");
        assert!(left_ns >= ALL_NS - own_cpu_ns(), "{left_ns}");
    }
}
