"""Programs by hand beside what a study of them gave: ``make bench-by-hand RESULTS=results/...``.

Takes a results folder of the study storage-and-network on this machine. fio, dbench, iperf3 and tbench are run by hand
with the same words, on the same CPUs and links, some rounds interleaved; each median is set beside the interval that
the study printed. Exit 0: every median lies within its interval; 1: one does not, or something failed.
"""

import argparse
import json
import re
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

from benches.linked import SERVER, Linked, linked, own_memory_group
from benches.meter import BenchError, wait_for_quiet
from benches.stand import end, need_cpus

LOAD = "/usr/share/dbench/client.txt"
FIO = ("--bs=1m", "--direct=1", "--ioengine=psync", "--output-format=json", "--fallocate=none", "--size=1024m")
PATTERN = ("--verify_pattern=0x6832682e73747265616d", "--verify_interval=65536", "--do_verify=0")
SECONDS = 3
WITHIN_S = 120.0
MBIT = {"unshaped": None, "1gbit": 1000}
PORT = 5201


@dataclass(frozen=True)
class Figure:
    """What is run by hand, and the cell of the study that it stands beside; bytes per second."""

    experiment: str
    treatment: str
    case: str
    by_hand: Callable[[], float]


def said(argv: Sequence[str]) -> str:
    """Run a program; return its standard output, ``BenchError`` where it fails."""
    done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=WITHIN_S)
    if done.returncode != 0:
        raise BenchError(f"{argv[0]} ended with {done.returncode}: {done.stderr[-300:]}. Run it: {' '.join(argv)}")
    return done.stdout


def fio(run: Path, operation: str) -> float:
    """Return what fio by hand reads or writes past the page cache, one process."""
    words = [*FIO, f"--filename={run / 'file'}", f"--rw={operation}", "--name=hand"]
    if operation == "read":
        said(["fio", *FIO, *PATTERN, f"--filename={run / 'file'}", "--rw=write", "--end_fsync=1", "--name=lay"])
    else:
        (run / "file").unlink(missing_ok=True)
        words += [*PATTERN, "--end_fsync=1"]
    flow = json.loads(said(["fio", *words]))["jobs"][0][operation]
    return float(flow["io_bytes"]) / (float(flow["runtime"]) / 1000)


def dbench(run: Path, clients: int, cpus: str) -> float:
    """Return dbench's own throughput; its MB are 10^6 bytes."""
    argv = ["dbench", "-c", LOAD, "-D", str(run), "-t", str(SECONDS), str(clients)]
    return throughput(said(["taskset", "--cpu-list", cpus, *argv]))


def throughput(text: str) -> float:
    """Return the last throughput that dbench or tbench printed, in bytes per second."""
    found = re.findall(r"^Throughput ([\d.]+) MB/sec", text, re.MULTILINE)
    if not found:
        raise BenchError(f"No throughput was printed: {text[-300:]!r}. Another version may print it otherwise.")
    return float(found[-1]) * 1e6


def tbench(link: Linked, clients: int) -> float:
    """Return tbench's own throughput over a link."""
    with serving(link.at(link.server, 0, ["tbench_srv"])):
        return throughput(said(link.at(link.client, 1, ["tbench", "-t", str(SECONDS), str(clients), SERVER])))


def iperf3(link: Linked, operation: str) -> float:
    """Return what iperf3's receiver got over a link, one stream."""
    way = ["--reverse"] if operation == "read" else []
    asked = ["iperf3", "--client", SERVER, "--port", str(PORT), "--json", "--time", str(SECONDS), "--omit", "1", *way]
    with serving(link.at(link.server, 0, ["iperf3", "--server", "--bind", SERVER, "--port", str(PORT)])):
        return float(json.loads(said(link.at(link.client, 1, asked)))["end"]["sum_received"]["bits_per_second"]) / 8


class serving:  # noqa: N801 -- a context manager, as ``open`` is
    """Runs a server while something is asked of it."""

    def __init__(self, argv: Sequence[str]) -> None:
        self._argv = argv

    def __enter__(self) -> None:
        """Start it, and give it half a second."""
        self._child = subprocess.Popen(self._argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.5)

    def __exit__(self, *_: object) -> None:
        """End it by its process id."""
        end(self._child)


def figures(run: Path, links: Mapping[str, Linked]) -> Iterator[Figure]:
    """Yield what is set side by side."""
    for operation in ("read", "write"):
        case = f"access=direct,operation={operation},processes=1"
        yield Figure("file-stream", "fio engine=psync", case, partial(fio, run, operation))
    for clients in (1, 16):
        for cpus, words in ((1, "0"), (2, "0,1")):
            hand = partial(dbench, run, clients, words)
            yield Figure("file-server", f"dbench cpus={cpus}", f"clients={clients}", hand)
    for name, link in links.items():
        for operation in ("read", "write"):
            case = f"operation={operation},streams=1"
            yield Figure("tcp-stream", f"iperf3 link={name}", case, partial(iperf3, link, operation))
        for clients in (1, 16):
            yield Figure("socket-server", f"tbench link={name}", f"clients={clients}", partial(tbench, link, clients))


def cells(results: Path) -> dict[tuple[str, str, str], Mapping[str, object]]:
    """Return the study's estimates of bytes per second by experiment, treatment and case."""
    analysis = json.loads((results / "analysis.json").read_text(encoding="utf-8"))
    return {
        (experiment["name"], treatment["label"], cell["case"]): cell["estimate"]
        for experiment in analysis["experiments"]
        for treatment in experiment["treatments"]
        for cell in treatment["cells"]
        if cell["metric"] == "bytes_per_s" and cell["case"]
    }


def row(figure: Figure, estimate: Mapping[str, object], values: Sequence[float]) -> tuple[str, bool]:
    """Return the line of a figure, and whether its median lies within the study's interval."""
    ends = estimate["interval"]
    low, high = (float(ends[each]) for each in ("low", "high")) if isinstance(ends, dict) else (0.0, 0.0)
    middle = statistics.median(values)
    inside = low <= middle <= high
    name = f"{figure.treatment}, {figure.case}"
    study = f"{float(str(estimate['value'])) / 1e6:9.1f} [{low / 1e6:.1f}, {high / 1e6:.1f}]"
    hand = f"{middle / 1e6:9.1f} ({min(values) / 1e6:.1f} to {max(values) / 1e6:.1f})"
    return f"{name:62} {study:32} {hand:34} {'within' if inside else 'OUTSIDE'}", inside


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = argparse.ArgumentParser(prog="bench_by_hand", description="Programs by hand beside a study of them.")
    words.add_argument("results", type=Path)
    words.add_argument("--rounds", type=int, default=6)
    asked = words.parse_args(argv)
    try:
        need_cpus()
        there = cells(asked.results)
        with ExitStack() as stack, tempfile.TemporaryDirectory(prefix="h2h-hand-", dir="/var/tmp") as run:
            stack.enter_context(own_memory_group())
            links = {name: stack.enter_context(linked(rate)) for name, rate in MBIT.items()}
            chosen = [
                each for each in figures(Path(run), links) if (each.experiment, each.treatment, each.case) in there
            ]
            values: dict[Figure, list[float]] = {each: [] for each in chosen}
            for number in range(1, asked.rounds + 1):
                for each in Random(number).sample(chosen, len(chosen)):
                    wait_for_quiet()
                    sys.stderr.write(f"round {number}: {each.treatment}, {each.case}\n")
                    values[each].append(each.by_hand())
    except (BenchError, OSError) as error:
        sys.stderr.write(f"bench_by_hand: {error}\n")
        return 1
    lines = [row(each, there[each.experiment, each.treatment, each.case], values[each]) for each in chosen]
    head = f"{'MB/s':62} {'the study, with its interval':32} {'by hand: median (least to most)':34}"
    sys.stdout.write("\n".join([head, *(line for line, _ in lines)]) + "\n")
    return 0 if lines and all(inside for _, inside in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
