//! Starting a program: what happens in the child between fork and exec, and which step of it failed.

use std::ffi::CString;
use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use base::error::Error;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, chdir, getpid, getppid, getrlimit,
    set_parent_process_death_signal, setpgid, setrlimit,
};
use rustix::thread::{
    CpuSet, sched_setaffinity, set_no_new_privs, set_thread_groups, set_thread_res_gid,
    set_thread_res_uid,
};

use super::request_fields::StartRequest;
use super::standard_files::{input, output, unopened};
use crate::account::Account;
use crate::cpus::set_of;
use crate::network::{self, Namespace};
use crate::numa_policy::Policy;
use crate::private_files::{self, PrivateFiles};
use crate::syscalls::{enter_domain, reset_signals};

/// What a program gets besides its own arguments.
#[derive(Debug)]
pub struct LaunchSettings<'a> {
    /// The files into which it writes itself to join its cgroups.
    pub join: Vec<std::path::PathBuf>,
    /// The network that it is in; `None`: ours.
    pub network: Option<&'a Namespace>,
    /// The CPUs that it may run on.
    pub cpus: &'a [usize],
    /// The NUMA nodes that it takes memory from; `None`: as we do.
    pub memory: Option<&'a Policy>,
    /// Open files, as both limits; `None`: the soft limit that it asks for, and our hard one.
    pub nofile: Option<u64>,
    /// Who it runs as; `None`: as we are.
    pub account: Option<Account>,
    /// The folder of the run: links in a path below it are refused, as programs of the run may have made them.
    pub run_dir: &'a Path,
    /// What it sees of the file system; `None`: what we see.
    pub files: Option<&'a PrivateFiles>,
    /// The rules for a domain of its own; `None`: it gets none.
    pub domain: Option<&'a OwnedFd>,
    /// Variables added to its environment.
    pub marks: [(&'static str, &'a str); 2],
}

/// The steps between fork and exec, in their order.
const STEPS: [&str; 13] = [
    "leading a process group of its own",
    "joining its cgroup",
    "entering its network",
    "keeping to its CPUs",
    "taking memory from its nodes",
    "setting its limit of open files",
    "entering its view of the file system",
    "becoming its user",
    "giving up new privileges",
    "entering its domain",
    "ending with its supervisor",
    "entering its folder",
    "letting signals through",
];

/// All that the child needs, made ready before the fork: after it nothing may be allocated.
#[derive(Debug)]
struct Child {
    join: Vec<File>,
    network: Option<OwnedFd>,
    files: Option<OwnedFd>,
    domain: Option<OwnedFd>,
    cpus: CpuSet,
    memory: Option<Policy>,
    nofile: Rlimit,
    account: Option<Account>,
    parent: Pid,
    folder: CString,
    failed: OwnedFd,
}

impl Child {
    /// Carry out every step; the number of a failed step goes through the pipe, for a better message than its errno.
    fn prepare(&self) -> io::Result<()> {
        for step in 0..u8::try_from(STEPS.len()).unwrap_or(0) {
            if let Err(error) = self.step(step) {
                // With the pipe gone the errno alone must do.
                let _ = rustix::io::write(&self.failed, &[step]);
                return Err(error);
            }
        }
        Ok(())
    }

    fn step(&self, step: u8) -> io::Result<()> {
        match step {
            0 => setpgid(None, None)?,
            1 => {
                for file in &self.join {
                    let _ = rustix::io::write(file, b"0\n")?;
                }
            }
            2 => self.enter_network()?,
            3 => sched_setaffinity(None, &self.cpus)?,
            4 => self.memory.as_ref().map_or(Ok(()), Policy::set)?,
            5 => setrlimit(Resource::Nofile, self.nofile)?,
            6 => self.enter_files()?,
            7 => self.become_user()?,
            8 => set_no_new_privs(true)?,
            9 => self.enter_domain()?,
            10 => self.end_with_parent()?,
            11 => chdir(&self.folder)?,
            _ => reset_signals()?,
        }
        Ok(())
    }

    fn enter_network(&self) -> io::Result<()> {
        let network = self.network.as_ref();
        network.map_or(Ok(()), |network| network::enter(network.as_fd()))
    }

    fn enter_files(&self) -> io::Result<()> {
        let files = self.files.as_ref();
        files.map_or(Ok(()), |files| private_files::enter(files.as_fd()))
    }

    fn enter_domain(&self) -> io::Result<()> {
        let domain = self.domain.as_ref();
        domain.map_or(Ok(()), |rules| enter_domain(rules.as_fd()))
    }

    fn become_user(&self) -> io::Result<()> {
        let Some(Account { uid, gid }) = self.account else {
            return Ok(());
        };
        set_thread_groups(&[gid])?;
        set_thread_res_gid(gid, gid, gid)?;
        Ok(set_thread_res_uid(uid, uid, uid)?)
    }

    /// After the change of user, which takes the death signal back.
    fn end_with_parent(&self) -> io::Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if getppid() == Some(self.parent) {
            Ok(())
        } else {
            Err(io::Error::from_raw_os_error(libc::ESRCH))
        }
    }
}

/// Start a program; its pid, or what kept it from starting.
///
/// # Errors
/// A file that cannot be opened, a step that failed, or a program that is not there.
pub fn launch(request: &StartRequest, setting: &LaunchSettings) -> Result<i32, Error> {
    let name = request
        .argv
        .first()
        .filter(|name| !name.is_empty())
        .ok_or_else(|| {
            Error::failure(
                format!("{} cannot be started", request.name),
                "Its argv is empty.",
                "Name a program.",
            )
        })?;
    let (failed, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)
        .map_err(|error| cannot(name, &error.into()))?;
    let child = make_ready(request, setting, write)?;
    let mut command = Command::new(name);
    let _ = command
        .args(&request.argv[1..])
        .env_clear()
        .envs(&request.env)
        .envs(setting.marks);
    let _ = command.stdin(input(request.stdin.as_deref(), setting.run_dir)?);
    let _ = command
        .stdout(output(&request.stdout, setting.run_dir, setting.account)?)
        .stderr(output(&request.stderr, setting.run_dir, setting.account)?);
    // SAFETY: `prepare` makes system calls on values made ready before the fork; it allocates and locks nothing.
    #[allow(unsafe_code)]
    unsafe {
        let _ = command.pre_exec(move || child.prepare());
    }
    match command.spawn() {
        // The id fits: the kernel's pids are positive ints. The handle is dropped: the events wait for it.
        Ok(started) => i32::try_from(started.id())
            .map_err(|_| cannot(name, &io::ErrorKind::InvalidData.into())),
        Err(error) => Err(explained(name, &error, File::from(failed))),
    }
}

fn make_ready(
    request: &StartRequest,
    setting: &LaunchSettings,
    failed: OwnedFd,
) -> Result<Child, Error> {
    let mut join = Vec::new();
    for path in &setting.join {
        join.push(
            OpenOptions::new()
                .write(true)
                .open(path)
                .map_err(|error| unopened(path, &error))?,
        );
    }
    let network = setting.network.map(Namespace::descriptor).transpose();
    let network = network.map_err(|error| cannot(&request.name, &error))?;
    let files = setting.files.map(PrivateFiles::descriptor).transpose();
    let files = files.map_err(|error| cannot(&request.name, &error))?;
    let domain = setting.domain.map(OwnedFd::try_clone).transpose();
    let domain = domain.map_err(|error| cannot(&request.name, &error))?;
    let folder = CString::new(request.cwd.as_os_str().as_bytes())
        .map_err(|_| unopened(&request.cwd, &io::ErrorKind::InvalidInput.into()))?;
    Ok(Child {
        join,
        network,
        files,
        domain,
        cpus: set_of(setting.cpus),
        memory: setting.memory.cloned(),
        nofile: open_files(request.nofile, setting.nofile)?,
        account: setting.account,
        parent: getpid(),
        folder,
        failed,
    })
}

fn open_files(asked: Option<u64>, of_group: Option<u64>) -> Result<Rlimit, Error> {
    if of_group.is_some() {
        return Ok(Rlimit {
            current: of_group,
            maximum: of_group,
        });
    }
    let now = getrlimit(Resource::Nofile);
    match (asked, now.maximum) {
        (Some(asked), Some(most)) if asked > most => Err(Error::failure(
            format!("a limit of {asked} open files is not possible"),
            format!("The hard limit here is {most}."),
            format!("Use at most {most}, or raise the hard limit (ulimit -Hn)."),
        )),
        (asked, most) => Ok(Rlimit {
            current: asked.or(most),
            maximum: most,
        }),
    }
}

fn cannot(name: &str, error: &io::Error) -> Error {
    Error::io(
        format!("{name} could not be started"),
        error,
        "See whether the machine lacks memory, processes or files.",
    )
}

/// The step that failed, or the program that the kernel would not execute.
fn explained(name: &str, error: &io::Error, mut failed: File) -> Error {
    let mut step = [0_u8];
    let step = match failed.read(&mut step) {
        Ok(1) => STEPS.get(usize::from(step[0])),
        _ => None,
    };
    match step {
        Some(step) => Error::io(
            format!("{name} could not be started: it failed at {step}"),
            error,
            "See what the study requests there.",
        ),
        None if error.kind() == io::ErrorKind::NotFound => Error::io(
            format!("{name} could not be started"),
            error,
            "Install it, or correct the first word of argv.",
        ),
        None => cannot(name, error),
    }
}
