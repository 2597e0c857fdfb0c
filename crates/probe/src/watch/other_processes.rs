//! Foreign CPU time: what is used by neither subject, driver nor harness.

use base::clock::now_ns;
use base::error::Error;

use super::groups::{GroupMeter, Harness};
use super::monitors::WatchedGroups;
use crate::cgroup::Meter;
use crate::procfs::open_file::OpenFile;
use crate::procfs::system::cpu_lines;

/// Busy less subject, driver and harness.
pub struct OtherProcesses {
    busy: Busy,
    groups: Vec<(GroupMeter, u64)>,
    harness: Harness,
    apart: Option<Apart>,
}

/// CPU time so far, in ns. Only differences have a meaning, and one may be a little below 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignTime {
    /// Of other processes, wherever it was used.
    pub all_ns: i64,
    /// Used on the CPUs apart, less all that the harness used, which may have been there.
    pub apart_ns: i64,
}

/// The CPUs that share no core with the subject's and the driver's. `/proc/stat` alone counts by CPU, in ticks of 10 ms.
struct Apart {
    stat: OpenFile,
    cpus: Vec<usize>,
}

/// The source of the machine's busy time. The root of the cgroups counts in ns; `/proc/stat` in ticks of 10 ms, of
/// which 0.3 s hold only 30.
enum Busy {
    Root(Meter),
    Stat(OpenFile),
}

impl OtherProcesses {
    /// CPU time of processes outside these groups, and what of it was used on the CPUs `apart`.
    ///
    /// # Errors
    /// A machine that does not show `/proc/stat`.
    pub fn new(
        root: Option<Meter>,
        parties: WatchedGroups,
        apart: &[usize],
    ) -> Result<Self, Error> {
        let busy = match root {
            Some(meter) => Busy::Root(meter),
            None => Busy::Stat(proc_stat()?),
        };
        let apart = if apart.is_empty() {
            None
        } else {
            let (stat, cpus) = (proc_stat()?, apart.to_vec());
            Some(Apart { stat, cpus })
        };
        Ok(Self {
            busy,
            groups: parties
                .groups
                .into_iter()
                .map(|(_, meter)| (meter, 0))
                .collect(),
            harness: Harness::new(&parties.harness_pids),
            apart,
        })
    }

    /// CPU time of other processes so far.
    pub fn read(&mut self) -> ForeignTime {
        let at_ns = now_ns();
        for (meter, last) in &mut self.groups {
            *last = meter.cpu_ns(at_ns).unwrap_or(*last);
        }
        let harness_ns = self.harness.cpu_ns();
        let ours = self.groups.iter().map(|(_, last)| last).sum::<u64>() + harness_ns;
        ForeignTime {
            all_ns: signed(self.busy.ns()) - signed(ours),
            apart_ns: self
                .apart
                .as_mut()
                .map_or(0, |apart| signed(apart.busy_ns()) - signed(harness_ns)),
        }
    }
}

impl Apart {
    fn busy_ns(&mut self) -> u64 {
        let Some(text) = self.stat.read() else {
            return 0;
        };
        let of_cpus = cpu_lines(text).filter_map(|(cpu, times)| Some((cpu?, times.busy_ns)));
        of_cpus
            .filter(|(cpu, _)| self.cpus.contains(cpu))
            .map(|(_, busy_ns)| busy_ns)
            .sum()
    }
}

fn proc_stat() -> Result<OpenFile, Error> {
    OpenFile::open("/proc/stat").ok_or_else(|| {
        Error::failure(
            "/proc/stat cannot be read",
            "It does not exist.",
            "Mount /proc on this machine.",
        )
    })
}

impl Busy {
    fn ns(&mut self) -> u64 {
        let read = match self {
            Self::Root(meter) => meter.cpu_ns(),
            Self::Stat(stat) => stat
                .read()
                .and_then(|text| Some(cpu_lines(text).next()?.1.busy_ns)),
        };
        read.unwrap_or(0)
    }
}

/// 2^63 ns are 292 years of CPU time.
fn signed(ns: u64) -> i64 {
    i64::try_from(ns).unwrap_or(i64::MAX)
}
