use std::fs;
use std::path::PathBuf;

use super::{Mounted, group_of, held_bytes};
use crate::cgroup::{Hierarchy, Limits, Quota};
use crate::fake_folder::Folder;

const FREE: Limits = Limits {
    cpu_quota: None,
    cpu_period_us: 100_000,
    memory_mib: None,
};

/// A tree as the kernel would show it.
fn mounted(root: &Folder) -> Mounted {
    for controller in ["cpu", "cpuacct", "memory"] {
        root.file(&format!("{controller}/cgroup.procs"), "1\n");
    }
    Mounted::detect(root.path()).expect("three controllers")
}

#[test]
fn without_cpuacct_there_is_nothing() {
    let root = Folder::new();
    root.file("memory/cgroup.procs", "");
    assert!(Mounted::detect(root.path()).is_none());
}

#[test]
fn a_group_without_a_quota_stays_out_of_the_cpu_tree() {
    let root = Folder::new();
    let group = mounted(&root)
        .create("headtohead-1-2-3-subject", &FREE)
        .expect("a group");
    assert!(!root.path().join("cpu/headtohead-1-2-3-subject").exists());
    let joins: Vec<PathBuf> = ["cpuacct", "memory"]
        .iter()
        .map(|tree| {
            root.path()
                .join(tree)
                .join("headtohead-1-2-3-subject/cgroup.procs")
        })
        .collect();
    assert_eq!(group.join_files(), joins);
    assert_eq!(group.spent().throttled_periods, None);
}

#[test]
fn what_is_killed_can_fork_no_more_where_processes_are_counted() {
    let root = Folder::new();
    root.file("pids/cgroup.procs", "1\n");
    let group = mounted(&root).create("g", &FREE).expect("a group");
    assert_eq!(group.join_files().len(), 3);
    group.kill();
    let held = fs::read_to_string(root.path().join("pids/g/pids.max"));
    assert_eq!(held.expect("a limit"), "0");
    group.let_fork();
    let held = fs::read_to_string(root.path().join("pids/g/pids.max"));
    assert_eq!(held.expect("a limit"), "max");
    fs::remove_file(root.path().join("pids/g/pids.max")).expect("ours");
    group.remove().expect("removed");
    assert!(!root.path().join("pids/g").exists());
}

#[test]
fn quota_and_memory_are_written_as_the_kernel_takes_them() {
    let root = Folder::new();
    let limits = Limits {
        cpu_quota: Some(0.85),
        cpu_period_us: 10_000,
        memory_mib: Some(64),
    };
    let group = mounted(&root).create("g", &limits).expect("a group");
    let written = |file: &str| fs::read_to_string(root.path().join(file)).expect("a written limit");
    assert_eq!(written("cpu/g/cpu.cfs_quota_us"), "8500");
    assert_eq!(written("cpu/g/cpu.cfs_period_us"), "10000");
    assert_eq!(written("memory/g/memory.limit_in_bytes"), "67108864");
    assert_eq!(group.join_files().len(), 3);
}

#[test]
fn what_was_spent_is_read_in_ns_and_bytes() {
    let root = Folder::new();
    let limits = Limits {
        cpu_quota: Some(1.0),
        ..FREE
    };
    let group = mounted(&root).create("g", &limits).expect("a group");
    root.file("cpuacct/g/cpuacct.usage", "1234567890\n");
    root.file("cpuacct/g/cgroup.procs", "17\n18\n");
    root.file(
        "cpu/g/cpu.stat",
        "nr_periods 20\nnr_throttled 3\nthrottled_time 4500\nnr_bursts 0\n",
    );
    root.file("memory/g/memory.max_usage_in_bytes", "4096\n");
    root.file(
        "memory/g/memory.oom_control",
        "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
    );
    root.file(
        "memory/g/memory.stat",
        "cache 9\nrss 1\ntotal_cache 900\ntotal_rss 100\ntotal_shmem 20\n",
    );
    let spent = group.spent();
    assert_eq!(spent.cpu_ns, Some(1_234_567_890));
    assert_eq!(
        (spent.throttled_periods, spent.throttled_ns),
        (Some(3), Some(4500))
    );
    assert_eq!(
        (spent.memory_peak_with_cache_bytes, spent.oom_kills),
        (Some(4096), Some(2))
    );
    assert_eq!(group.processes(), vec![17, 18]);
    let mut meter = group.meter();
    assert_eq!(
        (meter.cpu_ns(), meter.memory_bytes()),
        (Some(1_234_567_890), Some(120))
    );
}

#[test]
fn the_tightest_quota_up_to_the_root_holds() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("cpu/cpu.cfs_quota_us", "-1\n");
    root.file("cpu/cpu.cfs_period_us", "100000\n");
    root.file("cpu/pod/cpu.cfs_quota_us", "50000\n");
    root.file("cpu/pod/cpu.cfs_period_us", "100000\n");
    root.file("cpu/pod/inner/cpu.cfs_quota_us", "-1\n");
    root.file("cpu/pod/inner/cpu.cfs_period_us", "100000\n");
    let quota = mounted.quota("9:cpu,cpuacct:/pod/inner\n0::/else\n");
    assert_eq!(
        quota,
        Some(Quota {
            quota_us: 50_000,
            period_us: 100_000
        })
    );
    assert_eq!(mounted.quota("9:cpu,cpuacct:/\n"), None);
}

#[test]
fn the_largest_number_is_no_memory_limit() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("memory/memory.limit_in_bytes", "9223372036854771712\n");
    root.file("memory/g/memory.limit_in_bytes", "1048576\n");
    assert_eq!(mounted.memory_limit_bytes("4:memory:/g\n"), Some(1_048_576));
    assert_eq!(mounted.memory_limit_bytes("4:memory:/\n"), None);
}

#[test]
fn a_missing_controller_is_named_and_nothing_is_left() {
    let root = Folder::new();
    root.file("cpuacct/cgroup.procs", "");
    let mounted = Mounted::detect(root.path()).expect("cpuacct is enough");
    let limits = Limits {
        cpu_quota: Some(0.5),
        ..FREE
    };
    let problem = mounted
        .create("g", &limits)
        .err()
        .expect("no cpu controller");
    assert_eq!(problem.what, "a limit on cpu is not possible");
    assert!(!root.path().join("cpuacct/g").exists());
}

#[test]
fn the_line_of_the_controller_is_found() {
    let membership = "9:name=systemd:/\n4:memory:/m\n2:cpu,cpuacct:/c\n0::/\n";
    assert_eq!(group_of(membership, "cpuacct"), Some("/c"));
    assert_eq!(group_of(membership, "pids"), None);
}

#[test]
fn page_cache_is_not_held() {
    assert_eq!(held_bytes(b"total_cache 5\ntotal_rss 7\n"), Some(7));
}
