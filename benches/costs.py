"""What an answer cost each client, round by round, and the table of that with ours beside it."""

import argparse
import json
import statistics
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass

from benches.median_interval import interval
from benches.meter import Bench, BenchError
from headtohead.model.rules import FOREIGN_CPU, GATE

SPARE_S = 30.0
"""A client that has not ended so long after its time is ended."""


@dataclass(frozen=True)
class Asker:
    """A client as it is started once: the words, and how its output is read."""

    name: str
    argv: Sequence[str]
    answers: Callable[[str], int]
    """How many answers its output says it had; ``BenchError`` where some were wrong."""
    vain_s: Callable[[str], float] = lambda _: 0.0
    """How much of its CPU time went into polls that found nothing, by its output, in seconds."""


@dataclass(frozen=True)
class Cost:
    """One client's cost in one round. ``group`` is what it was measured on: so many connections, a server."""

    client: str
    group: str
    round: int
    answers: int
    us_per_answer: float
    answers_per_s: float
    foreign_cpus: float
    quiet: bool


def cost(asker: Asker, *, group: str, number: int, bench: Bench, seconds: float) -> Cost:
    """Measure one client once, in round ``number``; it is to take ``seconds``. Say so on standard error."""
    spent = bench.measure(asker.argv, within_s=seconds + SPARE_S)
    answers = asker.answers(spent.output)
    if answers == 0:
        raise BenchError(f"{asker.name} had no answer. Run it by hand: {' '.join(asker.argv)}")
    found = Cost(
        client=asker.name,
        group=group,
        round=number,
        answers=answers,
        us_per_answer=(spent.cpu_s - asker.vain_s(spent.output)) / answers * 1e6,
        answers_per_s=answers / spent.wall_s,
        foreign_cpus=spent.foreign_cpus,
        quiet=spent.quiet,
    )
    told = f"{found.us_per_answer:.2f} us, {found.answers_per_s:.0f}/s"
    sys.stderr.write(f"round {number}: {asker.name}, {group}: {told}\n")
    return found


@dataclass(frozen=True)
class Row:
    """One client's line of the table."""

    client: str
    group: str
    us_per_answer: float
    """Median over the rounds."""
    least_us: float
    most_us: float
    answers_per_s: float
    scatter: float
    """Of answers a second between the rounds: their standard deviation over their mean, 0 for one round."""
    ratio: float
    """Ours to this one's: of the medians."""
    least_ratio: float
    """The smallest of the rounds' own ratios."""
    most_ratio: float
    rate_ratio: float
    """Our answers a second to this one's: the median of the rounds' own ratios."""
    least_rate_ratio: float
    """The lower end of that median's interval."""
    most_rate_ratio: float
    bar: float | None
    keeps: bool | None
    """Whether the bar is kept, None where there is none."""
    rate_bar: float | None
    keeps_rate: str | None
    """``kept`` if the whole interval is at or above the bar, ``MISSED`` if it is below, else ``open``."""


def rows(
    costs: Sequence[Cost], *, ours: str, bars: Mapping[str, float], rates: Mapping[str, float] | None = None
) -> list[Row]:
    """Return a line for each client of each group, groups by name, in each of them ours first.

    ``bars`` are for our CPU time an answer, as a share of another's; ``rates`` for our answers a second.
    """
    at_least = rates or {}
    there = {(each.group, each.client) for each in costs}
    order = sorted(there, key=lambda pair: (pair[0], pair[1] != ours, pair[1]))
    return [
        _row(
            [each for each in costs if each.group == group],
            client=client,
            ours=ours,
            bars=(bars.get(client), at_least.get(client)),
        )
        for group, client in order
    ]


def _row(costs: Sequence[Cost], *, client: str, ours: str, bars: tuple[float | None, float | None]) -> Row:
    its = {each.round: each.us_per_answer for each in costs if each.client == client}
    own = {each.round: each.us_per_answer for each in costs if each.client == ours}
    own = {number: own[number] for number in its}
    ratios = [own[number] / its[number] for number in its]
    ratio = statistics.median(own.values()) / statistics.median(its.values())
    rate = {name: {each.round: each.answers_per_s for each in costs if each.client == name} for name in (ours, client)}
    rate_ratios = [rate[ours][number] / rate[client][number] for number in rate[client]]
    least, most = interval(rate_ratios)
    bar, rate_bar = bars
    return Row(
        client=client,
        group=costs[0].group,
        us_per_answer=statistics.median(its.values()),
        least_us=min(its.values()),
        most_us=max(its.values()),
        answers_per_s=statistics.median(rate[client].values()),
        scatter=statistics.pstdev(rate[client].values()) / statistics.mean(rate[client].values()),
        ratio=ratio,
        least_ratio=min(ratios),
        most_ratio=max(ratios),
        rate_ratio=statistics.median(rate_ratios),
        least_rate_ratio=least,
        most_rate_ratio=most,
        bar=bar,
        keeps=None if bar is None else ratio <= bar,
        rate_bar=rate_bar,
        keeps_rate=None if rate_bar is None else _judged(rate_bar, least=least, most=most),
    )


def _judged(bar: float, *, least: float, most: float) -> str:
    """Return whether a median whose interval has these ends is at or above a bar."""
    if least >= bar:
        return "kept"
    return "MISSED" if most < bar else "open"


def table(lines: Sequence[Row], *, one: str, many: str) -> str:
    """Return the lines as text; ``one`` and ``many`` are what answers answer (request, requests)."""
    said: list[str] = []
    for group in dict.fromkeys(each.group for each in lines):
        said.append(f"\n{group}")
        said.append(
            f"{'client':16} {f'us/{one}':>10} {'min..max':>14} {f'{many}/s':>11} {'scatter':>8} "
            f"{'h2h-load/it':>12} {'min..max':>11} {'its rate':>9} {'interval':>11}  bars"
        )
        for each in lines:
            if each.group == group:
                bar = "" if each.bar is None else f"cpu {each.bar:.2f} {'kept' if each.keeps else 'MISSED'}"
                if each.rate_bar is not None:
                    bar += f", rate {each.rate_bar:.2f} {each.keeps_rate}"
                said.append(
                    f"{each.client:16} {each.us_per_answer:10.2f} {each.least_us:6.2f}..{each.most_us:6.2f} "
                    f"{each.answers_per_s:11.0f} {each.scatter:8.1%} {each.ratio:12.3f} "
                    f"{each.least_ratio:5.2f}..{each.most_ratio:4.2f} {each.rate_ratio:9.3f} "
                    f"{each.least_rate_ratio:5.2f}..{each.most_rate_ratio:4.2f}  "
                    f"{bar}".rstrip()
                )
    return "\n".join(said)


def warnings(costs: Sequence[Cost], missing: Sequence[str]) -> list[str]:
    """Return what a reader of the table should know."""
    said = []
    loud = [each for each in costs if not each.quiet]
    if loud:
        most = max(each.foreign_cpus for each in loud)
        said.append(
            f"{len(loud)} of {len(costs)} measurements were disturbed: others used up to {most:.2f} CPUs"
            f" (limit {FOREIGN_CPU.limit:g}). Measure again on a quiet machine before you believe a bar."
        )
    if missing:
        said.append(f"not installed, and not shown: {', '.join(missing)}")
    return said


def parser(name: str, *, about: str, rounds: int, seconds: int) -> argparse.ArgumentParser:
    """Return what reads the command line of a bench of clients, with its own defaults."""
    words = argparse.ArgumentParser(prog=name, description=about)
    words.add_argument("--rounds", type=int, default=rounds)
    words.add_argument("--seconds", type=int, default=seconds, help="how long each client runs")
    words.add_argument("--seed", type=int, default=1, help="of the order in each round")
    words.add_argument("--gate", type=float, default=GATE.within_s, help="how long quiet is waited for, in seconds")
    words.add_argument("--json", action="store_true", help="print one JSON document instead of the tables")
    return words


def tell(
    costs: Sequence[Cost], lines: Sequence[Row], *, missing: Sequence[str], more: Mapping[str, object] | None = None
) -> None:
    """Print one JSON document of all that was measured, and ``more``."""
    document = {
        "rows": [asdict(each) for each in lines],
        "costs": [asdict(each) for each in costs],
        "warnings": warnings(costs, missing),
        **(more or {}),
    }
    sys.stdout.write(json.dumps(document, indent=1) + "\n")
