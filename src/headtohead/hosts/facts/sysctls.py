"""The settings of the kernel that differ from its defaults.

The kernel does not report its defaults, so only settings with a default fixed in its sources are compared. Settings
that depend on memory, CPUs or architecture are left out. Distributions set some of these.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact

KERNEL = "Documentation/admin-guide/sysctl/kernel.rst"
VM = "Documentation/admin-guide/sysctl/vm.rst"
NET = "Documentation/admin-guide/sysctl/net.rst"
IP = "Documentation/networking/ip-sysctl.rst"


@dataclass(frozen=True)
class Default:
    """A setting's default, and where it is in the kernel's sources; ``also`` has other versions' defaults."""

    name: str
    value: str
    source: str
    also: tuple[str, ...] = ()


DEFAULTS = (
    Default("vm.swappiness", "60", VM),
    Default("vm.dirty_ratio", "20", "mm/page-writeback.c"),
    Default("vm.dirty_background_ratio", "10", "mm/page-writeback.c"),
    Default("vm.dirty_bytes", "0", "mm/page-writeback.c"),
    Default("vm.dirty_background_bytes", "0", "mm/page-writeback.c"),
    Default("vm.dirty_expire_centisecs", "3000", "mm/page-writeback.c"),
    Default("vm.dirty_writeback_centisecs", "500", "mm/page-writeback.c"),
    Default("vm.overcommit_memory", "0", VM),
    Default("vm.overcommit_ratio", "50", "mm/util.c"),
    Default("vm.overcommit_kbytes", "0", "mm/util.c"),
    Default("vm.vfs_cache_pressure", "100", VM),
    Default("vm.zone_reclaim_mode", "0", VM),
    Default("vm.max_map_count", "65530", "include/linux/mm.h (DEFAULT_MAX_MAP_COUNT)"),
    Default("vm.nr_hugepages", "0", "Documentation/admin-guide/mm/hugetlbpage.rst"),
    Default("vm.nr_overcommit_hugepages", "0", "Documentation/admin-guide/mm/hugetlbpage.rst"),
    Default("vm.page-cluster", "3", VM),
    Default("vm.stat_interval", "1", VM),
    Default("vm.extfrag_threshold", "500", VM),
    Default("vm.watermark_scale_factor", "10", VM),
    Default("vm.watermark_boost_factor", "15000", VM, also=("0",)),
    Default("vm.compaction_proactiveness", "20", "mm/compaction.c"),
    Default("vm.percpu_pagelist_high_fraction", "0", "mm/page_alloc.c"),
    Default("vm.laptop_mode", "0", "mm/page-writeback.c"),
    Default("vm.panic_on_oom", "0", VM),
    Default("vm.oom_kill_allocating_task", "0", VM),
    Default("kernel.randomize_va_space", "2", KERNEL),
    Default("kernel.perf_event_max_sample_rate", "100000", "kernel/events/core.c (DEFAULT_MAX_SAMPLE_RATE)"),
    Default("kernel.perf_cpu_time_max_percent", "25", "kernel/events/core.c (DEFAULT_CPU_TIME_MAX_PERCENT)"),
    Default("kernel.perf_event_paranoid", "2", KERNEL),
    Default("kernel.sched_rt_period_us", "1000000", "Documentation/scheduler/sched-rt-group.rst"),
    Default("kernel.sched_rt_runtime_us", "950000", "Documentation/scheduler/sched-rt-group.rst"),
    Default("kernel.sched_cfs_bandwidth_slice_us", "5000", "Documentation/scheduler/sched-bwc.rst"),
    Default("kernel.sched_autogroup_enabled", "1", "kernel/sched/autogroup.c"),
    Default("kernel.sched_child_runs_first", "0", "kernel/sched/fair.c"),
    Default("kernel.sched_schedstats", "0", "kernel/sched/core.c"),
    Default("kernel.timer_migration", "1", "kernel/time/timer.c"),
    Default("kernel.task_delayacct", "0", "kernel/delayacct.c"),
    Default("kernel.io_uring_disabled", "0", "io_uring/io_uring.c"),
    Default("fs.aio-max-nr", "65536", "fs/aio.c"),
    Default("fs.nr_open", "1048576", "fs/file.c", also=("1073741816",)),
    Default("fs.pipe-max-size", "1048576", "fs/pipe.c"),
    Default("net.core.somaxconn", "4096", IP, also=("128",)),
    Default("net.core.netdev_max_backlog", "1000", "net/core/hotdata.c"),
    Default("net.core.netdev_budget", "300", "net/core/hotdata.c"),
    Default("net.core.dev_weight", "64", NET),
    Default("net.core.rmem_default", "212992", "net/core/sock.c (SK_RMEM_MAX)"),
    Default("net.core.wmem_default", "212992", "net/core/sock.c (SK_WMEM_MAX)"),
    Default("net.core.rmem_max", "212992", "net/core/sock.c (SK_RMEM_MAX)", also=("4194304",)),
    Default("net.core.wmem_max", "212992", "net/core/sock.c (SK_WMEM_MAX)", also=("4194304",)),
    Default("net.core.optmem_max", "131072", "net/core/sock.c", also=("20480", "81920")),
    Default("net.core.busy_poll", "0", NET),
    Default("net.core.busy_read", "0", NET),
    Default("net.core.default_qdisc", "pfifo_fast", NET),
    Default("net.core.rps_sock_flow_entries", "0", "Documentation/networking/scaling.rst"),
    Default("net.ipv4.ip_local_port_range", "32768 60999", IP),
    Default("net.ipv4.tcp_congestion_control", "cubic", "net/ipv4/Kconfig (DEFAULT_TCP_CONG)"),
    Default("net.ipv4.tcp_window_scaling", "1", IP),
    Default("net.ipv4.tcp_sack", "1", "net/ipv4/tcp_ipv4.c"),
    Default("net.ipv4.tcp_dsack", "1", "net/ipv4/tcp_ipv4.c"),
    Default("net.ipv4.tcp_timestamps", "1", IP),
    Default("net.ipv4.tcp_ecn", "2", IP),
    Default("net.ipv4.tcp_fastopen", "1", IP),
    Default("net.ipv4.tcp_fin_timeout", "60", IP),
    Default("net.ipv4.tcp_tw_reuse", "2", IP, also=("0",)),
    Default("net.ipv4.tcp_keepalive_time", "7200", IP),
    Default("net.ipv4.tcp_keepalive_intvl", "75", IP),
    Default("net.ipv4.tcp_keepalive_probes", "9", IP),
    Default("net.ipv4.tcp_slow_start_after_idle", "1", IP),
    Default("net.ipv4.tcp_no_metrics_save", "0", IP),
    Default("net.ipv4.tcp_moderate_rcvbuf", "1", IP),
    Default("net.ipv4.tcp_mtu_probing", "0", IP),
    Default("net.ipv4.tcp_autocorking", "1", IP),
    Default("net.ipv4.tcp_abort_on_overflow", "0", IP),
    Default("net.ipv4.tcp_syncookies", "1", IP),
    Default("net.ipv4.tcp_syn_retries", "6", IP),
    Default("net.ipv4.tcp_synack_retries", "5", IP),
    Default("net.ipv4.tcp_retries2", "15", IP),
    Default("net.ipv4.tcp_recovery", "1", IP),
    Default("net.ipv4.tcp_early_retrans", "3", IP),
    Default("net.ipv4.tcp_reordering", "3", IP),
    Default("net.ipv4.tcp_rfc1337", "0", IP),
    Default("net.ipv4.tcp_thin_linear_timeouts", "0", IP),
    Default("net.ipv4.tcp_tso_win_divisor", "3", IP),
    Default("net.ipv4.tcp_min_tso_segs", "2", IP),
    Default("net.ipv4.tcp_pacing_ss_ratio", "200", IP),
    Default("net.ipv4.tcp_pacing_ca_ratio", "120", IP),
    Default("net.ipv4.tcp_limit_output_bytes", "1048576", IP, also=("262144", "4194304")),
    Default("net.ipv4.tcp_notsent_lowat", "4294967295", IP),
    Default("net.ipv4.tcp_early_demux", "1", IP),
)


def read_sysctls(tree: Tree) -> Iterator[Fact]:
    """Yield the number of settings compared, and each that differs, with its default."""
    group = Group("sysctls", tree)
    there = [(each, value) for each in DEFAULTS if (value := setting(tree, each.name)) is not None]
    source = f"headtohead's table of {len(DEFAULTS)} kernel defaults; other settings are not compared"
    yield group.known("settings compared", len(there), source=source)
    for each, value in there:
        if value not in {each.value, *each.also}:
            defaults = " or ".join((each.value, *each.also))
            says = f"{path_of(each.name)}; default: {each.source}"
            yield group.known(each.name, f"{value} (the kernel's default is {defaults})", source=says)


def setting(tree: Tree, name: str) -> str | None:
    """Return a setting's value with single spaces, None if this kernel has none of that name."""
    text = tree.text(path_of(name).removeprefix("/"))
    return None if text is None else " ".join(text.split())


def path_of(name: str) -> str:
    """Return the file of a setting.

    >>> path_of("net.ipv4.tcp_sack")
    '/proc/sys/net/ipv4/tcp_sack'
    """
    return f"/proc/sys/{name.replace('.', '/')}"
