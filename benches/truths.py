"""What ``h2h-load`` says, against what is known: stalls, rates, a driver that is held back, servers past capacity."""

import json
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random
from typing import Any

from benches.meter import Bench, BenchError
from benches.quota import quota
from benches.stand import LOAD, article, folder, known, responder
from headtohead.model.rules import DRIVER_DELAY, FOREIGN_CPU, SEND_LAG

STALL_S, PERIOD_S = 0.2, 5.0
STALL_WITHIN = 0.10
NAIVE_FACTOR = 5.0

RATE_ERROR = 0.001

HELD_SHARE = 0.20

OVERLOAD_RATE = 1000
OVERLOAD_TIMEOUT_S = 0.5
OVERLOAD_WITHIN = 0.03

SPARE_S = 30.0

TRIES = 3
"""A run is made so many times at most, until nobody disturbs it."""


@dataclass(frozen=True)
class Finding:
    """One thing that was known, and what was said."""

    about: str
    known: str
    said: str
    right: bool | None
    """None where nothing can be judged here; ``said`` then gives the reason."""


@dataclass(frozen=True)
class Words:
    """How much is measured."""

    seed: int
    runs: int
    """Of the held and of the undisturbed driver, each."""
    gate_s: float
    poll: str
    """How the driver waits."""


def drive(bench: Bench, url: str, words: Sequence[str], *, poll: str) -> dict[str, Any]:
    """Run ``h2h-load http`` once; return its record. A run that others disturbed is made again, whatever it said."""
    argv = [str(LOAD), "http", "--json", "-", "--poll", poll, *words, url]
    for _ in range(TRIES):
        spent = bench.measure(argv, within_s=60.0 + SPARE_S)
        if spent.quiet:
            break
        sys.stderr.write(f"not quiet: others used {spent.foreign_cpus:.2f} CPUs (limit {FOREIGN_CPU.limit:g})\n")
    record: dict[str, Any] = json.loads(spent.output)
    return record


def stall_quantile_s(q: float) -> float:
    """Return quantile q of the response time of a server that answers at once but for a stall of S at every P's end.

    A request that arrives u into a stall waits S - u. Arrivals that know nothing of the stalls, be they Poisson (PASTA)
    or even, fall evenly on a period: a wait above x happens to those of S - x seconds out of every P, so P(wait > x) =
    (S - x) / P, and the quantile is S - (1 - q) P. The window is a whole number of periods, the answers after a stall
    take some microseconds each.
    """
    return STALL_S - (1 - q) * PERIOD_S


def stalls(words: Words) -> Iterator[Finding]:
    """Ask a server that stalls: in an open loop, and naively in a closed one."""
    periods = f"{4 * PERIOD_S:g}s"
    with known("stall", "--for", f"{STALL_S * 1000:.0f}ms", "--every", f"{PERIOD_S:g}s") as server:
        bench = Bench(server.pids, gate_s=words.gate_s)
        times = ["--warm-up", "1s", "--duration", periods]
        opened = drive(bench, server.url, ["--rate", "1000", "--seed", str(words.seed), *times], poll=words.poll)
        naive = drive(bench, server.url, ["--connections", "10", *times], poll=words.poll)
    for name, q in (("p99.9", 0.999), ("p99", 0.99)):
        true_s = stall_quantile_s(q)
        said_s = opened[f"response_time_p{name[1:].replace('.', '')}_ns"] / 1e9
        yield Finding(
            f"stall of {STALL_S * 1000:.0f} ms every {PERIOD_S:g} s, open loop, {name}",
            f"{true_s * 1000:.0f} ms within {STALL_WITHIN:.0%}",
            f"{said_s * 1000:.1f} ms",
            abs(said_s - true_s) <= STALL_WITHIN * true_s,
        )
    naive_s = naive["response_time_p999_ns"] / 1e9
    yield Finding(
        "the same, naive closed loop of 10, p99.9",
        f"at least {NAIVE_FACTOR:g} times too low",
        f"{naive_s * 1000:.2f} ms, {stall_quantile_s(0.999) / naive_s:.0f} times too low",
        naive_s * NAIVE_FACTOR <= stall_quantile_s(0.999),
    )


def rates(words: Words) -> Iterator[Finding]:
    """Keep half the rate that the driver can carry at most, against the least server there is."""
    with folder() as run, responder(article(run / "pages")) as server:
        bench, url = Bench(server.pids, gate_s=words.gate_s), f"{server.url}/article.html"
        ceiling = drive(bench, url, ["--connections", "100", "--warm-up", "1s", "--duration", "3s"], poll=words.poll)
        half = round(ceiling["goodput_per_s"] / 2)
        for arrivals in ("poisson", "uniform"):
            load = ["--rate", str(half), "--arrivals", arrivals, "--seed", str(words.seed)]
            record = drive(bench, url, [*load, "--warm-up", "1s", "--duration", "10s"], poll=words.poll)
            about = f"half the ceiling, {half}/s {arrivals}"
            error, lag_ns = record["rate_error"], record["send_lag_p99_ns"]
            yield Finding(f"{about}, rate error", f"at most {RATE_ERROR:.1%}", f"{error:.4%}", error <= RATE_ERROR)
            yield Finding(
                f"{about}, send lag p99",
                f"at most {SEND_LAG.limit / 1e6:g} ms",
                f"{lag_ns / 1e6:.3f} ms",
                lag_ns <= SEND_LAG.limit,
            )


def held(words: Words) -> Iterator[Finding]:
    """Hold the driver to a share of a CPU in every second run, in random order: the rule must tell which."""
    load = ["--connections", "10", "--warm-up", "200ms", "--duration", "1s"]
    order = [True, False] * words.runs
    Random(words.seed).shuffle(order)
    shares: dict[bool, list[float]] = {True: [], False: []}
    busy: dict[bool, list[float]] = {True: [], False: []}
    with folder() as run, responder(article(run / "pages")) as server, quota(HELD_SHARE) as group:
        bench = Bench(server.pids, gate_s=words.gate_s)
        for is_held in order:
            inside = group.held if is_held else nullcontext
            one = Bench(bench.servers, gate_s=bench.gate_s, inside=inside)
            record = drive(one, f"{server.url}/article.html", load, poll=words.poll)
            if record["driver_delay_s"] is None:
                raise BenchError("this kernel keeps no run-queue delay (schedstat), so the rule cannot judge.")
            elapsed_s = record["elapsed_ns"] / 1e9 * record["threads"]
            shares[is_held].append(record["driver_delay_s"] / elapsed_s)
            busy[is_held].append(record["driver_cpu_s"] / elapsed_s)
    for is_held, about in ((True, f"driver held to {HELD_SHARE:.0%} of a CPU"), (False, "driver undisturbed")):
        limited = sum(share > DRIVER_DELAY.limit for share in shares[is_held])
        expected = words.runs if is_held else 0
        yield Finding(
            f"{about}: marked client-limited",
            f"{expected} of {words.runs}",
            f"{limited} of {words.runs}; delay {min(shares[is_held]):.3f}..{max(shares[is_held]):.3f}, "
            f"busy {statistics.median(busy[is_held]):.2f}",
            limited == expected,
        )


def wasteful_share(load: float, *, from_s: float, to_s: float, within_s: float) -> float:
    """Return the goodput of a wasteful server in a window, as a share of its capacity.

    Requests arrive evenly at ``load`` times the rate R, from an idle start on, and are given up after T = ``within_s``.
    Nothing leaves the line but by its turn, so who arrives at t has its turn at t load: it waited (load - 1) t. It is
    in time up to t = T / (load - 1), so all answers up to T load / (load - 1) are in time, R of them a second, and none
    is after that.
    """
    last_s = within_s * load / (load - 1)
    return max(0.0, min(last_s, to_s) - from_s) / (to_s - from_s)


def overload(words: Words) -> Iterator[Finding]:
    """Load a wasteful server and a token bucket past their capacity."""
    within_s = OVERLOAD_TIMEOUT_S
    for percent in (150, 200):
        load = percent / 100
        collapse_s = within_s * load / (load - 1)
        # A line that is emptied in 100 ms: whatever the bucket takes, it answers in time.
        bucket = ["bucket", "--line", str(OVERLOAD_RATE // 10)]
        for behavior, warm_up_s, window_s, share in (
            (["wasteful"], 0.0, 2 * collapse_s, wasteful_share(load, from_s=0, to_s=2 * collapse_s, within_s=within_s)),
            (["wasteful"], collapse_s + 0.5, 2.0, 0.0),
            (bucket, 1.0, 3.0, 1.0),
        ):
            with known(*behavior, "--rate", str(OVERLOAD_RATE)) as server:
                bench = Bench(server.pids, gate_s=words.gate_s)
                times = ["--warm-up", f"{warm_up_s:g}s", "--duration", f"{window_s:g}s", "--timeout", f"{within_s:g}s"]
                rate = ["--rate", f"{load * OVERLOAD_RATE:g}", "--arrivals", "uniform", "--connections", "5000"]
                record = drive(bench, server.url, [*rate, *times, "--no-drain"], poll=words.poll)
            said = record["goodput_per_s"] / OVERLOAD_RATE
            yield Finding(
                f"{behavior[0]} at {percent} %, {warm_up_s:g} to {warm_up_s + window_s:g} s: goodput",
                f"{share:.1%} of its capacity",
                f"{said:.1%}",
                abs(said - share) <= OVERLOAD_WITHIN,
            )


TRUTHS: dict[str, Callable[[Words], Iterator[Finding]]] = {
    "stalls": stalls,
    "rates": rates,
    "held": held,
    "overload": overload,
}
