"""What else uses the machine now: two samples of every process, half a second apart."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.kernel_files import Tree
from headtohead.hosts.paths import PROC, stat_fields
from headtohead.hosts.processes import PARENT, all_pids, ancestry, name_of

SAMPLE_S = 0.5
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# Indexes into stat_fields: user and system time in clock ticks.
USER_TICKS = 11
SYSTEM_TICKS = 12
# Fields of the first line of /proc/stat (proc(5)), in clock ticks.
STAT_FIELDS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
SHOWN = 3
# One clock tick in the half second is 0.02 CPUs: less than that cannot be distinguished from none.
SEEN_CPUS = 1.0 / (TICKS_PER_S * SAMPLE_S)


@dataclass(frozen=True)
class LoadNow:
    """What other processes used during the sample: CPUs in all, and the busiest processes."""

    cpus: float
    busiest: tuple[tuple[str, float], ...]


class BusiestProcess:
    """Finds which process used the most CPU from one look to the next, besides those that this one has started."""

    def __init__(self, *, proc: Path = PROC) -> None:
        """Take the first look."""
        self._proc = proc
        self._before = self._others()

    def look(self) -> str | None:
        """Return the busiest process since the look before, as ``name (pid 123)``; None if none was seen to work."""
        others = self._others()
        used = {pid: ticks - self._before.get(pid, 0) for pid, ticks in others.items()}
        self._before = others
        pid = max(used, key=lambda each: used[each], default=0)
        return f"{name_of(pid, self._proc)} (pid {pid})" if used.get(pid) else None

    def _others(self) -> dict[int, int]:
        """Return the CPU time of the other processes, in clock ticks."""
        fields = {pid: each for pid in all_pids(self._proc) if (each := stat_fields(pid, proc=self._proc))}
        parents = {pid: int(each[PARENT]) for pid, each in fields.items()}
        return {pid: _cpu_ticks(each) for pid, each in fields.items() if not _descends(pid, os.getpid(), parents)}


def _descends(pid: int, ancestor: int, parents: Mapping[int, int]) -> bool:
    """Return whether a process is that one, or comes from it; loops end, as readings of other instants may make one."""
    seen: set[int] = set()
    while pid in parents and pid not in seen and pid != ancestor:
        seen.add(pid)
        pid = parents[pid]
    return pid == ancestor


def _cpu_ticks(fields: tuple[str, ...]) -> int:
    return int(fields[USER_TICKS]) + int(fields[SYSTEM_TICKS])


def sample_load(tree: Tree) -> LoadNow | None:
    """Return what processes other than headtohead's used over half a second; None if that cannot be read.

    Processes that live less than the sample are not seen.
    """
    proc = tree.root / "proc"
    if not (proc / "stat").exists():
        return None
    ours = ancestry(os.getpid(), proc) - {1} if proc == PROC else frozenset[int]()
    before = _ticks(proc_tree=tree, ours=ours)
    tree.pause(SAMPLE_S)
    after = _ticks(proc_tree=tree, ours=ours)
    used = {pid: (ticks - before[pid]) / (TICKS_PER_S * SAMPLE_S) for pid, ticks in after.items() if pid in before}
    busiest = sorted((pid for pid in used if used[pid] >= SEEN_CPUS), key=lambda pid: -used[pid])
    shown = tuple((name_of(pid, proc), round(used[pid], 2)) for pid in busiest[:SHOWN])
    return LoadNow(round(sum(used.values()), 2), shown)


def cpu_times(tree: Tree) -> Mapping[str, int]:
    """Return the machine's CPU times since boot in clock ticks, by kind; empty if they cannot be read."""
    words = (tree.text("proc/stat") or "").partition("\n")[0].split()[1:]
    return dict(zip(STAT_FIELDS, (int(word) for word in words), strict=False))


def _ticks(*, proc_tree: Tree, ours: frozenset[int]) -> dict[int, int]:
    proc = proc_tree.root / "proc"
    found: dict[int, int] = {}
    for pid in all_pids(proc):
        fields = () if pid in ours else stat_fields(pid, proc=proc)
        if fields:
            found[pid] = _cpu_ticks(fields)
    return found
