"""Monitors of a fake machine: a readings.csv that agrees with the programs of a script."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from headtohead.hosts.fake.script import Launch, Outcome, Script

NS_PER_MS = 1_000_000
MEMORY_BYTES = 16 * 1024**3
BUSY_FROM_BOOT_NS = 5_000_000_000


class Program(Protocol):
    """A program that ran, as the readings show it."""

    launch: Launch
    outcome: Outcome

    def cpu_ns(self, at_ns: int) -> float:
        """Return the CPU time used until an instant of the clock."""

    def runs(self, at_ns: int) -> bool:
        """Return whether it runs at an instant."""


@dataclass(frozen=True)
class WatchedTime:
    """The watched time, in ns of the clock, with the run's start; ``linked`` if it has a link between two networks."""

    zero_ns: int
    from_ns: int
    to_ns: int
    every_ms: int
    linked: bool = False


def columns(script: Script, *, linked: bool) -> tuple[str, ...]:
    """Return the columns of this machine: those of a small virtual machine."""
    each = [name for cpu in script.machine_cpus for name in (f"cpu{cpu}_busy_ns", f"cpu{cpu}_steal_ns")]
    of_groups = ("subject_cpu_ns", "driver_cpu_ns", "harness_cpu_ns", "subject_memory_bytes", "driver_memory_bytes")
    of_devices = ("memory_available_bytes", "disk_read_bytes", "disk_written_bytes", "loopback_bytes")
    of_link = ("link_sent_bytes", "link_received_bytes") if linked else ()
    return ("t_ns", "busy_ns", "idle_ns", "steal_ns", *each, *of_groups, *of_devices, *of_link)


def write_readings(to: Path, window: WatchedTime, *, programs: Collection[Program], script: Script) -> int:
    """Write the readings of a watched time; return their number."""
    rows = [_row(at_ns, window, programs=programs, script=script) for at_ns in _instants(window)]
    header = ",".join(columns(script, linked=window.linked))
    lines = [header, *(",".join(str(round(value)) for value in row) for row in rows)]
    to.write_text("\n".join(lines) + "\n")
    return len(rows)


def _instants(window: WatchedTime) -> Iterator[int]:
    yield from range(window.from_ns, window.to_ns, window.every_ms * NS_PER_MS)
    yield window.to_ns


def _row(at_ns: int, window: WatchedTime, *, programs: Collection[Program], script: Script) -> tuple[float, ...]:
    """Return one reading: counters are cumulative from the first reading, real ones from boot."""
    passed_ns = at_ns - window.from_ns
    subject, driver = (
        sum(each.cpu_ns(at_ns) - each.cpu_ns(window.from_ns) for each in programs if each.launch.group == group)
        for group in ("subject", "driver")
    )
    harness = passed_ns * script.harness_cpus
    steal = passed_ns * script.steal_share
    busy = BUSY_FROM_BOOT_NS + subject + driver + harness + passed_ns * script.foreign_cpus
    count = len(script.machine_cpus)
    idle = max(0.0, passed_ns * count - (busy - BUSY_FROM_BOOT_NS) - steal * count)
    memory = [
        sum(each.outcome.memory_bytes for each in programs if each.launch.group == group and each.runs(at_ns))
        for group in ("subject", "driver")
    ]
    each_cpu = [value for _ in script.machine_cpus for value in (busy / count, steal)]
    carried = (subject + driver) * 0.1
    over_link = (carried, carried) if window.linked else ()
    devices = (MEMORY_BYTES - sum(memory), 0, passed_ns * 1e-4, 0 if window.linked else carried)
    totals = (at_ns - window.zero_ns, busy, idle, steal * count)
    return (*totals, *each_cpu, subject, driver, harness, *memory, *devices, *over_link)
