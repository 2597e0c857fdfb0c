//! Finding the processes of a tree: in all of `/proc`, or downwards from those known.

use std::collections::{HashMap, HashSet};
use std::fs;

use super::{PROCESS_VARIABLE, Root, Tree};
use crate::procfs::process::{self, Stat};

/// Where a process of this machine belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Elsewhere,
    /// Below that root; `None`: in the tree, but below an unknown root.
    Below(Option<usize>),
}

impl Tree {
    /// Search all of `/proc` for the processes of the tree.
    pub fn search(&mut self) {
        let all: HashMap<i32, Stat> = process::all()
            .into_iter()
            .map(|stat| (stat.pid, stat))
            .collect();
        let mut found = HashSet::new();
        for stat in all.values() {
            if let Place::Below(root) = self.place_of(stat, &all) {
                let _ = found.insert(stat.pid);
                self.put(*stat, root);
            }
        }
        self.members.retain(|pid, _| found.contains(pid));
    }

    /// Find them by going down from those known, which costs nothing for the machine's other processes.
    pub(super) fn walk(&mut self) {
        if !process::shows_children() {
            return self.search();
        }
        // Taken from the end, so the lowest pid first, mostly parents: a child waited for meanwhile is not counted
        // twice.
        let known = self.members.values().rev();
        let mut queue: Vec<(i32, Option<usize>)> =
            known.map(|member| (member.stat.pid, member.root)).collect();
        let mut found = HashSet::new();
        let adopter = self.adopter.and_then(Stat::read);
        for pid in adopter
            .map(|stat| process::children(&stat))
            .unwrap_or_default()
        {
            if let Some(stat) = Stat::read(pid) {
                queue.push((pid, self.root_of_orphan(&stat)));
            }
        }
        while let Some((pid, root)) = queue.pop() {
            if found.contains(&pid) {
                continue;
            }
            if let Some(stat) = Stat::read(pid) {
                let _ = found.insert(pid);
                self.put(stat, root);
                let children = process::children(&stat);
                queue.extend(children.into_iter().map(|child| (child, root)));
            }
        }
        self.members.retain(|pid, _| found.contains(pid));
    }

    fn place_of(&self, stat: &Stat, all: &HashMap<i32, Stat>) -> Place {
        let mut at = *stat;
        loop {
            let is_root = |root: &Root| root.pid == at.pid && !root.ended;
            if let Some(root) = self.roots.iter().rposition(is_root)
                && self.is_known_or_new(&at)
            {
                return Place::Below(Some(root));
            }
            if Some(at.parent) == self.adopter {
                return Place::Below(self.root_of_orphan(&at));
            }
            match all.get(&at.parent) {
                Some(parent) if parent.pid != at.pid => at = *parent,
                _ => return Place::Elsewhere,
            }
        }
    }

    /// False for a process that only has the number of one that we knew.
    fn is_known_or_new(&self, stat: &Stat) -> bool {
        let known = self.members.get(&stat.pid);
        known.is_none_or(|known| known.stat.started == stat.started)
    }

    /// Which program an orphan came from: as seen before, by process group or session, or by its environment.
    pub(super) fn root_of_orphan(&self, stat: &Stat) -> Option<usize> {
        let known = self.members.get(&stat.pid);
        let known = known.filter(|known| known.stat.started == stat.started);
        if let Some(root) = known.and_then(|known| known.root) {
            return Some(root);
        }
        let leads = |root: &Root| [stat.pid, stat.group, stat.session].contains(&root.pid);
        if let Some(root) = self.roots.iter().rposition(leads) {
            return Some(root);
        }
        if self.roots.len() == 1 {
            return Some(0);
        }
        let environment = fs::read(format!("/proc/{}/environ", stat.pid)).unwrap_or_default();
        let says = |root: &Root| {
            let entry = format!("{PROCESS_VARIABLE}={}", root.name);
            environment
                .split(|&byte| byte == 0)
                .any(|each| each == entry.as_bytes())
        };
        self.roots.iter().rposition(says)
    }
}
