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
}

/// The source of the machine's busy time. The root of the cgroups counts in ns; `/proc/stat` in ticks of 10 ms, of
/// which 0.3 s hold only 30.
enum Busy {
    Root(Meter),
    Stat(OpenFile),
}

impl OtherProcesses {
    /// CPU time of processes outside these groups.
    ///
    /// # Errors
    /// A machine that does not show `/proc/stat`.
    pub fn new(root: Option<Meter>, parties: WatchedGroups) -> Result<Self, Error> {
        let busy = match root {
            Some(meter) => Busy::Root(meter),
            None => Busy::Stat(OpenFile::open("/proc/stat").ok_or_else(|| {
                Error::failure(
                    "/proc/stat cannot be read",
                    "It does not exist.",
                    "Mount /proc on this machine.",
                )
            })?),
        };
        Ok(Self {
            busy,
            groups: parties
                .groups
                .into_iter()
                .map(|(_, meter)| (meter, 0))
                .collect(),
            harness: Harness::new(&parties.harness_pids),
        })
    }

    /// CPU time of other processes so far, in ns; only differences have a meaning, and one may be a little below 0.
    pub fn read_ns(&mut self) -> i64 {
        let at_ns = now_ns();
        for (meter, last) in &mut self.groups {
            *last = meter.cpu_ns(at_ns).unwrap_or(*last);
        }
        let ours = self.groups.iter().map(|(_, last)| last).sum::<u64>() + self.harness.cpu_ns();
        signed(self.busy.ns()) - signed(ours)
    }
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
