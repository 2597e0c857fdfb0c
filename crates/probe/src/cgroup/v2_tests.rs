use std::fs;

use super::Mounted;
use crate::cgroup::{Hierarchy, Limits, Quota};
use crate::fake_folder::Folder;

const FREE: Limits = Limits {
    cpu_quota: None,
    cpu_period_us: 100_000,
    memory_mib: None,
};

/// A tree as the kernel would show it, with a group's own files there from the start.
fn mounted(root: &Folder) -> Mounted {
    root.file("cgroup.controllers", "cpuset cpu io memory pids\n");
    root.file("cgroup.subtree_control", "cpu memory\n");
    Mounted::detect(root.path()).expect("cpu and memory")
}

#[test]
fn a_tree_without_controllers_is_none() {
    let root = Folder::new();
    root.file("cgroup.controllers", "hugetlb\n");
    assert!(Mounted::detect(root.path()).is_none());
}

#[test]
fn a_controller_that_is_off_is_switched_on() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("cgroup.subtree_control", "cpu pids\n");
    drop(mounted.create("g", &FREE).expect("a group"));
    let written = fs::read_to_string(root.path().join("cgroup.subtree_control")).expect("a file");
    assert_eq!(written, "+memory");
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
    assert_eq!(written("g/cpu.max"), "8500 10000");
    assert_eq!(written("g/memory.max"), "67108864");
    assert_eq!(group.join_files(), vec![root.path().join("g/cgroup.procs")]);
}

#[test]
fn what_was_spent_is_read_in_ns_and_bytes() {
    let root = Folder::new();
    let group = mounted(&root).create("g", &FREE).expect("a group");
    root.file(
        "g/cpu.stat",
        "usage_usec 1500\nuser_usec 1000\nnr_periods 9\nnr_throttled 2\nthrottled_usec 7\n",
    );
    root.file("g/memory.peak", "8192\n");
    root.file(
        "g/memory.stat",
        "anon 100\nfile 900\nkernel 5\nshmem 20\nfile_mapped 3\n",
    );
    root.file(
        "g/memory.events",
        "low 0\nhigh 0\nmax 3\noom 1\noom_kill 1\noom_group_kill 0\n",
    );
    root.file("g/cgroup.procs", "17\n");
    let spent = group.spent();
    assert_eq!(spent.cpu_ns, Some(1_500_000));
    assert_eq!(
        (spent.throttled_periods, spent.throttled_ns),
        (Some(2), Some(7000))
    );
    assert_eq!(
        (spent.memory_peak_with_cache_bytes, spent.oom_kills),
        (Some(8192), Some(1))
    );
    assert_eq!(group.processes(), vec![17]);
    let mut meter = group.meter();
    assert_eq!(
        (meter.cpu_ns(), meter.memory_bytes()),
        (Some(1_500_000), Some(120))
    );
}

#[test]
fn the_whole_group_is_killed_by_one_write() {
    let root = Folder::new();
    let group = mounted(&root).create("g", &FREE).expect("a group");
    group.kill();
    assert_eq!(
        fs::read_to_string(root.path().join("g/cgroup.kill")).expect("a file"),
        "1"
    );
}

#[test]
fn the_tightest_quota_up_to_the_root_holds() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("slice/cpu.max", "150000 100000\n");
    root.file("slice/g/cpu.max", "max 100000\n");
    root.file("slice/g/memory.max", "max\n");
    root.file("slice/memory.max", "1048576\n");
    let quota = mounted.quota("0::/slice/g\n");
    assert_eq!(
        quota,
        Some(Quota {
            quota_us: 150_000,
            period_us: 100_000
        })
    );
    assert_eq!(mounted.memory_limit_bytes("0::/slice/g\n"), Some(1_048_576));
    assert_eq!(mounted.quota("0::/\n"), None);
}

#[test]
fn the_machine_is_read_from_the_root() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("cpu.stat", "usage_usec 99\nuser_usec 40\nsystem_usec 2\n");
    let mut meter = mounted.machine_meter().expect("a root cpu.stat");
    assert_eq!(meter.cpu_ns(), Some(42_000), "without stolen time");
    assert!(
        mounted.tasks_meter().is_none(),
        "interrupts are in the root's figures"
    );
}

#[test]
fn the_root_of_a_container_is_not_the_machine() {
    let root = Folder::new();
    let mounted = mounted(&root);
    root.file("cpu.stat", "usage_usec 1\nuser_usec 1\nsystem_usec 0\n");
    root.file("cgroup.events", "populated 1\nfrozen 0\n");
    assert!(mounted.machine_meter().is_none());
}

#[test]
fn a_root_whose_controllers_cannot_be_switched_on_is_not_ours_to_write() {
    let root = Folder::new();
    let mounted = mounted(&root);
    assert!(mounted.writable());
    fs::remove_file(root.path().join("cgroup.subtree_control")).expect("it was there");
    fs::create_dir(root.path().join("cgroup.subtree_control")).expect("what refuses a write");
    assert!(!mounted.writable());
}
