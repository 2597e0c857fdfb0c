//! The command line of supervise.

use std::path::PathBuf;

use clap::Args;

use crate::cgroup;
use crate::settings::journal;

/// The command line.
#[derive(Args, Debug)]
pub struct Options {
    /// The run's name: <owner pid>-<owner start time in clock ticks>-<n>
    #[arg(long, value_name = "ID")]
    pub id: String,
    /// The run directory, made now and removed at the end; its last part must contain the ID
    #[arg(long, value_name = "DIR")]
    pub run_dir: PathBuf,
    /// The CPUs that supervise itself runs on, such as 0,2-3
    #[arg(long, value_name = "LIST")]
    pub harness_cpus: Option<String>,
    /// A process counted as harness, in addition to supervise itself (repeatable)
    #[arg(long, value_name = "PID")]
    pub harness_pid: Vec<i32>,
    /// As root: the user that every program runs as [default: headtohead]
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// A folder that programs of the run see although it is in /tmp, /home or /root (repeatable)
    #[arg(long, value_name = "DIR")]
    pub keep: Vec<PathBuf>,
    /// End the run when nothing was heard on standard input for this long; an empty line is a sign of life
    #[arg(long, value_name = "SECONDS")]
    pub lease_s: Option<f64>,
    /// Where control groups are mounted
    #[arg(long, value_name = "DIR", default_value = cgroup::ROOT)]
    pub cgroup_root: PathBuf,
    /// Where /proc/sys and /sys are, whose settings are changed
    #[arg(long, value_name = "DIR", default_value = "/")]
    pub system_root: PathBuf,
    /// Where it is written what the settings were
    #[arg(long, value_name = "DIR", default_value = journal::FOLDER)]
    pub journals: PathBuf,
    /// Make no control groups: no quotas, and use read process by process
    #[arg(long)]
    pub no_cgroups: bool,
}
