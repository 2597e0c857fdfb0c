"""What tbench 4 prints, line by line as it comes: its figures, and whatever is not one of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NS_PER_S = 1_000_000_000
NS_PER_MS = 1_000_000
BYTES_PER_MB = 1_000_000
"""tbench multiplies bytes by 1.0e-6."""

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
    re.compile(r"failed to create barrier semaphore ?"),  # said of the first semaphore of a machine, whose number is 0
    re.compile(r"\d+ of \d+ processes prepared for launch +\d+ sec"),
    re.compile(r"releasing clients"),
    re.compile(r" *\d+ +\d+ +[\d.]+ MB/sec  warmup +\d+ sec  latency [\d.]+ ms"),
    re.compile(r" Operation +Count +AvgLat +MaxLat"),
    re.compile(r" -+"),
    re.compile(r"Per client results:"),
    re.compile(r" *"),
)
"""Lines that tell of no trouble and hold no figure that is used."""


class SaidError(Exception):
    """tbench told of no whole measurement."""


@dataclass(frozen=True)
class Line:
    """One line of tbench, and when it came on the monotonic clock."""

    at_ns: int
    text: str


@dataclass(frozen=True)
class Told:
    """What tbench measured, in its own time: the last whole second before it ended its clients."""

    clients: int
    mb_per_s: float
    seconds: int
    at_ns: int
    """When that second ended."""
    unfinished: int
    """Clients that had not ended in the end."""
    each_bytes: tuple[int, ...]
    """What each client moved in ``each_seconds``."""
    each_seconds: int
    """From the end of the warm-up until the clients were told to end: a second more than ``seconds``."""
    latency_mean_ns: int
    latency_max_ns: int
    complaints: tuple[str, ...]
    """Lines that have no place in a run without trouble."""

    @property
    def bytes(self) -> int:
        """How many bytes were moved in ``seconds``."""
        return round(self.mb_per_s * BYTES_PER_MB * self.seconds)


def read(lines: Sequence[Line]) -> Told:
    """Return what the lines tell; SaidError where they tell of no measurement."""
    ticks = [(line, found) for line in lines if (found := EXECUTE.fullmatch(line.text))]
    ends = [found for line in lines if (found := CLEANUP.fullmatch(line.text))]
    total = next((found for line in lines if (found := THROUGHPUT.fullmatch(line.text))), None)
    if total is None or not ticks or not ends:
        raise SaidError(next(iter(complaints(lines)), "tbench printed no throughput of a whole second"))
    last, tick = ticks[-1]
    return Told(
        clients=int(total["clients"]),
        mb_per_s=float(total["mb_per_s"]),
        seconds=int(tick["second"]),
        at_ns=last.at_ns,
        unfinished=int(ends[-1]["unfinished"]),
        each_bytes=tuple(int(found["bytes"]) for line in lines if (found := CLIENT.fullmatch(line.text))),
        each_seconds=int(ends[0]["second"]),
        latency_mean_ns=_latency_mean_ns(lines),
        latency_max_ns=round(float(total["max_ms"]) * NS_PER_MS),
        complaints=complaints(lines),
    )


def complaints(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the lines that have no place in a run without trouble."""
    known = (EXECUTE, CLEANUP, OPERATION, CLIENT, THROUGHPUT, *PLAIN)
    return tuple(each.text for each in lines if not any(pattern.fullmatch(each.text) for pattern in known))


def _latency_mean_ns(lines: Sequence[Line]) -> int:
    """Return the mean time of an operation of any client: of the table that stands before those of each client."""
    count, sum_ms = 0, 0.0
    for line in lines:
        if CLIENT.fullmatch(line.text):
            break
        if found := OPERATION.fullmatch(line.text):
            count += int(found["count"])
            sum_ms += int(found["count"]) * float(found["mean_ms"])
    if count == 0:
        raise SaidError("tbench counted no operation")
    return round(sum_ms / count * NS_PER_MS)
