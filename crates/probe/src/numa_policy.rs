//! The NUMA nodes that memory is taken from: the policy that a group requests, and the one that its mappings have.

use std::fs;
use std::io;

use base::error::Error;
use serde::Deserialize;

use crate::syscalls::{MAX_NODE, set_memory_policy};

/// How memory is taken from the nodes of a policy (`man 2 set_mempolicy`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// From these nodes and from no other.
    Bind,
    /// From each of these nodes in turn, page by page.
    Interleave,
}

/// A policy as requested.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// How.
    pub kind: Kind,
    /// The nodes by their numbers.
    pub nodes: Vec<usize>,
}

impl Policy {
    /// Let the calling thread, and all that it starts, take new memory so; allocates nothing, so a child may call it.
    ///
    /// # Errors
    /// The kernel's: a node that is not there, has no memory, or may not be used.
    pub fn set(&self) -> io::Result<()> {
        let mode = match self.kind {
            Kind::Bind => libc::MPOL_BIND,
            Kind::Interleave => libc::MPOL_INTERLEAVE,
        };
        set_memory_policy(mode, &self.nodes)
    }

    /// Whether it can be given here: a thread of its own tries it out, as a policy is a thread's.
    ///
    /// # Errors
    /// No node at all, one that the kernel's set cannot hold, or one that the kernel refuses.
    pub fn try_out(&self) -> Result<(), Error> {
        let cannot = |why: String| {
            Error::failure(
                format!("memory cannot be taken from the nodes {:?}", self.nodes),
                why,
                "Name nodes that have memory (/sys/devices/system/node/has_memory) and that we may use \
                 (Mems_allowed_list in /proc/self/status).",
            )
        };
        if self.nodes.is_empty() || self.nodes.iter().any(|&node| node > MAX_NODE) {
            return Err(cannot(format!(
                "Numbers from 0 to {MAX_NODE} are expected, one at least."
            )));
        }
        let tried = self.clone();
        match std::thread::spawn(move || tried.set()).join() {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(cannot(format!("{error}."))),
            Err(_) => Err(cannot("The thread that tried it ended.".to_owned())),
        }
    }
}

/// The policies of a process's mappings as the kernel writes them (`bind:1`), each once; `None` if they cannot be read.
#[must_use]
pub fn policies(pid: i32) -> Option<Vec<String>> {
    let maps = fs::read_to_string(format!("/proc/{pid}/numa_maps")).ok()?;
    Some(policies_in(&maps))
}

/// The second word of each line, each once.
fn policies_in(maps: &str) -> Vec<String> {
    let mut found: Vec<String> = maps
        .lines()
        .filter_map(|line| Some(line.split_once(' ')?.1.split(' ').next()?.to_owned()))
        .collect();
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::{Kind, Policy, policies, policies_in};

    const MAPS: &str = "00400000 bind:1 file=/usr/bin/store mapped=7 N0=7 kernelpagesize_kB=4\n\
        01a2c000 bind:1 heap anon=39 dirty=39 N1=39 kernelpagesize_kB=4\n\
        7f1200000000 interleave:0-1 anon=16 dirty=16 N0=8 N1=8 kernelpagesize_kB=4\n\
        7ffd5e200000 bind:1 stack anon=3 dirty=3 N1=3 kernelpagesize_kB=4\n";

    #[test]
    fn a_mapping_with_a_policy_of_its_own_shows() {
        assert_eq!(policies_in(MAPS), ["bind:1", "interleave:0-1"]);
        assert!(policies_in("").is_empty());
    }

    #[test]
    fn what_is_tried_out_is_not_kept() {
        let policy = Policy {
            kind: Kind::Bind,
            nodes: vec![0],
        };
        let own = i32::try_from(std::process::id()).expect("a pid");
        let before = policies(own);
        policy.try_out().expect("every machine has a node 0");
        assert_eq!(policies(own), before);
    }

    #[test]
    fn nodes_that_are_not_there_are_refused() {
        for nodes in [vec![], vec![900], vec![4096]] {
            let policy = Policy {
                kind: Kind::Interleave,
                nodes,
            };
            assert!(policy.try_out().is_err(), "{policy:?}");
        }
    }
}
