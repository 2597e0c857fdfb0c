//! Version 1: a tree for each controller.

use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;

use super::files::{make, processes, quota_of, read, remove, upwards, writable, write};
use super::{CgroupUsage, Group, Hierarchy, Limits, Meter, Quota, kill_each};
use crate::procfs::text::{after, number};

/// The controllers that we use, if they are mounted.
#[derive(Debug)]
pub struct Mounted {
    cpu: Option<PathBuf>,
    cpuacct: PathBuf,
    memory: Option<PathBuf>,
    /// Only where we may make groups: no limit needs it.
    pids: Option<PathBuf>,
}

impl Mounted {
    /// What is mounted below that root; `None` without `cpuacct`.
    #[must_use]
    pub fn detect(root: &Path) -> Option<Self> {
        let controller = |name: &str| {
            let folder = root.join(name);
            folder.join("cgroup.procs").exists().then_some(folder)
        };
        Some(Self {
            cpu: controller("cpu"),
            cpuacct: controller("cpuacct")?,
            memory: controller("memory"),
            pids: controller("pids").filter(|folder| writable(folder)),
        })
    }

    fn used(&self) -> impl Iterator<Item = &PathBuf> {
        [Some(&self.cpuacct), self.memory.as_ref(), self.cpu.as_ref()]
            .into_iter()
            .flatten()
    }
}

impl Hierarchy for Mounted {
    fn version(&self) -> &'static str {
        "v1"
    }

    fn writable(&self) -> bool {
        self.used().all(|folder| writable(folder))
    }

    fn create(&self, name: &str, limits: &Limits) -> Result<Box<dyn Group>, Error> {
        let mut made = RunGroup {
            cpu: None,
            cpuacct: self.cpuacct.join(name),
            memory: None,
            pids: None,
        };
        let outcome = self.fill(&mut made, name, limits);
        if let Err(problem) = outcome {
            // Nothing is in it yet, so nothing keeps it; what is left is swept by name.
            let _ = made.remove();
            return Err(problem);
        }
        Ok(Box::new(made))
    }

    fn quota(&self, membership: &str) -> Option<Quota> {
        let top = self.cpu.as_ref()?;
        upwards(top, group_of(membership, "cpu")?)
            .map(|folder| quota_in(&folder))
            .fold(None, Quota::tighter)
    }

    fn memory_limit_bytes(&self, membership: &str) -> Option<u64> {
        let top = self.memory.as_ref()?;
        upwards(top, group_of(membership, "memory")?)
            .filter_map(|folder| number(read(&folder.join("memory.limit_in_bytes"))?.trim_ascii()))
            .filter(|&limit| limit < NO_LIMIT_BYTES)
            .min()
    }

    fn machine_meter(&self) -> Option<Meter> {
        let file = self.cpuacct.join("cpuacct.usage");
        // Only the machine's own root has this file; in a container our root counts the container alone.
        let whole = self.cpuacct.join("cgroup.sane_behavior").exists();
        (whole && file.exists()).then(|| Meter::new((file, plain), None))
    }

    fn tasks_meter(&self) -> Option<Meter> {
        // The scheduler adds to it what each task ran, but not the time of an idle CPU (`cpuacct_charge`).
        self.machine_meter()
    }
}

impl Mounted {
    fn fill(&self, made: &mut RunGroup, name: &str, limits: &Limits) -> Result<(), Error> {
        make(&made.cpuacct)?;
        if let Some(top) = &self.pids {
            let folder = top.join(name);
            made.pids = make(&folder).is_ok().then_some(folder);
        }
        if let Some(top) = &self.memory {
            let folder = top.join(name);
            make(&folder)?;
            made.memory = Some(folder.clone());
            if let Some(mib) = limits.memory_mib {
                limit_memory(&folder, mib.saturating_mul(1 << 20))?;
            }
        } else if limits.memory_mib.is_some() {
            return Err(no_controller("memory"));
        }
        // Without a quota no group is made in `cpu`: it would change how the scheduler shares the CPUs.
        let Some(quota) = quota_of(limits)? else {
            return Ok(());
        };
        let top = self.cpu.as_ref().ok_or_else(|| no_controller("cpu"))?;
        let folder = top.join(name);
        // If cpu and cpuacct are one tree under two names, the folder exists already.
        if !folder.exists() {
            make(&folder)?;
        }
        made.cpu = Some(folder.clone());
        write(
            &folder.join("cpu.cfs_period_us"),
            &quota.period_us.to_string(),
        )?;
        write(
            &folder.join("cpu.cfs_quota_us"),
            &quota.quota_us.to_string(),
        )
    }
}

/// A group of this run: the same name in each tree.
#[derive(Debug)]
struct RunGroup {
    cpu: Option<PathBuf>,
    cpuacct: PathBuf,
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
}

impl RunGroup {
    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        let others = [&self.memory, &self.cpu, &self.pids];
        [&self.cpuacct]
            .into_iter()
            .chain(others.into_iter().filter_map(Option::as_ref))
    }

    fn memory_file(&self, name: &str) -> Option<Vec<u8>> {
        read(&self.memory.as_ref()?.join(name))
    }
}

impl Group for RunGroup {
    fn join_files(&self) -> Vec<PathBuf> {
        self.folders()
            .map(|folder| folder.join("cgroup.procs"))
            .collect()
    }

    fn processes(&self) -> Vec<i32> {
        processes(&self.cpuacct)
    }

    fn spent(&self) -> CgroupUsage {
        let throttle = self
            .cpu
            .as_ref()
            .and_then(|folder| read(&folder.join("cpu.stat")));
        let throttle = throttle.as_deref().unwrap_or_default();
        let oom = self.memory_file("memory.oom_control").unwrap_or_default();
        CgroupUsage {
            cpu_ns: read(&self.cpuacct.join("cpuacct.usage")).and_then(|text| plain(&text)),
            memory_peak_with_cache_bytes: self
                .memory_file("memory.max_usage_in_bytes")
                .and_then(|text| plain(&text)),
            throttled_periods: after(throttle, b"nr_throttled"),
            throttled_ns: after(throttle, b"throttled_time"),
            oom_kills: after(&oom, b"oom_kill"),
        }
    }

    fn meter(&self) -> Meter {
        let memory = self
            .memory
            .as_ref()
            .map(|folder| folder.join("memory.stat"));
        Meter::new(
            (self.cpuacct.join("cpuacct.usage"), plain),
            memory.map(|file| (file, held_bytes as super::Parse)),
        )
    }

    fn kill(&self) {
        if let Some(folder) = &self.pids {
            // None can make another: of a chain of forks each would be gone before it is found.
            let _ = write(&folder.join("pids.max"), "0");
        }
        kill_each(&self.processes());
    }

    fn let_fork(&self) {
        if let Some(folder) = &self.pids {
            let _ = write(&folder.join("pids.max"), "max");
        }
    }

    fn remove(&self) -> io::Result<()> {
        self.folders()
            .map(|folder| remove(folder))
            .fold(Ok(()), io::Result::and)
    }
}

/// The kernel writes "no limit" as the largest page count in bytes, 2^63 less a page.
const NO_LIMIT_BYTES: u64 = 1 << 62;

fn plain(text: &[u8]) -> Option<u64> {
    number(text.trim_ascii())
}

fn held_bytes(stat: &[u8]) -> Option<u64> {
    Some(after(stat, b"total_rss")? + after(stat, b"total_shmem").unwrap_or(0))
}

fn limit_memory(folder: &Path, bytes: u64) -> Result<(), Error> {
    write(&folder.join("memory.limit_in_bytes"), &bytes.to_string())?;
    let with_swap = folder.join("memory.memsw.limit_in_bytes");
    if with_swap.exists() {
        write(&with_swap, &bytes.to_string())?;
    }
    Ok(())
}

/// The quota set in one folder; -1 is none.
fn quota_in(folder: &Path) -> Option<Quota> {
    let quota_us = plain(&read(&folder.join("cpu.cfs_quota_us"))?)?;
    let period_us = plain(&read(&folder.join("cpu.cfs_period_us"))?)?;
    Some(Quota {
        quota_us,
        period_us,
    })
}

/// Where a process is in that controller's tree: a line of `/proc/PID/cgroup` reads `4:cpu,cpuacct:/path`.
fn group_of<'a>(membership: &'a str, controller: &str) -> Option<&'a str> {
    membership.lines().find_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        controllers
            .split(',')
            .any(|each| each == controller)
            .then_some(path)
    })
}

fn no_controller(name: &str) -> Error {
    Error::failure(
        format!("a limit on {name} is not possible"),
        format!("The cgroup controller {name} is not mounted."),
        "Leave the limit out on this machine.",
    )
}

#[cfg(test)]
#[path = "v1_tests.rs"]
mod tests;
