"""The laboratory beside the same programs run by hand: ``make bench-by-hand``.

fio, dbench, Bonnie++, iperf3, tbench, NFS-Ganesha and Samba take part. In each round ``headtohead run`` carries out a
study of one block for each of them, and the same program is run by hand with the same words on the same CPUs and links
right before or after; the two take turns in going first. Files lie in memory, as the disks of a virtual machine are its
host's. Beside each other stand the medians, and the paired ratio with its interval (t on logarithms).

A figure agrees where that interval lies within 5 % of 1 (ADR 16). Looks come after 6, 10, 16, 24 and 36 rounds, each at
the laboratory's level for five looks; what agrees is not measured again. Exit 0: every figure agrees; 1: one does not
by the last look, or something failed.
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
from benches.linked import Linked, files_in_memory, in_mounts_of_its_own, linked, own_memory_group
from benches.meter import BenchError, stolen_s, wait_for_quiet
from benches.stand import need_cpus
from headtohead.analyze.paired import center_and_half_width
from headtohead.hosts.paths import RUNS
from headtohead.plan.looks import alpha_per_look

MBIT = {"unshaped": None, "1gbit": 1000}
LOOKS = (6, 10, 16, 24, 36)
MARGIN = 1.05
LEAST_PAIRS = 3
ALPHA = alpha_per_look(LOOKS)[0]
WAYS = ("read", "write")
CPUS = os.cpu_count() or 1
STEAL_AT_MOST = 0.02
TRIES = 3
ROOM_GIB = 8
WARM_MIB = 3072
"""More than any program writes."""
STUDY_WITHIN_S = 300.0
STUDY = """\
format = 1
title  = "Programs by hand"
seed   = {seed}

[[experiment]]
name     = "{workload}"
question = "What does it say of itself?"
workload = "{workload}"
looks    = [1]
factors  = {{ {factors} }}
load     = {{ {load} }}
"""

Pair = tuple[float, float]
"""What the laboratory recorded and what was by hand, in bytes per second."""
Rates = Mapping[str, float]
"""Bytes per second, by case."""


@dataclass(frozen=True)
class Program:
    """Something that is run by hand, and the study of one treatment that it stands beside."""

    workload: str
    factors: str
    load: str
    by_hand: Sequence[Callable[[], Rates]]

    @property
    def name(self) -> str:
        """What it is, as a part of a file's name."""
        return "-".join([self.workload, *(link for link in MBIT if link in self.factors)])


@dataclass(frozen=True)
class Figure:
    """What the pairs of one case show so far: geometric mean of the ratios, and its interval at a look."""

    pairs: Sequence[Pair]

    @property
    def interval(self) -> tuple[float, float, float] | None:
        """The ratio with both ends at the level of a look; None where there are too few pairs."""
        if len(self.pairs) < LEAST_PAIRS:
            return None
        logs = np.log([mine / theirs for mine, theirs in self.pairs])
        center, half = map(float, center_and_half_width(logs, alpha=ALPHA))
        return math.exp(center), math.exp(center - half), math.exp(center + half)

    @property
    def verdict(self) -> str:
        """Whether it agrees."""
        if self.interval is None:
            return "too few pairs"
        _, low, high = self.interval
        if low >= 1 / MARGIN and high <= MARGIN:
            return "agrees"
        return "DIFFERS" if low > 1 or high < 1 else "UNDECIDED"

    def told(self) -> str:
        """Return the medians, in MB/s, and the ratio."""
        if self.interval is None:
            return f"{len(self.pairs):2} pairs"
        ours, theirs = (statistics.median(side) / 1e6 for side in zip(*self.pairs, strict=True))
        ratio, low, high = self.interval
        return f"{len(self.pairs):2} {ours:9.1f} {theirs:9.1f}  {ratio:6.3f} [{low:.3f}, {high:.3f}]"


Figures = Mapping[str, Mapping[str, Figure]]
"""By program and case."""


def programs(desk: Desk, links: Mapping[str, Linked]) -> Iterator[Program]:
    """Yield what is run by hand."""
    ways = [_asked(f"access=direct,operation={way},processes=1", by_hand.fio, desk, way) for way in WAYS]
    asked = f'access = ["direct"], processes = [1], size_mib = {by_hand.FIO_MIB}'
    yield Program("file-stream", 'subject = ["fio"]', asked, ways)
    clients = [_asked(f"clients={number}", by_hand.dbench, desk, number) for number in (1, 16)]
    asked = f"clients = [1, 16], seconds = {by_hand.DBENCH_S}"
    yield Program("file-server", 'subject = ["dbench"], cpus = [1]', asked, clients)
    asked = (
        f'test = ["put_block", "rewrite"], size_mib = {by_hand.BONNIE_MIB}, files_1024 = {by_hand.BONNIE_FILES_1024}'
    )
    yield Program("bonnie", 'subject = ["bonnie"]', asked, [partial(by_hand.bonnie, desk)])
    for name, link in links.items():
        yield from _over(desk, link, f'link = ["{name}"]')
    clients = [_asked(f"clients={number}", by_hand.smb, desk, links["unshaped"], number) for number in (1, 4)]
    asked = f"clients = [1, 4], seconds = {by_hand.SMB_S}"
    yield Program("smb-server", 'subject = ["samba"], link = ["unshaped"]', asked, clients)


def _over(desk: Desk, link: Linked, level: str) -> Iterator[Program]:
    """Yield what is run over a link."""
    ways = [_asked(f"operation={way},streams=1", by_hand.iperf3, link, way) for way in WAYS]
    yield Program("tcp-stream", f'subject = ["iperf3"], {level}', f"streams = [1], seconds = {by_hand.TCP_S}", ways)
    clients = [_asked(f"clients={number}", by_hand.tbench, link, number) for number in (1, 16)]
    asked = f"clients = [1, 16], seconds = {by_hand.SOCKETS_S}"
    yield Program("socket-server", f'subject = ["tbench"], {level}', asked, clients)
    ways = [_asked(f"operation={way},processes=1", by_hand.nfs, desk, link, way) for way in WAYS]
    asked = f"processes = [1], size_mib = {by_hand.NFS_MIB}"
    yield Program("nfs-stream", f'subject = ["nfs-ganesha"], {level}', asked, ways)


def _asked(case: str, ask: Callable[..., float], *words: object) -> Callable[[], Rates]:
    return lambda: {case: ask(*words)}


def warm() -> None:
    """Write and remove as much as any program does.

    A hypervisor takes memory back that lay idle for seconds: the first touch of it is five times as dear.
    """
    file, part = RUNS / "warm", bytes(1024**2)
    with file.open("wb") as out:
        for _ in range(WARM_MIB):
            out.write(part)
    file.unlink()


def studied(program: Program, folder: Path, *, turn: int) -> Rates:
    """Carry out the study of a program; return what its valid runs recorded."""
    study = folder / f"{program.name}-{turn}.toml"
    words = STUDY.format(seed=turn, workload=program.workload, factors=program.factors, load=program.load)
    study.write_text(words, encoding="utf-8")
    argv = [sys.executable, "-m", "headtohead", "run", str(study), "--results", str(folder)]
    warm()
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=STUDY_WITHIN_S)
    made = list(folder.glob(f"*-{study.stem}/measurements.csv"))
    if not made:
        raise BenchError(f"headtohead ended with {done.returncode}: {done.stderr[-500:]}. Run it: {' '.join(argv)}")
    with made[0].open(encoding="utf-8", newline="") as lines:
        return {
            row["case"]: float(row["value"])
            for row in csv.DictReader(lines)
            if row["metric"] == "bytes_per_s" and row["status"] == "valid"
        }


def hand(program: Program) -> Rates:
    """Run a program by hand; what the host stole time from at each try is left out."""
    found: dict[str, float] = {}
    with own_memory_group():
        for ask in program.by_hand:
            for _ in range(TRIES):
                warm()
                wait_for_quiet()
                before, began = stolen_s(), time.monotonic()
                rates = ask()
                share = (stolen_s() - before) / (time.monotonic() - began) / CPUS
                if share <= STEAL_AT_MOST:
                    found |= rates
                    break
    return found


def measured(chosen: Sequence[Program], folder: Path) -> Figures:
    """Measure round by round, each program until its figures agree, at most to the last look; return all figures.

    What does not agree at a look is told there.
    """
    pairs: dict[str, dict[str, list[Pair]]] = {each.name: {} for each in chosen}
    todo = list(chosen)
    for turn in range(1, LOOKS[-1] + 1):
        for program in Random(turn).sample(todo, len(todo)):
            sys.stderr.write(f"round {turn}: {program.name}\n")
            first = hand(program) if turn % 2 == 0 else None
            ours = studied(program, folder, turn=turn)
            theirs = hand(program) if first is None else first
            for case, value in theirs.items():
                pairs[program.name].setdefault(case, []).extend([(ours[case], value)] if case in ours else [])
        if turn in LOOKS:
            found = figures(pairs)
            todo = [each for each in todo if any(one.verdict != "agrees" for one in found[each.name].values())]
            sys.stderr.write(table({each.name: found[each.name] for each in todo}) if todo else "")
    return figures(pairs)


def figures(pairs: Mapping[str, Mapping[str, Sequence[Pair]]]) -> Figures:
    """Return what the pairs show; a program that never had one is a figure without any."""
    return {name: {case: Figure(each) for case, each in (cases or {"": ()}).items()} for name, cases in pairs.items()}


def table(found: Figures) -> str:
    """Return figures as lines of text."""
    named = {f"{name}, {case}": each for name, cases in found.items() for case, each in cases.items()}
    lines = (f"{name:58} {each.told()}  {each.verdict}" for name, each in named.items())
    return "\n".join([f"{'MB/s, medians':58}  n       lab   by hand   ratio, interval", *lines, ""])


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    argparse.ArgumentParser(prog="bench_by_hand", description="The laboratory beside programs run by hand.").parse_args(
        argv
    )
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
            links = {name: stack.enter_context(linked(rate)) for name, rate in MBIT.items()}
            found = measured(list(programs(desk, links)), folder)
    except (BenchError, OSError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"bench_by_hand: {error}\n")
        return 1
    sys.stdout.write(table(found))
    return 0 if all(each.verdict == "agrees" for cases in found.values() for each in cases.values()) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
