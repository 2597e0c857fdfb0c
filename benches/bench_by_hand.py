"""The laboratory beside the same programs run by hand: ``make bench-by-hand``.

In each round ``headtohead run`` carries out a study of one block, small sizes of storage-and-network, and the same
programs are run by hand with the same words on the same CPUs and links; the two take turns in going first. fio, dbench,
Bonnie++, iperf3, tbench, NFS-Ganesha and Samba take part. Beside each other stand the median of what the laboratory
recorded, with its 95 % interval over the rounds (t on logarithms), the median by hand, and the paired ratio with its
own.

A figure agrees where the median by hand lies within the interval, or where the ratio differs from 1 by less than
1 %, as intervals of a shaped link are narrower than anybody's interest. A round in which a run was not valid gives that
figure no pair. Exit 0: every figure agrees; 1: one does not, one has under 3 pairs, or something failed.
"""

import argparse
import csv
import math
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from scipy.stats import t

from benches import by_hand
from benches.by_hand import Desk
from benches.linked import Linked, linked, own_memory_group
from benches.meter import BenchError, wait_for_quiet
from benches.stand import need_cpus

MBIT = {"unshaped": None, "1gbit": 1000}
LEAST_PAIRS = 3
CLOSE = 0.01
STUDY_WITHIN_S = 900.0
STUDY = f"""\
format = 1
title  = "Programs by hand"
seed   = @seed@

[[experiment]]
name     = "file-stream"
question = "What does fio stream?"
workload = "file-stream"
looks    = [1]
factors  = {{ subject = ["fio"] }}
load     = {{ access = ["direct"], processes = [1], size_mib = {by_hand.FIO_MIB} }}

[[experiment]]
name     = "file-server"
question = "What does dbench say?"
workload = "file-server"
looks    = [1]
factors  = {{ subject = ["dbench"], cpus = [1] }}
load     = {{ clients = [1, 16], seconds = {by_hand.DBENCH_S} }}

[[experiment]]
name     = "bonnie"
question = "What does Bonnie++ say?"
workload = "bonnie"
looks    = [1]
factors  = {{ subject = ["bonnie"] }}

[experiment.load]
test       = ["put_block", "rewrite", "get_block"]
size_mib   = {by_hand.BONNIE_MIB}
files_1024 = {by_hand.BONNIE_FILES_1024}

[[experiment]]
name     = "tcp-stream"
question = "What does iperf3 say?"
workload = "tcp-stream"
looks    = [1]
factors  = {{ subject = ["iperf3"], link = ["unshaped", "1gbit"] }}
load     = {{ streams = [1], seconds = {by_hand.TCP_S} }}

[[experiment]]
name     = "socket-server"
question = "What does tbench say?"
workload = "socket-server"
looks    = [1]
factors  = {{ subject = ["tbench"], link = ["unshaped", "1gbit"] }}
load     = {{ clients = [1, 16], seconds = {by_hand.SOCKETS_S} }}

[[experiment]]
name     = "nfs-stream"
question = "What does NFS carry?"
workload = "nfs-stream"
looks    = [1]
factors  = {{ subject = ["nfs-ganesha"], link = ["unshaped", "1gbit"] }}
load     = {{ processes = [1], size_mib = {by_hand.NFS_MIB} }}

[[experiment]]
name     = "smb-server"
question = "What does nbench say?"
workload = "smb-server"
looks    = [1]
factors  = {{ subject = ["samba"], link = ["unshaped"] }}
load     = {{ clients = [1, 4], seconds = {by_hand.SMB_S} }}
"""


@dataclass(frozen=True)
class Program:
    """Something that is run by hand, and the cells of the study that it stands beside, by case."""

    experiment: str
    treatment: str
    by_hand: Callable[[], Mapping[str, float]]
    """Gives bytes per second by case."""


Cell = tuple[str, str, str]
"""Experiment, treatment, case."""


def programs(desk: Desk, links: Mapping[str, Linked]) -> Iterator[Program]:
    """Yield what is run by hand."""
    for operation in ("read", "write"):
        case = f"access=direct,operation={operation},processes=1"
        yield _one("file-stream", "fio", case, partial(by_hand.fio, desk, operation))
    for clients in (1, 16):
        yield _one("file-server", "dbench", f"clients={clients}", partial(by_hand.dbench, desk, clients))
    yield Program("bonnie", "bonnie", lambda: {f"test={test}": rate for test, rate in by_hand.bonnie(desk).items()})
    for name, link in links.items():
        for operation in ("read", "write"):
            asked = partial(by_hand.iperf3, link, operation)
            yield _one("tcp-stream", f"iperf3 link={name}", f"operation={operation},streams=1", asked)
            case = f"operation={operation},processes=1"
            yield _one("nfs-stream", f"nfs-ganesha link={name}", case, partial(by_hand.nfs, desk, link, operation))
        for clients in (1, 16):
            asked = partial(by_hand.tbench, link, clients)
            yield _one("socket-server", f"tbench link={name}", f"clients={clients}", asked)
    for clients in (1, 4):
        asked = partial(by_hand.smb, desk, links["unshaped"], clients)
        yield _one("smb-server", "samba", f"clients={clients}", asked)


def _one(experiment: str, treatment: str, case: str, asked: Callable[[], float]) -> Program:
    return Program(experiment, treatment, lambda: {case: asked()})


def studied(folder: Path, *, seed: int) -> dict[Cell, float]:
    """Carry out the study; return what its valid runs recorded, by experiment, treatment and case."""
    study = folder / f"by-hand-{seed}.toml"
    study.write_text(STUDY.replace("@seed@", str(seed)), encoding="utf-8")
    argv = [sys.executable, "-m", "headtohead", "run", str(study), "--results", str(folder)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=STUDY_WITHIN_S)
    made = list(folder.glob(f"*-by-hand-{seed}/measurements.csv"))
    if not made:
        raise BenchError(f"headtohead ended with {done.returncode}: {done.stderr[-500:]}. Run it: {' '.join(argv)}")
    with made[0].open(encoding="utf-8", newline="") as lines:
        return {
            (row["experiment"], row["treatment"], row["case"]): float(row["value"])
            for row in csv.DictReader(lines)
            if row["metric"] == "bytes_per_s" and row["status"] == "valid"
        }


def hands(chosen: Sequence[Program], *, seed: int) -> dict[Cell, float]:
    """Run everything by hand once, in an order of its own."""
    found: dict[Cell, float] = {}
    for each in Random(seed).sample(chosen, len(chosen)):
        wait_for_quiet()
        sys.stderr.write(f"round {seed}: by hand: {each.treatment}\n")
        found |= {(each.experiment, each.treatment, case): value for case, value in each.by_hand().items()}
    return found


def measured(rounds: int, folder: Path) -> dict[Cell, list[tuple[float, float]]]:
    """Carry out all rounds; return for each figure the pairs of what the laboratory recorded and what was by hand."""
    pairs: dict[Cell, list[tuple[float, float]]] = {}
    with ExitStack() as stack:
        run, built = folder / "run", folder / "built"
        for made in (run, built):
            made.mkdir()
            made.chmod(0o755)
        by_hand.build(built)
        links = {name: stack.enter_context(linked(rate)) for name, rate in MBIT.items()}
        chosen = list(programs(Desk(run, built), links))
        for seed in range(1, rounds + 1):
            with own_memory_group():
                first = hands(chosen, seed=seed) if seed % 2 == 0 else None
            sys.stderr.write(f"round {seed}: headtohead run\n")
            ours = studied(folder, seed=seed)
            with own_memory_group():
                theirs = first or hands(chosen, seed=seed)
            for cell, value in theirs.items():
                pairs.setdefault(cell, []).extend([(ours[cell], value)] if cell in ours else [])
    return pairs


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % interval of the geometric mean, by t on logarithms; at least two values.

    >>> [round(each, 3) for each in interval([math.exp(-1), 1.0, math.exp(1)])]
    [0.083, 11.991]
    """
    logs = [math.log(each) for each in values]
    half = float(t.ppf(0.975, len(logs) - 1)) * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(statistics.fmean(logs) - half), math.exp(statistics.fmean(logs) + half)


def row(cell: Cell, pairs: Sequence[tuple[float, float]]) -> tuple[str, bool]:
    """Return the line of a figure, and whether it agrees."""
    name = f"{cell[1]}, {cell[2]}"
    if len(pairs) < LEAST_PAIRS:
        return f"{name:64} {len(pairs)} pairs: too few to say", False
    ours = [each for each, _ in pairs]
    low, high = interval(ours)
    middle, hand = statistics.median(ours), statistics.median(each for _, each in pairs)
    ratios = [mine / theirs for mine, theirs in pairs]
    least, most = interval(ratios)
    ratio = statistics.median(ratios)
    agrees = low <= hand <= high or abs(ratio - 1) < CLOSE
    told = f"{middle / 1e6:9.1f} [{low / 1e6:.1f}, {high / 1e6:.1f}]"
    said = f"{name:64} {len(ratios)} {told:30} {hand / 1e6:9.1f}  {ratio:6.3f} [{least:.3f}, {most:.3f}]"
    return f"{said:130} {'agrees' if agrees else 'DIFFERS'}", agrees


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = argparse.ArgumentParser(prog="bench_by_hand", description="The laboratory beside programs run by hand.")
    words.add_argument("--rounds", type=int, default=6)
    asked = words.parse_args(argv)
    try:
        need_cpus()
        with tempfile.TemporaryDirectory(prefix="h2h-hand-", dir="/var/tmp") as folder:
            Path(folder).chmod(0o755)
            lines = [row(cell, pairs) for cell, pairs in measured(asked.rounds, Path(folder)).items()]
    except (BenchError, OSError, subprocess.TimeoutExpired) as error:
        sys.stderr.write(f"bench_by_hand: {error}\n")
        return 1
    head = f"{'MB/s':64} n {'the laboratory, interval':30} {'by hand':>9}  ratio"
    sys.stdout.write("\n".join([head, *(line for line, _ in lines)]) + "\n")
    return 0 if all(agrees for _, agrees in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
