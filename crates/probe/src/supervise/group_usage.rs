//! What limits a group's processes have and what they have used: `read_back`, `usage`, and the monitors' sources.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::clock::now_ns;
use base::error::Error;
use rustix::process::Pid;
use serde_json::json;

use super::protocol::Response;
use super::{Supervisor, fields};
use crate::cgroup::{Hierarchy, Quota};
use crate::cpus;
use crate::numa_policy;
use crate::procfs::process::{self, Stat};
use crate::tree::Tree;
use crate::tree::attached::Attached;
use crate::watch::groups::{GroupMeter, Peak};
use crate::watch::monitors::WatchedGroups;

/// The tree, even after a panic in the other thread: its figures are whole after every call.
pub fn locked(tree: &Mutex<Tree>) -> MutexGuard<'_, Tree> {
    tree.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The delay of every thread seen so far, by (pid, tid), so that ended ones still count; and the memory peak.
#[derive(Debug, Default)]
pub struct GroupHistory {
    delays_ns: HashMap<(i32, i32), u64>,
    /// The most memory held at any reading.
    pub peak: Arc<Peak>,
}

impl Supervisor {
    /// The running processes of a group now.
    pub(super) fn members(&self, group: &str) -> Result<Vec<i32>, Error> {
        let found = self.group_of(group)?;
        let attached = found.attached.get().map(Attached::processes);
        let mut members = attached.unwrap_or_default();
        if let Some(cgroup) = &found.cgroup {
            members.extend(cgroup.processes());
            return Ok(members);
        }
        let mut tree = locked(&self.tree);
        tree.search();
        members.extend(tree.of_group(group));
        Ok(members)
    }

    /// What really holds for a group's processes, read from the kernel.
    pub(super) fn read_back(&mut self, group: &str) -> Result<Response, Error> {
        let members = self.members(group)?;
        let mut allowed = BTreeSet::new();
        let mut uids = BTreeSet::new();
        let mut nofile = BTreeSet::new();
        let mut threads = 0_usize;
        for &pid in &members {
            let status = fs::read(format!("/proc/{pid}/status")).unwrap_or_default();
            uids.extend(process::uid(&status));
            nofile.extend(process::most_open_files(pid));
            for thread in process::threads(pid) {
                threads += 1;
                allowed.extend(cpus::allowed(Pid::from_raw(thread)));
            }
        }
        let quota = self.quota_of(&members);
        Ok(fields(json!({
            "cpus": allowed,
            "cpu_quota": quota.map(|quota| quota.cpus()),
            "cpu_period_us": quota.map(|quota| quota.period_us),
            "memory_mib": self.memory_limit_of(&members).map(|bytes| bytes >> 20),
            "network": self.network_of(group, &members)?,
            "memory_policies": self.memory_policies(group, &members)?,
            "nofile": nofile,
            "settings": self.settings.as_ref().map(|(asked, made)| made.read_back(asked)),
            "uids": uids,
            "userland": self.userland_of(&members),
            "processes": members.len(),
            "threads": threads,
        })))
    }

    /// The policies of all mappings of a group that requested one, each once; `None` for every other group, as a
    /// reading walks all of a process's pages. A living process whose mappings cannot be read is `unreadable`.
    fn memory_policies(
        &self,
        group: &str,
        members: &[i32],
    ) -> Result<Option<BTreeSet<String>>, Error> {
        if self.group_of(group)?.memory.is_none() {
            return Ok(None);
        }
        let mut found = BTreeSet::new();
        for &pid in members {
            match numa_policy::policies(pid) {
                Some(policies) => found.extend(policies),
                None if Stat::read(pid).is_some_and(|stat| stat.runs()) => {
                    let _ = found.insert("unreadable".to_owned());
                }
                None => {}
            }
        }
        Ok(Some(found))
    }

    /// What a group has used so far.
    pub(super) fn usage(&mut self, group: &str) -> Result<Response, Error> {
        let members = self.members(group)?;
        let reading = self.reading(group)?;
        let kept = self.kept.entry(group.to_owned()).or_default();
        kept.peak.raise(reading.memory_bytes);
        let run_delay_ns = kept.run_delay_ns(&members);
        let peak = kept.peak.highest();
        let found = self.group_of(group)?;
        let attached = found.attached.get().is_some();
        let spent = found.cgroup.as_ref().map(|cgroup| cgroup.spent());
        let threads: u64 = members
            .iter()
            .filter_map(|&pid| Stat::read(pid))
            .map(|stat| stat.threads)
            .sum();
        let spent = spent.unwrap_or_default();
        Ok(fields(json!({
            "cpu_ns": spent.cpu_ns.filter(|_| !attached).or(reading.cpu_ns),
            "memory_peak_bytes": peak,
            "memory_peak_with_cache_bytes": spent.memory_peak_with_cache_bytes,
            "processes": members.len(),
            "threads": threads,
            "throttled_periods": spent.throttled_periods,
            "throttled_ns": spent.throttled_ns,
            "oom_kills": spent.oom_kills,
            "run_delay_ns": run_delay_ns,
        })))
    }

    /// The sources from which the monitors and the gate read the groups and the harness: subject and driver first.
    pub(super) fn parties(&mut self) -> WatchedGroups {
        let mut names: Vec<String> = self.groups.keys().cloned().collect();
        names.sort_by_key(|name| (name != "subject", name != "driver"));
        let metered = |name: String| Some((name.clone(), self.meter(&name).ok()?));
        WatchedGroups {
            groups: names.into_iter().filter_map(metered).collect(),
            harness_pids: self.given.harness_pids.clone(),
            tasks: self
                .given
                .mounted
                .as_deref()
                .and_then(Hierarchy::tasks_meter),
            link: None,
        }
    }

    /// A meter of a group's figures.
    pub(super) fn meter(&mut self, group: &str) -> Result<GroupMeter, Error> {
        let peak = Arc::clone(&self.kept.entry(group.to_owned()).or_default().peak);
        let found = self.group_of(group)?;
        let meter = match &found.cgroup {
            Some(cgroup) => GroupMeter::of_cgroup(cgroup.meter(), peak),
            None => GroupMeter::of_tree(Arc::clone(&self.tree), group, peak),
        };
        Ok(meter.with(&found.attached))
    }

    fn reading(&mut self, group: &str) -> Result<crate::watch::groups::Reading, Error> {
        Ok(self.meter(group)?.read_all(now_ns()))
    }

    /// The loosest quota that any of these processes is under: one that escaped its group shows.
    fn quota_of(&self, members: &[i32]) -> Option<Quota> {
        let mounted = self.given.mounted.as_deref()?;
        let quotas: Option<Vec<Quota>> = memberships(members)
            .map(|membership| mounted.quota(&membership))
            .collect();
        quotas?
            .into_iter()
            .reduce(|a, b| if b.cpus() > a.cpus() { b } else { a })
    }

    fn memory_limit_of(&self, members: &[i32]) -> Option<u64> {
        let mounted: &dyn Hierarchy = self.given.mounted.as_deref()?;
        let limits: Option<Vec<u64>> = memberships(members)
            .map(|membership| mounted.memory_limit_bytes(&membership))
            .collect();
        limits?.into_iter().max()
    }
}

impl GroupHistory {
    /// Run-queue delay of all threads seen so far; `None` if this kernel does not count it.
    fn run_delay_ns(&mut self, members: &[i32]) -> Option<u64> {
        let mut visible = fs::exists("/proc/self/schedstat").unwrap_or(false);
        for &pid in members {
            for thread in process::threads(pid) {
                let text =
                    fs::read(format!("/proc/{pid}/task/{thread}/schedstat")).unwrap_or_default();
                if let Some(delay) = process::run_delay_ns(&text) {
                    visible = true;
                    let _ = self.delays_ns.insert((pid, thread), delay);
                }
            }
        }
        visible.then(|| self.delays_ns.values().sum())
    }
}

/// The network of each of these processes; one that has ended since they were listed has none, which is no missing
/// limit.
fn memberships(members: &[i32]) -> impl Iterator<Item = String> {
    members
        .iter()
        .filter_map(|pid| fs::read_to_string(format!("/proc/{pid}/cgroup")).ok())
}
