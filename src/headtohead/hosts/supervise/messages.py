"""Requests to supervise and its answers, as values (docs/reference/supervise.md).

``t_ns`` of an answer is in nanoseconds since the run's start, on the host's monotonic clock.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.model.machine.topology import MemoryFrom


@dataclass(frozen=True)
class Limits:
    """The limits of a group. ``cpu_quota`` counts CPUs (0.85); None sets no limit."""

    cpus: tuple[int, ...] | None = None
    cpu_quota: float | None = None
    cpu_period_us: int = 100_000
    memory_mib: int | None = None
    memory: MemoryFrom | None = None
    nofile: int | None = None
    """Open files of each process, as its soft and its hard limit."""


@dataclass(frozen=True)
class Command:
    """A program to start: ``env`` is its whole environment; its output is appended to the files given."""

    group: str
    argv: tuple[str, ...]
    cwd: Path
    stdout: Path
    stderr: Path
    stdin: Path | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    nofile: int | None = None
    inside: bool = False
    """Whether it runs in the userland of its run."""


@dataclass(frozen=True)
class Hello:
    """The first answer. ``zero_ns`` is the run's start as CLOCK_MONOTONIC itself; ``cgroups`` is v1, v2 or None.

    With ``private_files`` programs have a view of files of their own, with ``domains`` each is in a Landlock domain.
    """

    t_ns: int
    version: str
    run_dir: str
    zero_ns: int
    cgroups: str | None
    uid: int
    private_files: bool
    domains: bool


@dataclass(frozen=True)
class Linked:
    """The link between the groups ``subject`` and ``driver``, as the kernel reports it.

    ``subject`` and ``driver`` are their addresses; ``device`` is the name of both ends; ``mtu`` is the largest packet
    in bytes; ``rate_mbit`` is the limit of each direction, None without a limit.
    """

    t_ns: int
    subject: str
    driver: str
    device: str
    mtu: int
    congestion: str
    rate_mbit: int | None


@dataclass(frozen=True)
class Started:
    """A program runs."""

    t_ns: int
    pid: int


@dataclass(frozen=True)
class Attached:
    """Processes that already ran count as a group's."""

    t_ns: int
    processes: int


@dataclass(frozen=True)
class Waited:
    """Whether a program has ended, with which exit code or by which signal."""

    t_ns: int
    exited: bool
    code: int | None = None
    signal: str | None = None


@dataclass(frozen=True)
class Alive:
    """Whether a program still runs."""

    t_ns: int
    alive: bool
    code: int | None = None
    signal: str | None = None


@dataclass(frozen=True)
class ReadBack:
    """What is in force for the processes of a group, read from the kernel.

    ``memory_policies`` are those of all their mappings, each once, in the kernel's words (``bind:1``); None for a group
    without nodes. ``network`` is ``own`` if every process is at its group's end of the link, ``host`` if all are in
    supervise's own network, ``mixed`` otherwise; None if there is no process.
    """

    t_ns: int
    cpus: tuple[int, ...]
    cpu_quota: float | None
    cpu_period_us: int | None
    memory_mib: int | None
    uids: tuple[int, ...]
    processes: int
    threads: int
    memory_policies: tuple[str, ...] | None = None
    network: str | None = None
    nofile: tuple[int, ...] = ()
    """The hard limits of open files of its processes, each once."""
    settings: Mapping[str, str] | None = None
    """What the settings that this run changed hold now, by name; None if it changed none."""
    userland: str | None = None
    """``own`` if every process is in the run's userland, ``host`` if none is, ``mixed`` otherwise; None without one."""


@dataclass(frozen=True)
class Usage:
    """The resources that a group has used so far, including exited processes; None if they cannot be read.

    ``memory_peak_bytes`` is the memory of processes; with the page cache it is what a memory limit counts.
    """

    t_ns: int
    cpu_ns: int
    memory_peak_bytes: int | None
    processes: int
    threads: int
    throttled_periods: int | None
    throttled_ns: int | None
    oom_kills: int | None
    run_delay_ns: int | None
    memory_peak_with_cache_bytes: int | None = None


@dataclass(frozen=True)
class Watching:
    """The monitors run; ``columns`` are those that this machine has."""

    t_ns: int
    columns: tuple[str, ...]


@dataclass(frozen=True)
class Watched:
    """The monitors have ended: the number of readings, and their cost."""

    t_ns: int
    readings: int
    cpu_ns: int


@dataclass(frozen=True)
class Gate:
    """Whether it became quiet in time, and the CPUs that other processes used at the end.

    ``foreign_cpus`` on cores in use, ``apart_cpus`` certainly on the CPUs apart.
    """

    t_ns: int
    quiet: bool
    waited_s: float
    foreign_cpus: float
    apart_cpus: float


@dataclass(frozen=True)
class Stopped:
    """A group has ended; ``killed`` if TERM was not enough, ``left_over`` counts processes that outlived it."""

    t_ns: int
    code: int | None
    signal: str | None
    killed: bool
    took_ns: int
    left_over: int


@dataclass(frozen=True)
class Done:
    """A request without an answer of its own was carried out."""

    t_ns: int
