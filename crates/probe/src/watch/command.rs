//! `h2h-probe watch`: the monitors by hand.

use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use base::clock::{now_ns, process_cpu_ns};
use base::durations::seconds;
use base::error::Error;
use clap::Args;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use rustix::stdio::stdin;

use super::RunningMonitors;
use super::groups::{GroupMeter, Peak};
use super::monitors::WatchedGroups;
use crate::cgroup;
use crate::print_error;
use crate::procfs::process::Stat;
use crate::tree::Tree;

/// The command line.
#[derive(Args, Debug)]
pub struct Options {
    /// A process counted, with its descendants, as the subject (repeatable)
    #[arg(long, value_name = "PID")]
    pub pid: Vec<i32>,
    /// The time between two readings
    #[arg(long, value_name = "MS", default_value_t = 100)]
    pub every_ms: u64,
    /// End after S seconds; without it, when standard input closes
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seconds: Option<f64>,
    /// The file for the readings; - is standard output
    #[arg(long, value_name = "FILE", required_unless_present = "cost")]
    pub to: Option<PathBuf>,
    /// Print at the end what the readings cost, in percent of one CPU
    #[arg(long)]
    pub cost: bool,
}

/// Watch until the time is over or standard input closes.
#[must_use]
pub fn run(options: &Options) -> ExitCode {
    match watch(options) {
        Ok(said) => {
            // A reader that has gone needs no last line.
            let _ = said.map(|said| writeln!(io::stderr(), "{said}"));
            ExitCode::SUCCESS
        }
        Err(problem) => {
            print_error(&problem);
            ExitCode::FAILURE
        }
    }
}

fn watch(options: &Options) -> Result<Option<String>, Error> {
    let lasting = options
        .seconds
        .map(|given| crate::seconds_given("--seconds", given))
        .transpose()?;
    let parties = parties(&options.pid)?;
    let (began_ns, cpu_before_ns) = (now_ns(), process_cpu_ns());
    let to = options.to.as_deref().unwrap_or(Path::new("/dev/null"));
    let sink: Box<dyn Write + Send> = if to == Path::new("-") {
        Box::new(io::stdout())
    } else {
        let made = File::create(to);
        Box::new(made.map_err(|error| {
            Error::io(
                format!("{} cannot be written", to.display()),
                &error,
                "Choose another file.",
            )
        })?)
    };
    let watching = RunningMonitors::start_into(sink, options.every_ms, began_ns, parties)?;
    wait(lasting);
    let watched = watching.finish()?;
    let (elapsed_ns, cpu_ns) = (now_ns() - began_ns, process_cpu_ns() - cpu_before_ns);
    Ok(options
        .cost
        .then(|| cost_text(watched.readings, elapsed_ns, cpu_ns)))
}

fn parties(pids: &[i32]) -> Result<WatchedGroups, Error> {
    let mut groups = Vec::new();
    if !pids.is_empty() {
        let mut tree = Tree::new(None);
        for &pid in pids {
            if Stat::read(pid).is_none() {
                return Err(Error::failure(
                    format!("process {pid} cannot be watched"),
                    "It does not run.",
                    "Name one that runs.",
                ));
            }
            tree.add(pid, "subject", "subject");
        }
        let meter = GroupMeter::of_tree(
            Arc::new(Mutex::new(tree)),
            "subject",
            Arc::new(Peak::default()),
        );
        groups.push(("subject".to_owned(), meter));
    }
    Ok(WatchedGroups {
        groups,
        harness_pids: Vec::new(),
        tasks: cgroup::detect(Path::new(cgroup::ROOT)).and_then(|mounted| mounted.tasks_meter()),
        link: None,
    })
}

/// Wait for the given time, or for standard input to close, whichever comes first.
fn wait(lasting: Option<Duration>) {
    let until = lasting.map(|lasting| Instant::now() + lasting);
    let input = stdin();
    // /dev/null is at its end from the start; with --seconds that means nothing.
    let silent = fstat(input)
        .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::CharacterDevice)
        && !io::stdin().is_terminal();
    let mut buffer = [0_u8; 4096];
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        if left.is_some_and(|left| left.is_zero()) {
            return;
        }
        if silent && let Some(left) = left {
            std::thread::sleep(left);
            return;
        }
        let mut waiting = [PollFd::new(&input, PollFlags::IN)];
        let timeout = left.and_then(|left| Timespec::try_from(left).ok());
        if matches!(poll(&mut waiting, timeout.as_ref()), Ok(1..))
            && !matches!(rustix::io::read(input, &mut buffer), Ok(1..))
        {
            return;
        }
    }
}

fn cost_text(readings: u64, elapsed_ns: u64, cpu_ns: u64) -> String {
    let lasted = seconds(elapsed_ns);
    let percent = 100.0 * seconds(cpu_ns) / lasted;
    let each_us = Duration::from_nanos(cpu_ns / readings.max(1)).as_secs_f64() * 1e6;
    format!(
        "{readings} readings in {lasted:.1} s cost {percent:.3} % of one CPU ({each_us:.0} us a reading)"
    )
}

#[cfg(test)]
mod tests {
    use super::{cost_text, parties};

    #[test]
    fn a_process_that_does_not_run_is_refused() {
        let problem = parties(&[1 << 22]).expect_err("no process has this number");
        assert_eq!(problem.what, "process 4194304 cannot be watched");
    }

    #[test]
    fn the_cost_is_said_in_percent_of_one_cpu() {
        let said = cost_text(101, 10_000_000_000, 20_200_000);
        assert_eq!(
            said,
            "101 readings in 10.0 s cost 0.202 % of one CPU (200 us a reading)"
        );
    }
}
