//! Lists of CPUs as people write them, and which CPUs a thread may run on.

use base::error::Error;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The CPUs that a list such as `0,2-3` names, in order and each once.
///
/// # Errors
/// A text that is no list of CPUs, or a CPU number that the kernel's set cannot hold.
pub fn parse(list: &str) -> Result<Vec<usize>, Error> {
    let wrong = || {
        Error::failure(
            format!("{list:?} is not a list of CPUs"),
            format!(
                "Numbers below {} and ranges, joined by commas, are expected.",
                CpuSet::MAX_CPU
            ),
            "Write it like 0,2-3.",
        )
    };
    let mut cpus = Vec::new();
    for part in list.trim().split(',') {
        let (low, high) = part.split_once('-').unwrap_or((part, part));
        let low: usize = low.trim().parse().map_err(|_| wrong())?;
        let high: usize = high.trim().parse().map_err(|_| wrong())?;
        if low > high || high >= CpuSet::MAX_CPU {
            return Err(wrong());
        }
        cpus.extend(low..=high);
    }
    cpus.sort_unstable();
    cpus.dedup();
    Ok(cpus)
}

/// CPUs as the kernel's set.
#[must_use]
pub fn set_of(cpus: &[usize]) -> CpuSet {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if cpu < CpuSet::MAX_CPU {
            set.set(cpu);
        }
    }
    set
}

/// The CPUs of a kernel's set, in order.
#[must_use]
pub fn list_of(set: &CpuSet) -> Vec<usize> {
    (0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .collect()
}

/// The CPUs that a thread (`None`: the caller) may run on; empty once it is gone.
#[must_use]
pub fn allowed(thread: Option<Pid>) -> Vec<usize> {
    sched_getaffinity(thread).map_or_else(|_| Vec::new(), |set| list_of(&set))
}

/// Let the calling thread, and those it starts later, run on these CPUs only.
///
/// # Errors
/// CPUs that this machine does not have, or that this process may not use.
pub fn pin(cpus: &[usize]) -> Result<(), Error> {
    let refused = |why: String| {
        Error::failure(
            format!("CPUs {cpus:?} cannot be used"),
            why,
            format!("Name CPUs out of {:?}.", online()),
        )
    };
    sched_setaffinity(None, &set_of(cpus))
        .map_err(|error| refused(format!("{}.", std::io::Error::from(error).kind())))?;
    let given = allowed(None);
    if given == list_of(&set_of(cpus)) {
        Ok(())
    } else {
        Err(refused(format!("The kernel gives only {given:?} of them.")))
    }
}

/// Whether the calling thread could run on just these CPUs; its own affinity is put back.
///
/// # Errors
/// As `pin`.
pub fn try_out(cpus: &[usize]) -> Result<(), Error> {
    let before = allowed(None);
    let outcome = pin(cpus);
    if sched_setaffinity(None, &set_of(&before)).is_err() {
        return Err(Error::failure(
            "the harness lost its own CPUs",
            format!("{before:?} could not be put back."),
            "Look for what takes CPUs offline on this machine.",
        ));
    }
    outcome
}

/// The CPUs that are switched on, for error texts.
fn online() -> Vec<usize> {
    std::fs::read_to_string("/sys/devices/system/cpu/online")
        .map_or_else(|_| allowed(None), |list| parse(&list).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{list_of, parse, set_of};

    #[test]
    fn a_list_of_numbers_and_ranges_is_read_in_order_and_each_once() {
        assert_eq!(parse("2-3,0,2"), Ok(vec![0, 2, 3]));
        assert_eq!(parse("0-1\n"), Ok(vec![0, 1]));
    }

    #[test]
    fn a_wrong_list_names_itself_and_the_right_form() {
        for wrong in ["", "a", "3-1", "1,,2", "-1", "99999"] {
            let problem = parse(wrong).expect_err("a wrong list");
            assert!(problem.what.contains(&format!("{wrong:?}")), "{problem}");
        }
    }

    #[test]
    fn a_set_holds_what_was_put_in() {
        assert_eq!(list_of(&set_of(&[1, 5])), vec![1, 5]);
    }
}
