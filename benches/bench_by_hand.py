"""The laboratory beside the same programs run by hand: ``make bench-by-hand``.

fio, dbench, Bonnie++, iperf3, tbench, NFS-Ganesha and Samba take part. For each figure ``headtohead run`` carries out a
study of four runs of one case, and the same program is run by hand twice before and twice after it, with the same words
on the same CPUs and links. Files lie in memory, as the disks of a virtual machine are its host's. Beside each other
stand the medians, and the paired ratio with its interval: by ranks, t on logarithms below twelve pairs.

A figure agrees where that interval lies within 5 % of 1, or within 10 % with 1 inside (ADR 16). Looks come after 3, 5,
7, 9 and 12 rounds, each at the laboratory's level for five looks; what agrees is not measured again. Exit 0: every
figure agrees; 1: one does not by the last look, or something failed.
"""

import argparse
import csv
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

import numpy as np

from benches import by_hand
from benches.by_hand import Desk
from benches.linked import Linked, files_in_memory, in_mounts_of_its_own, linked, memory_kept, own_memory_group
from benches.meter import BenchError, stolen_s, wait_for_quiet
from benches.stand import need_cpus
from headtohead.analyze.statistics.paired import center_and_half_width
from headtohead.analyze.statistics.robust_ratio_by_ranks import hodges_lehmann
from headtohead.hosts.paths import RUNS
from headtohead.model.rules import STEAL
from headtohead.plan.interim_analyses import alpha_per_look

MBIT = {"unshaped": None, "1gbit": 1000}
LOOKS = (3, 5, 7, 9, 12)
RUNS_A_ROUND = 4
MARGIN = 1.05
WIDE_MARGIN = 1.10
"""For an interval that holds 1."""
LEAST_PAIRS = 3
ALPHA = alpha_per_look([RUNS_A_ROUND * each for each in LOOKS])[0]
WAYS = ("read", "write")
CPUS = os.cpu_count() or 1
TRIES = 3
ROOM_GIB = 8
HELD_GIB = 6
"""More than any run writes."""
STUDY_WITHIN_S = 300.0
STUDY = """\
format = 1
title  = "Programs by hand"
seed   = {seed}

[[experiment]]
name     = "{workload}"
question = "What does it say of itself?"
workload = "{workload}"
looks    = [{runs}]
factors  = {{ {factors} }}
load     = {{ {load} }}
"""

Pair = tuple[float, float]
"""What the laboratory recorded and what was by hand, in bytes per second."""


@dataclass(frozen=True)
class Program:
    """Something that is run by hand and gives bytes per second, and the study of one case that it stands beside."""

    workload: str
    case: str
    factors: str
    load: str
    by_hand: Callable[[], float]

    @property
    def name(self) -> str:
        """What it is, as a part of a file's name."""
        return "-".join([self.workload, *(link for link in MBIT if link in self.factors), self.case])


@dataclass(frozen=True)
class Figure:
    """What the pairs of one case show so far: the ratio of laboratory and hand, and its interval at a look."""

    pairs: Sequence[Pair]

    @property
    def interval(self) -> tuple[float, float, float] | None:
        """The ratio with both ends at the level of a look; None where there are too few pairs."""
        if len(self.pairs) < LEAST_PAIRS:
            return None
        logs = np.log([mine / theirs for mine, theirs in self.pairs])
        ranked = hodges_lehmann(logs, alpha=ALPHA)
        if ranked and ranked.interval:
            return ranked.value, ranked.interval.low, ranked.interval.high
        center, half = map(float, center_and_half_width(logs, alpha=ALPHA))
        return math.exp(center), math.exp(center - half), math.exp(center + half)

    @property
    def verdict(self) -> str:
        """Whether it agrees."""
        if self.interval is None:
            return "too few pairs"
        _, low, high = self.interval
        margin = WIDE_MARGIN if low <= 1 <= high else MARGIN
        if low >= 1 / margin and high <= margin:
            return "agrees"
        return "DIFFERS" if low > 1 or high < 1 else "UNDECIDED"

    def told(self) -> str:
        """Return the medians, in MB/s, and the ratio."""
        if self.interval is None:
            return f"{len(self.pairs):2} pairs"
        ours, theirs = (statistics.median(side) / 1e6 for side in zip(*self.pairs, strict=True))
        ratio, low, high = self.interval
        return f"{len(self.pairs):2} {ours:9.1f} {theirs:9.1f}  {ratio:6.3f} [{low:.3f}, {high:.3f}]"


def programs(desk: Desk, links: Mapping[str, Linked]) -> Iterator[Program]:
    """Yield what is run by hand."""
    for way in WAYS:
        load = f'access = ["direct"], operation = ["{way}"], processes = [1], size_mib = {by_hand.FIO_MIB}'
        yield Program("file-stream", way, 'subject = ["fio"]', load, partial(by_hand.fio, desk, way))
    for clients in (1, 16):
        load = f"clients = [{clients}], seconds = {by_hand.DBENCH_S}"
        asked = partial(by_hand.dbench, desk, clients)
        yield Program("file-server", f"{clients}", 'subject = ["dbench"], cpus = [1]', load, asked)
    for test in by_hand.BONNIE_COLUMNS:
        load = f'test = ["{test}"], size_mib = {by_hand.BONNIE_MIB}, files_1024 = {by_hand.BONNIE_FILES_1024}'
        yield Program("bonnie", test, 'subject = ["bonnie"]', load, partial(by_hand.bonnie, desk, test))
    for name, link in links.items():
        yield from _over(desk, link, f'link = ["{name}"]')
    for clients in (1, 4):
        load = f"clients = [{clients}], seconds = {by_hand.SMB_S}"
        asked = partial(by_hand.smb, desk, links["unshaped"], clients)
        yield Program("smb-server", f"{clients}", 'subject = ["samba"], link = ["unshaped"]', load, asked)


def _over(desk: Desk, link: Linked, level: str) -> Iterator[Program]:
    """Yield what is run over a link."""
    for way in WAYS:
        load = f'operation = ["{way}"], streams = [1], seconds = {by_hand.TCP_S}'
        yield Program("tcp-stream", way, f'subject = ["iperf3"], {level}', load, partial(by_hand.iperf3, link, way))
        load = f'operation = ["{way}"], processes = [1], size_mib = {by_hand.NFS_MIB}'
        asked = partial(by_hand.nfs, desk, link, way)
        yield Program("nfs-stream", way, f'subject = ["nfs-ganesha"], {level}', load, asked)
    for clients in (1, 16):
        load = f"clients = [{clients}], seconds = {by_hand.SOCKETS_S}"
        asked = partial(by_hand.tbench, link, clients)
        yield Program("socket-server", f"{clients}", f'subject = ["tbench"], {level}', load, asked)


def studied(program: Program, folder: Path, *, turn: int) -> list[float | None]:
    """Carry out the study of a program; return what each of its blocks recorded, None where it has no valid run."""
    study = folder / f"{program.name}-{turn}.toml"
    words = {"workload": program.workload, "factors": program.factors, "load": program.load}
    study.write_text(STUDY.format(seed=turn, runs=RUNS_A_ROUND, **words), encoding="utf-8")
    argv = [sys.executable, "-m", "headtohead", "run", str(study), "--results", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=STUDY_WITHIN_S)
    made = list(folder.glob(f"*-{study.stem}/measurements.csv"))
    if not made:
        raise BenchError(f"headtohead ended with {done.returncode}: {done.stderr[-500:]}. Run it: {' '.join(argv)}")
    with made[0].open(encoding="utf-8", newline="") as lines:
        told = {
            int(row["block"]): float(row["value"])
            for row in csv.DictReader(lines)
            if row["case"] and row["metric"] == "bytes_per_s" and row["status"] == "valid"
        }
    return [told.get(block) for block in range(1, RUNS_A_ROUND + 1)]


def hand(program: Program) -> float | None:
    """Run a program by hand; None where the host stole time from it at each try."""
    with own_memory_group():
        for _ in range(TRIES):
            wait_for_quiet()
            before, began = stolen_s(), time.monotonic()
            rate = program.by_hand()
            if (stolen_s() - before) / (time.monotonic() - began) / CPUS <= STEAL.limit:
                return rate
    return None


def measured(chosen: Sequence[Program], folder: Path) -> dict[str, Figure]:
    """Measure round by round, each program until it agrees, at most to the last look; return their figures by name.

    What does not agree at a look is told there.
    """
    pairs: dict[str, list[Pair]] = {each.name: [] for each in chosen}
    todo = list(chosen)
    for turn in range(1, LOOKS[-1] + 1):
        for program in Random(turn).sample(todo, len(todo)):
            theirs = [hand(program) for _ in range(RUNS_A_ROUND // 2)]
            ours = studied(program, folder, turn=turn)
            theirs += [hand(program) for _ in range(RUNS_A_ROUND // 2)]
            both = list(zip(ours, theirs, strict=True))
            pairs[program.name] += [(mine, other) for mine, other in both if mine and other]
            sys.stderr.write(f"round {turn}: {program.name}  {', '.join(f'{_mb(a)}/{_mb(b)}' for a, b in both)}\n")
        if turn in LOOKS:
            todo = [each for each in todo if Figure(pairs[each.name]).verdict != "agrees"]
            sys.stderr.write(table({each.name: Figure(pairs[each.name]) for each in todo}) if todo else "")
    return {name: Figure(each) for name, each in pairs.items()}


def _mb(rate: float | None) -> str:
    return "struck" if rate is None else f"{rate / 1e6:.0f}"


def table(figures: Mapping[str, Figure]) -> str:
    """Return figures as lines of text."""
    lines = (f"{name:34} {each.told()}  {each.verdict}" for name, each in figures.items())
    return "\n".join([f"{'MB/s, medians':34}  n       lab   by hand   ratio, interval", *lines, ""])


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = argparse.ArgumentParser(prog="bench_by_hand", description="The laboratory beside programs run by hand.")
    words.parse_args(argv)
    try:
        need_cpus()
        in_mounts_of_its_own("benches.bench_by_hand")
        files_in_memory(RUNS, size_gib=ROOM_GIB)
        with tempfile.TemporaryDirectory(prefix="h2h-hand-", dir=RUNS) as made, ExitStack() as stack:
            folder = Path(made)
            desk = Desk(folder / "run", folder / "built")
            for each in (folder, desk.run, desk.built):
                each.mkdir(exist_ok=True)
                each.chmod(0o755)
            by_hand.build(desk.built)
            stack.enter_context(memory_kept(HELD_GIB))
            links = {name: stack.enter_context(linked(rate)) for name, rate in MBIT.items()}
            figures = measured(list(programs(desk, links)), folder)
    except (BenchError, OSError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"bench_by_hand: {error}\n")
        return 1
    sys.stdout.write(table(figures))
    return 0 if all(each.verdict == "agrees" for each in figures.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
