"""What smbtorture's nbench prints, line by line as it comes: its figures, and whatever is not one of them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

NS_PER_S = 1_000_000_000
BYTES_PER_MB = 1_000_000
"""nbench multiplies bytes by 1.0e-6."""

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
"""Lines that tell of no trouble and hold no figure that is used."""


class SaidError(Exception):
    """nbench told of no whole measurement."""


@dataclass(frozen=True)
class Line:
    """One line of nbench, and when it came on the monotonic clock."""

    at_ns: int
    text: str


@dataclass(frozen=True)
class Told:
    """What nbench measured, in its own time: from its start, or the end of its warm-up, to the clients' end."""

    clients: int
    mb_per_s: float
    seconds: int
    at_ns: int
    """When the measured time ended."""
    waited_in_vain: bool
    """Whether a client had not begun within a second, and there was no warm-up to leave that out of the figure."""
    succeeded: bool
    complaints: tuple[str, ...]
    """Lines that have no place in a run without trouble."""

    @property
    def bytes(self) -> int:
        """How many bytes were read and written in ``seconds``."""
        return round(self.mb_per_s * BYTES_PER_MB * self.seconds)


def read(lines: Sequence[Line]) -> Told:
    """Return what the lines tell; SaidError where they tell of no measurement."""
    ends = [(line, found) for line in lines if (found := CLEANUP.fullmatch(line.text))]
    total, started, running = (_first(lines, each) for each in (THROUGHPUT, STARTED, RUNNING))
    if not ends or total is None or started is None or running is None:
        raise SaidError(next(iter(complaints(lines)), "nbench printed no throughput"))
    end, found = ends[0]
    return Told(
        clients=int(started["clients"]),
        mb_per_s=float(total["mb_per_s"]),
        seconds=int(found["second"]),
        at_ns=end.at_ns,
        waited_in_vain=running["warm_up_s"] == "0" and _first(lines, WARM_UP) is not None,
        succeeded=_first(lines, SUCCESS) is not None,
        complaints=complaints(lines),
    )


def complaints(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the lines that have no place in a run without trouble."""
    known = (WARM_UP, CLEANUP, STARTED, RUNNING, SUCCESS, THROUGHPUT, *PLAIN)
    return tuple(each.text for each in lines if not any(pattern.fullmatch(each.text) for pattern in known))


def _first(lines: Sequence[Line], pattern: re.Pattern[str]) -> re.Match[str] | None:
    return next((found for line in lines if (found := pattern.fullmatch(line.text))), None)
