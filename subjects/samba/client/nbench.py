"""What smbtorture's nbench prints: its figures, and every line that is not expected."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from load_program import Line, LoadError, Throughput, first_match, unexpected

WARM_UP = re.compile(r" *\d+ +\d+ +[\d.]+ MB/sec +warmup +\d+ sec *")
CLEANUP = re.compile(r" *(?P<clients>\d+) +\d+ +[\d.]+ MB/sec +cleanup +(?P<second>\d+) sec *")
STARTED = re.compile(r"(?P<clients>\d+) clients started")
RUNNING = re.compile(r"Running for \d+ seconds with load '.*' and warmup (?P<warm_up_s>\d+) secs")
SUCCESS = re.compile(r"success: nbench")
THROUGHPUT = re.compile(r"Throughput (?P<mb_per_s>[\d.e+-]+) MB/sec")
PLAIN = (
    re.compile(r"smbtorture \S+"),
    re.compile(r"Using seed \d+"),
    re.compile(r"time: .*"),
    re.compile(r"test: nbench"),
    re.compile(r"Starting \d+ clients"),
    re.compile(r" *\d+ +\d+ +[\d.]+ MB/sec +execute +\d+ sec +latency [\d.]+ msec *"),
    re.compile(r" *"),
)
"""Lines that report no trouble and hold no figure that is used."""
EXPECTED = (WARM_UP, CLEANUP, STARTED, RUNNING, SUCCESS, THROUGHPUT, *PLAIN)


@dataclass(frozen=True)
class Measured:
    """What nbench measured, from its start, or the end of its warm-up, to the clients' end."""

    throughput: Throughput
    clients: int
    late_without_warm_up: bool
    """Whether a client had not begun after a second, and no warm-up kept that out of the rate."""
    succeeded: bool
    complaints: tuple[str, ...]
    """Lines that do not belong to a run without trouble."""


def read(lines: Sequence[Line]) -> Measured:
    """Return what the lines hold. Raise LoadError if they hold no measurement."""
    ends = [(line, found) for line in lines if (found := CLEANUP.fullmatch(line.text))]
    total, started, running = (first_match(lines, each) for each in (THROUGHPUT, STARTED, RUNNING))
    complaints = unexpected(lines, EXPECTED)
    if not ends or total is None or started is None or running is None:
        raise LoadError(next(iter(complaints), "nbench printed no throughput"))
    end, found = ends[0]
    return Measured(
        throughput=Throughput(float(total["mb_per_s"]), int(found["second"]), end.at_ns),
        clients=int(started["clients"]),
        late_without_warm_up=running["warm_up_s"] == "0" and first_match(lines, WARM_UP) is not None,
        succeeded=first_match(lines, SUCCESS) is not None,
        complaints=complaints,
    )
