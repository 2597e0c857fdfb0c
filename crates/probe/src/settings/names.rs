//! The settings of the system that a study may change, and the files of the kernel that hold each of them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use base::error::Error;

/// The settings of `/proc/sys` that may be changed, by the beginning of their names. Each holds a value that can be put
/// back; none names a program that the kernel starts, opens the machine to others, or can only be tightened.
const SYSCTLS: [&str; 9] = [
    "fs.aio-max-nr",
    "fs.file-max",
    "kernel.numa_balancing",
    "kernel.sched_",
    "net.core.",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_",
    "net.ipv4.udp_",
    "vm.",
];

/// What begins like the above and is none of it: orders to the kernel, what protects it, and what leaves another setting
/// changed when it is put back (a share of memory that bytes replaced, the list of allowed congestion controls).
const REFUSED: [&str; 14] = [
    "kernel.sched_domain",
    "net.core.bpf_",
    "net.ipv4.tcp_congestion_control",
    "net.ipv4.tcp_fastopen_key",
    "vm.compact_memory",
    "vm.dirty_background_bytes",
    "vm.dirty_bytes",
    "vm.drop_caches",
    "vm.memfd_noexec",
    "vm.mmap_min_addr",
    "vm.overcommit_kbytes",
    "vm.panic_on_oom",
    "vm.stat_refresh",
    "vm.unprivileged_userfaultfd",
];

/// Shares of memory that bytes or kilobytes may stand for: set, a share replaces them, and they could not be put back.
const SHARES: [(&str, &str); 3] = [
    ("vm.dirty_background_ratio", "vm.dirty_background_bytes"),
    ("vm.dirty_ratio", "vm.dirty_bytes"),
    ("vm.overcommit_ratio", "vm.overcommit_kbytes"),
];

/// The longest name or value.
const BYTES: usize = 200;

/// One file of the kernel, and what to write to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The file.
    pub path: PathBuf,
    /// What it is to hold.
    pub value: String,
}

/// The files of a setting, with what they are to hold at that level. `root` is `/`, or a folder in its place in tests.
///
/// # Errors
/// A name that is no setting, a value that cannot be one, or a machine without it.
pub fn resolve(name: &str, value: &str, root: &Path) -> Result<Vec<Wanted>, Error> {
    let simple = |byte: u8| byte.is_ascii_alphanumeric() || b" ._-".contains(&byte);
    if value.is_empty() || value.len() > BYTES || !value.bytes().all(simple) {
        return Err(Error::failure(
            format!("{name} = {value:?} cannot be set"),
            "A value has letters, digits, spaces and ._- only, 200 bytes at most.",
            "Write a value as sysctl prints it.",
        ));
    }
    let found = match name {
        "transparent_huge_pages" => one(
            root.join("sys/kernel/mm/transparent_hugepage/enabled"),
            value,
        ),
        "guest_halt_poll_ns" => one(
            root.join("sys/module/haltpoll/parameters/guest_halt_poll_ns"),
            value,
        ),
        "governor" => governors(root, value),
        "boost" => boost(root, value),
        _ => match name.strip_prefix("sysctl.") {
            Some(sysctl) => one(sysctl_file(sysctl, root)?, value),
            None => Vec::new(),
        },
    };
    if found.is_empty() || found.iter().any(|each| !each.path.is_file()) {
        return Err(Error::failure(
            format!("{name} cannot be set"),
            "The kernel has no such setting on this machine.",
            "Leave the factor out here.",
        ));
    }
    Ok(found)
}

fn one(path: PathBuf, value: &str) -> Vec<Wanted> {
    vec![Wanted {
        path,
        value: value.to_owned(),
    }]
}

fn sysctl_file(name: &str, root: &Path) -> Result<PathBuf, Error> {
    let begins = |with: &&str| name.starts_with(*with);
    let simple = |part: &str| {
        let known = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        !part.is_empty() && part.bytes().all(known)
    };
    if name.len() > BYTES
        || !name.split('.').all(simple)
        || !SYSCTLS.iter().any(begins)
        || REFUSED.iter().any(begins)
    {
        return Err(Error::failure(
            format!("sysctl.{name} is no factor"),
            format!("Those that begin so may be set: {}.", SYSCTLS.join(", ")),
            "Choose one of these.",
        ));
    }
    let file = |name: &str| root.join("proc/sys").join(name.replace('.', "/"));
    let instead = SHARES.iter().find(|(share, _)| *share == name);
    if let Some((_, bytes)) = instead
        && read(&file(bytes)).is_ok_and(|held| held != "0")
    {
        return Err(Error::failure(
            format!("sysctl.{name} cannot be set"),
            format!("{bytes} holds instead of it here, and could not be put back."),
            format!("Leave the factor out here, or set {bytes} to 0."),
        ));
    }
    Ok(file(name))
}

/// The governor of every CPU.
fn governors(root: &Path, value: &str) -> Vec<Wanted> {
    let policies = fs::read_dir(root.join("sys/devices/system/cpu/cpufreq"));
    let mut found: Vec<Wanted> = policies
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .map(|entry| entry.path().join("scaling_governor"))
        .filter(|path| path.is_file())
        .flat_map(|path| one(path, value))
        .collect();
    found.sort_by(|one, other| one.path.cmp(&other.path));
    found
}

/// The switch of turbo frequencies; `intel_pstate` has the opposite of it.
fn boost(root: &Path, value: &str) -> Vec<Wanted> {
    let folder = root.join("sys/devices/system/cpu");
    let (direct, inverse) = (
        folder.join("cpufreq/boost"),
        folder.join("intel_pstate/no_turbo"),
    );
    let (direct_value, inverse_value) = match value {
        "on" => ("1", "0"),
        "off" => ("0", "1"),
        _ => return Vec::new(),
    };
    if direct.is_file() {
        one(direct, direct_value)
    } else {
        one(inverse, inverse_value)
    }
}

/// What a setting's file holds now: its words, or of several in a row the one in brackets, which is the chosen one.
///
/// # Errors
/// The kernel's.
pub fn read(path: &Path) -> io::Result<String> {
    let text = fs::read_to_string(path)?;
    let chosen = text
        .split_once('[')
        .and_then(|(_, rest)| Some(rest.split_once(']')?.0));
    let words: Vec<&str> = chosen.unwrap_or(&text).split_whitespace().collect();
    Ok(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::{read, resolve};
    use crate::fake_folder::Folder;

    #[test]
    fn a_name_is_of_a_setting_that_can_be_put_back() {
        let root = Folder::new();
        root.file("proc/sys/vm/swappiness", "60\n");
        root.file("proc/sys/vm/drop_caches", "0\n");
        root.file("proc/sys/kernel/core_pattern", "core\n");
        assert!(resolve("sysctl.vm.swappiness", "10", root.path()).is_ok());
        for wrong in [
            "sysctl.kernel.core_pattern",
            "sysctl.vm.drop_caches",
            "sysctl.vm.dirty_bytes",
            "sysctl.net.ipv4.tcp_congestion_control",
            "sysctl.vm.",
            "sysctl.vm../kernel/core_pattern",
            "sysctl.vm...kernel.core_pattern",
            "sysctl.vm/swappiness",
            "sysctl.vm.not_there",
            "governor",
            "vm.swappiness",
        ] {
            assert!(resolve(wrong, "10", root.path()).is_err(), "{wrong}");
        }
        for wrong in ["", "10\n60", "|/bin/sh", "a/b"] {
            let outcome = resolve("sysctl.vm.swappiness", wrong, root.path());
            assert!(outcome.is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_share_of_memory_is_set_only_where_no_bytes_hold_instead_of_it() {
        let root = Folder::new();
        root.file("proc/sys/vm/dirty_ratio", "20\n");
        root.file("proc/sys/vm/dirty_bytes", "0\n");
        let set = || resolve("sysctl.vm.dirty_ratio", "10", root.path());
        assert!(set().is_ok());
        root.file("proc/sys/vm/dirty_bytes", "1048576\n");
        let refused = set().expect_err("bytes hold");
        assert!(
            refused
                .to_string()
                .contains("vm.dirty_bytes holds instead of it")
        );
    }

    #[test]
    fn a_governor_is_every_policy_s_and_boost_may_be_the_opposite() {
        let root = Folder::new();
        let cpus = "sys/devices/system/cpu";
        root.file(
            &format!("{cpus}/cpufreq/policy0/scaling_governor"),
            "powersave\n",
        );
        root.file(
            &format!("{cpus}/cpufreq/policy1/scaling_governor"),
            "powersave\n",
        );
        let found = resolve("governor", "performance", root.path()).expect("two policies");
        assert_eq!(found.len(), 2);
        root.file(&format!("{cpus}/intel_pstate/no_turbo"), "0\n");
        let found = resolve("boost", "off", root.path()).expect("a switch");
        assert_eq!(found[0].value, "1");
        root.file(&format!("{cpus}/cpufreq/boost"), "1\n");
        let found = resolve("boost", "off", root.path()).expect("a switch");
        assert_eq!(found[0].value, "0");
        assert!(resolve("boost", "fast", root.path()).is_err());
    }

    #[test]
    fn a_guest_without_the_governor_that_polls_has_no_such_setting() {
        let root = Folder::new();
        assert!(resolve("guest_halt_poll_ns", "200000", root.path()).is_err());
        let file = "sys/module/haltpoll/parameters/guest_halt_poll_ns";
        root.file(file, "0\n");
        let found =
            resolve("guest_halt_poll_ns", "200000", root.path()).expect("a guest's setting");
        assert_eq!(found[0].path, root.path().join(file));
        assert_eq!(found[0].value, "200000");
    }

    #[test]
    fn of_several_words_the_one_in_brackets_holds() {
        let root = Folder::new();
        root.file("several", "always [madvise] never\n");
        root.file("numbers", "4096\t131072\t6291456\n");
        let said = |name: &str| read(&root.path().join(name)).expect("a file");
        assert_eq!(said("several"), "madvise");
        assert_eq!(said("numbers"), "4096 131072 6291456");
    }
}
