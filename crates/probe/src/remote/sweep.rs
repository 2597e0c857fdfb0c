//! Removes what dead owners left on this host. The rules are those of `hosts/supervise/remove_leftovers.py`: everything of a run has
//! its owner's process id and start time in its name, and what belongs to a living owner is never touched.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use base::error::{Error, kernel_text};
use rustix::process::{Pid, PidfdFlags, Signal, geteuid, getpid, pidfd_open, pidfd_send_signal};
use serde_json::{Value, json};

use super::place;
use super::sweep_signs::{RunId, runs_of, supervised_by};
use crate::procfs::process::{self, Stat};
use crate::remove_tree::remove_tree;
use crate::settings::journal;

/// Where runs have their directories.
const RUNS: &str = "/var/tmp";
const LOOK_EVERY: Duration = Duration::from_millis(20);
const ENDED_WITHIN: Duration = Duration::from_secs(5);
/// The kernel may hold a control group for a moment after its last process has ended.
const REMOVED_WITHIN: Duration = Duration::from_secs(2);
const OTHERS_MAY_WRITE: u32 = 0o002;

/// Remove what dead owners left. A supervise that still runs ends its run itself: wait for it.
pub fn sweep(patience_s: f64) -> Result<Value, Error> {
    let until = Instant::now() + crate::seconds_given("patience_s", patience_s)?;
    let supervises = || process::pids_now().into_iter().filter_map(supervised_by);
    while Instant::now() < until && supervises().any(|run| run.is_left_over()) {
        sleep(LOOK_EVERY);
    }
    Ok(json!({"removed": remove_all(&RunId::is_left_over)}))
}

/// End and remove what is left of one run, though its owner is alive.
pub fn end_run(id: &str) -> Result<Value, Error> {
    if RunId::parse(id).is_none() {
        return Err(Error::usage(
            format!("{id:?} is not a name for a run"),
            "Three numbers with - between them are expected.",
            "Write it like 4242-51423-1.",
        ));
    }
    Ok(json!({"removed": remove_all(&|run: &RunId| run.text == id)}))
}

fn remove_all(meant: &dyn Fn(&RunId) -> bool) -> Vec<Value> {
    let mut removed = kill_all(meant);
    removed.extend(remove_cgroups(meant));
    removed.extend(remove_folders(meant));
    removed.extend(put_back_settings(meant));
    removed
}

fn put_back_settings(meant: &dyn Fn(&RunId) -> bool) -> Vec<Value> {
    let left = journal::left(Path::new(journal::FOLDER)).into_iter();
    left.filter_map(|(path, id)| {
        let run = RunId::parse(&id).filter(|run| meant(run))?;
        let outcome = journal::settle(&path).err();
        Some(entry(
            "settings",
            &path.to_string_lossy(),
            &run,
            outcome.as_ref(),
        ))
    })
    .collect()
}

fn entry(kind: &str, name: &str, run: &RunId, why_not: Option<&io::Error>) -> Value {
    json!({"kind": kind, "name": name, "run_id": run.text, "why_not": why_not.map(kernel_text)})
}

/// Kill every process of the meant runs, again and again until there is none. Those that may not be killed are left.
fn kill_all(meant: &dyn Fn(&RunId) -> bool) -> Vec<Value> {
    let ours = ancestry();
    let mut ended = BTreeMap::new();
    let mut refused = HashSet::new();
    let until = Instant::now() + ENDED_WITHIN;
    while Instant::now() < until {
        let mut found = false;
        for stat in process::all() {
            if !stat.runs() || ours.contains(&stat.pid) || refused.contains(&stat.pid) {
                continue;
            }
            if let Some(run) = run_of(stat.pid, meant) {
                let name =
                    String::from_utf8_lossy(&process::read("comm", stat.pid).unwrap_or_default())
                        .trim()
                        .to_owned();
                if kill(stat.pid, meant) {
                    found = true;
                    let _ = ended.entry(stat.pid).or_insert((name, run));
                } else {
                    let _ = refused.insert(stat.pid);
                }
            }
        }
        if !found {
            break;
        }
        sleep(LOOK_EVERY);
    }
    let text = |(pid, (name, run)): (&i32, &(String, RunId))| {
        entry("process", &format!("{pid} ({name})"), run, None)
    };
    ended.iter().map(text).collect()
}

fn run_of(pid: i32, meant: &dyn Fn(&RunId) -> bool) -> Option<RunId> {
    runs_of(pid).into_iter().find(|run| meant(run))
}

/// Kill a process by a handle, so that no other that got its number meanwhile is hit; false if that is not allowed.
fn kill(pid: i32, meant: &dyn Fn(&RunId) -> bool) -> bool {
    let Some(handle) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
    else {
        return true;
    };
    run_of(pid, meant).is_none()
        || pidfd_send_signal(&handle, Signal::KILL) != Err(rustix::io::Errno::PERM)
}

/// This process and all above it.
fn ancestry() -> HashSet<i32> {
    let mut found = HashSet::new();
    let mut at = getpid().as_raw_nonzero().get();
    while at > 0 && found.insert(at) {
        at = Stat::read(at).map_or(0, |stat| stat.parent);
    }
    found
}

fn remove_cgroups(meant: &dyn Fn(&RunId) -> bool) -> Vec<Value> {
    let mounts = fs::read_to_string("/proc/self/mounts").unwrap_or_default();
    let mut left = Vec::new();
    for line in mounts.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        if words.len() < 3 || !matches!(words[2], "cgroup" | "cgroup2") {
            continue;
        }
        let found = entries(Path::new(words[1])).into_iter();
        left.extend(
            found.filter_map(|(path, name)| Some((path, RunId::of_cgroup(&name).filter(meant)?))),
        );
    }
    // One that is mounted over another has its path.
    left.sort_by(|(path, _), (other, _)| path.cmp(other));
    left.dedup_by(|(path, _), (other, _)| path == other);
    // All in them at once, or none in them forks: of a chain of forks each is gone before it is found.
    for (path, _) in &left {
        for (file, order) in [("cgroup.kill", "1"), ("pids.max", "0")] {
            if path.join(file).exists() {
                let _ = fs::write(path.join(file), order);
            }
        }
    }
    let mut removed = if left.is_empty() {
        Vec::new()
    } else {
        kill_all(meant)
    };
    for (path, run) in left {
        let gone = remove_cgroup(&path);
        removed.push(entry(
            "cgroup",
            &path.to_string_lossy(),
            &run,
            gone.err().as_ref(),
        ));
    }
    removed
}

fn remove_cgroup(path: &Path) -> io::Result<()> {
    let until = Instant::now() + REMOVED_WITHIN;
    loop {
        for (below, _) in entries(path)
            .into_iter()
            .filter(|(below, _)| below.is_dir())
        {
            let _ = remove_cgroup(&below);
        }
        match fs::remove_dir(path) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) if Instant::now() > until => return Err(error),
            Err(_) => sleep(LOOK_EVERY),
        }
    }
}

fn remove_folders(meant: &dyn Fn(&RunId) -> bool) -> Vec<Value> {
    let mut removed = Vec::new();
    for folder in places() {
        for (path, name) in entries(&folder) {
            let Some(run) = RunId::of_folder(&name).filter(|run| meant(run) && is_ours(&path))
            else {
                continue;
            };
            let gone = match fs::symlink_metadata(&path) {
                Ok(facts) if facts.is_dir() => remove_tree(&path),
                Ok(_) => fs::remove_file(&path),
                Err(error) => Err(error),
            };
            let why_not = gone
                .err()
                .filter(|error| error.kind() != io::ErrorKind::NotFound);
            removed.push(entry(
                "directory",
                &path.to_string_lossy(),
                &run,
                why_not.as_ref(),
            ));
        }
    }
    removed
}

/// Where folders of a run may be: of runs, the cache, and each kind of data in it.
fn places() -> Vec<PathBuf> {
    let mut found = vec![PathBuf::from(RUNS)];
    if let Ok(cache) = place::cache() {
        let kinds = entries(&cache).into_iter().map(|(path, _)| path);
        found.extend(kinds.filter(|path| path.is_dir() && !path.is_symlink()));
        found.push(cache);
    }
    found
}

/// Whether we made what has that name: it is ours, or no other user may write in its folder.
fn is_ours(path: &Path) -> bool {
    let own = fs::symlink_metadata(path).is_ok_and(|facts| facts.uid() == geteuid().as_raw());
    let above = path.parent().and_then(|above| fs::metadata(above).ok());
    own || above.is_some_and(|above| above.mode() & OTHERS_MAY_WRITE == 0)
}

/// The entries of a folder with their names; none if it cannot be read.
fn entries(folder: &Path) -> Vec<(PathBuf, String)> {
    let read = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(Result::ok);
    read.filter_map(|entry| Some((entry.path(), entry.file_name().into_string().ok()?)))
        .collect()
}
