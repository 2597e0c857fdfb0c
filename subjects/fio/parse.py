"""Turn the output of stream.py about fio's timed pass into a batch record.

    parse.py STDOUT MEMORY_MIB

MEMORY_MIB is the memory that the programs may use, page cache included, or "unlimited".
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

NS_PER_MS, NS_PER_S = 1_000_000, 1_000_000_000
MIB = 1024 * 1024
TIMES_THE_MEMORY = 2
"""The page cache cannot hold enough of files that are this many times the memory to matter."""


class ParseError(Exception):
    """The output lacks a figure for the record."""


def answer(asked: Mapping[str, Any], jobs: Sequence[Mapping[str, Any]], compared: Mapping[str, Any]) -> str:
    """Return "verified", or what is wrong: errors, other bytes than requested, other content than written."""
    flows = [job[asked["operation"]] for job in jobs]
    total = asked["processes"] * asked["size_mib"] * MIB
    moved, operations = sum(each["io_bytes"] for each in flows), sum(each["total_ios"] for each in flows)
    broken = sum(each["short_ios"] + each["drop_ios"] for each in flows)
    if len(jobs) != asked["processes"] or any(job["error"] for job in jobs):
        return (
            f"{len(jobs)} of {asked['processes']} processes reported, {sum(bool(j['error']) for j in jobs)} with errors"
        )
    if moved != total or operations != total // (asked["block_kib"] * 1024) or broken:
        return f"{moved} of {total} bytes were moved, in {operations} operations, {broken} of them cut short or dropped"
    if compared["wrong"] or compared["bytes"] != total:
        return f"other content than was written: {compared['wrong'] or str(compared['bytes']) + ' bytes are right'}"
    return "verified"


def in_page_cache(asked: Mapping[str, Any], memory_mib: str) -> bool:
    """Whether the kernel may have held the files in memory: not with direct access, and not if they are too large."""
    if asked["access"] == "direct":
        return False
    limit = None if memory_mib == "unlimited" else int(memory_mib)
    return limit is None or asked["processes"] * asked["size_mib"] < TIMES_THE_MEMORY * limit


def record(said: Mapping[str, Any], memory_mib: str) -> dict[str, object]:
    """Return the batch record of a case."""
    asked, jobs = said["asked"], said["timed"]
    flows = [job[asked["operation"]] for job in jobs]
    work = sum(each["io_bytes"] for each in flows)
    elapsed_ns = NS_PER_MS * max(each["runtime"] for each in flows)
    if elapsed_ns <= 0:
        raise ParseError("the pass took less than a millisecond, which is fio's clock: move more bytes")
    operations = sum(each["total_ios"] for each in flows)
    cached = in_page_cache(asked, memory_mib)
    metrics = {
        "clients": len(jobs),
        "client_least_bytes_per_s": min(each["io_bytes"] * NS_PER_S / (NS_PER_MS * each["runtime"]) for each in flows),
        "operation_latency_mean_ns": sum(each["lat_ns"]["mean"] * each["total_ios"] for each in flows) / operations,
        "operation_latency_max_ns": max(each["lat_ns"]["max"] for each in flows),
        "page_cache": int(cached),
    }
    return {
        "format": 1,
        "record": "batch",
        "case": {name: asked[name] for name in ("access", "operation", "processes")},
        "work": work,
        "work_in": "bytes",
        "elapsed_ns": elapsed_ns,
        "answer": answer(asked, jobs, said["compared"]),
        "metrics": metrics if cached else metrics | {"disk_bytes_per_s": work * NS_PER_S / elapsed_ns},
        "from_ns": max(said["from_ns"], said["to_ns"] - elapsed_ns),  # without fio's start, which takes CPU of its own
        "to_ns": said["to_ns"],
    }


def main(arguments: Sequence[str]) -> int:
    """Print the record of a case; 1 if there is none."""
    out, memory_mib = arguments
    try:
        made = record(json.loads(Path(out).read_text(encoding="utf-8")), memory_mib)
    except (ParseError, ValueError, KeyError, TypeError, ZeroDivisionError) as error:
        print(f"parse.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(made))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
