"""What else uses the machine now: two samples of every process, half a second apart."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.hosts.paths import PROC, stat_fields
from headtohead.hosts.processes import all_pids, ancestry, name_of
from headtohead.hosts.tree import Tree

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
            found[pid] = int(fields[USER_TICKS]) + int(fields[SYSTEM_TICKS])
    return found
