//! Which CPUs this program may use, and how a thread is kept on one.

use std::fs;
use std::path::Path;

use base::error::{Error, kernel_text};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::numbers::float;

/// The folder in which the kernel describes its CPUs.
pub const SYSTEM: &str = "/sys/devices/system/cpu";

/// The CPUs that this program may use: one of every core first, then their siblings.
///
/// # Errors
/// The kernel does not report it.
pub fn allowed() -> Result<Vec<usize>, Error> {
    let set = sched_getaffinity(None).map_err(|error| {
        Error::failure(
            "The CPUs that this program may use",
            kernel_text(&error.into()),
            "Run it on Linux, by hand.",
        )
    })?;
    let cpus: Vec<usize> = (0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect();
    Ok(cores_first(&cpus, |cpu| core_of(Path::new(SYSTEM), cpu)))
}

/// Keeps the calling thread on one CPU.
///
/// # Errors
/// The CPU is not there, or not ours.
pub fn pin(cpu: usize) -> Result<(), Error> {
    let mut set = CpuSet::new();
    if cpu < CpuSet::MAX_CPU {
        set.set(cpu);
    }
    sched_setaffinity(None, &set).map_err(|error| {
        Error::failure(
            format!("CPU {cpu}"),
            format!(
                "no thread can be kept on it: {}",
                kernel_text(&error.into())
            ),
            "Name CPUs that this program may use: `taskset --cpu-list 0,1 h2h-memory ...`.",
        )
    })
}

/// Does something on one CPU, in a thread of its own: the program as a whole goes on to use all that it was given,
/// which the program's starter may check.
///
/// # Errors
/// The CPU is not available, or the work on it fails.
pub fn on<T: Send>(cpu: usize, does: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            pin(cpu)?;
            does()
        });
        thread.join().unwrap_or_else(|_| {
            Err(Error::failure(
                "The thread of the measurement",
                "it ended early",
                "Report this: it should not happen.",
            ))
        })
    })
}

/// The CPU's clock frequency now, in Hz; `None` if the kernel does not know it (most virtual machines).
pub fn frequency_hz(cpu: usize) -> Option<f64> {
    let file = format!("{SYSTEM}/cpu{cpu}/cpufreq/scaling_cur_freq");
    let khz: u64 = fs::read_to_string(file).ok()?.trim().parse().ok()?;
    (khz > 0).then(|| float(khz) * 1e3)
}

/// CPUs so that each core's first comes before any core's second.
fn cores_first(cpus: &[usize], core_of: impl Fn(usize) -> String) -> Vec<usize> {
    let cores: Vec<String> = cpus.iter().map(|&cpu| core_of(cpu)).collect();
    let rank = |at: usize| {
        cores[..at]
            .iter()
            .filter(|&each| *each == cores[at])
            .count()
    };
    let mut ranked: Vec<(usize, usize)> = (0..cpus.len()).map(|at| (rank(at), cpus[at])).collect();
    ranked.sort_unstable();
    ranked.into_iter().map(|(_, cpu)| cpu).collect()
}

/// What all CPUs of one core have in common; the CPU's own number if the kernel does not show it.
fn core_of(system: &Path, cpu: usize) -> String {
    let file = system.join(format!("cpu{cpu}/topology/thread_siblings_list"));
    fs::read_to_string(file).map_or_else(|_| cpu.to_string(), |text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::{allowed, cores_first, pin};

    #[test]
    fn siblings_come_after_every_core_has_one() {
        let core = |cpu: usize| (cpu % 4).to_string();
        let order = cores_first(&[0, 1, 4, 5, 6], core);
        assert_eq!(order, [0, 1, 6, 4, 5]);
    }

    #[test]
    fn a_thread_stays_where_it_is_put() {
        let first = allowed().expect("CPUs")[0];
        let kept = std::thread::spawn(move || pin(first).and_then(|()| allowed()))
            .join()
            .expect("a thread")
            .expect("a CPU");
        assert_eq!(kept, [first]);
        assert!(pin(usize::MAX).is_err());
    }
}
