//! What a tree's processes have used and hold. Small trees are read at every reading.

use std::collections::HashMap;

use super::{Member, Tree};
use crate::procfs::open_file::OpenFile;
use crate::procfs::process::{self, Stat};

/// Trees up to this size are read at every reading; larger ones once a second (5.5 us a process and reading).
const SMALL_TREE: usize = 32;

/// How often large trees are read, and small ones searched for what their threads have forked.
const SEARCH_EVERY_NS: u64 = 1_000_000_000;

/// A process's files, kept open, and their last content.
#[derive(Debug)]
pub struct ProcessFiles {
    stat: OpenFile,
    said: Vec<u8>,
    pages: u64,
    statm: Option<OpenFile>,
    children: Option<OpenFile>,
}

/// What a group's processes have used and hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupUsage {
    /// CPU time so far, ended processes included.
    pub cpu_ns: u64,
    /// Memory that only its processes hold; what they share counts for none.
    pub memory_bytes: u64,
}

impl Tree {
    /// Read what every group holds, if it is time to; `usage` then returns it. False if the tree is large and not
    /// due.
    pub fn read(&mut self, now_ns: u64) -> bool {
        if self.read_ns == Some(now_ns) {
            return true;
        }
        let due = self
            .searched_ns
            .is_none_or(|then| now_ns >= then + SEARCH_EVERY_NS);
        if due {
            self.read_all(now_ns);
            return true;
        }
        if self.members.len() > SMALL_TREE {
            return false;
        }
        self.read_again();
        self.sum_up();
        self.read_ns = Some(now_ns);
        true
    }

    /// Forget that it was searched at that instant: it is due again.
    pub fn forget(&mut self, at_ns: u64) {
        if self.searched_ns == Some(at_ns) {
            self.searched_ns = None;
        }
    }

    /// Walk the whole tree and read what every group holds, however large it is.
    pub fn read_all(&mut self, now_ns: u64) {
        self.searched_ns = Some(now_ns);
        self.walk();
        self.sum_up();
        self.read_ns = Some(now_ns);
    }

    /// What a group has used and holds, as last read.
    #[must_use]
    pub fn usage(&self, group: &str) -> Option<GroupUsage> {
        self.usage.get(group).copied()
    }

    /// Read the known members again, and take in what their first threads have forked since.
    ///
    /// In order of pid, so mostly parents first: a child waited for meanwhile is missed once, never counted twice.
    fn read_again(&mut self) {
        let mut fresh = Vec::new();
        self.members.retain(|&pid, member| {
            if member.files.is_none() {
                member.files = ProcessFiles::open(pid);
            }
            let Some(files) = member.files.as_mut() else {
                return false;
            };
            match files.read_again() {
                Change::Gone => return false,
                Change::Asleep => {}
                Change::Changed(stat) => {
                    member.stat = stat;
                    let children = files.children.as_mut().and_then(OpenFile::read);
                    let children = process::pids(children.unwrap_or_default());
                    fresh.extend(children.map(|child| (child, member.root)));
                }
            }
            true
        });
        fresh.retain(|(pid, _)| !self.members.contains_key(pid));
        for (pid, root) in fresh {
            if let Some(stat) = Stat::read(pid) {
                self.put(stat, root);
            }
        }
    }

    fn sum_up(&mut self) {
        let mut sums: HashMap<&str, GroupUsage> = HashMap::new();
        for root in &self.roots {
            let ended = self.ended_ns.get(&root.group).copied().unwrap_or(0);
            sums.entry(&root.group).or_default().cpu_ns = ended;
        }
        for member in self.members.values() {
            let Some(root) = member.root else { continue };
            let sum = sums.entry(&self.roots[root].group).or_default();
            sum.cpu_ns += member.stat.cpu_ns + member.stat.waited_ns;
            sum.memory_bytes += member.private_pages().unwrap_or(0) * self.page_bytes;
        }
        for (group, sum) in sums {
            match self.usage.get_mut(group) {
                Some(known) => {
                    known.cpu_ns = known.cpu_ns.max(sum.cpu_ns);
                    known.memory_bytes = sum.memory_bytes;
                }
                None => drop(self.usage.insert(group.to_owned(), sum)),
            }
        }
    }
}

/// What a second look at a process shows.
enum Change {
    Gone,
    /// Its line is the same to the letter, without a tick of CPU time or a page fault since: it has hardly run, and so
    /// neither forked nor taken memory. What slips through is found at the next walk.
    Asleep,
    Changed(Stat),
}

impl Member {
    fn private_pages(&self) -> Option<u64> {
        match &self.files {
            Some(files) => Some(files.pages),
            None => process::private_pages(&process::read("statm", self.stat.pid)?),
        }
    }
}

impl ProcessFiles {
    fn open(pid: i32) -> Option<Self> {
        Some(Self {
            stat: OpenFile::open_line(format!("/proc/{pid}/stat"))?,
            said: Vec::new(),
            pages: 0,
            statm: OpenFile::open_line(format!("/proc/{pid}/statm")),
            children: OpenFile::open(format!("/proc/{pid}/task/{pid}/children")),
        })
    }

    fn read_again(&mut self) -> Change {
        let Some(said) = self.stat.read() else {
            return Change::Gone;
        };
        if said == self.said {
            return Change::Asleep;
        }
        self.said.clear();
        self.said.extend_from_slice(said);
        let statm = self.statm.as_mut().and_then(OpenFile::read);
        self.pages = statm.and_then(process::private_pages).unwrap_or(0);
        Stat::parse(&self.said).map_or(Change::Gone, Change::Changed)
    }
}
