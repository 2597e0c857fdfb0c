"""What h2h-memory says of memory, held against plain C and others' programs: ``make bench-memory``.

On CPU 1, one program at a time, interleaved in an order of its own in each round, those that tell the same figures one
after the other: `h2h-memory bandwidth` by both kinds of stores, the same four operations in C (`memory_stream.c`,
compiled by gcc -O3 -march=native, its copy kept from becoming a call of memcpy), and, where installed, `likwid-bench`
by the widest vectors and `stress-ng --stream`; `h2h-memory latency` and a chain of loads in C (`memory_chase.c`).
Arrays are 4 times the last cache, and at least 512 MiB: smaller ones lie in part in it, and the order of passes, which
differs from program to program, then counts.

A ratio is the median over the rounds of ours over the other's, its noise the interval of that median (up to 8 rounds:
least to most). Bandwidth keeps its bar where the noise does not lie below 1 as a whole, latency where the ratio differs
from 1 by at most 5 %: it pairs what one round measured, as the host's speed drifts from round to round. Exit 0: all
bars are kept; 1: one is not, or something failed.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from benches.median_interval import interval
from benches.memory_programs import OPERATIONS, SPARE_S, groups
from benches.meter import Bench, BenchError
from benches.stand import folder, need_cpus
from headtohead.model.rules import FOREIGN_CPU, GATE

WITHIN = 0.05
"""By how much our latency may differ from C's."""


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
    ratio: float
    least_ratio: float
    most_ratio: float
    bar: str
    keeps: bool | None


def measured(words: argparse.Namespace) -> Iterator[Figure]:
    """Run every program once a round, in random order of groups and within them."""
    rng = Random(words.seed)
    bench = Bench((), gate_s=words.gate)
    with folder() as run:
        each_round = groups(run, seconds=words.seconds)
        for number in range(1, words.rounds + 1):
            rng.shuffle(each_round)
            for program in (each for group in each_round for each in rng.sample(group, len(group))):
                sys.stderr.write(f"round {number}: {program.name}: {Path(program.argv[0]).name}\n")
                spent = bench.measure(program.argv, within_s=20 * words.seconds + SPARE_S)
                for figure, value in program.read(spent.output).items():
                    yield Figure(program.name, figure, number, value, spent.quiet)


def rows(figures: Sequence[Figure]) -> list[Row]:
    """Return a line for each figure that ours and another share; ordinary stores and loads are judged.

    stress-ng tells one figure of all four operations, shown beside our mean, and counts them its own way: not judged.
    """
    found = []
    for name, other in dict.fromkeys((each.figure, each.program) for each in figures if each.program != "ours"):
        theirs = {each.round: each.value for each in figures if (each.figure, each.program) == (name, other)}
        ours = {number: _ours(figures, name, number=number) for number in theirs}
        ratios = [ours[number] / theirs[number] for number in theirs]
        middle, others = statistics.median(ours.values()), statistics.median(theirs.values())
        least, most = interval(ratios)
        ratio = statistics.median(ratios)
        bar, keeps = judged(name, other, ratio=ratio, most=most)
        found.append(Row(name, other, middle, others, ratio, least, most, bar, keeps))
    return found


def judged(figure: str, other: str, *, ratio: float, most: float) -> tuple[str, bool | None]:
    """Return the bar of a figure and whether it is kept, from the median ratio and the interval's upper end."""
    if figure.startswith("load"):
        return f"within {WITHIN:.0%}", abs(ratio - 1) <= WITHIN
    if figure.endswith("non-temporal") or other not in ("C", "likwid-bench"):
        return "", None
    return "not below", most >= 1


def _ours(figures: Sequence[Figure], name: str, *, number: int) -> float:
    its = {each.figure: each.value for each in figures if each.program == "ours" and each.round == number}
    if name in its:
        return its[name]
    each = [its[f"{operation} ordinary"] for operation in OPERATIONS]
    return statistics.harmonic_mean(each)


def table(lines: Sequence[Row]) -> str:
    """Return the lines as text."""
    said = [f"{'figure':20} {'other':12} {'h2h-memory':>12} {'other':>12} {'ratio':>6} {'noise':>12}  bar"]
    for each in lines:
        unit, scale = ("ns", 1.0) if each.figure.startswith("load") else ("GB/s", 1e9)
        noise = f"{each.least_ratio:.3f}..{each.most_ratio:.3f}"
        said.append(
            f"{each.figure:20} {each.other:12} {each.ours / scale:7.2f} {unit:4} {each.others / scale:7.2f} {unit:4} "
            f"{each.ratio:6.3f} {noise:>12}  {verdict(each)}".rstrip()
        )
    return "\n".join(said)


def verdict(row: Row) -> str:
    """Return what is said of a bar: kept or not, and where bandwidth is above the other's by more than the noise."""
    if row.keeps is None:
        return ""
    above = row.keeps and row.bar == "not below" and row.least_ratio > 1
    return f"{row.bar}: {'kept' if row.keeps else 'MISSED'}{', above' if above else ''}"


def warnings(figures: Sequence[Figure]) -> list[str]:
    """Return what a reader of the table should know."""
    loud = [each for each in figures if not each.quiet]
    if not loud:
        return []
    return [
        f"{len(loud)} of {len(figures)} figures were disturbed: others used more than {FOREIGN_CPU.limit:g} CPUs."
        " Measure again on a quiet machine before you believe a bar."
    ]


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line."""
    words = argparse.ArgumentParser(prog="bench_memory", description="What h2h-memory says, against plain C.")
    words.add_argument("--rounds", type=int, default=9)
    words.add_argument("--seconds", type=float, default=0.5, help="how long each case is measured")
    words.add_argument("--seed", type=int, default=1, help="of the order in each round")
    words.add_argument("--gate", type=float, default=GATE.within_s, help="how long quiet is waited for, in seconds")
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
