"""Settings of the system as factors of the host: their names, and what a treatment sets them to."""

from collections.abc import Mapping

from headtohead.model.quantity import Scalar, scalar_text

NOFILE = "nofile"
"""Open files of each process of the subject, which is a limit of theirs and no setting of the system."""
SYSCTL = "sysctl."
"""What begins the name of a factor that is a setting of ``/proc/sys``."""
HUGE_PAGES, GOVERNOR, BOOST = "transparent_huge_pages", "governor", "boost"
HALT_POLL = "guest_halt_poll_ns"
NAMED = (HUGE_PAGES, GOVERNOR, BOOST, HALT_POLL)
"""The others, each with a file of its own in ``/sys``."""
HUGE_PAGE_LEVELS = ("always", "madvise", "never")
BOOST_LEVELS = ("off", "on")
HALT_POLL_FILE = "sys/module/haltpoll/parameters/guest_halt_poll_ns"
"""How long an idle CPU of a guest waits for work before it halts, in nanoseconds; relative to the root."""
HALT_POLL_DEFAULT_NS = 200_000
"""The kernel's own default (drivers/cpuidle/governors/haltpoll.c)."""
SYSCTLS = (
    "fs.aio-max-nr",
    "fs.file-max",
    "kernel.numa_balancing",
    "kernel.sched_",
    "net.core.",
    "net.ipv4.ip_local_port_range",
    "net.ipv4.tcp_",
    "net.ipv4.udp_",
    "vm.",
)
"""What the names of settings that may be changed begin with: ``crates/probe/src/settings/names.rs`` decides."""


NOT_PUT_BACK = (
    "net.ipv4.tcp_congestion_control",
    "vm.dirty_background_bytes",
    "vm.dirty_bytes",
    "vm.memfd_noexec",
    "vm.overcommit_kbytes",
)
"""Those that leave something changed when they are put back, and are refused there."""
SHARES = {
    "vm.dirty_background_ratio": "vm.dirty_background_bytes",
    "vm.dirty_ratio": "vm.dirty_bytes",
    "vm.overcommit_ratio": "vm.overcommit_kbytes",
}
"""Shares of memory, each with the setting that holds instead of it unless it is 0."""


def is_setting(factor: str) -> bool:
    """Return whether a factor is a setting of the system.

    >>> is_setting("sysctl.vm.swappiness"), is_setting("nofile")
    (True, False)
    """
    return factor in NAMED or factor.startswith(SYSCTL)


def settings_of(levels: Mapping[str, Scalar]) -> dict[str, str]:
    """Return the settings of the system among the levels of a treatment, as texts."""
    return {name: scalar_text(value) for name, value in levels.items() if is_setting(name)}


def sysctl_file(factor: str) -> str:
    """Return the file of such a factor, relative to the root.

    >>> sysctl_file("sysctl.vm.swappiness")
    'proc/sys/vm/swappiness'
    """
    return f"proc/sys/{factor.removeprefix(SYSCTL).replace('.', '/')}"
