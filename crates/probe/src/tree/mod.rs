//! Which processes descend from which started program, and what they have used, read from `/proc` alone.
//!
//! supervise is a child subreaper: whatever daemonizes becomes its child, so nothing leaves this tree.

pub mod attached;
mod search;
mod usage;

use std::collections::{BTreeMap, HashMap};

pub use self::usage::GroupUsage;
use self::usage::ProcessFiles;
use crate::procfs::process::Stat;

/// The variable that names, in every started process's environment, the program that it belongs to.
pub const PROCESS_VARIABLE: &str = "HEADTOHEAD_PROCESS";

/// A started program.
#[derive(Clone, Debug)]
struct Root {
    pid: i32,
    name: String,
    group: String,
    /// Whether it was waited for: its number may since belong to another process.
    ended: bool,
}

/// A process of the tree as last read, the root it belongs to (`None`: an orphan that nothing claims), and its files.
#[derive(Debug)]
struct Member {
    stat: Stat,
    root: Option<usize>,
    files: Option<ProcessFiles>,
}

/// The processes below supervise, or below some processes named by hand.
#[derive(Debug)]
pub struct Tree {
    adopter: Option<i32>,
    roots: Vec<Root>,
    members: BTreeMap<i32, Member>,
    ended_ns: HashMap<String, u64>,
    usage: HashMap<String, GroupUsage>,
    searched_ns: Option<u64>,
    read_ns: Option<u64>,
    page_bytes: u64,
}

impl Tree {
    /// An empty tree; orphans become children of `adopter`.
    #[must_use]
    pub fn new(adopter: Option<i32>) -> Self {
        Self {
            adopter,
            roots: Vec::new(),
            members: BTreeMap::new(),
            ended_ns: HashMap::new(),
            usage: HashMap::new(),
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
            ended: false,
        });
        if let Some(stat) = Stat::read(pid) {
            self.put(stat, Some(self.roots.len() - 1));
        }
    }

    /// Take over what an ended process of this run has used, just before it is waited for.
    pub fn ended(&mut self, stat: &Stat) {
        let root = self.root_of_orphan(stat);
        let _ = self.members.remove(&stat.pid);
        for ended in self.roots.iter_mut().filter(|root| root.pid == stat.pid) {
            ended.ended = true;
        }
        if let Some(root) = root {
            let group = self.roots[root].group.clone();
            *self.ended_ns.entry(group).or_default() += stat.cpu_ns + stat.waited_ns;
        }
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

    fn running(&self, of: impl Fn(Option<&Root>) -> bool) -> Vec<i32> {
        let chosen =
            |member: &&Member| member.stat.runs() && of(member.root.map(|root| &self.roots[root]));
        let found = self.members.values().filter(chosen);
        found.map(|member| member.stat.pid).collect()
    }

    /// Add a process, or what was read of it now; the files of a known one stay open.
    fn put(&mut self, stat: Stat, root: Option<usize>) {
        let known = self.members.remove(&stat.pid);
        let files = known
            .filter(|known| known.stat.started == stat.started)
            .and_then(|known| known.files);
        let _ = self.members.insert(stat.pid, Member { stat, root, files });
    }
}

#[cfg(test)]
mod tests {
    use super::Tree;
    use base::clock::now_ns;
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
        let mut tree = Tree::new(None);
        tree.add(pid(&child), "server", "subject");
        let mut found = Vec::new();
        for _ in 0..500 {
            tree.search();
            found = tree.of_process("server");
            if found.len() >= 3 {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        crate::cgroup::kill_each(&found);
        let _ = child.wait().expect("it ends");
        assert_eq!(found.len(), 3, "sh and two sleeps: {found:?}");
        assert_eq!(tree.of_group("subject"), found);
        assert!(tree.of_group("driver").is_empty() && tree.unclaimed().is_empty());
    }

    #[test]
    fn a_number_that_is_given_again_is_not_taken_for_the_program_that_had_it() {
        let mut child = sleeper();
        let mut tree = Tree::new(None);
        tree.add(pid(&child), "server", "subject");
        tree.search();
        let before = tree.everyone();
        tree.ended(&super::Stat::read(pid(&child)).expect("it runs"));
        tree.search();
        let found = tree.everyone();
        crate::cgroup::kill_each(&before);
        let _ = child.wait().expect("it ends");
        assert_eq!(found, Vec::<i32>::new());
    }

    #[test]
    fn a_large_tree_rests_for_a_second_unless_its_reading_is_forgotten() {
        let mut command = Command::new("sh");
        let many = "for i in $(seq 40); do sleep 30 & done; echo; wait";
        let mut child = command
            .args(["-c", many])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .expect("sh is there");
        let _ = std::io::BufRead::read_until(
            &mut std::io::BufReader::new(child.stdout.as_mut().expect("a pipe")),
            b'\n',
            &mut Vec::new(),
        )
        .expect("all are started");
        let mut tree = Tree::new(None);
        tree.add(pid(&child), "server", "subject");
        let now = now_ns();
        let seen = [
            tree.read(now),
            tree.read(now + 1),
            {
                tree.forget(now + 7);
                tree.read(now + 2)
            },
            {
                tree.forget(now);
                tree.read(now + 3)
            },
        ];
        let found = tree.everyone();
        crate::cgroup::kill_each(&found);
        let _ = child.wait().expect("it ends");
        assert_eq!(found.len(), 41);
        assert_eq!(seen, [true, false, false, true]);
    }

    #[test]
    fn a_living_process_holds_memory() {
        let me = i32::try_from(std::process::id()).expect("a pid");
        let mut tree = Tree::new(None);
        tree.add(me, "ourselves", "subject");
        assert!(tree.read(now_ns()));
        assert!(tree.usage("subject").expect("read").memory_bytes > 100_000);
        assert_eq!(tree.usage("driver"), None);
    }
}
