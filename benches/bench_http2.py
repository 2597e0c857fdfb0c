"""What a request over HTTP/2 and TLS costs h2h-load and h2load: ``make bench-http2``.

nginx, one worker on CPU 0, serves the 18.8 KiB page; one client at a time runs on CPU 1, with 10 connections of 1 and
of 10 streams. The clients are interleaved: each round holds both once for each number of streams, in an order of its
own, drawn from the seed. The cost is the client's user and system time by the kernel's account of the process (wait4),
over the answers that it reports. Ours checks every status and length, and 1 % of the bodies; h2load checks none.
Exit 0: the bar is kept; 1: it is not, or something failed.
"""

import shutil
import sys
from collections.abc import Iterator, Sequence
from random import Random

from benches.bench_load import mix_file
from benches.clients import h2load_requests, load_requests
from benches.costs import Asker, Cost, cost, parser, rows, table, tell, warnings
from benches.meter import Bench, BenchError
from benches.stand import LOAD, article, folder, need_cpus, nginx_over_tls

OURS, THEIRS = "h2h-load", "h2load"
BARS = {THEIRS: 1.5}
"""Our CPU time a request, as a share of its, is at most this: ADR 55."""

CONNECTIONS = 10
STREAMS = (1, 10)


def askers(port: int, ca: str, mix: str, *, streams: int, seconds: int) -> Iterator[Asker]:
    """Yield both clients for so many streams on each connection."""
    counts = ["--connections", str(CONNECTIONS), "--streams", str(streams)]
    times = ["--warm-up", "0s", "--duration", f"{seconds}s"]
    url = f"https://localhost:{port}"
    ours = [str(LOAD), "http", "--http", "2", *counts, *times, "--mix", mix, "--ca", ca, "--json", "-", url]
    yield Asker(OURS, ours, load_requests)
    theirs = ["-t", "1", "-c", str(CONNECTIONS), "-m", str(streams), "-D", str(seconds), f"{url}/article.html"]
    yield Asker(THEIRS, [str(shutil.which(THEIRS)), *theirs], h2load_requests)


def measured(rounds: int, seconds: int, *, seed: int, gate_s: float) -> Iterator[Cost]:
    """Measure both clients once a round and number of streams, in random order."""
    rng = Random(seed)
    with folder() as run:
        body = article(run / "pages")
        with nginx_over_tls(run, run / "pages") as server:
            bench, mix, ca = Bench(server.pids, gate_s=gate_s), str(mix_file(run, body)), str(run / "certificate.pem")
            for number in range(1, rounds + 1):
                order = [
                    (each, streams)
                    for streams in STREAMS
                    for each in askers(server.port, ca, mix, streams=streams, seconds=seconds)
                ]
                rng.shuffle(order)
                for asker, streams in order:
                    group = f"{CONNECTIONS} connections, streams on each: {streams}"
                    yield cost(asker, group=group, number=number, bench=bench, seconds=seconds)


def need_h2load() -> None:
    """Raise ``BenchError`` without the client that we are judged by."""
    if shutil.which(THEIRS) is None:
        raise BenchError("h2load is not installed. Install nghttp2-client.")


def main(argv: Sequence[str]) -> int:
    """Measure, print, judge."""
    about = "What a request over HTTP/2 costs h2h-load and h2load."
    words = parser("bench_http2", about=about, rounds=7, seconds=2).parse_args(argv)
    try:
        need_cpus()
        need_h2load()
        costs = list(measured(words.rounds, words.seconds, seed=words.seed, gate_s=words.gate))
    except BenchError as error:
        sys.stderr.write(f"bench_http2: {error}\n")
        return 1
    lines = rows(costs, ours=OURS, bars=BARS)
    if words.json:
        tell(costs, lines, missing=[])
    else:
        said = [table(lines, one="request", many="requests"), *warnings(costs, [])]
        sys.stdout.write("\n".join(said) + "\n")
    return 0 if all(each.keeps is not False for each in lines) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
