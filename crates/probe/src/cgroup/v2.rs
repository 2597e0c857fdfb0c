//! Version 2: one tree, its controllers switched on from the top.

use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;

use super::files::{make, processes, quota_of, read, remove, upwards, writable, write};
use super::{CgroupUsage, Group, Hierarchy, Limits, Meter, Quota};
use crate::procfs::text::{after, number, words};

/// The tree, if it has the controllers `cpu` and `memory`.
#[derive(Debug)]
pub struct Mounted {
    root: PathBuf,
}

impl Mounted {
    /// The tree mounted at that root; `None` if it lacks `cpu` or `memory` (a tree without controllers is no help).
    #[must_use]
    pub fn detect(root: &Path) -> Option<Self> {
        let controllers = read(&root.join("cgroup.controllers"))?;
        let has = |name: &[u8]| words(&controllers).any(|word| word == name);
        (has(b"cpu") && has(b"memory")).then(|| Self {
            root: root.to_owned(),
        })
    }

    fn switch_on(&self) -> Result<(), Error> {
        let file = self.root.join("cgroup.subtree_control");
        let on = read(&file).unwrap_or_default();
        for controller in ["cpu", "memory"] {
            if !words(&on).any(|word| word == controller.as_bytes()) {
                write(&file, &format!("+{controller}"))?;
            }
        }
        Ok(())
    }
}

impl Hierarchy for Mounted {
    fn version(&self) -> &'static str {
        "v2"
    }

    fn writable(&self) -> bool {
        // In a container this root is an inner group: the kernel switches nothing on below a group that holds
        // processes.
        writable(&self.root) && self.switch_on().is_ok()
    }

    fn create(&self, name: &str, limits: &Limits) -> Result<Box<dyn Group>, Error> {
        self.switch_on()?;
        let made = RunGroup {
            folder: self.root.join(name),
        };
        make(&made.folder)?;
        if let Err(problem) = limit(&made.folder, limits) {
            // Nothing is in it yet, so nothing keeps it; what is left is swept by name.
            let _ = made.remove();
            return Err(problem);
        }
        Ok(Box::new(made))
    }

    fn quota(&self, membership: &str) -> Option<Quota> {
        upwards(&self.root, group_of(membership)?)
            .map(|folder| quota_in(&folder))
            .fold(None, Quota::tighter)
    }

    fn memory_limit_bytes(&self, membership: &str) -> Option<u64> {
        upwards(&self.root, group_of(membership)?)
            .filter_map(|folder| number(read(&folder.join("memory.max"))?.trim_ascii()))
            .min()
    }

    fn machine_meter(&self) -> Option<Meter> {
        let file = self.root.join("cpu.stat");
        // Every group but the machine's own root has events; in a container this root counts the container alone.
        let whole = !self.root.join("cgroup.events").exists();
        (whole && file.exists()).then(|| Meter::new((file, busy_ns), None))
    }

    fn tasks_meter(&self) -> Option<Meter> {
        // The root's own figures are those of `/proc/stat`: interrupts on idle CPUs are in them.
        None
    }
}

/// A group of this run.
#[derive(Debug)]
struct RunGroup {
    folder: PathBuf,
}

impl Group for RunGroup {
    fn join_files(&self) -> Vec<PathBuf> {
        vec![self.folder.join("cgroup.procs")]
    }

    fn processes(&self) -> Vec<i32> {
        processes(&self.folder)
    }

    fn spent(&self) -> CgroupUsage {
        let cpu = read(&self.folder.join("cpu.stat")).unwrap_or_default();
        let events = read(&self.folder.join("memory.events")).unwrap_or_default();
        CgroupUsage {
            cpu_ns: usage_ns(&cpu),
            memory_peak_with_cache_bytes: read(&self.folder.join("memory.peak"))
                .and_then(|text| number(text.trim_ascii())),
            throttled_periods: after(&cpu, b"nr_throttled"),
            throttled_ns: after(&cpu, b"throttled_usec").map(|us| us * 1000),
            oom_kills: after(&events, b"oom_kill"),
        }
    }

    fn meter(&self) -> Meter {
        Meter::new(
            (self.folder.join("cpu.stat"), usage_ns),
            Some((self.folder.join("memory.stat"), held_bytes)),
        )
    }

    fn kill(&self) {
        // Since Linux 5.14 one write reaches all, even what forks meanwhile; before that, one by one.
        if write(&self.folder.join("cgroup.kill"), "1").is_err() {
            super::kill_each(&self.processes());
        }
    }

    fn remove(&self) -> io::Result<()> {
        remove(&self.folder)
    }
}

fn limit(folder: &Path, limits: &Limits) -> Result<(), Error> {
    if let Some(quota) = quota_of(limits)? {
        let value = format!("{} {}", quota.quota_us, quota.period_us);
        write(&folder.join("cpu.max"), &value)?;
    }
    let Some(mib) = limits.memory_mib else {
        return Ok(());
    };
    write(
        &folder.join("memory.max"),
        &mib.saturating_mul(1 << 20).to_string(),
    )?;
    let swap = folder.join("memory.swap.max");
    if swap.exists() {
        write(&swap, "0")
    } else {
        Ok(())
    }
}

fn usage_ns(stat: &[u8]) -> Option<u64> {
    Some(after(stat, b"usage_usec")? * 1000)
}

/// User and system: the `usage_usec` of the root holds stolen time too on some kernels.
fn busy_ns(stat: &[u8]) -> Option<u64> {
    Some((after(stat, b"user_usec")? + after(stat, b"system_usec")?) * 1000)
}

fn held_bytes(stat: &[u8]) -> Option<u64> {
    Some(after(stat, b"anon")? + after(stat, b"shmem").unwrap_or(0))
}

/// The quota set in one folder: `85000 100000`, or `max 100000` for none.
fn quota_in(folder: &Path) -> Option<Quota> {
    let text = read(&folder.join("cpu.max"))?;
    let mut fields = words(&text).map(number);
    let quota_us = fields.next()??;
    Some(Quota {
        quota_us,
        period_us: fields.next()??,
    })
}

/// Where a process is: the line of `/proc/PID/cgroup` that reads `0::/path`.
fn group_of(membership: &str) -> Option<&str> {
    membership.lines().find_map(|line| line.strip_prefix("0::"))
}

#[cfg(test)]
#[path = "v2_tests.rs"]
mod tests;
