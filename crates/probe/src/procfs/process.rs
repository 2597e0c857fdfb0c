//! One process, as `/proc/PID` shows it.

use std::fs;

use super::TICK_NS;
use super::open_file::{read_line, read_lines};
use super::text::{number, words};

/// The content of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The process.
    pub pid: i32,
    /// `Z` for a process that has ended and was not waited for.
    pub state: u8,
    /// Its parent.
    pub parent: i32,
    /// Its process group.
    pub group: i32,
    /// Its session.
    pub session: i32,
    /// CPU time of its own, living and ended threads, to 10 ms.
    pub cpu_ns: u64,
    /// CPU time of children that it waited for, and of theirs.
    pub waited_ns: u64,
    /// Threads now.
    pub threads: u64,
    /// When it started, in clock ticks since boot: with the pid, a name that is never given twice.
    pub started: u64,
}

impl Stat {
    /// Whether it still runs (a zombie does not).
    #[must_use]
    pub fn runs(&self) -> bool {
        !matches!(self.state, b'Z' | b'X')
    }

    /// Read it from the text of `/proc/PID/stat`. The name in brackets may itself hold brackets and spaces.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Self> {
        let open = text.iter().position(|&byte| byte == b'(')?;
        let close = text.iter().rposition(|&byte| byte == b')')?;
        let pid = pid_of(text.get(..open)?.trim_ascii())?;
        let mut fields = words(text.get(close + 1..)?);
        let state = *fields.next()?.first()?;
        let parent = pid_of(fields.next()?)?;
        let group = pid_of(fields.next()?)?;
        let session = pid_of(fields.next()?)?;
        let mut times = fields.by_ref().skip(7).take(4).map(number);
        let (user, system) = (times.next()??, times.next()??);
        let (user_waited, system_waited) = (times.next()??, times.next()??);
        drop(times);
        let threads = number(fields.nth(2)?)?;
        let started = number(fields.nth(1)?)?;
        Some(Self {
            pid,
            state,
            parent,
            group,
            session,
            cpu_ns: (user + system).saturating_mul(TICK_NS),
            waited_ns: (user_waited + system_waited).saturating_mul(TICK_NS),
            threads,
            started,
        })
    }

    /// Read it from `/proc`; `None` once the process is gone.
    #[must_use]
    pub fn read(pid: i32) -> Option<Self> {
        Self::parse(&read("stat", pid)?)
    }
}

fn pid_of(word: &[u8]) -> Option<i32> {
    i32::try_from(number(word)?).ok()
}

/// The parent of all threads of the kernel: the second process that it starts.
const KTHREADD: i32 = 2;

/// Whether a process is a thread of the kernel; those that work off what interrupts left to do may be left out.
#[must_use]
pub fn is_kernel_thread(pid: i32, with_softirqs: bool) -> bool {
    read("stat", pid).is_some_and(|stat| told_kernel_thread(&stat, with_softirqs))
}

/// By its parent, which no other process can have.
fn told_kernel_thread(stat: &[u8], with_softirqs: bool) -> bool {
    let softirq = stat
        .split(|&byte| byte == b'(')
        .nth(1)
        .is_some_and(|rest| rest.starts_with(b"ksoftirqd/"));
    (with_softirqs || !softirq) && Stat::parse(stat).is_some_and(|stat| stat.parent == KTHREADD)
}

/// The number of every process of this machine.
#[must_use]
pub fn pids_now() -> Vec<i32> {
    numbered("/proc")
}

/// Every process of this machine.
#[must_use]
pub fn all() -> Vec<Stat> {
    numbered("/proc")
        .into_iter()
        .filter_map(Stat::read)
        .collect()
}

/// The threads of a process; empty once it is gone.
#[must_use]
pub fn threads(pid: i32) -> Vec<i32> {
    numbered(&format!("/proc/{pid}/task"))
}

/// The entries of a folder whose names are numbers.
fn numbered(folder: &str) -> Vec<i32> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

/// Pages that only this process holds, from the text of `/proc/PID/statm`: resident less file and shared ones.
#[must_use]
pub fn private_pages(statm: &[u8]) -> Option<u64> {
    let mut fields = words(statm).skip(1).map(number);
    let resident = fields.next()??;
    Some(resident.saturating_sub(fields.next()??))
}

/// The real user of a process, from the text of `/proc/PID/status`.
#[must_use]
pub fn uid(status: &[u8]) -> Option<u32> {
    u32::try_from(super::text::after(status, b"Uid:")?).ok()
}

/// The most files that a process may ever have open: its hard limit; `None` once it is gone, or without a limit.
#[must_use]
pub fn most_open_files(pid: i32) -> Option<u64> {
    let limits = read("limits", pid)?;
    let text = String::from_utf8_lossy(&limits);
    let line = text
        .lines()
        .find(|line| line.starts_with("Max open files"))?;
    line.split_whitespace().nth(4)?.parse().ok()
}

/// How long a thread waited for a CPU although it could run, from the text of `/proc/PID/task/TID/schedstat`.
#[must_use]
pub fn run_delay_ns(schedstat: &[u8]) -> Option<u64> {
    super::text::number_at(schedstat, 1)
}

/// A file of a process that the kernel writes as one record; `None` once the process is gone.
#[must_use]
pub fn read(name: &str, pid: i32) -> Option<Vec<u8>> {
    read_line(format!("/proc/{pid}/{name}"))
}

/// Process numbers in a text.
pub fn pids(text: &[u8]) -> impl Iterator<Item = i32> {
    words(text).filter_map(pid_of)
}

/// Whether this kernel names children (`CONFIG_PROC_CHILDREN`).
#[must_use]
pub fn shows_children() -> bool {
    fs::exists("/proc/thread-self/children").unwrap_or(false)
}

/// The children that a process's threads have forked; empty once it is gone.
#[must_use]
pub fn children(of: &Stat) -> Vec<i32> {
    let forkers = if of.threads > 1 {
        threads(of.pid)
    } else {
        vec![of.pid]
    };
    let mut found = Vec::new();
    for thread in forkers {
        // One record a child: of a server with a thousand processes, a single read gives a part only.
        let text = read_lines(format!("/proc/{}/task/{thread}/children", of.pid));
        found.extend(pids(&text.unwrap_or_default()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Stat, private_pages, run_delay_ns, shows_children, told_kernel_thread, uid};
    use std::collections::HashSet;
    use std::process::{Child, Command};

    const NGINX: &[u8] = b"4242 (nginx: a) (b) S 4200 4242 4242 0 -1 4194624 1215 99 3 0 210 1490 7 5 20 0 33 0 51423 \
        56000000 900 18446744073709551615 1 1 0 0 0 0 0 1073746048 402745863 0 0 0 17 1 0 0 0 0 0\n";

    #[test]
    fn a_name_with_brackets_and_spaces_does_not_shift_the_fields() {
        let stat = Stat::parse(NGINX).expect("a stat");
        assert_eq!(
            (stat.pid, stat.parent, stat.group, stat.session),
            (4242, 4200, 4242, 4242)
        );
        assert_eq!((stat.cpu_ns, stat.waited_ns), (17_000_000_000, 120_000_000));
        assert_eq!((stat.threads, stat.started, stat.state), (33, 51_423, b'S'));
        assert!(stat.runs());
    }

    #[test]
    fn a_cut_text_is_none() {
        for end in [0, 10, 40, 70] {
            assert_eq!(Stat::parse(&NGINX[..end]), None);
        }
    }

    #[test]
    fn our_own_stat_names_our_pid() {
        let pid = i32::try_from(std::process::id()).expect("a pid");
        assert_eq!(Stat::read(pid).map(|stat| stat.pid), Some(pid));
    }

    #[test]
    fn private_memory_is_resident_less_shared() {
        assert_eq!(private_pages(b"2000 900 650 10 0 120 0\n"), Some(250));
        assert_eq!(private_pages(b"0 0 0 0 0 0 0\n"), Some(0));
        assert_eq!(private_pages(b""), None);
    }

    #[test]
    fn status_and_schedstat_are_read() {
        assert_eq!(
            uid(b"Name:\tcat\nUid:\t999\t999\t999\t999\nGid:\t995\n"),
            Some(999)
        );
        assert_eq!(run_delay_ns(b"2773284 1500 7\n"), Some(1500));
    }

    /// More than two pages of process numbers, as a database with a thousand connections has them.
    const MANY_CHILDREN_BYTES: usize = 12_000;

    #[test]
    fn no_child_is_lost_among_many() {
        if !shows_children() {
            return;
        }
        let mut children: Vec<Child> = Vec::new();
        let mut bytes = 0;
        while bytes < MANY_CHILDREN_BYTES {
            // It ends at once, and stays a child until it is waited for.
            let child = Command::new("true").spawn().expect("true is there");
            bytes += child.id().to_string().len() + 1;
            children.push(child);
        }
        let me = i32::try_from(std::process::id()).expect("a pid");
        let found: HashSet<i32> = super::children(&Stat::read(me).expect("our own stat"))
            .into_iter()
            .collect();
        let lost: Vec<u32> = children
            .iter()
            .map(Child::id)
            .filter(|&pid| !found.contains(&i32::try_from(pid).expect("a pid")))
            .collect();
        for child in &mut children {
            let _ = child.wait().expect("it ends");
        }
        assert!(lost.is_empty(), "lost {} of {}", lost.len(), children.len());
    }

    #[test]
    fn a_thread_of_the_kernel_is_known_by_its_parent_too() {
        let stat = |name: &str, parent: i32| {
            format!("16 ({name}) S {parent} 0 0 0 -1 69238848 0 0 0 0 3 41 0 0 20 0 1 0 9 0 0")
        };
        let told = |name: &str, parent: i32, with_softirqs: bool| {
            told_kernel_thread(stat(name, parent).as_bytes(), with_softirqs)
        };
        assert!(told("kworker/0:1H-kblockd", 2, true));
        assert!(told("kworker/0:1H-kblockd", 2, false));
        assert!(told("ksoftirqd/0", 2, true));
        assert!(!told("ksoftirqd/0", 2, false));
        assert!(!told("kworker/0:1H-kblockd", 1, true));
        assert!(!told_kernel_thread(b"", true));
    }
}
