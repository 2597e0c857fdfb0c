//! Which processes descend from which started program, and what they have used, read from `/proc` alone.
//!
//! supervise is a child subreaper: whatever daemonizes comes to be its child, so nothing leaves this tree.

use std::collections::{BTreeMap, HashMap};

use crate::procfs::kept::Kept;
use crate::procfs::process::{self, Stat};
use crate::procfs::words::{number, words};

/// The variable that names, in every started process's environment, the program that it belongs to.
pub const PROCESS_VARIABLE: &str = "HEADTOHEAD_PROCESS";

/// Trees up to this size are read at every reading; larger ones once a second (5.5 µs a process and reading).
const SMALL_TREE: usize = 32;

/// How often large trees are read, and small ones searched for what their threads have forked.
const SEARCH_EVERY_NS: u64 = 1_000_000_000;

/// A started program.
#[derive(Clone, Debug)]
struct Root {
    pid: i32,
    name: String,
    group: String,
}

/// A process of the tree: which root it belongs to (`None`: an orphan that nothing claims), and its files.
#[derive(Debug)]
struct Member {
    started: u64,
    root: Option<usize>,
    runs: bool,
    files: Option<Files>,
}

#[derive(Debug)]
struct Files {
    stat: Kept,
    statm: Option<Kept>,
    children: Option<Kept>,
}

/// Where a process of this machine belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Elsewhere,
    /// Below that root; `None`: in the tree, but nothing says below which.
    Below(Option<usize>),
}

/// What a group's processes have used and hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    /// CPU time so far, ended processes included.
    pub cpu_ns: u64,
    /// Memory that only its processes hold; what they share counts for none.
    pub memory_bytes: u64,
}

/// The processes below supervise, or below some processes named by hand.
#[derive(Debug)]
pub struct Tree {
    adopter: Option<i32>,
    roots: Vec<Root>,
    members: BTreeMap<i32, Member>,
    ended_ns: HashMap<String, u64>,
    held: HashMap<String, Held>,
    searched_ns: Option<u64>,
    read_ns: Option<u64>,
    page_bytes: u64,
}

impl Tree {
    /// An empty tree; orphans come to `adopter`.
    #[must_use]
    pub fn new(adopter: Option<i32>) -> Self {
        Self {
            adopter,
            roots: Vec::new(),
            members: BTreeMap::new(),
            ended_ns: HashMap::new(),
            held: HashMap::new(),
            searched_ns: None,
            read_ns: None,
            page_bytes: u64::try_from(rustix::param::page_size()).unwrap_or(4096),
        }
    }

    /// Add a started program.
    pub fn add(&mut self, pid: i32, name: &str, group: &str) {
        self.roots.push(Root {
            pid,
            name: name.to_owned(),
            group: group.to_owned(),
        });
        if let Some(stat) = Stat::read(pid) {
            self.insert(&stat, Some(self.roots.len() - 1));
        }
    }

    /// Take over what an ended process of ours has used, just before it is waited for.
    pub fn ended(&mut self, stat: &Stat) {
        let root = self.root_of_orphan(stat);
        let _ = self.members.remove(&stat.pid);
        if let Some(root) = root {
            let group = self.roots[root].group.clone();
            *self.ended_ns.entry(group).or_default() += stat.cpu_ns + stat.waited_ns;
        }
    }

    /// Search all of `/proc` for the processes of the tree.
    pub fn search(&mut self) {
        let all: HashMap<i32, Stat> = process::all()
            .into_iter()
            .map(|stat| (stat.pid, stat))
            .collect();
        let mut found = BTreeMap::new();
        for stat in all.values() {
            if let Place::Below(root) = self.place_of(stat, &all) {
                let kept = self.members.remove(&stat.pid);
                let files = kept
                    .filter(|kept| kept.started == stat.started)
                    .and_then(|kept| kept.files);
                let member = Member {
                    started: stat.started,
                    root,
                    runs: stat.runs(),
                    files,
                };
                let _ = found.insert(stat.pid, member);
            }
        }
        self.members = found;
    }

    /// The running processes of a program's tree, as last searched.
    #[must_use]
    pub fn of_process(&self, name: &str) -> Vec<i32> {
        self.running(|root| root.is_some_and(|root| root.name == name))
    }

    /// The running processes of a group, as last searched.
    #[must_use]
    pub fn of_group(&self, group: &str) -> Vec<i32> {
        self.running(|root| root.is_some_and(|root| root.group == group))
    }

    /// The running orphans that belong to no program by any sign, as last searched.
    #[must_use]
    pub fn unclaimed(&self) -> Vec<i32> {
        self.running(|root| root.is_none())
    }

    /// Every running process of the tree, as last searched.
    #[must_use]
    pub fn everyone(&self) -> Vec<i32> {
        self.running(|_| true)
    }

    /// Read what every group holds, if it is time to; `held` then gives it. False where the tree is large and rests.
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
        self.look_for_children();
        self.sum_up();
        self.read_ns = Some(now_ns);
        true
    }

    /// Search the whole tree and read what every group holds, however large it is.
    pub fn read_all(&mut self, now_ns: u64) {
        self.searched_ns = Some(now_ns);
        self.search();
        self.sum_up();
        self.read_ns = Some(now_ns);
    }

    /// What a group has used and holds, as last read.
    #[must_use]
    pub fn held(&self, group: &str) -> Option<Held> {
        self.held.get(group).copied()
    }

    fn running(&self, of: impl Fn(Option<&Root>) -> bool) -> Vec<i32> {
        let chosen =
            |member: &&Member| member.runs && of(member.root.map(|root| &self.roots[root]));
        let of_members = self.members.iter().filter(|(_, member)| chosen(member));
        of_members.map(|(&pid, _)| pid).collect()
    }

    fn insert(&mut self, stat: &Stat, root: Option<usize>) {
        let member = Member {
            started: stat.started,
            root,
            runs: stat.runs(),
            files: None,
        };
        let _ = self.members.insert(stat.pid, member);
    }

    fn place_of(&self, stat: &Stat, all: &HashMap<i32, Stat>) -> Place {
        let mut at = *stat;
        loop {
            if let Some(root) = self.roots.iter().rposition(|root| root.pid == at.pid)
                && self
                    .members
                    .get(&at.pid)
                    .is_none_or(|known| known.started == at.started)
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

    /// Which program an orphan came from: as seen before, by process group or session, or by its environment.
    fn root_of_orphan(&self, stat: &Stat) -> Option<usize> {
        let known = self
            .members
            .get(&stat.pid)
            .filter(|known| known.started == stat.started);
        if let Some(root) = known.and_then(|known| known.root) {
            return Some(root);
        }
        let leads = |root: &Root| {
            root.pid == stat.pid || root.pid == stat.group || root.pid == stat.session
        };
        if let Some(root) = self.roots.iter().rposition(leads) {
            return Some(root);
        }
        if self.roots.len() == 1 {
            return Some(0);
        }
        let says = |root: &Root| {
            process::has_environment(stat.pid, &format!("{PROCESS_VARIABLE}={}", root.name))
        };
        self.roots.iter().rposition(says)
    }

    /// Add what the members, and the adopter, have forked since the last reading.
    fn look_for_children(&mut self) {
        let mut fresh = Vec::new();
        for member in self.members.values_mut() {
            let root = member.root;
            let children = member
                .files
                .as_mut()
                .and_then(|files| files.children.as_mut());
            if let Some(text) = children.and_then(Kept::read) {
                fresh.extend(pids(text).map(|pid| (pid, root)));
            }
        }
        fresh.retain(|(pid, _)| !self.members.contains_key(pid));
        for (pid, root) in fresh {
            if let Some(stat) = Stat::read(pid) {
                self.insert(&stat, root);
            }
        }
    }

    fn sum_up(&mut self) {
        let mut sums: HashMap<&str, Held> = HashMap::new();
        for root in &self.roots {
            let ended = self.ended_ns.get(&root.group).copied().unwrap_or(0);
            sums.entry(&root.group).or_default().cpu_ns = ended;
        }
        // In order of pid, so mostly parents first: a child waited for meanwhile is missed once, never counted twice.
        for (&pid, member) in &mut self.members {
            let Some(root) = member.root else { continue };
            let Some(used) = used(pid, member) else {
                continue;
            };
            let sum = sums.entry(&self.roots[root].group).or_default();
            sum.cpu_ns += used.cpu_ns;
            sum.memory_bytes += used.memory_bytes * self.page_bytes;
        }
        for (group, sum) in sums {
            match self.held.get_mut(group) {
                Some(held) => {
                    held.cpu_ns = held.cpu_ns.max(sum.cpu_ns);
                    held.memory_bytes = sum.memory_bytes;
                }
                None => drop(self.held.insert(group.to_owned(), sum)),
            }
        }
    }
}

/// What one process has used, its memory in pages; `None` once it is gone.
fn used(pid: i32, member: &mut Member) -> Option<Held> {
    if member.files.is_none() {
        member.files = Some(Files {
            stat: Kept::open_short(format!("/proc/{pid}/stat"))?,
            statm: Kept::open_short(format!("/proc/{pid}/statm")),
            children: Kept::open_short(format!("/proc/{pid}/task/{pid}/children")),
        });
    }
    let files = member.files.as_mut()?;
    let stat = Stat::parse(files.stat.read()?)?;
    let pages = files
        .statm
        .as_mut()
        .and_then(Kept::read)
        .and_then(process::private_pages);
    Some(Held {
        cpu_ns: stat.cpu_ns + stat.waited_ns,
        memory_bytes: pages.unwrap_or(0),
    })
}

fn pids(text: &[u8]) -> impl Iterator<Item = i32> {
    words(text).filter_map(|word| i32::try_from(number(word)?).ok())
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use crate::clock::now_ns;
    use std::process::{Child, Command, Stdio};

    fn sleeper() -> Child {
        let mut command = Command::new("sh");
        let _ = command
            .args(["-c", "sleep 30 & sleep 30"])
            .stdin(Stdio::null());
        command.spawn().expect("sh is there")
    }

    fn pid(child: &Child) -> i32 {
        i32::try_from(child.id()).expect("a pid")
    }

    #[test]
    fn a_tree_holds_the_children_of_its_programs_and_nothing_else() {
        let mut child = sleeper();
        std::thread::sleep(std::time::Duration::from_millis(300));
        let mut tree = Tree::new(None);
        tree.add(pid(&child), "server", "subject");
        tree.search();
        let found = tree.of_process("server");
        crate::cgroup::kill_each(&found);
        let _ = child.wait().expect("it ends");
        assert_eq!(found.len(), 3, "sh and two sleeps: {found:?}");
        assert_eq!(tree.of_group("subject"), found);
        assert!(tree.of_group("driver").is_empty() && tree.unclaimed().is_empty());
    }

    #[test]
    fn a_living_process_holds_memory() {
        let me = i32::try_from(std::process::id()).expect("a pid");
        let mut tree = Tree::new(None);
        tree.add(me, "ourselves", "subject");
        assert!(tree.read(now_ns()));
        assert!(tree.held("subject").expect("read").memory_bytes > 100_000);
        assert_eq!(tree.held("driver"), None);
    }
}
