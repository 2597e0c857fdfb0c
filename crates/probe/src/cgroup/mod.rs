//! Control groups of both versions behind two small traits: what is mounted, and one group of ours in it.

pub mod files;
pub mod v1;
pub mod v2;

use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;
use rustix::process::{Pid, Signal, kill_process};

use crate::procfs::open_file::OpenFile;

/// Where control groups are mounted on every known distribution.
pub const ROOT: &str = "/sys/fs/cgroup";

/// What a group may use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// CPUs' worth of time in every period; `None` sets no limit.
    pub cpu_quota: Option<f64>,
    /// The period, in µs.
    pub cpu_period_us: u64,
    /// Memory, page cache included; `None` sets no limit.
    pub memory_mib: Option<u64>,
}

/// A limit on CPU time as the kernel holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Microseconds of CPU time in every period.
    pub quota_us: u64,
    /// The period, in µs.
    pub period_us: u64,
}

impl Quota {
    /// The quota in CPUs: 0.85 for 85 ms in every 100 ms.
    #[must_use]
    pub fn cpus(&self) -> f64 {
        if self.period_us == 0 {
            return f64::INFINITY;
        }
        std::time::Duration::from_micros(self.quota_us)
            .div_duration_f64(std::time::Duration::from_micros(self.period_us))
    }

    /// The tighter of two limits, either of which may be none.
    #[must_use]
    pub fn tighter(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (one, other) {
            (Some(a), Some(b)) => Some(if b.cpus() < a.cpus() { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

/// What a group has used so far, exited processes included; `None` if it is not kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CgroupUsage {
    /// CPU time.
    pub cpu_ns: Option<u64>,
    /// The most memory at once, page cache that the group brought in included.
    pub memory_peak_with_cache_bytes: Option<u64>,
    /// Periods in which the quota ran out.
    pub throttled_periods: Option<u64>,
    /// How long the group stood still for its quota.
    pub throttled_ns: Option<u64>,
    /// Processes that the kernel killed because memory ran out.
    pub oom_kills: Option<u64>,
}

/// What is mounted at the root, of one version.
pub trait Hierarchy: Send + Sync {
    /// `v1` or `v2`.
    fn version(&self) -> &'static str;

    /// Whether groups can be made here by us.
    fn writable(&self) -> bool;

    /// Make a group at the top, with its limits.
    ///
    /// # Errors
    /// A limit that cannot be given, or a kernel that refuses.
    fn create(&self, name: &str, limits: &Limits) -> Result<Box<dyn Group>, Error>;

    /// The tightest CPU quota from a process's group up to the root; `membership` is its `/proc/PID/cgroup`.
    fn quota(&self, membership: &str) -> Option<Quota>;

    /// The tightest memory limit from a process's group up to the root, in bytes.
    fn memory_limit_bytes(&self, membership: &str) -> Option<u64>;

    /// A file that counts the whole machine's CPU time finer than `/proc/stat`, if there is one.
    fn machine_meter(&self) -> Option<Meter>;

    /// A file that counts the CPU time of all tasks of the machine, and nothing else, if there is one.
    fn tasks_meter(&self) -> Option<Meter>;
}

/// One control group of this run.
pub trait Group: Send + Sync {
    /// The files into which a process writes `0` to join.
    fn join_files(&self) -> Vec<PathBuf>;

    /// The processes in it now.
    fn processes(&self) -> Vec<i32>;

    /// What it has used so far.
    fn spent(&self) -> CgroupUsage;

    /// Its files for the monitors, kept open.
    fn meter(&self) -> Meter;

    /// Send KILL to everything in it.
    fn kill(&self) {
        kill_each(&self.processes());
    }

    /// After `kill`, let what is started in it later fork again.
    fn let_fork(&self) {}

    /// Remove it; it must be empty. One that is gone already is removed.
    ///
    /// # Errors
    /// The kernel's: `EBUSY` while a process is still in it.
    fn remove(&self) -> io::Result<()>;
}

/// Send KILL to each of these; it is no error if one is gone by now.
pub fn kill_each(pids: &[i32]) {
    for &pid in pids {
        let _ = Pid::from_raw(pid).map(|pid| kill_process(pid, Signal::KILL));
    }
}

/// How the text of a file becomes a number.
type Parse = fn(&[u8]) -> Option<u64>;

/// A group's running figures, read many times.
#[derive(Debug)]
pub struct Meter {
    cpu: Option<(OpenFile, Parse)>,
    memory: Option<(OpenFile, Parse)>,
}

impl Meter {
    /// A meter of these files, each with its parser.
    #[must_use]
    pub fn new(cpu: (PathBuf, Parse), memory: Option<(PathBuf, Parse)>) -> Self {
        let keep = |(path, parse): (PathBuf, Parse)| OpenFile::open(path).map(|kept| (kept, parse));
        Self {
            cpu: keep(cpu),
            memory: memory.and_then(keep),
        }
    }

    /// CPU time so far, in ns.
    pub fn cpu_ns(&mut self) -> Option<u64> {
        let (kept, parse) = self.cpu.as_mut()?;
        parse(kept.read()?)
    }

    /// Memory that processes hold now, in bytes: what they wrote themselves and what they share, no page cache.
    pub fn memory_bytes(&mut self) -> Option<u64> {
        let (kept, parse) = self.memory.as_mut()?;
        parse(kept.read()?)
    }
}

/// What is mounted at that root; `None` if no version accounts for CPU time there.
#[must_use]
pub fn detect(root: &Path) -> Option<Box<dyn Hierarchy>> {
    if let Some(found) = v2::Mounted::detect(root) {
        return Some(Box::new(found));
    }
    v1::Mounted::detect(root).map(|found| Box::new(found) as Box<dyn Hierarchy>)
}
