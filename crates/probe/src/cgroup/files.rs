//! What both versions do with the files of a control group.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use base::error::Error;
use rustix::fs::{Access, access};

use super::{Limits, Quota};

/// Write one value into a file of a group.
///
/// # Errors
/// The kernel's refusal, with the file named.
pub fn write(path: &Path, value: &str) -> Result<(), Error> {
    fs::write(path, value).map_err(|error| {
        Error::io(
            format!("{value:?} could not be written to {}", path.display()),
            &error,
            "Choose a value that this kernel takes, or leave the limit out.",
        )
    })
}

/// Make a folder for a group.
///
/// # Errors
/// The kernel's refusal, with the folder named.
pub fn make(path: &Path) -> Result<(), Error> {
    fs::create_dir(path).map_err(|error| {
        Error::io(
            format!("the cgroup {} could not be made", path.display()),
            &error,
            "Run as root, or without limits.",
        )
    })
}

/// Remove a group's folder; one that is gone already is removed.
///
/// # Errors
/// The kernel's: `EBUSY` while a process is still in it.
pub fn remove(path: &Path) -> std::io::Result<()> {
    match fs::remove_dir(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        outcome => outcome,
    }
}

/// The text of a group's file; `None` if it does not exist.
#[must_use]
pub fn read(path: &Path) -> Option<Vec<u8>> {
    fs::read(path).ok()
}

/// Whether folders can be made in there by us.
#[must_use]
pub fn writable(folder: &Path) -> bool {
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// The processes named in `cgroup.procs` of a group.
#[must_use]
pub fn processes(folder: &Path) -> Vec<i32> {
    let text = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.trim().parse().ok())
        .collect()
}

/// The quota in CPUs as microseconds in a period.
///
/// # Errors
/// A quota that is no positive number.
pub fn quota_of(limits: &Limits) -> Result<Option<Quota>, Error> {
    let Some(cpus) = limits.cpu_quota else {
        return Ok(None);
    };
    let wrong = |why: &str| {
        Error::failure(
            format!("a CPU quota of {cpus} is not possible"),
            why,
            "Give a number of CPUs such as 0.85.",
        )
    };
    if !(cpus.is_finite() && cpus > 0.0) {
        return Err(wrong("It is not a positive number."));
    }
    let period = Duration::from_micros(limits.cpu_period_us);
    // Rounded to the microsecond by half of one: a Duration cuts off.
    let quota = Duration::try_from_secs_f64(period.as_secs_f64() * cpus + 0.5e-6)
        .map_err(|_| wrong("It does not fit into the kernel's counter."))?;
    let quota_us = u64::try_from(quota.as_micros()).map_err(|_| wrong("It does not fit."))?;
    Ok(Some(Quota {
        quota_us,
        period_us: limits.cpu_period_us,
    }))
}

/// A group's folder and its ancestors below and including `top`, the innermost first.
pub fn upwards(top: &Path, group: &str) -> impl Iterator<Item = PathBuf> {
    let innermost = top.join(group.trim_start_matches('/'));
    let top = top.to_owned();
    let ancestors: Vec<PathBuf> = innermost.ancestors().map(Path::to_owned).collect();
    ancestors
        .into_iter()
        .take_while(move |path| path.starts_with(&top))
}

#[cfg(test)]
mod tests {
    use super::{quota_of, upwards};
    use crate::cgroup::{Limits, Quota};
    use std::path::Path;

    fn limits(cpu_quota: f64) -> Limits {
        Limits {
            cpu_quota: Some(cpu_quota),
            cpu_period_us: 100_000,
            memory_mib: None,
        }
    }

    #[test]
    fn a_quota_in_cpus_is_microseconds_in_a_period() {
        for (cpus, quota_us) in [
            (0.85, 85_000),
            (1.0, 100_000),
            (0.29, 29_000),
            (2.5, 250_000),
        ] {
            let quota = quota_of(&limits(cpus)).expect("a quota").expect("some");
            assert_eq!(quota.quota_us, quota_us);
            assert!((quota.cpus() - cpus).abs() < 1e-9);
        }
    }

    #[test]
    fn a_quota_that_is_no_positive_number_is_refused() {
        for cpus in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e300] {
            assert!(quota_of(&limits(cpus)).is_err(), "{cpus}");
        }
    }

    #[test]
    fn the_tighter_of_two_quotas_holds() {
        let wide = Some(Quota {
            quota_us: 200_000,
            period_us: 100_000,
        });
        let tight = Some(Quota {
            quota_us: 8_500,
            period_us: 10_000,
        });
        assert_eq!(Quota::tighter(wide, tight), tight);
        assert_eq!(Quota::tighter(None, wide), wide);
        assert_eq!(Quota::tighter(None, None), None);
    }

    #[test]
    fn ancestors_end_at_the_top() {
        let folders: Vec<_> = upwards(Path::new("/c/cpu"), "/a/b").collect();
        assert_eq!(
            folders,
            ["/c/cpu/a/b", "/c/cpu/a", "/c/cpu"].map(std::path::PathBuf::from)
        );
        assert_eq!(upwards(Path::new("/c/cpu"), "/").count(), 1);
    }
}
