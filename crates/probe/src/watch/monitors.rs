//! The list of what is read, and how often.

use super::groups::{GroupMeter, Groups, Harness};
use super::kernel_threads::KernelThreads;
use super::monitor::Monitor;
use super::network::TcpFiles;
use super::row::Row;
use super::tasks::{Tasks, interrupts_are_apart};
use super::{hardware, machine, network};
use crate::cgroup::Meter;
use crate::network::LinkFiles;

/// The groups and processes whose CPU time is separate from that of other processes.
#[derive(Debug, Default)]
pub struct WatchedGroups {
    /// The groups by name, in the order of their columns.
    pub groups: Vec<(String, GroupMeter)>,
    /// Processes that count as harness, in addition to this one.
    pub harness_pids: Vec<i32>,
    /// A file that counts the CPU time of all tasks of the machine, if there is one.
    pub tasks: Option<Meter>,
    /// The files that count on a link, if there is one.
    pub link: Option<LinkFiles>,
}

/// Everything that is visible on this machine, in the order of the columns.
#[must_use]
pub fn all(parties: WatchedGroups) -> Vec<Box<dyn Monitor>> {
    let mut found: Vec<Box<dyn Monitor>> = Vec::new();
    let link = parties.link.map(|files| (files.device, files.tcp));
    let (device, tcp) = link.unzip();
    let tasks = parties.tasks.map(Tasks::of_root);
    let from_stat = tasks.is_none() && interrupts_are_apart();
    keep(&mut found, machine::Cpus::find(from_stat));
    keep(&mut found, tasks);
    // If interrupts are counted separately, their deferred work is among them.
    keep(&mut found, KernelThreads::find(!from_stat));
    keep(&mut found, Some(Groups::new(parties.groups)));
    keep(&mut found, Some(Harness::new(&parties.harness_pids)));
    keep(&mut found, machine::Memory::find());
    keep(&mut found, machine::Disks::find());
    keep(&mut found, network::Network::find());
    keep(&mut found, device.map(network::Link));
    for pressure in machine::Pressure::find_all() {
        keep(&mut found, Some(pressure));
    }
    for counter in network::Counter::find_all(tcp.unwrap_or_else(TcpFiles::open)) {
        keep(&mut found, Some(OncePerSecond::new(Box::new(counter))));
    }
    for slow in hardware::find_all() {
        keep(&mut found, Some(OncePerSecond::new(slow)));
    }
    found
}

fn keep<S: Monitor + 'static>(found: &mut Vec<Box<dyn Monitor>>, source: Option<S>) {
    if let Some(source) = source {
        found.push(Box::new(source));
    }
}

/// Once a second is enough for what changes slowly or seldom and costs much: the network's counters take 30 us, half of
/// all that is read, and a machine of 128 CPUs has 256 files of hardware.
const SLOW_EVERY_NS: u64 = 1_000_000_000;

/// A source that is read once a second; its cells are empty in between.
struct OncePerSecond {
    source: Box<dyn Monitor>,
    columns: usize,
    due_ns: u64,
}

impl OncePerSecond {
    fn new(source: Box<dyn Monitor>) -> Self {
        Self {
            columns: source.columns().len(),
            source,
            due_ns: 0,
        }
    }
}

impl Monitor for OncePerSecond {
    fn columns(&self) -> Vec<String> {
        self.source.columns()
    }

    fn read(&mut self, at_ns: u64, row: &mut Row) {
        if at_ns < self.due_ns {
            row.skip(self.columns);
            return;
        }
        self.due_ns = at_ns + SLOW_EVERY_NS;
        self.source.read(at_ns, row);
    }

    fn of_one_instant(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::{Monitor, OncePerSecond, Row, WatchedGroups, all};
    use base::clock::now_ns;

    struct Seven;

    impl Monitor for Seven {
        fn columns(&self) -> Vec<String> {
            vec!["a".to_owned(), "b".to_owned()]
        }

        fn read(&mut self, _at_ns: u64, row: &mut Row) {
            row.add(7);
            row.add(7);
        }
    }

    #[test]
    fn every_source_fills_exactly_its_columns() {
        for mut source in all(WatchedGroups::default()) {
            let mut row = Row::new(0);
            row.begin(0);
            source.read(now_ns(), &mut row);
            let cells = row.line().split(|&byte| byte == b',').count() - 1;
            assert_eq!(cells, source.columns().len(), "{:?}", source.columns());
        }
    }

    #[test]
    fn what_is_slow_is_read_once_a_second() {
        let mut paced = OncePerSecond::new(Box::new(Seven));
        let mut read = |at_ns| {
            let mut row = Row::new(2);
            row.begin(0);
            paced.read(at_ns, &mut row);
            String::from_utf8_lossy(row.line()).trim().to_owned()
        };
        assert_eq!(read(5), "0,7,7");
        assert_eq!(read(500_000_000), "0,,");
        assert_eq!(read(1_000_000_005), "0,7,7");
    }
}
