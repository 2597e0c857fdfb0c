//! The machine as a whole: CPU time, memory, disks, pressure.

use std::fs;

use super::monitor::Monitor;
use super::row::Row;
use super::tasks;
use crate::procfs::open_file::OpenFile;
use crate::procfs::system::{self, CpuTimes};

/// `/proc/stat`: all CPUs together, then each; then what tasks used, if that follows from it.
#[derive(Debug)]
pub struct Cpus {
    stat: OpenFile,
    indices: Vec<usize>,
    times: Vec<Option<CpuTimes>>,
    with_tasks: bool,
}

impl Cpus {
    /// The CPUs that are there now; one that is switched off later leaves its cells empty.
    #[must_use]
    pub fn find(with_tasks: bool) -> Option<Self> {
        let mut stat = OpenFile::open("/proc/stat")?;
        let indices: Vec<usize> = system::cpu_lines(stat.read()?)
            .filter_map(|(cpu, _)| cpu)
            .collect();
        let times = vec![None; indices.len()];
        Some(Self {
            stat,
            indices,
            times,
            with_tasks,
        })
    }
}

impl Monitor for Cpus {
    fn columns(&self) -> Vec<String> {
        let total = ["busy_ns", "idle_ns", "steal_ns", "irq_ns"].map(str::to_owned);
        let each = self.indices.iter().flat_map(|cpu| {
            ["busy_ns", "steal_ns", "irq_ns"].map(|what| format!("cpu{cpu}_{what}"))
        });
        let tasks = self.with_tasks.then(|| tasks::COLUMN.to_owned());
        total.into_iter().chain(each).chain(tasks).collect()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        self.times.fill(None);
        let mut total = None;
        for (cpu, times) in system::cpu_lines(self.stat.read().unwrap_or_default()) {
            match cpu {
                None => total = Some(times),
                Some(cpu) => {
                    if let Some(place) = self.indices.iter().position(|&each| each == cpu) {
                        self.times[place] = Some(times);
                    }
                }
            }
        }
        row.add(total.map(|times| times.busy_ns));
        row.add(total.map(|times| times.idle_ns));
        row.add(total.map(|times| times.steal_ns));
        row.add(total.map(|times| times.irq_ns));
        for times in &self.times {
            row.add(times.map(|times| times.busy_ns));
            row.add(times.map(|times| times.steal_ns));
            row.add(times.map(|times| times.irq_ns));
        }
        if self.with_tasks {
            row.add(total.map(|times| times.busy_ns - times.irq_ns));
        }
    }
}

/// `/proc/meminfo`.
#[derive(Debug)]
pub struct Memory(OpenFile);

impl Memory {
    /// Memory, if the kernel shows it.
    #[must_use]
    pub fn find() -> Option<Self> {
        OpenFile::open("/proc/meminfo").map(Self)
    }
}

impl Monitor for Memory {
    fn columns(&self) -> Vec<String> {
        vec!["memory_available_bytes".to_owned()]
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        row.add(self.0.read().and_then(system::memory_available_bytes));
    }
}

/// `/proc/diskstats`, whole disks only: partitions and what is stacked on disks would count twice.
#[derive(Debug)]
pub struct Disks {
    stats: OpenFile,
    disks: Vec<String>,
}

impl Disks {
    /// The disks that have a device behind them.
    #[must_use]
    pub fn find() -> Option<Self> {
        let entries = fs::read_dir("/sys/block").ok()?;
        let with_device = entries
            .filter_map(Result::ok)
            .filter(|entry| entry.path().join("device").exists());
        let disks: Vec<String> = with_device
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        if disks.is_empty() {
            return None;
        }
        let stats = OpenFile::open("/proc/diskstats")?;
        Some(Self { stats, disks })
    }
}

impl Monitor for Disks {
    fn columns(&self) -> Vec<String> {
        ["disk_read_bytes", "disk_written_bytes", "disk_requests_ns"]
            .map(str::to_owned)
            .to_vec()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        let used = self
            .stats
            .read()
            .map(|text| system::disk_use(text, &self.disks));
        row.add(used.map(|used| used.read_bytes));
        row.add(used.map(|used| used.written_bytes));
        row.add(used.map(|used| used.requests_ns));
    }
}

/// A file of `/proc/pressure`, and the kinds of stall that mean something in it.
#[derive(Debug)]
pub struct Pressure {
    file: OpenFile,
    resource: &'static str,
    kinds: &'static [&'static str],
}

impl Pressure {
    /// Those that this kernel keeps. For a whole machine, `full` has no meaning for CPUs
    /// (`Documentation/accounting/psi.rst`).
    #[must_use]
    pub fn find_all() -> Vec<Self> {
        let wanted: [(&'static str, &'static [&'static str]); 3] = [
            ("cpu", &["some"]),
            ("io", &["some", "full"]),
            ("memory", &["some", "full"]),
        ];
        let found = wanted.into_iter().filter_map(|(resource, kinds)| {
            let file = OpenFile::open(format!("/proc/pressure/{resource}"))?;
            Some(Self {
                file,
                resource,
                kinds,
            })
        });
        found.collect()
    }
}

impl Monitor for Pressure {
    fn columns(&self) -> Vec<String> {
        let named = |kind: &&str| format!("pressure_{}_{kind}_ns", self.resource);
        self.kinds.iter().map(named).collect()
    }

    fn read(&mut self, _at_ns: u64, row: &mut Row) {
        let text = self.file.read().unwrap_or_default();
        for kind in self.kinds {
            row.add(system::stalled_ns(text, kind.as_bytes()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cpus, Monitor, Row};

    #[test]
    fn where_interrupts_are_told_apart_tasks_used_the_rest() {
        let mut cpus = Cpus::find(true).expect("/proc/stat");
        let columns = cpus.columns();
        let mut row = Row::new(columns.len());
        row.begin(0);
        cpus.read(0, &mut row);
        let line = String::from_utf8_lossy(row.line()).into_owned();
        let cells: Vec<u64> = line
            .trim()
            .split(',')
            .skip(1)
            .map(|cell| cell.parse().expect("a number"))
            .collect();
        let of = |name: &str| cells[columns.iter().position(|each| each == name).expect(name)];
        assert_eq!(of("tasks_cpu_ns"), of("busy_ns") - of("irq_ns"));
        assert_eq!(columns.last().map(String::as_str), Some("tasks_cpu_ns"));
        let each: Vec<u64> = columns
            .iter()
            .filter(|column| column.ends_with("_irq_ns"))
            .map(|column| of(column))
            .collect();
        assert_eq!(each.len(), cpus.indices.len());
        let (sum, all) = (each.iter().sum::<u64>(), of("irq_ns"));
        // Hard and soft interrupts of each CPU are cut to whole ticks, and so are those of all CPUs together.
        let cut = 2 * 10_000_000 * each.len() as u64;
        assert!(sum <= all && (sum > 0 || all < cut), "{sum} {all}");
    }

    #[test]
    fn elsewhere_it_does_not_say_what_tasks_used() {
        let cpus = Cpus::find(false).expect("/proc/stat");
        assert!(!cpus.columns().contains(&"tasks_cpu_ns".to_owned()));
    }
}
