"""Turn the output of clients.py into a batch record.

    parse.py STDOUT

Each second dbench prints a rate in MB/s (10^6 bytes) over all of its measured time; the last of these lines is its
throughput. A table of operations follows: their number, mean and longest time in ms, the clean-up included. The longest
time is read from the line of the total instead, which does not include the clean-up.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NS_PER_MS, NS_PER_S, BYTES_PER_MB = 1_000_000, 1_000_000_000, 1_000_000
MEASURED = re.compile(
    r"^\s*(?P<clients>\d+)\s+\d+\s+[\d.]+ MB/sec\s+execute\s+(?P<seconds>\d+) sec\s+latency [\d.]+ ms$"
)
OPERATION = re.compile(r"^ (?P<name>[A-Z]\w+)\s+(?P<count>\d+)\s+(?P<mean_ms>[\d.]+)\s+(?P<max_ms>[\d.]+)$")
TOTAL = re.compile(
    r"^Throughput (?P<rate>[\d.e+]+) MB/sec\s+(?P<clients>\d+) clients\s+\d+ procs\s+max_latency=(?P<max_ms>[\d.]+) ms$"
)
WARM_UP = re.compile(r"MB/sec\s+warmup\s+(?P<seconds>\d+) sec")
LAST_AT_MOST = 60
FAILED = re.compile(r"failed|expected|error|ERROR")
NO_FAILURE = "failed to create barrier semaphore"
"""dbench reports the first semaphore of a machine, whose number is 0, as missing; a really missing one ends it."""
MUST = ("NTCreateX", "Close", "Qpathinfo", "Find", "WriteX", "ReadX", "Flush", "Unlink")
"""Operations that every client does within a second: files are opened, written, read, searched for and removed."""


class ParseError(Exception):
    """The output lacks a figure for the record."""


def answer(said: Sequence[str], operations: Mapping[str, int], *, clients: int, reported: int, rate: float) -> str:
    """Return "right", or what is wrong: an operation that failed or never happened, or missing clients."""
    failed = [line for line in said if FAILED.search(line) and line.strip() != NO_FAILURE]
    if failed:
        return failed[0][:200]
    if reported != clients:
        return f"{reported} of {clients} clients were at work"
    missing = [name for name in MUST if operations.get(name, 0) < clients]
    if missing:
        return f"too few operations {', '.join(missing)} for {clients} clients: raise the load's seconds"
    return "right" if rate > 0 else "nothing was moved"


def too_short(said: Sequence[str], told: Mapping[str, Any]) -> str:
    """Return why there is no figure: how far dbench came, and what helps."""
    clients, seconds = told["clients"], told["seconds"]
    more = f"raise the load's seconds (now {seconds}) for {clients} clients"
    begun = [int(found["seconds"]) for line in said if (found := WARM_UP.search(line))]
    if any(MEASURED.match(line) for line in said):
        last = next((line.strip() for line in reversed(said) if line.strip()), "nothing")
        return f"dbench ended without a table and a throughput (its last words: {last[:LAST_AT_MOST]}); {more}"
    if begun:
        return f"dbench measured nothing: after {begun[-1]} s not all of its clients had begun; {more} above that"
    return f"dbench measured no whole second: its {seconds} s ended before the first was over; {more}"


def record(told: Mapping[str, Any]) -> dict[str, object]:
    """Return the batch record of a case. Raise ParseError if a figure is missing."""
    said: Sequence[str] = told["said"]
    measured = [found for line in said if (found := MEASURED.match(line))]
    totals = [found for line in said if (found := TOTAL.match(line))]
    table = [found for line in said if (found := OPERATION.match(line))]
    if not measured or not totals or not table or told["last_ns"] is None:
        raise ParseError(too_short(said, told))
    seconds, rate = int(measured[-1]["seconds"]), float(totals[-1]["rate"])
    counts = {each["name"]: int(each["count"]) for each in table}
    spent_ms = sum(int(each["count"]) * float(each["mean_ms"]) for each in table)
    return {
        "format": 1,
        "record": "batch",
        "case": {"clients": told["clients"]},
        "work": round(rate * BYTES_PER_MB * seconds),
        "work_in": "bytes",
        "elapsed_ns": seconds * NS_PER_S,
        "answer": answer(said, counts, clients=told["clients"], reported=int(totals[-1]["clients"]), rate=rate),
        "metrics": {
            "clients": told["clients"],
            "operation_latency_mean_ns": spent_ms * NS_PER_MS / sum(counts.values()),
            "operation_latency_max_ns": float(totals[-1]["max_ms"]) * NS_PER_MS,
            "page_cache": 1,
        },
        "from_ns": told["last_ns"] - seconds * NS_PER_S,
        "to_ns": told["last_ns"],
    }


def main(arguments: Sequence[str]) -> int:
    """Print the record of a case; 1 if there is none."""
    (out,) = arguments
    try:
        made = record(json.loads(Path(out).read_text(encoding="utf-8")))
    except ParseError as error:
        print(f"parse.py: {error}", file=sys.stderr)
        return 1
    except (ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        print(f"parse.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
