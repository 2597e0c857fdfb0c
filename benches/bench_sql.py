"""What a query costs each client: ``make bench-sql``.

MariaDB, then PostgreSQL, on CPU 0 finds one row by its key; one client at a time runs on CPU 1 and keeps 10 connections
busy. Ours counts the rows of every answer and compares the checksum of 1 % of them; sysbench and pgbench check nothing.
The clients are interleaved, in an order of its own in each round. The cost is the client's user and system time by the
kernel's account of the process (wait4), from its start to its end. ``h2h-load`` runs in both polls: busy, as in studies
with CPUs of its own, polls that found nothing are no cost, and the rate must be theirs, or the driver slows the server.
Exit 0: all bars are kept; 1: one is not, or something failed.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from random import Random

from benches.clients import nothing, polled_s
from benches.costs import Asker, Cost, cost, parser, rows, table, tell, warnings
from benches.databases import Database, mariadb, need, pgbench_words, postgresql, sysbench_words
from benches.meter import Bench, BenchError
from benches.stand import LOAD, need_cpus

CONNECTIONS = 10
SETTLES_S = 0.2
"""PostgreSQL has a process for each connection, whose CPU time its postmaster is told once it has ended."""
OURS = "h2h-load, busy"
BARS = {"sysbench": 1.0, "pgbench": 1.0}
"""Our CPU time a query, as a share of theirs, is at most this."""
RATES = {"sysbench": 0.98, "pgbench": 0.98}
"""Our queries a second, as a share of theirs, are at least this."""


def load(database: Database, *, seconds: int, poll: str) -> Asker:
    """Our own, as it is used: rows counted in every answer, 1 % of the answers compared."""
    key = {"table": str(database.answers), "column": "id", "skew": "uniform"}
    query = {
        "name": "point",
        "weight": 1,
        "sql": database.sql,
        "parameters": [key],
        "rows": 1,
        "checksum": {"table": str(database.answers), "column": "checksum"},
        "sample": 0.01,
    }
    mix = database.run / "mix.json"
    mix.write_text(json.dumps({"queries": [query]}), encoding="utf-8")
    reach = ["--protocol", database.protocol, "--socket", str(database.socket), "--user", database.user]
    if database.protocol == "postgresql":
        reach += ["--port", "5432"]
    times = ["--warm-up", "0s", "--duration", f"{seconds}s"]
    words = ["--database", database.database, "--connections", str(CONNECTIONS), "--mix", str(mix), "--json", "-"]
    argv = [str(LOAD), "sql", *reach, *times, *words, "--poll", poll]
    return Asker(f"h2h-load, {poll}", argv, load_answers, polled_s if poll == "busy" else nothing)


def load_answers(text: str) -> int:
    """Read the record."""
    record = json.loads(text)
    if record["errors"]:
        raise BenchError(f"h2h-load met errors: {record['errors']}. Run it by hand.")
    return int(record["right"])


def sysbench(database: Database, *, seconds: int) -> Asker:
    """Its point select, prepared, one thread a connection."""
    (program,) = need("sysbench", package="sysbench")
    words = [f"--threads={CONNECTIONS}", f"--time={seconds}"]
    return Asker("sysbench", [program, *sysbench_words(database.socket), *words, "run"], sysbench_answers)


def sysbench_answers(text: str) -> int:
    """Read sysbench's summary."""
    return found(r"^\s*read:\s+(\d+)", text)


def pgbench(database: Database, *, seconds: int) -> Asker:
    """Its select-only script, prepared, all connections in one thread."""
    (program,) = need("pgbench", package="postgresql-15")
    words = ["--select-only", "--no-vacuum", "--protocol=prepared", f"--client={CONNECTIONS}", "--jobs=1"]
    argv = [program, *pgbench_words(database.socket), *words, f"--time={seconds}", database.database]
    return Asker("pgbench", argv, pgbench_answers)


def pgbench_answers(text: str) -> int:
    """Read pgbench's summary."""
    if found(r"number of failed transactions: (\d+)", text):
        raise BenchError(f"pgbench met errors: {text[-300:]}")
    return found(r"number of transactions actually processed: (\d+)", text)


def found(pattern: str, text: str) -> int:
    """Return the number that the pattern's only group holds."""
    match = re.search(pattern, text, re.MULTILINE)
    if match is None:
        raise BenchError(f"no {pattern!r} in the client's output: {text[-300:]!r}. Its version may print it otherwise.")
    return int(match[1])


Starts = Callable[[], AbstractContextManager[Database]]
Other = Callable[..., Asker]
DATABASES: Sequence[tuple[Starts, Other]] = ((mariadb, sysbench), (postgresql, pgbench))


def measured(words: argparse.Namespace) -> Iterator[Cost]:
    """Measure the clients of each database, once a round, in random order."""
    rng = Random(words.seed)
    for start, other in DATABASES:
        with start() as database:
            ours = [load(database, seconds=words.seconds, poll=each) for each in ("busy", "sleep")]
            askers = [*ours, other(database, seconds=words.seconds)]
            for number in range(1, words.rounds + 1):
                rng.shuffle(askers)
                for asker in askers:
                    bench = Bench(database.pids, gate_s=words.gate, settles_s=SETTLES_S)
                    group = f"{database.name}, {CONNECTIONS} connections"
                    yield cost(asker, group=group, number=number, bench=bench, seconds=words.seconds)


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    about = "What a query costs each SQL client."
    words = parser("bench_sql", about=about, rounds=24, seconds=1).parse_args(argv)
    try:
        need_cpus()
        costs = list(measured(words))
    except BenchError as error:
        sys.stderr.write(f"bench_sql: {error}\n")
        return 1
    lines = rows(costs, ours=OURS, bars=BARS, rates=RATES)
    if words.json:
        tell(costs, lines, missing=[])
    else:
        said = [table(lines, one="query", many="queries"), "", *warnings(costs, [])]
        sys.stdout.write("\n".join(said) + "\n")
    return 0 if all(each.keeps is not False and each.keeps_rate in (None, "kept") for each in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
