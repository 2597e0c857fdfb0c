"""What a request costs each client, and how soon its response is there: ``make bench-load``.

nginx, then Apache, on CPU 0 serves the 18.8 KiB page; one client at a time runs on CPU 1 and keeps 100, then 10
connections busy. The scatter is the coefficient of variation of requests/s between rounds.
The clients are interleaved: each round holds every client once for each number of connections, in an order of its own,
drawn from the seed. Rates scatter more than costs, so further rounds hold h2h-load and the clients whose rate is its
bar alone, and such a bar is kept if the whole interval of the median of the rounds' ratios is at or above it.
The cost is the client's user and system time by the kernel's account of the process (wait4), from its start to its end,
over the answers that it says it had. ``h2h-load`` runs in both polls: asleep, the server's CPU has to wake it; busy,
polls that found nothing are no cost. Then requests arrive at a low rate, and the median response time is compared with
that of a bare loop that polls. ``--only`` leaves out other clients, ``--server`` the other server.
Exit 0: all bars are kept; 1: one is not, or something failed.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random

from benches.clients import BARS, CLIENTS, OURS, RATES, Client, Task
from benches.costs import Asker, Cost, cost, parser, rows, table, tell, warnings
from benches.meter import Bench, BenchError
from benches.response_times import Medians, medians
from benches.stand import Server, apache, article, folder, need_cpus, nginx

CONNECTIONS = (100, 10)


SERVERS = {"nginx": nginx, "Apache": apache}


@dataclass(frozen=True)
class Served:
    """A server that runs, by its name, and the mix to request from it."""

    name: str
    server: Server
    mix: Path


def rounds(clients: Sequence[Client], served: Served, *, bench: Bench, words: argparse.Namespace) -> Iterator[Cost]:
    """Measure every client once a round and number of connections, in random order; those with a bar in more rounds."""
    rng = Random(words.seed)
    paired = [each for each in clients if each.name in (OURS.name, *RATES)]
    for number in range(1, max(words.rounds, words.pairs) + 1):
        those = clients if number <= words.rounds else paired
        order = [(client, connections) for client in those for connections in CONNECTIONS]
        rng.shuffle(order)
        for client, connections in order:
            task = Task(served.server.port, served.mix, connections, words.seconds)
            argv = [str(client.path), *client.argv(task)]
            asker = Asker(client.name, argv, client.requests, client.vain_s)
            group = f"{served.name}, {connections} connections"
            yield cost(asker, group=group, number=number, bench=bench, seconds=words.seconds)


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


def need_those_with_bars(missing: Sequence[str]) -> None:
    """Raise ``BenchError`` where a client is not there against which we are judged, or our own."""
    lacking = [name for name in (OURS.name, *BARS) if name in missing]
    if lacking:
        why = "they are what h2h-load is judged by"
        raise BenchError(
            f"{', '.join(lacking)}: not there, and {why}. Run `make bench-load`; install wrk and apache2-utils."
        )


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    about = "What a request costs each HTTP client."
    reads = parser("bench_load", about=about, rounds=12, seconds=1)
    reads.add_argument("--pairs", type=int, default=80, help="rounds of h2h-load and the clients whose rate is its bar")
    reads.add_argument("--only", choices=[each.name for each in CLIENTS], action="append", help="may be given again")
    reads.add_argument("--server", choices=list(SERVERS), action="append", help="may be given again")
    words = reads.parse_args(argv)
    chosen = [client for client in CLIENTS if words.only is None or client.name in (OURS.name, *words.only)]
    try:
        need_cpus()
        present = [client for client in chosen if client.path is not None]
        missing = [client.name for client in chosen if client.path is None]
        need_those_with_bars(missing)
        costs: list[Cost] = []
        soon: list[Medians] = []
        for name in words.server or SERVERS:
            with folder() as run:
                body = article(run / "pages")
                with SERVERS[name](run, run / "pages") as server:
                    served, bench = Served(name, server, mix_file(run, body)), Bench(server.pids, gate_s=words.gate)
                    costs += rounds(present, served, bench=bench, words=words)
                    numbers = range(1, words.rounds + 1)
                    soon.append(
                        medians(server, group=name, mix=served.mix, bench=bench, rounds=numbers, seconds=words.seconds)
                    )
    except BenchError as error:
        sys.stderr.write(f"bench_load: {error}\n")
        return 1
    lines = rows(costs, ours=OURS.name, bars=BARS, rates=RATES)
    if words.json:
        tell(costs, lines, missing=missing, more={"response_times": [asdict(each) for each in soon]})
    else:
        said = [table(lines, one="request", many="requests"), "", *(each.text for each in soon)]
        sys.stdout.write("\n".join([*said, *warnings(costs, missing)]) + "\n")
    kept = [each.keeps is not False and each.keeps_rate in (None, "kept") for each in lines]
    return 0 if all((*kept, *(each.keeps for each in soon))) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
