"""HTTP clients that can be set beside each other: how each is called for so many connections, and what it then says."""

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benches.meter import BenchError
from benches.stand import BARE, LOAD

HTTPERF_REQUESTS_PER_S = 25_000
"""httperf counts calls and knows no duration: so many a second make it last about as long as the others."""


@dataclass(frozen=True)
class Task:
    """What every client is asked to do: keep so many connections busy with one page for so long."""

    port: int
    mix: Path
    """The page with its length, body and sample, as ``h2h-load --mix`` reads it."""
    connections: int
    seconds: int

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}/article.html"


def nothing(_: str) -> float:
    """Return 0: this client sleeps."""
    return 0.0


@dataclass(frozen=True)
class Client:
    """One of them."""

    name: str
    program: str
    """A name to be found on the path, or the path of a program."""
    argv: Callable[[Task], list[str]]
    """The words behind the program's name."""
    requests: Callable[[str], int]
    """How many answers its output says it had; ``BenchError`` where some were wrong."""
    vain_s: Callable[[str], float] = nothing
    """How much of its CPU time went into polls that found nothing, by its output, in seconds."""

    @property
    def path(self) -> str | None:
        """Where the program is, None where it is not installed."""
        return shutil.which(self.program)


def load(task: Task) -> list[str]:
    """Our own, as it is used: every answer checked, 1 % of the bodies compared."""
    words = ["http", "--connections", str(task.connections), "--warm-up", "0s", "--duration", f"{task.seconds}s"]
    return [*words, "--mix", str(task.mix), "--json", "-", f"http://127.0.0.1:{task.port}"]


def polling(task: Task) -> list[str]:
    """Our own on a CPU that nothing else uses."""
    return [*load(task), "--poll", "busy"]


def polled_s(text: str) -> float:
    """Read from the record how long polls found nothing."""
    return float(json.loads(text)["driver_empty_polls_s"])


def load_requests(text: str) -> int:
    """Read the record."""
    record = json.loads(text)
    if record["errors"]:
        raise BenchError(f"h2h-load met errors: {record['errors']}. Run it by hand.")
    return int(record["right"])


def bare_requests(text: str) -> int:
    """Read the bare loop's line."""
    return int(json.loads(text)["requests"])


def found(pattern: str, text: str) -> int:
    """Return the number that the pattern's only group holds."""
    match = re.search(pattern, text)
    if match is None:
        raise BenchError(f"no {pattern!r} in the client's output: {text[-300:]!r}. Its version may print it otherwise.")
    return int(match[1])


def wrk(task: Task) -> list[str]:
    """One thread."""
    return ["-t1", f"-c{task.connections}", f"-d{task.seconds}s", task.url]


def wrk_requests(text: str) -> int:
    """Read wrk's summary; it prints socket errors only where there are some."""
    if "Socket errors" in text or "Non-2xx" in text:
        raise BenchError(f"wrk met errors: {text[-300:]}")
    return found(r"(\d+) requests in", text)


def ab(task: Task) -> list[str]:
    """Keep-alive; a time limit alone would end it after 50,000 requests."""
    limit = ["-t", str(task.seconds), "-n", "100000000"]
    return ["-q", "-k", "-c", str(task.connections), *limit, task.url]


def ab_requests(text: str) -> int:
    """Read ab's summary."""
    if found(r"Failed requests:\s+(\d+)", text):
        raise BenchError(f"ab met errors: {text[-300:]}")
    return found(r"Complete requests:\s+(\d+)", text)


def h2load(task: Task) -> list[str]:
    """HTTP/1.1, one thread."""
    return ["--h1", "-t", "1", "-c", str(task.connections), "-D", f"{task.seconds}", task.url]


def h2load_requests(text: str) -> int:
    """Read h2load's summary."""
    return found(r"(\d+) succeeded", text)


def oha(task: Task) -> list[str]:
    """Without its screen."""
    return ["--no-tui", "--output-format", "json", "-c", str(task.connections), "-z", f"{task.seconds}s", task.url]


def oha_requests(text: str) -> int:
    """Read oha's document: answers by their status."""
    return sum(json.loads(text)["statusCodeDistribution"].values())


def hey(task: Task) -> list[str]:
    """As many workers as connections."""
    return ["-c", str(task.connections), "-z", f"{task.seconds}s", task.url]


def hey_requests(text: str) -> int:
    """Read hey's summary."""
    return found(r"\[200\]\s+(\d+) responses", text)


def httperf(task: Task) -> list[str]:
    """As many connections at once as asked for, opened within a moment, each with its share of the calls."""
    calls = max(1, round(task.seconds * HTTPERF_REQUESTS_PER_S / task.connections))
    where = ["--hog", "--server", "127.0.0.1", "--port", str(task.port), "--uri", "/article.html"]
    return [*where, "--num-conns", str(task.connections), "--rate", "1000", "--num-calls", str(calls)]


def httperf_requests(text: str) -> int:
    """Read httperf's summary."""
    return found(r"replies (\d+) test-duration", text)


OURS = Client("h2h-load, busy", str(LOAD), polling, load_requests, polled_s)
CLIENTS = (
    OURS,
    Client("h2h-load, sleep", str(LOAD), load, load_requests),
    Client("wrk", "wrk", wrk, wrk_requests),
    Client("ab -k", "ab", ab, ab_requests),
    Client(
        "bare loop",
        str(BARE),
        lambda task: [str(task.port), "/article.html", str(task.connections), f"{task.seconds}"],
        bare_requests,
    ),
    Client("h2load --h1", "h2load", h2load, h2load_requests),
    Client("oha", "oha", oha, oha_requests),
    Client("hey", "hey", hey, hey_requests),
    Client("httperf", "httperf", httperf, httperf_requests),
)

BARS = {"wrk": 0.80, "ab -k": 0.92, "bare loop": 1.10}
"""Our CPU time a request, without polls that found nothing, as a share of theirs, is at most this."""

RATES = {"wrk": 0.98}
"""Our requests a second, as a share of theirs, are at least this."""
