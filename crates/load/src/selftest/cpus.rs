//! One CPU for the driver and another for the responder, if there are two.

use std::fs;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Which program runs on which CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cpus {
    /// The driver's.
    pub driver: usize,
    /// The responder's; `None` if it shares the driver's.
    pub responder: Option<usize>,
    /// Whether they are on different cores.
    pub apart: bool,
}

impl Cpus {
    /// Two of the CPUs that this thread may use, of different cores if there are such; `None` if the kernel does not
    /// report which it may use.
    pub fn choose() -> Option<Self> {
        let allowed = sched_getaffinity(None).ok()?;
        let allowed: Vec<usize> = (0..CpuSet::MAX_CPU)
            .filter(|&cpu| allowed.is_set(cpu))
            .collect();
        pick(&allowed, siblings)
    }
}

/// Keeps this thread on one CPU; if the kernel refuses, it runs on any.
pub fn keep_on(cpu: Option<usize>) {
    let Some(cpu) = cpu else { return };
    let mut only = CpuSet::new();
    only.set(cpu);
    let _ = sched_setaffinity(None, &only);
}

fn pick(allowed: &[usize], siblings: impl Fn(usize) -> Option<String>) -> Option<Cpus> {
    let (&driver, others) = allowed.split_first()?;
    let own = siblings(driver);
    let elsewhere = others
        .iter()
        .find(|&&other| own.is_none() || siblings(other) != own);
    Some(Cpus {
        driver,
        responder: elsewhere.or(others.first()).copied(),
        apart: elsewhere.is_some(),
    })
}

/// The CPUs of this one's core, as the kernel writes them.
fn siblings(cpu: usize) -> Option<String> {
    let file = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    fs::read_to_string(file).ok()
}

#[cfg(test)]
mod tests {
    use super::{Cpus, pick};

    #[test]
    fn the_responder_has_another_core_where_there_is_one() {
        let pairs = |cpu: usize| Some(format!("{}-{}", cpu / 2 * 2, cpu / 2 * 2 + 1));
        let cpus = |driver, responder, apart| {
            Some(Cpus {
                driver,
                responder,
                apart,
            })
        };
        assert_eq!(pick(&[0, 1, 2, 3], pairs), cpus(0, Some(2), true));
        assert_eq!(pick(&[0, 1], pairs), cpus(0, Some(1), false));
        assert_eq!(pick(&[3, 5], |_| None), cpus(3, Some(5), true));
        assert_eq!(pick(&[7], pairs), cpus(7, None, false));
        assert_eq!(pick(&[], pairs), None);
    }

    #[test]
    fn this_thread_may_use_at_least_one_cpu() {
        assert!(Cpus::choose().is_some());
    }
}
