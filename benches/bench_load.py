"""What a request costs each client: ``make bench-load``.

nginx on CPU 0 serves the 18.8 KB page; one client at a time runs on CPU 1 and keeps 100, then 10 connections busy.
The clients are interleaved: each round holds every client once for each number of connections, in an order of its own,
drawn from the seed. The cost is the client's user and system time by the kernel's account of the process (wait4), from
its start to its end, over the answers that it says it had. Exit 0: all bars are kept; 1: one is not, or something
failed.
"""

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from benches.clients import BARS, CLIENTS, OURS, Client, Task
from benches.meter import FOREIGN_CPUS, GATE_WITHIN_S, Bench, BenchError
from benches.stand import Server, article, folder, need_cpus, nginx

CONNECTIONS = (100, 10)
SPARE_S = 30.0
"""A client that has not ended so long after its time is ended."""


@dataclass(frozen=True)
class Cost:
    """One client's cost in one round."""

    client: str
    connections: int
    round: int
    requests: int
    us_per_request: float
    requests_per_s: float
    foreign_cpus: float
    quiet: bool


def cost(client: Client, task: Task, *, number: int, bench: Bench) -> Cost:
    """Measure one client once."""
    argv = [str(client.path), *client.argv(task)]
    spent = bench.measure(argv, within_s=task.seconds + SPARE_S)
    requests = client.requests(spent.output)
    if requests == 0:
        raise BenchError(f"{client.name} had no answer. Run it by hand: {' '.join(argv)}")
    return Cost(
        client=client.name,
        connections=task.connections,
        round=number,
        requests=requests,
        us_per_request=spent.cpu_s / requests * 1e6,
        requests_per_s=requests / spent.wall_s,
        foreign_cpus=spent.foreign_cpus,
        quiet=spent.quiet,
    )


def rounds(clients: Sequence[Client], server: Server, *, mix: Path, words: argparse.Namespace) -> Iterator[Cost]:
    """Measure every client once a round and number of connections, in random order."""
    rng = Random(words.seed)
    bench = Bench(server.pids, gate_s=words.gate)
    for number in range(1, words.rounds + 1):
        order = [(client, connections) for client in clients for connections in CONNECTIONS]
        rng.shuffle(order)
        for client, connections in order:
            task = Task(server.port, mix, connections, words.seconds)
            one = cost(client, task, number=number, bench=bench)
            sys.stderr.write(f"round {number}: {client.name}, {connections} connections: {one.us_per_request:.2f} us\n")
            yield one


def mix_file(run: Path, body: Path) -> Path:
    """Write what ``h2h-load`` is to ask and to check: status, length, and 1 % of the bodies byte for byte."""
    page = {
        "name": "page",
        "weight": 1,
        "path": "/article.html",
        "status": 200,
        "length_bytes": body.stat().st_size,
        "body": str(body),
        "sample": 0.01,
    }
    file = run / "mix.json"
    file.write_text(json.dumps({"requests": [page]}), encoding="utf-8")
    return file


@dataclass(frozen=True)
class Row:
    """One client's line of the table."""

    client: str
    connections: int
    us_per_request: float
    """Median over the rounds."""
    least_us: float
    most_us: float
    requests_per_s: float
    ratio: float
    """Ours to this one's: of the medians."""
    least_ratio: float
    """The smallest of the rounds' own ratios."""
    most_ratio: float
    bar: float | None
    keeps: bool | None
    """Whether the bar is kept, None where there is none."""


def row(costs: Sequence[Cost], *, client: str, connections: int) -> Row:
    """Return one client's line."""
    here = [each for each in costs if each.connections == connections]
    its = {each.round: each.us_per_request for each in here if each.client == client}
    ours = {each.round: each.us_per_request for each in here if each.client == OURS.name}
    ratios = [ours[number] / its[number] for number in its]
    ratio = statistics.median(ours.values()) / statistics.median(its.values())
    bar = BARS.get(client)
    return Row(
        client=client,
        connections=connections,
        us_per_request=statistics.median(its.values()),
        least_us=min(its.values()),
        most_us=max(its.values()),
        requests_per_s=statistics.median(each.requests_per_s for each in here if each.client == client),
        ratio=ratio,
        least_ratio=min(ratios),
        most_ratio=max(ratios),
        bar=bar,
        keeps=None if bar is None else ratio <= bar,
    )


def table(rows: Sequence[Row]) -> str:
    """Return the lines as text."""
    lines = []
    for connections in CONNECTIONS:
        lines.append(f"\n{connections} connections")
        lines.append(
            f"{'client':12} {'us/request':>10} {'min..max':>14} {'requests/s':>11} "
            f"{'h2h-load/it':>12} {'min..max':>11}  bar"
        )
        for each in rows:
            if each.connections != connections:
                continue
            bar = "" if each.bar is None else f"{each.bar:.2f} {'kept' if each.keeps else 'MISSED'}"
            lines.append(
                f"{each.client:12} {each.us_per_request:10.2f} {each.least_us:6.2f}..{each.most_us:6.2f} "
                f"{each.requests_per_s:11.0f} {each.ratio:12.3f} {each.least_ratio:5.2f}..{each.most_ratio:4.2f}  {bar}"
            )
    return "\n".join(lines)


def warnings(costs: Sequence[Cost], missing: Sequence[str]) -> list[str]:
    """Return what a reader of the table should know."""
    said = []
    loud = [each for each in costs if not each.quiet]
    if loud:
        most = max(each.foreign_cpus for each in loud)
        said.append(
            f"{len(loud)} of {len(costs)} measurements were disturbed: others used up to {most:.2f} CPUs"
            f" (limit {FOREIGN_CPUS:g}). Measure again on a quiet machine before you believe a bar."
        )
    if missing:
        said.append(f"not installed, and not shown: {', '.join(missing)}")
    return said


def need_those_with_bars(missing: Sequence[str]) -> None:
    """Raise ``BenchError`` where a client is not there against which we are judged, or our own."""
    lacking = [name for name in (OURS.name, *BARS) if name in missing]
    if lacking:
        why = "they are what h2h-load is judged by"
        raise BenchError(
            f"{', '.join(lacking)}: not there, and {why}. Run `make bench-load`; install wrk and apache2-utils."
        )


def options(argv: Sequence[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="bench_load", description="What a request costs each HTTP client.")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3, help="how long each client runs")
    parser.add_argument("--seed", type=int, default=1, help="of the order in each round")
    parser.add_argument("--gate", type=float, default=GATE_WITHIN_S, help="how long quiet is waited for, in seconds")
    parser.add_argument("--json", action="store_true", help="print one JSON document instead of the tables")
    return parser.parse_args(argv)


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    words = options(argv)
    try:
        need_cpus()
        present = [client for client in CLIENTS if client.path is not None]
        missing = [client.name for client in CLIENTS if client.path is None]
        need_those_with_bars(missing)
        with folder() as run:
            body = article(run / "pages")
            with nginx(run, run / "pages") as server:
                costs = list(rounds(present, server, mix=mix_file(run, body), words=words))
    except BenchError as error:
        sys.stderr.write(f"bench_load: {error}\n")
        return 1
    rows = [row(costs, client=client.name, connections=each) for each in CONNECTIONS for client in present]
    said = warnings(costs, missing)
    if words.json:
        document = {
            "rows": [asdict(each) for each in rows],
            "costs": [asdict(each) for each in costs],
            "warnings": said,
        }
        sys.stdout.write(json.dumps(document, indent=1) + "\n")
    else:
        sys.stdout.write("\n".join([table(rows), "", *said]) + "\n")
    return 0 if all(each.keeps is not False for each in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
