//! A tree of processes that does not want to end, and whether anything is left of a run.

use std::path::PathBuf;
use std::time::Duration;

use super::{Supervised, cgroups_of, processes_of, run_dir, within};

/// A tree that ignores TERM, with a daemon that left its parent, its session and its process group.
pub const STUBBORN: &str = "trap '' TERM; (setsid sh -c 'trap \"\" TERM; sleep 300 & echo daemon; sleep 301; sleep 302' &); \
                        while :; do sleep 303; done";

/// Processes of one such tree, once all of them have started: two shells and three sleeps.
pub const OF_STUBBORN: usize = 5;

/// Wait until this many stubborn trees have started whole: the daemon's word comes before its last process.
pub fn assert_whole(run: &mut Supervised, trees: usize) {
    // Signs of life meanwhile: on a busy machine it may take longer than a lease.
    let whole = within(Duration::from_secs(60), || {
        run.beat();
        run.processes().len() == trees * OF_STUBBORN
    });
    assert!(whole, "{:?}", run.processes());
}

/// Fail if a process, a cgroup or the directory of this run is left.
pub fn assert_nothing_left(id: &str) {
    assert_eq!(processes_of(id), Vec::<i32>::new());
    assert_eq!(cgroups_of(id), Vec::<PathBuf>::new());
    assert!(!run_dir(id).exists());
}
