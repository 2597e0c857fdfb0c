//! By which signs a process belongs to a run. The same as headtohead's own, `hosts/processes.py`.

use std::path::{Component, PathBuf};

use crate::procfs::process::{self, Stat};

/// The variable that supervise gives to every program.
const OWNER: &[u8] = b"HEADTOHEAD_OWNER=";

/// What begins every name of ours.
pub const PREFIX: &str = "headtohead-";

/// The field of `/proc/PID/stat` with the controlling terminal, counted from the state: 0 is none.
const TERMINAL: usize = 4;

/// A run's name: its owner's process id and start time in clock ticks, and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunId {
    /// The name as written.
    pub text: String,
    /// The owner.
    pub pid: i32,
    /// When the owner started, in clock ticks since boot.
    pub started: u64,
}

impl RunId {
    /// Read a name; `None` if it is not one.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let (pid, started, number) = (parts.next()?, parts.next()?, parts.next()?);
        let digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if parts.next().is_some()
            || ![pid, started, number].into_iter().all(digits)
            || pid.starts_with('0')
        {
            return None;
        }
        Some(Self {
            text: text.to_owned(),
            pid: pid.parse().ok()?,
            started: started.parse().ok()?,
        })
    }

    /// The run in the name of a control group, which the group's own name follows.
    pub fn of_cgroup(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        let id: Vec<&str> = rest.splitn(4, '-').take(3).collect();
        Self::parse(&id.join("-"))
    }

    /// The run in the name of a folder, or of its log.
    pub fn of_folder(name: &str) -> Option<Self> {
        let rest = name.strip_prefix(PREFIX)?;
        Self::parse(rest.strip_suffix(".log").unwrap_or(rest))
    }

    /// Whether the owner is dead.
    pub fn is_left_over(&self) -> bool {
        !Stat::read(self.pid).is_some_and(|stat| stat.runs() && stat.started == self.started)
    }
}

/// The runs that a process belongs to, by each sign.
pub fn runs_of(pid: i32) -> Vec<RunId> {
    let signs = [
        by_environment(pid),
        by_cgroup(pid),
        by_folder(pid),
        supervised_by(pid),
    ];
    signs.into_iter().flatten().collect()
}

fn by_environment(pid: i32) -> Option<RunId> {
    let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
    let found = environment
        .split(|&byte| byte == 0)
        .find_map(|each| each.strip_prefix(OWNER))?;
    RunId::parse(std::str::from_utf8(found).ok()?)
}

fn by_cgroup(pid: i32) -> Option<RunId> {
    let text = std::fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
    let places = text.lines().filter_map(|line| line.rsplit(':').next());
    places
        .flat_map(|place| place.split('/'))
        .find_map(RunId::of_cgroup)
}

/// By its working directory, unless it is at a terminal, and so a person's.
fn by_folder(pid: i32) -> Option<RunId> {
    let stat = String::from_utf8_lossy(&process::read("stat", pid)?).into_owned();
    let behind = stat.rsplit_once(')')?.1;
    if behind.split_whitespace().nth(TERMINAL)? != "0" {
        return None;
    }
    let folder: PathBuf = std::fs::read_link(format!("/proc/{pid}/cwd")).ok()?;
    folder.components().find_map(|part| match part {
        Component::Normal(name) => RunId::of_folder(name.to_str()?.trim_end_matches(" (deleted)")),
        _ => None,
    })
}

/// The run that a process supervises.
pub fn supervised_by(pid: i32) -> Option<RunId> {
    let line = std::fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words: Vec<&[u8]> = line.split(|&byte| byte == 0).collect();
    if words.get(1) != Some(&b"supervise".as_slice()) {
        return None;
    }
    let at = words.iter().position(|word| *word == b"--id")?;
    RunId::parse(std::str::from_utf8(words.get(at + 1)?).ok()?)
}

#[cfg(test)]
mod tests {
    use super::RunId;

    #[test]
    fn a_run_is_named_by_its_owner_and_a_number() {
        let id = RunId::parse("812-90210-7").expect("an id");
        assert_eq!((id.pid, id.started), (812, 90_210));
        for wrong in [
            "",
            "812",
            "812-90210",
            "812-90210-7-8",
            "0-1-2",
            "a-1-2",
            "812--7",
        ] {
            assert_eq!(RunId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn groups_and_folders_carry_it() {
        assert_eq!(
            RunId::of_cgroup("headtohead-8-9-1-subject"),
            RunId::parse("8-9-1")
        );
        assert_eq!(
            RunId::of_folder("headtohead-8-9-1.log"),
            RunId::parse("8-9-1")
        );
        assert_eq!(RunId::of_folder("headtohead-8-9-1-subject"), None);
        assert_eq!(RunId::of_cgroup("other-8-9-1-subject"), None);
    }

    #[test]
    fn this_process_is_alive_and_an_earlier_one_of_its_number_is_not() {
        let pid = i32::try_from(std::process::id()).expect("a pid");
        let started = super::Stat::read(pid).expect("a stat").started;
        assert!(
            !RunId::parse(&format!("{pid}-{started}-1"))
                .expect("an id")
                .is_left_over()
        );
        assert!(
            RunId::parse(&format!("{pid}-{}-1", started + 1))
                .expect("an id")
                .is_left_over()
        );
    }
}
