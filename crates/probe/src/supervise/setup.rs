//! What supervise gets at its start: its client, its folder, its CPUs, and the groups made since.

use std::collections::BTreeMap;
use std::fs;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use base::error::Error;
use rustix::fs::Mode;
use rustix::process::{getpid, set_child_subreaper, umask};

use super::options::Options;
use super::request_fields::GroupRequest;
use crate::account::{self, Account};
use crate::cgroup::{self, Hierarchy, Limits};
use crate::cpus;
use crate::domain;
use crate::network::Namespace;
use crate::numa_policy::Policy;
use crate::private_files::PrivateFiles;
use crate::settings;
use crate::tree::attached::AttachedSlot;

/// The folder in the run's that belongs to the user of its programs.
const WORK: &str = "work";

/// The command line, checked and taken.
pub struct RunSetup {
    /// The run's name.
    pub id: String,
    /// Our own process.
    pub own_pid: i32,
    /// The folder of the run. It is ours; programs may write to `work` in it.
    pub run_dir: PathBuf,
    /// What programs see of the file system; `None`: what we see.
    pub files: Option<PrivateFiles>,
    /// The folders that programs see in every view: the run's own, and those of `--keep`.
    pub shown: Vec<PathBuf>,
    /// The rules for a domain of each program's own; `None`: the kernel has none.
    pub domain: Option<OwnedFd>,
    /// Where the settings of the system are, and where it is written what they were.
    pub settings: settings::Places,
    /// More paths to remove at the end.
    pub owned: Vec<PathBuf>,
    /// Processes counted as harness, in addition to this one.
    pub harness_pids: Vec<i32>,
    /// Who programs run as; `None`: as we are.
    pub account: Option<Account>,
    /// The CPUs that we were given, before we pinned ourselves: what a group without CPUs of its own may use.
    pub cpus: Vec<usize>,
    /// What is mounted, whether or not we may write there: limits are read back from it.
    pub mounted: Option<Box<dyn Hierarchy>>,
    /// Whether groups can be made there.
    pub cgroups: bool,
}

impl RunSetup {
    /// Check the options, pin ourselves, become the subreaper, and make the run directory last.
    ///
    /// # Errors
    /// Whatever is wrong with an option, or with the machine.
    pub fn take(options: Options) -> Result<Self, Error> {
        check_id(&options.id)?;
        check_owned(&options.run_dir, &options.id)?;
        let own_cpus = options
            .harness_cpus
            .as_deref()
            .map(cpus::parse)
            .transpose()?;
        let account = account::choose(options.user.as_deref())?;
        let allowed = cpus::allowed(None);
        if let Some(own_cpus) = own_cpus {
            cpus::pin(&own_cpus)?;
        }
        set_child_subreaper(Some(getpid())).map_err(|error| {
            Error::io(
                "supervise cannot own a tree",
                &error.into(),
                "Use Linux 3.4 or later.",
            )
        })?;
        let _ = umask(Mode::WGRP | Mode::WOTH);
        let mounted = cgroup::detect(&options.cgroup_root);
        let cgroups =
            !options.no_cgroups && mounted.as_ref().is_some_and(|mounted| mounted.writable());
        make_run_dir(&options.run_dir, account)?;
        let mut kept = options.keep;
        kept.push(options.run_dir.clone());
        // Where it cannot be made, hello reports that.
        let files = account.and_then(|_| PrivateFiles::make(&kept).ok());
        Ok(Self {
            id: options.id,
            own_pid: getpid().as_raw_nonzero().get(),
            run_dir: options.run_dir,
            files,
            shown: kept,
            domain: domain::rules(),
            settings: settings::Places {
                root: options.system_root,
                journals: options.journals,
            },
            owned: Vec::new(),
            harness_pids: options.harness_pid,
            account,
            cpus: allowed,
            mounted,
            cgroups,
        })
    }

    /// Where groups are made; `None` if they cannot be.
    pub fn hierarchy(&self) -> Option<&dyn Hierarchy> {
        self.mounted.as_deref().filter(|_| self.cgroups)
    }

    /// Add a path that is removed at the end.
    ///
    /// # Errors
    /// A path that is not absolute, or whose last part does not hold the run's name.
    pub fn own(&mut self, path: PathBuf) -> Result<(), Error> {
        check_owned(&path, &self.id)?;
        self.owned.push(path);
        Ok(())
    }
}

/// A group of processes and what holds for it.
pub struct Group {
    /// The CPUs of its processes.
    pub cpus: Vec<usize>,
    /// The NUMA nodes that its processes take memory from; `None`: as we do.
    pub memory: Option<Policy>,
    /// Open files of each process; `None`: as each program asks.
    pub nofile: Option<u64>,
    /// The network that its processes are in; `None`: ours.
    pub network: Option<Arc<Namespace>>,
    /// Its control group, if there is one.
    pub cgroup: Option<Box<dyn cgroup::Group>>,
    /// Processes that ran before, if any count as this group's.
    pub attached: AttachedSlot,
}

/// The groups by name.
pub type Groups = BTreeMap<String, Group>;

/// Make a group as requested.
///
/// # Errors
/// CPUs or limits that cannot be given here.
pub fn make_group(given: &RunSetup, request: &GroupRequest) -> Result<Group, Error> {
    let simple = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if request.name.is_empty() || request.name == "harness" || !request.name.bytes().all(simple) {
        return Err(Error::failure(
            format!("{:?} is not a name for a group", request.name),
            "A group's name is made of a-z, 0-9 and -; harness is supervise's own.",
            "Name it subject or driver.",
        ));
    }
    if let Some(cpus) = &request.cpus {
        cpus::try_out(cpus)?;
    }
    if let Some(policy) = &request.memory_policy {
        policy.try_out()?;
    }
    let limits = Limits {
        cpu_quota: request.cpu_quota,
        cpu_period_us: request.cpu_period_us,
        memory_mib: request.memory_mib,
    };
    let cgroup = match given.hierarchy() {
        Some(hierarchy) => Some(hierarchy.create(
            &format!("headtohead-{}-{}", given.id, request.name),
            &limits,
        )?),
        None if limits.cpu_quota.is_some() || limits.memory_mib.is_some() => {
            return Err(no_cgroups());
        }
        None => None,
    };
    let cpus = request.cpus.clone().unwrap_or_else(|| given.cpus.clone());
    Ok(Group {
        cpus,
        memory: request.memory_policy.clone(),
        nofile: request.nofile,
        network: None,
        cgroup,
        attached: AttachedSlot::default(),
    })
}

fn no_cgroups() -> Error {
    Error::failure(
        "a limit on CPU time or memory is not possible",
        "This machine has no control groups that this program may write to.",
        "Run as root on a machine with cgroups, or leave the limit out.",
    )
}

fn check_id(id: &str) -> Result<(), Error> {
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if !id.is_empty() && id.len() <= 100 && id.bytes().all(simple) {
        return Ok(());
    }
    Err(Error::failure(
        format!("{id:?} is not a name for a run"),
        "A name is made of letters, digits and -, 100 at most.",
        "Write it like 4242-51423-1.",
    ))
}

/// A path that we shall remove must be unmistakably of this run.
fn check_owned(path: &Path, id: &str) -> Result<(), Error> {
    let last = path.file_name().map(|name| name.to_string_lossy());
    if path.is_absolute() && last.is_some_and(|last| last.contains(id)) {
        return Ok(());
    }
    Err(Error::failure(
        format!("{} is not a path of this run", path.display()),
        format!("Only an absolute path whose last part contains {id} may be removed at the end."),
        "Put the run's ID into the name.",
    ))
}

/// Make the run's folder, which belongs to us, and in it `work`, which belongs to the programs' user: in a folder of
/// theirs programs could replace what we open by name. Other users see neither.
fn make_run_dir(path: &Path, account: Option<Account>) -> Result<(), Error> {
    let failed = |error: &std::io::Error| {
        Error::io(
            format!("the run directory {} cannot be made", path.display()),
            error,
            "Choose one that does not exist yet, in a folder that this program may write to.",
        )
    };
    let work = path.join(WORK);
    for folder in [path, &work] {
        fs::DirBuilder::new()
            .mode(0o700)
            .create(folder)
            .map_err(|error| failed(&error))?;
    }
    if let Some(Account { uid, gid }) = account {
        rustix::fs::chown(&work, Some(uid), Some(gid)).map_err(|error| failed(&error.into()))?;
        rustix::fs::chown(path, None, Some(gid)).map_err(|error| failed(&error.into()))?;
        rustix::fs::chmod(path, Mode::from_raw_mode(0o750))
            .map_err(|error| failed(&error.into()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{check_id, check_owned};
    use std::path::Path;

    #[test]
    fn only_a_path_of_this_run_is_removed() {
        let id = "7-8-9";
        assert!(check_owned(Path::new("/results/a/.0001-7-8-9"), id).is_ok());
        for wrong in [
            "headtohead-7-8-9",
            "/headtohead-7-8-9/kept",
            "/",
            "/tmp/7-8-9/..",
            "",
        ] {
            assert!(check_owned(Path::new(wrong), id).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_run_has_a_simple_name() {
        assert!(check_id("4242-51423-1").is_ok());
        for wrong in ["", "a/b", "..", "a b"] {
            assert!(check_id(wrong).is_err(), "{wrong}");
        }
    }
}
