//! Ending things: one program and its tree (`stop`), or everything (`end`, and whenever the run is over).

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io};

use base::clock::now_ns;
use base::error::Error;
use rustix::process::Signal;
use serde_json::json;

use super::events::Event;
use super::group_usage::locked;
use super::immediate::A_DAY;
use super::processes::{signal_group, signal_of};
use super::protocol::{RequestError, Response, duration};
use super::request_fields::StopRequest;
use super::{Supervisor, fields};
use crate::cgroup::{Group, kill_each};
use crate::print_error;
use crate::procfs::process::Stat;
use crate::remove_tree::remove_tree;

/// How long the rest of a tree may take to follow the program that led it, before it counts as left over.
const FOLLOW_WITHIN: Duration = Duration::from_millis(200);

/// How long the kernel may take to end what got KILL; more means that it hangs in a device.
const KILL_WITHIN: Duration = Duration::from_secs(3);

/// How long an emptied cgroup or folder may refuse to go.
const REMOVE_WITHIN: Duration = Duration::from_secs(1);

/// Between two looks at what is left.
const LOOK_EVERY: Duration = Duration::from_millis(10);

impl Supervisor {
    /// End a program and its whole tree.
    pub(super) fn stop(&mut self, request: &StopRequest) -> Result<Response, RequestError> {
        let signal = signal_of(&request.signal)?;
        let within = duration("within_s", request.within_s)?.min(A_DAY);
        let began_ns = now_ns();
        let (_, started) = self.processes.of(&request.name)?;
        locked(&self.tree).search();
        let mut killed = false;
        if started.exit.is_none() {
            signal_group(started.pid, signal);
            if !self.ends_within(&request.name, within)? {
                killed = true;
                signal_group(started.pid, Signal::KILL);
                if !self.ends_within(&request.name, KILL_WITHIN)? {
                    return Err(unkillable(&[started.pid]).into());
                }
            }
        }
        let left_over = self.end_rest_of(&request.name)?;
        let Some(exit) = self.processes.exit_of(&request.name)? else {
            return Err(unkillable(&[started.pid]).into());
        };
        let (code, signal) = exit.fields();
        Ok(fields(json!({
            "code": code,
            "signal": signal,
            "killed": killed,
            "took_ns": now_ns() - began_ns,
            "left_over": left_over,
        })))
    }

    fn ends_within(&mut self, name: &str, within: Duration) -> Result<bool, RequestError> {
        let until = Instant::now() + within;
        loop {
            if self.processes.exit_of(name)?.is_some() {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
            if self.events.pause(until) == Event::Over {
                return Err(RequestError::Over);
            }
        }
    }

    /// Let what is left of a program's tree follow it, then kill it; returns how many had to be killed.
    fn end_rest_of(&mut self, name: &str) -> Result<usize, RequestError> {
        let began = Instant::now();
        let mut killed = BTreeSet::new();
        loop {
            self.processes.reap();
            let left = self.rest_of(name)?;
            if left.is_empty() {
                if !killed.is_empty() {
                    self.of_group_alone(name, |cgroup| cgroup.let_fork())?;
                }
                return Ok(killed.len());
            }
            if began.elapsed() >= FOLLOW_WITHIN + KILL_WITHIN {
                return Err(unkillable(&left).into());
            }
            if began.elapsed() >= FOLLOW_WITHIN {
                killed.extend(left.iter().copied());
                self.of_group_alone(name, |cgroup| cgroup.kill())?;
                kill_each(&left);
            }
            if self.events.pause(Instant::now() + LOOK_EVERY) == Event::Over {
                return Err(RequestError::Over);
            }
        }
    }

    /// The running processes of a program's tree, the program itself aside. What no program claims belongs to it too
    /// when no other that might have left it there still runs.
    fn rest_of(&mut self, name: &str) -> Result<Vec<i32>, Error> {
        let (group, started) = self.processes.of(name)?;
        let mut left: BTreeSet<i32> = {
            let mut tree = locked(&self.tree);
            tree.search();
            let unclaimed = tree.unclaimed();
            let alone = self.processes.running().next().is_none();
            let claimed = tree.of_process(name);
            claimed
                .into_iter()
                .chain(unclaimed.into_iter().filter(|_| alone))
                .collect()
        };
        let others = self.processes.running().any(|(each, _)| each == group);
        left.retain(|&pid| Stat::read(pid).is_some_and(|stat| stat.runs()));
        if let Some(cgroup) = &self.group_of(group)?.cgroup
            && !others
        {
            // All of them run: the kernel lists none that has ended, though one may end before it is looked at, and
            // another that it has forked goes on.
            left.extend(cgroup.processes());
        }
        let _ = left.remove(&started.pid);
        Ok(left.into_iter().collect())
    }

    /// Act on the cgroup of a program's group, if no other program in it runs.
    fn of_group_alone(&self, name: &str, act: impl Fn(&dyn Group)) -> Result<(), Error> {
        let (group, _) = self.processes.of(name)?;
        let others = self.processes.running().any(|(each, _)| each == group);
        if let Some(cgroup) = &self.group_of(group)?.cgroup
            && !others
        {
            act(cgroup.as_ref());
        }
        Ok(())
    }

    /// End and remove everything; once. False when something could not be.
    pub(super) fn end(&mut self) -> bool {
        if self.ended {
            return self.clean;
        }
        self.ended = true;
        let watched = self
            .watching
            .take()
            .map(crate::watch::RunningMonitors::finish);
        self.ask_all_to_end();
        let mut problems: Vec<Error> = watched.and_then(Result::err).into_iter().collect();
        problems.extend(self.kill_everything().err());
        problems.extend(self.put_back_settings().err());
        problems.extend(self.remove_everything());
        problems.iter().for_each(print_error);
        self.clean = problems.is_empty();
        self.clean
    }

    /// Each program gets its signal and its time, all at once.
    fn ask_all_to_end(&mut self) {
        self.processes.reap();
        let mut longest = Duration::ZERO;
        for (_, started) in self.processes.running() {
            signal_group(started.pid, started.signal);
            longest = longest.max(started.within);
        }
        let began = Instant::now();
        while began.elapsed() < longest
            && self
                .processes
                .running()
                .any(|(_, each)| began.elapsed() < each.within)
        {
            self.events.pause_for_child(LOOK_EVERY);
            self.processes.reap();
        }
        let began = Instant::now();
        while began.elapsed() < FOLLOW_WITHIN && !self.everything().is_empty() {
            self.events.pause_for_child(LOOK_EVERY);
            self.processes.reap();
        }
    }

    /// Kill until nothing is left: new children of the dying are found at the next look.
    fn kill_everything(&mut self) -> Result<(), Error> {
        let began = Instant::now();
        loop {
            for group in self.groups.values() {
                if let Some(cgroup) = &group.cgroup {
                    cgroup.kill();
                }
            }
            self.processes.reap();
            let left = self.everything();
            if left.is_empty() {
                return Ok(());
            }
            if began.elapsed() >= KILL_WITHIN {
                return Err(unkillable(&left));
            }
            kill_each(&left);
            self.events.pause_for_child(LOOK_EVERY);
        }
    }

    /// Every running process below us or in a cgroup of this run.
    fn everything(&self) -> Vec<i32> {
        let mut left: BTreeSet<i32> = {
            let mut tree = locked(&self.tree);
            tree.search();
            tree.everyone().into_iter().collect()
        };
        left.retain(|&pid| Stat::read(pid).is_some_and(|stat| stat.runs()));
        let cgroups = self
            .groups
            .values()
            .filter_map(|group| group.cgroup.as_ref());
        left.extend(cgroups.flat_map(|cgroup| cgroup.processes()));
        left.into_iter().collect()
    }

    fn remove_everything(&mut self) -> Vec<Error> {
        let mut problems = Vec::new();
        for (name, group) in &self.groups {
            if let Some(cgroup) = &group.cgroup {
                let outcome = until_done(|| cgroup.remove());
                problems.extend(
                    outcome
                        .err()
                        .map(|error| unremoved(&format!("the cgroup of {name}"), &error)),
                );
            }
        }
        self.groups.clear();
        for path in self.given.owned.iter().chain([&self.given.run_dir]) {
            let outcome = until_done(|| remove_path(path));
            problems.extend(
                outcome
                    .err()
                    .map(|error| unremoved(&path.display().to_string(), &error)),
            );
        }
        problems
    }
}

/// Try again for a while: the last process of a folder or a cgroup may still be going.
fn until_done(act: impl Fn() -> io::Result<()>) -> io::Result<()> {
    let began = Instant::now();
    loop {
        match act() {
            Err(_) if began.elapsed() < REMOVE_WITHIN => std::thread::sleep(LOOK_EVERY),
            outcome => return outcome,
        }
    }
}

/// Remove a file, a link or a folder with all in it; links inside are removed, never followed.
fn remove_path(path: &Path) -> io::Result<()> {
    let outcome = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => remove_tree(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match outcome {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

fn unkillable(pids: &[i32]) -> Error {
    Error::failure(
        format!("processes {pids:?} did not end"),
        "They got KILL and still run: the kernel is waiting for a device on their behalf.",
        "See /proc/PID/stack, and the machine's disks.",
    )
}

fn unremoved(what: &str, error: &io::Error) -> Error {
    let what = format!("{what} could not be removed");
    Error::io(what, error, "The next command sweeps it.")
}

#[cfg(test)]
mod tests {
    use super::remove_path;
    use crate::fake_folder::Folder;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_link_is_removed_and_what_it_points_to_stays() {
        let root = Folder::new();
        root.file("kept/file", "kept");
        root.file("gone/file", "gone");
        symlink(root.path().join("kept"), root.path().join("gone/link")).expect("a link");
        symlink(root.path().join("kept"), root.path().join("link")).expect("a link");
        remove_path(&root.path().join("gone")).expect("removed");
        remove_path(&root.path().join("link")).expect("removed");
        remove_path(&root.path().join("never-there")).expect("nothing to remove");
        assert!(root.path().join("kept/file").exists());
        assert!(!root.path().join("gone").exists() && !root.path().join("link").exists());
    }
}
