"""What h2h-memory says of memory, held against plain C and stress-ng: ``make bench-memory``.

On CPU 1, one program at a time, interleaved in an order of its own in each round: `h2h-memory bandwidth` by both kinds
of stores, the same four operations in C (`memory_stream.c`, compiled by gcc -O3 -march=native, its copy kept from
becoming a call of memcpy), and `stress-ng --stream` where it is installed; `h2h-memory latency` and a chain of loads in
C (`memory_chase.c`). Medians over the rounds. Exit 0: bandwidth and latency are within 5 % of C's; 1: one is not, or
something failed.
"""

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from random import Random

from benches.meter import FOREIGN_CPUS, GATE_WITHIN_S, Bench, BenchError
from benches.stand import BUILT, ROOT, folder, need_cpus

MEMORY = ROOT / "target/release/h2h-memory"
FLAGS = ("-std=c17", "-O3", "-march=native", "-fno-tree-loop-distribute-patterns", "-Wall", "-Wextra", "-Werror")
SIZE_BYTES = 512 << 20
SIZES = (16 << 10, 1 << 20, 16 << 20, 512 << 20)
OPERATIONS = ("copy", "scale", "add", "triad")
WITHIN = 0.05
"""By how much ours may differ from C's."""
SPARE_S = 60.0

Figures = Mapping[str, float]


@dataclass(frozen=True)
class Program:
    """What is run once a round, and how its figures are read."""

    name: str
    argv: Sequence[str]
    read: Callable[[str], Figures]


@dataclass(frozen=True)
class Figure:
    """One figure of one program in one round: ``copy`` in B/s, a latency in ns."""

    program: str
    figure: str
    round: int
    value: float
    quiet: bool


@dataclass(frozen=True)
class Row:
    """One figure, of ours and of the other."""

    figure: str
    other: str
    ours: float
    others: float
    least_ratio: float
    most_ratio: float
    keeps: bool | None

    @property
    def ratio(self) -> float:
        """Ours over the other's."""
        return self.ours / self.others


def compiled(name: str) -> Path:
    """Compile a C program of this folder; ``BenchError`` where that fails."""
    if shutil.which("gcc") is None:
        raise BenchError("gcc is not installed. Install it (Debian: apt-get install gcc libc6-dev).")
    BUILT.mkdir(parents=True, exist_ok=True)
    made = BUILT / name
    argv = ["gcc", *FLAGS, "-o", str(made), str(ROOT / "benches" / f"{name}.c")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BenchError(f"{name}.c does not compile: {done.stderr[-500:]}. Run it by hand: {' '.join(argv)}")
    return made


def bandwidths(text: str) -> Figures:
    """Read the records of ``h2h-memory bandwidth``."""
    found = {}
    for record in records(text):
        case = record["case"]
        found[f"{case['operation']} {case['stores']}"] = record["metrics"]["memory_bandwidth_bytes_per_s"]
    return found


def latencies(text: str) -> Figures:
    """Read the records of ``h2h-memory latency``."""
    return {size_name(each["case"]["size_bytes"]): each["metrics"]["load_latency_ns"] for each in records(text)}


def records(text: str) -> Iterator[Mapping[str, Mapping[str, float]]]:
    """Yield batch records whose answers are right; ``BenchError`` for another."""
    for line in text.splitlines():
        record = json.loads(line)
        if record["answer"] != "right":
            raise BenchError(f"h2h-memory answers {record['answer']!r}. Run it by hand.")
        yield record


def streamed(text: str) -> Figures:
    """Read what ``memory_stream`` printed: an operation and its bytes per second."""
    found = {name: float(value) for name, value in (line.split() for line in text.splitlines())}
    return {f"{name} {stores}": found[name] for name in OPERATIONS for stores in ("ordinary", "non-temporal")}


def chased(size_bytes: int, text: str) -> Figures:
    """Read what ``memory_chase`` printed: the time of a load, in ns."""
    return {size_name(size_bytes): float(text)}


def stressed(text: str) -> Figures:
    """Read what stress-ng says of all four operations together."""
    match = re.search(r"memory rate: ([\d.]+) MB read/sec, ([\d.]+) MB write/sec", text)
    if match is None:
        raise BenchError(f"stress-ng printed no memory rate: {text[-300:]!r}. Its version may print it otherwise.")
    return {"all ordinary": (float(match[1]) + float(match[2])) * 1e6}


def size_name(size_bytes: float) -> str:
    """Return a size as the table names it."""
    kib = int(size_bytes) >> 10
    return f"load in {kib} KiB" if kib < 1024 else f"load in {kib >> 10} MiB"


def programs(run: Path, *, seconds: float) -> list[Program]:
    """Return all programs that are there."""
    (run / "bandwidth").write_text(
        "".join(f"operation={name},stores={how}\n" for name in OPERATIONS for how in ("ordinary", "non-temporal"))
    )
    (run / "latency").write_text("".join(f"pages=small,size_bytes={size}\n" for size in SIZES))
    told = ["--seconds", f"{seconds:g}", "--cases"]
    size = ["--size", str(SIZE_BYTES), "--no-plateau"]
    found = [
        Program("ours", [str(MEMORY), "bandwidth", *size, *told, str(run / "bandwidth")], bandwidths),
        Program("ours", [str(MEMORY), "latency", *told, str(run / "latency")], latencies),
        Program("C", [str(compiled("memory_stream")), str(SIZE_BYTES), f"{seconds:g}"], streamed),
    ]
    chase = str(compiled("memory_chase"))
    found += [Program("C", [chase, str(each), f"{seconds:g}"], partial(chased, each)) for each in SIZES]
    stress = shutil.which("stress-ng")
    if stress:
        words = ["--stream", "1", "--timeout", f"{max(1, round(4 * seconds))}s", "--metrics-brief", "--log-file"]
        found.append(Program("stress-ng", [stress, *words, "/dev/stdout"], stressed))
    return found


def measured(words: argparse.Namespace) -> Iterator[Figure]:
    """Run every program once a round, in random order."""
    rng = Random(words.seed)
    bench = Bench((), gate_s=words.gate)
    with folder() as run:
        each_round = programs(run, seconds=words.seconds)
        for number in range(1, words.rounds + 1):
            rng.shuffle(each_round)
            for program in each_round:
                sys.stderr.write(f"round {number}: {program.name}: {Path(program.argv[0]).name}\n")
                spent = bench.measure(program.argv, within_s=20 * words.seconds + SPARE_S)
                for figure, value in program.read(spent.output).items():
                    yield Figure(program.name, figure, number, value, spent.quiet)


def rows(figures: Sequence[Figure]) -> list[Row]:
    """Return a line for each figure that ours and another share. stress-ng is shown beside our mean, and not judged."""
    found = []
    for name, other in dict.fromkeys((each.figure, each.program) for each in figures if each.program != "ours"):
        theirs = {each.round: each.value for each in figures if (each.figure, each.program) == (name, other)}
        ours = {number: _ours(figures, name, number=number) for number in theirs}
        ratios = [ours[number] / theirs[number] for number in theirs]
        middle, others = statistics.median(ours.values()), statistics.median(theirs.values())
        judged = other == "C" and not name.endswith("non-temporal")
        keeps = abs(middle / others - 1) <= WITHIN if judged else None
        found.append(Row(name, other, middle, others, min(ratios), max(ratios), keeps))
    return found


def _ours(figures: Sequence[Figure], name: str, *, number: int) -> float:
    its = {each.figure: each.value for each in figures if each.program == "ours" and each.round == number}
    if name in its:
        return its[name]
    each = [its[f"{operation} ordinary"] for operation in OPERATIONS]
    return statistics.harmonic_mean(each)


def table(lines: Sequence[Row]) -> str:
    """Return the lines as text."""
    said = [f"{'figure':22} {'other':10} {'h2h-memory':>12} {'other':>12} {'ratio':>7} {'min..max':>11}  bar"]
    for each in lines:
        unit, scale = ("ns", 1.0) if each.figure.startswith("load") else ("GB/s", 1e9)
        bar = "" if each.keeps is None else f"{WITHIN:.0%} {'kept' if each.keeps else 'MISSED'}"
        said.append(
            f"{each.figure:22} {each.other:10} {each.ours / scale:7.2f} {unit:4} {each.others / scale:7.2f} {unit:4} "
            f"{each.ratio:7.3f} {each.least_ratio:5.2f}..{each.most_ratio:4.2f}  {bar}".rstrip()
        )
    return "\n".join(said)


def warnings(figures: Sequence[Figure]) -> list[str]:
    """Return what a reader of the table should know."""
    loud = [each for each in figures if not each.quiet]
    if not loud:
        return []
    return [
        f"{len(loud)} of {len(figures)} figures were disturbed: others used more than {FOREIGN_CPUS:g} CPUs."
        " Measure again on a quiet machine before you believe a bar."
    ]


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    words = argparse.ArgumentParser(prog="bench_memory", description="What h2h-memory says, against plain C.")
    words.add_argument("--rounds", type=int, default=5)
    words.add_argument("--seconds", type=float, default=0.5, help="how long each case is measured")
    words.add_argument("--seed", type=int, default=1, help="of the order in each round")
    words.add_argument("--gate", type=float, default=GATE_WITHIN_S, help="how long quiet is waited for, in seconds")
    words.add_argument("--json", action="store_true", help="print one JSON document instead of the table")
    return words


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = parser().parse_args(argv)
    try:
        need_cpus()
        figures = list(measured(words))
    except BenchError as error:
        sys.stderr.write(f"bench_memory: {error}\n")
        return 1
    lines = rows(figures)
    if words.json:
        document = {"rows": [asdict(each) for each in lines], "figures": [asdict(each) for each in figures]}
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join([table(lines), "", *warnings(figures)]) + "\n")
    return 0 if all(each.keeps is not False for each in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
