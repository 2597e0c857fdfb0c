"""Run a program that loads a file server, and print the rate that it measured as a batch record.

nbench and tbench print a line each second, and their rate at the end. Each line is kept with the instant at which it
came, because the instants of the measured time are needed and the programs print none.
"""

import argparse
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

NS_PER_S = 1_000_000_000
BYTES_PER_MB = 1_000_000
"""Both programs multiply bytes by 1.0e-6."""
LEAST_S = 2
"""Both programs print their first figure after one second, and none if they end then."""
RIGHT = "right"


class LoadError(Exception):
    """The server failed, or the load program failed or printed no measurement."""


@dataclass(frozen=True)
class Line:
    """One line that a load program printed, and when it came (ns, CLOCK_MONOTONIC)."""

    at_ns: int
    text: str


@dataclass(frozen=True)
class Throughput:
    """The rate that a load program printed, the seconds that it is the mean of, and when they ended."""

    mb_per_s: float
    seconds: int
    ended_ns: int

    @property
    def bytes(self) -> int:
        """The number of bytes that were read and written in ``seconds``."""
        return round(self.mb_per_s * BYTES_PER_MB * self.seconds)


def first_match(lines: Sequence[Line], pattern: re.Pattern[str]) -> re.Match[str] | None:
    """Return the match of the first line that is of a pattern, or None if there is none."""
    return next((found for line in lines if (found := pattern.fullmatch(line.text))), None)


def unexpected(lines: Sequence[Line], expected: Sequence[re.Pattern[str]]) -> tuple[str, ...]:
    """Return the lines that do not belong to a run without trouble."""
    return tuple(each.text for each in lines if not any(pattern.fullmatch(each.text) for pattern in expected))


def run(argv: Sequence[str], *, name: str, expected: Sequence[re.Pattern[str]]) -> list[Line]:
    """Return what a program prints to standard output and standard error, which go to our standard error as well.

    Raise LoadError if it fails, with the first line that is of no ``expected`` pattern.
    """
    lines: list[Line] = []
    with subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as program:
        for text in program.stdout or ():
            lines.append(Line(time.monotonic_ns(), text.rstrip("\n")))
            print(lines[-1].text, file=sys.stderr)
    if program.returncode != 0:
        why = next(iter(unexpected(lines, expected)), "it printed no reason")
        raise LoadError(f"{name} ended with {program.returncode}: {why}")
    return lines


def record(
    throughput: Throughput, *, clients: int, answer: str, metrics: Mapping[str, float] | None = None
) -> dict[str, object]:
    """Return the batch record of a case. Its time is the time that the program's rate is the mean of."""
    return {
        "format": 1,
        "record": "batch",
        "case": {"clients": clients},
        "work": throughput.bytes,
        "work_in": "bytes",
        "elapsed_ns": throughput.seconds * NS_PER_S,
        "from_ns": throughput.ended_ns - throughput.seconds * NS_PER_S,
        "to_ns": throughput.ended_ns,
        "answer": answer,
        "metrics": {"clients": clients, **(metrics or {})},
    }


def print_record(
    arguments: Sequence[str], parser: argparse.ArgumentParser, load: Callable[[argparse.Namespace], dict[str, object]]
) -> int:
    """Load the server as the arguments say and print the record.

    Return 1 if the server or the load program fails. Exit with 2 if the arguments are wrong.
    """
    parser.add_argument("--address", required=True)
    for name in ("--port", "--clients", "--seconds"):
        parser.add_argument(name, type=int, required=True)
    options = parser.parse_args(arguments)
    if options.clients < 1 or options.seconds < LEAST_S:
        parser.error(f"at least 1 client and {LEAST_S} seconds are needed")
    try:
        print(json.dumps(load(options)), flush=True)
    except (LoadError, OSError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0
