//! How much memory is available: what the machine has free, and what the control groups of this program leave.

use std::fs;
use std::path::{Path, PathBuf};

use base::error::Error;

use crate::numbers::sized;

/// What a machine should keep for everything else.
const SPARE_BYTES: u64 = 64 << 20;

/// Refuses a need that the memory here does not meet, before anything is started.
///
/// # Errors
/// There is less memory, with how much and what to do.
pub fn need(bytes: u64, what: &str, remedy: &str) -> Result<(), Error> {
    need_in(Path::new("/"), bytes, what, remedy)
}

fn need_in(root: &Path, bytes: u64, what: &str, remedy: &str) -> Result<(), Error> {
    match available(root) {
        // If nothing shows it, the kernel will, when the memory is mapped.
        Some(there) if there < bytes.saturating_add(SPARE_BYTES) => Err(Error::usage(
            format!("{} for {what}", sized(bytes)),
            format!(
                "{} are available here",
                sized(there.saturating_sub(SPARE_BYTES))
            ),
            remedy,
        )),
        _ => Ok(()),
    }
}

/// Available memory: the least of what the machine and each control group above this program leave.
fn available(root: &Path) -> Option<u64> {
    let meminfo = fs::read_to_string(root.join("proc/meminfo")).ok()?;
    let machine = field(&meminfo, "MemAvailable:")?.checked_mul(1024)?;
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let left = groups.lines().flat_map(|line| headrooms(root, line));
    Some(left.fold(machine, u64::min))
}

/// What each control group from the one that this line names up to the root leaves.
fn headrooms(root: &Path, line: &str) -> Vec<u64> {
    let mut parts = line.splitn(3, ':').skip(1);
    let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
        return Vec::new();
    };
    let mounted = root.join("sys/fs/cgroup");
    let (top, files) = if controllers.is_empty() {
        (mounted, ["memory.max", "memory.current", "inactive_file"])
    } else if controllers.split(',').any(|each| each == "memory") {
        let files = [
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file",
        ];
        (mounted.join("memory"), files)
    } else {
        return Vec::new();
    };
    let own: PathBuf = top.join(path.trim_start_matches('/'));
    let groups = own.ancestors().take_while(|each| each.starts_with(&top));
    groups.filter_map(|group| headroom(group, files)).collect()
}

/// What one group leaves; pages of files that were not used lately are given up when memory is needed.
fn headroom(group: &Path, [limit, usage, reclaimed]: [&str; 3]) -> Option<u64> {
    let number = |name: &str| -> Option<u64> {
        let text = fs::read_to_string(group.join(name)).ok()?;
        text.trim().parse().ok()
    };
    let statistics = fs::read_to_string(group.join("memory.stat")).unwrap_or_default();
    let files = field(&statistics, reclaimed).unwrap_or(0);
    let used = number(usage)?.saturating_sub(files);
    Some(number(limit)?.saturating_sub(used))
}

/// The number after the line's first word.
fn field(text: &str, name: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_ascii_whitespace);
    let mut line = lines.find(|line| line.clone().next() == Some(name))?;
    line.nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::{available, need_in};

    fn machine(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("h2h-memory-{}-{name}", std::process::id()));
        let always = [(
            "proc/meminfo",
            "MemTotal: 9 kB\nMemAvailable:  2097152 kB\n",
        )];
        for (path, text) in always.iter().chain(files) {
            let file = root.join(path);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
            fs::write(file, text).expect("a file");
        }
        root
    }

    #[test]
    fn the_least_of_machine_and_groups_can_be_had() {
        let free = machine("free", &[]);
        assert_eq!(available(&free), Some(2 << 30));
        let new = machine(
            "v2",
            &[
                ("proc/self/cgroup", "0::/a/b\n"),
                ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                ("sys/fs/cgroup/a/b/memory.current", "5\n"),
                ("sys/fs/cgroup/a/memory.max", "1000000\n"),
                ("sys/fs/cgroup/a/memory.current", "400000\n"),
                (
                    "sys/fs/cgroup/a/memory.stat",
                    "anon 1\ninactive_file 100000\n",
                ),
            ],
        );
        assert_eq!(available(&new), Some(700_000));
        let old = machine(
            "v1",
            &[
                ("proc/self/cgroup", "4:cpu,memory:/x\n1:name=systemd:/\n"),
                ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "3000\n"),
                ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "1000\n"),
            ],
        );
        assert_eq!(available(&old), Some(2000));
        for root in [free, new, old] {
            fs::remove_dir_all(root).expect("the tree goes");
        }
    }

    #[test]
    fn what_is_not_there_is_refused_with_what_why_and_what_to_do() {
        let root = machine("refused", &[]);
        assert!(need_in(&root, 1 << 30, "three arrays", "Name less.").is_ok());
        let refused = need_in(&root, 3 << 30, "three arrays", "Name less.").expect_err("too much");
        assert_eq!(
            refused.to_string(),
            "3 GiB for three arrays: 1.9 GiB are available here. Name less."
        );
        fs::remove_dir_all(root).expect("the tree goes");
    }
}
