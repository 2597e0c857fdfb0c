//! The started programs: which still run, how the others ended.

use std::collections::BTreeMap;
use std::time::Duration;

use base::error::Error;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, waitid,
};
use serde_json::{Value, json};

use super::SharedTree;
use super::group_usage::locked;
use crate::procfs::process::Stat;
use crate::syscalls::ended_child;

/// How many children are waited for before anything else is looked at again.
const MOST_AT_ONCE: usize = 256;

/// How a program ended: one of the two is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit {
    /// Its exit status.
    pub code: Option<i32>,
    /// The number of the signal that ended it.
    pub signal: Option<i32>,
}

impl Exit {
    /// `code` and `signal` as responses have them.
    pub fn fields(self) -> (Value, Value) {
        (json!(self.code), json!(self.signal.map(signal_name)))
    }
}

/// A program that was started.
#[derive(Clone, Copy, Debug)]
pub struct Started {
    /// Its process, leader of a process group of its own.
    pub pid: i32,
    /// How it ended; `None` while it runs.
    pub exit: Option<Exit>,
    /// The signal that ends it when the run is over.
    pub signal: Signal,
    /// How long it then may take.
    pub within: Duration,
}

/// All of them, by name.
pub struct Processes {
    started: BTreeMap<String, (String, Started)>,
    tree: SharedTree,
}

impl Processes {
    /// None yet.
    pub fn new(tree: SharedTree) -> Self {
        Self {
            started: BTreeMap::new(),
            tree,
        }
    }

    /// Add one that was just started in that group.
    pub fn add(&mut self, name: &str, group: &str, started: Started) {
        locked(&self.tree).add(started.pid, name, group);
        let _ = self
            .started
            .insert(name.to_owned(), (group.to_owned(), started));
    }

    /// Whether that name is taken.
    pub fn has(&self, name: &str) -> bool {
        self.started.contains_key(name)
    }

    /// Whether none was ever started.
    pub fn is_empty(&self) -> bool {
        self.started.is_empty()
    }

    /// The program of that name, and its group.
    ///
    /// # Errors
    /// A name that was never given.
    pub fn of(&self, name: &str) -> Result<(&str, Started), Error> {
        let found = self
            .started
            .get(name)
            .map(|(group, started)| (group.as_str(), *started));
        found.ok_or_else(|| {
            Error::failure(
                format!("no program is called {name:?}"),
                "None was started under that name in this run.",
                "Start it first.",
            )
        })
    }

    /// How that program ended, if it has.
    ///
    /// # Errors
    /// A name that was never given.
    pub fn exit_of(&mut self, name: &str) -> Result<Option<Exit>, Error> {
        self.reap();
        let (_, started) = self.of(name)?;
        if started.exit.is_none() && has_ended(started.pid) {
            // It is behind others that have ended.
            let _ = self.wait_for(started.pid);
        }
        Ok(self.of(name)?.1.exit)
    }

    /// Those that still run, each with its group.
    pub fn running(&self) -> impl Iterator<Item = (&str, Started)> {
        let all = self
            .started
            .values()
            .map(|(group, started)| (group.as_str(), *started));
        all.filter(|(_, started)| started.exit.is_none())
    }

    /// Wait for children that have ended, adopted ones included, after their use was taken over; no more than so many at
    /// once, as a program may make new ones as fast.
    pub fn reap(&mut self) {
        for _ in 0..MOST_AT_ONCE {
            if !ended_child().is_some_and(|pid| self.wait_for(pid)) {
                return;
            }
        }
    }

    /// Wait for one child that has ended.
    fn wait_for(&mut self, pid: i32) -> bool {
        let Some(waited_for) = Pid::from_raw(pid) else {
            return false;
        };
        let status = {
            // Locked until it is waited for: the monitors would find it again in between, and count it twice.
            let mut tree = locked(&self.tree);
            // Looked at first, waited for second: in between its last figures are in /proc.
            if let Some(stat) = Stat::read(pid) {
                tree.ended(&stat);
            }
            waitid(
                WaitId::Pid(waited_for),
                WaitIdOptions::EXITED | WaitIdOptions::NOHANG,
            )
        };
        match status {
            Ok(Some(status)) => {
                self.note_exit(pid, &status);
                true
            }
            _ => false,
        }
    }

    fn note_exit(&mut self, pid: i32, status: &WaitIdStatus) {
        let exit = Exit {
            code: status.exit_status(),
            signal: status.terminating_signal(),
        };
        let mut started = self.started.values_mut().map(|(_, started)| started);
        if let Some(found) = started.find(|started| started.pid == pid && started.exit.is_none()) {
            found.exit = Some(exit);
        }
    }
}

/// Whether a child has ended and was not waited for yet.
fn has_ended(pid: i32) -> bool {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let ended = |pid| waitid(WaitId::Pid(pid), look).is_ok_and(|status| status.is_some());
    Pid::from_raw(pid).is_some_and(ended)
}

/// Send a signal to the process group of a program that still runs: until it is waited for, its number stays its own.
pub fn signal_group(pid: i32, signal: Signal) {
    // A group that has just ended needs no signal.
    let _ = Pid::from_raw(pid).map(|pid| kill_process_group(pid, signal));
}

/// The signals that a request may name, and that a response names.
const SIGNALS: [(&str, Signal); 16] = [
    ("TERM", Signal::TERM),
    ("INT", Signal::INT),
    ("QUIT", Signal::QUIT),
    ("HUP", Signal::HUP),
    ("KILL", Signal::KILL),
    ("USR1", Signal::USR1),
    ("USR2", Signal::USR2),
    ("WINCH", Signal::WINCH),
    ("ABRT", Signal::ABORT),
    ("SEGV", Signal::SEGV),
    ("BUS", Signal::BUS),
    ("FPE", Signal::FPE),
    ("ILL", Signal::ILL),
    ("PIPE", Signal::PIPE),
    ("ALRM", Signal::ALARM),
    ("SYS", Signal::SYS),
];

/// A signal by the name that requests use.
///
/// # Errors
/// A name that is none of those known here.
pub fn signal_of(name: &str) -> Result<Signal, Error> {
    let found = SIGNALS
        .iter()
        .find(|(each, _)| *each == name)
        .map(|(_, signal)| *signal);
    found.ok_or_else(|| {
        let names = SIGNALS[..8]
            .iter()
            .map(|(name, _)| *name)
            .collect::<Vec<_>>();
        Error::failure(
            format!("{name:?} is not a signal"),
            "A signal is written without SIG, in capitals.",
            format!("Choose one of {}.", names.join(", ")),
        )
    })
}

fn signal_name(number: i32) -> String {
    let found = SIGNALS.iter().find(|(_, signal)| signal.as_raw() == number);
    found.map_or_else(|| number.to_string(), |(name, _)| (*name).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{SIGNALS, signal_name, signal_of};

    #[test]
    fn a_signal_has_one_name_both_ways() {
        for (name, signal) in SIGNALS {
            assert_eq!(signal_of(name).ok(), Some(signal));
            assert_eq!(signal_name(signal.as_raw()), name);
        }
        assert_eq!(signal_name(63), "63");
    }

    #[test]
    fn a_wrong_signal_is_refused_with_the_right_ones() {
        insta::assert_snapshot!(
            signal_of("SIGTERM")
                .expect_err("no name of ours")
                .to_string()
        );
    }
}
