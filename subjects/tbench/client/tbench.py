"""What tbench 4 prints: its figures, and every line that is not expected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from load_program import Line, LoadError, Throughput, first_match, unexpected

NS_PER_MS = 1_000_000

EXECUTE = re.compile(r" *\d+ +\d+ +(?P<mb_per_s>[\d.]+) MB/sec  execute +(?P<second>\d+) sec  latency [\d.]+ ms")
CLEANUP = re.compile(r" *(?P<unfinished>\d+)  cleanup +(?P<second>\d+) sec")
OPERATION = re.compile(r" (?P<name>\w+) +(?P<count>\d+) +(?P<mean_ms>[\d.]+|-?nan) +(?P<max_ms>[\d.]+)")
CLIENT = re.compile(r"Client (?P<number>\d+) did \d+ lines and (?P<bytes>\d+) bytes")
THROUGHPUT = re.compile(
    r"Throughput (?P<mb_per_s>\S+) MB/sec  (?P<clients>\d+) clients  \d+ procs  max_latency=(?P<max_ms>[\d.]+) ms"
)
PLAIN = (
    re.compile(r"dbench version 4\..*"),
    re.compile(r"Running for \d+ seconds with load '.*' and minimum warmup \d+ secs"),
    re.compile(
        r"failed to create barrier semaphore ?"
    ),  # printed for the first semaphore of a machine: its number is 0
    re.compile(r"\d+ of \d+ processes prepared for launch +\d+ sec"),
    re.compile(r"releasing clients"),
    re.compile(r" *\d+ +\d+ +[\d.]+ MB/sec  warmup +\d+ sec  latency [\d.]+ ms"),
    re.compile(r" Operation +Count +AvgLat +MaxLat"),
    re.compile(r" -+"),
    re.compile(r"Per client results:"),
    re.compile(r" *"),
)
"""Lines that report no trouble and hold no figure that is used."""
EXPECTED = (EXECUTE, CLEANUP, OPERATION, CLIENT, THROUGHPUT, *PLAIN)


@dataclass(frozen=True)
class Measured:
    """What tbench measured, until the last whole second before it ended its clients."""

    throughput: Throughput
    clients: int
    unfinished: int
    """Clients that had not ended at the end."""
    each_bytes: tuple[int, ...]
    """What each client moved in ``each_seconds``."""
    each_seconds: int
    """From the end of the warm-up until the clients were told to end: a second more than the throughput's time."""
    latency_mean_ns: int
    latency_max_ns: int
    complaints: tuple[str, ...]
    """Lines that do not belong to a run without trouble."""


def read(lines: Sequence[Line]) -> Measured:
    """Return what the lines hold. Raise LoadError if they hold no measurement."""
    ticks = [(line, found) for line in lines if (found := EXECUTE.fullmatch(line.text))]
    ends = [found for line in lines if (found := CLEANUP.fullmatch(line.text))]
    total, complaints = first_match(lines, THROUGHPUT), unexpected(lines, EXPECTED)
    if total is None or not ticks or not ends:
        raise LoadError(next(iter(complaints), "tbench printed no throughput of a whole second"))
    last, tick = ticks[-1]
    return Measured(
        throughput=Throughput(float(total["mb_per_s"]), int(tick["second"]), last.at_ns),
        clients=int(total["clients"]),
        unfinished=int(ends[-1]["unfinished"]),
        each_bytes=tuple(int(found["bytes"]) for line in lines if (found := CLIENT.fullmatch(line.text))),
        each_seconds=int(ends[0]["second"]),
        latency_mean_ns=_latency_mean_ns(lines),
        latency_max_ns=round(float(total["max_ms"]) * NS_PER_MS),
        complaints=complaints,
    )


def _latency_mean_ns(lines: Sequence[Line]) -> int:
    """Return the mean time of an operation over all clients: from the table before those of each client."""
    count, sum_ms = 0, 0.0
    for line in lines:
        if CLIENT.fullmatch(line.text):
            break
        if found := OPERATION.fullmatch(line.text):
            count += int(found["count"])
            sum_ms += int(found["count"]) * float(found["mean_ms"])
    if count == 0:
        raise LoadError("tbench counted no operation")
    return round(sum_ms / count * NS_PER_MS)
