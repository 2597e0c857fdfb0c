"""Turn the line that Bonnie++ printed into batch records, one for each test that was requested.

    parse.py STDOUT MEMORY_MIB

MEMORY_MIB is the memory that the program may use, page cache included, or "unlimited". Bonnie++ prints values between
commas, in the order of COLUMNS (format 1.98, of versions 1.98 and 2.00; see bon_csv2txt(1)). K is 1024 bytes. ``+++++``
means that a test took less than half a second, an empty value that it did not run.
"""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

FORMAT = "1.98"
BYTES_PER_K = 1024
NS_PER_S = 1_000_000_000
CHARACTERS = ("putc", "getc")
"""Bonnie++ does these on 20 MiB only, whatever the size of the file."""
STREAMS = ("putc", "put_block", "rewrite", "getc", "get_block")
FILES = ("seq_create", "seq_stat", "seq_del", "ran_create", "ran_stat", "ran_del")
TESTS = (*STREAMS, "seeks", *FILES)
COLUMNS = (
    *("format_version", "bonnie_version", "name", "concurrency", "seed", "file_size", "chunk_size", "seeks_asked"),
    "seek_proc_count",
    *chain.from_iterable((each, f"{each}_cpu") for each in (*STREAMS, "seeks")),
    *("num_files", "max_size", "min_size", "num_dirs", "file_chunk_size"),
    *chain.from_iterable((each, f"{each}_cpu") for each in FILES),
    *(f"{each}_latency" for each in TESTS),
)
TOO_FAST = re.compile(r"\++")
TIME = re.compile(r"(?P<number>\d+)(?P<unit>us|ms|s)")
NS_PER = {"us": 1_000, "ms": 1_000_000, "s": NS_PER_S}
TIMES_THE_MEMORY = 2
SAYS_TOO_FAST = "Bonnie++ says +++++: less than half a second, too fast to be measured"


class ParseError(Exception):
    """The output lacks a figure for the record."""


def values(line: str) -> dict[str, str]:
    """Return the values of a line by the names of their columns. Raise ParseError if the format is another."""
    cells = line.strip().split(",")
    if cells[0] != FORMAT or len(cells) != len(COLUMNS):
        raise ParseError(
            f"{len(cells)} values of format {cells[0][:20]!r} where {len(COLUMNS)} of {FORMAT} were expected"
        )
    return dict(zip(COLUMNS, cells, strict=True))


def size_mib(text: str) -> int | None:
    """Return a size in MiB, printed in GiB or MiB, or None for any other text."""
    number, unit = text[:-1], text[-1:]
    return int(number) * {"M": 1, "G": 1024}[unit] if number.isdecimal() and unit in "MG" else None


def metrics(found: Mapping[str, str], test: str) -> dict[str, float]:
    """Return the CPU share and the longest time of a test, as far as they are printed."""
    told: dict[str, float] = {}
    if found[f"{test}_cpu"].isdecimal():
        told["program_cpu_share"] = int(found[f"{test}_cpu"]) / 100
    longest = TIME.fullmatch(found[f"{test}_latency"])
    if longest:
        told["operation_latency_max_ns"] = int(longest["number"]) * NS_PER[longest["unit"]]
    return told


def record(found: Mapping[str, str], test: str, *, cached: bool) -> dict[str, object]:
    """Return the batch record of a test: the work of one second at its rate, or no work if it was too fast."""
    figure, streams = found[test], test in STREAMS
    cached = cached or test in (*CHARACTERS, *FILES)
    told = metrics(found, test) | {"page_cache": int(cached)}
    made: dict[str, object] = {"format": 1, "record": "batch", "case": {"test": test}, "elapsed_ns": NS_PER_S}
    if TOO_FAST.fullmatch(figure):
        return {**made, "work": 0, "work_in": "nothing", "answer": "done", "metrics": told, "why_not": SAYS_TOO_FAST}
    if not figure.isdecimal() or int(figure) == 0:
        return {**made, "work": 0, "work_in": "nothing", "answer": f"no figure but {figure!r}", "metrics": told}
    work = int(figure) * (BYTES_PER_K if streams else 1)
    if streams and not cached:
        told["disk_bytes_per_s"] = work
    work_in = "bytes" if streams else "operations"
    return {**made, "work": work, "work_in": work_in, "answer": "done", "metrics": told}


def records(said: Mapping[str, Any], memory_mib: str) -> list[dict[str, object]]:
    """Return one record for each test that was requested."""
    found = values(said["csv"])
    size, files = f"{said['size_mib']}M", str(said["files_1024"])
    if (size_mib(found["file_size"]), found["num_files"]) != (said["size_mib"], files):
        raise ParseError(f"it worked on {found['file_size']} and {found['num_files']} files, not on {size} and {files}")
    limit = None if memory_mib == "unlimited" else int(memory_mib)
    cached = limit is None or said["size_mib"] < TIMES_THE_MEMORY * limit
    return [record(found, each, cached=cached) for each in said["tests"]]


def main(arguments: Sequence[str]) -> int:
    """Print the records; 1 if there are none."""
    out, memory_mib = arguments
    try:
        made = records(json.loads(Path(out).read_text(encoding="utf-8")), memory_mib)
    except (ParseError, ValueError, KeyError, TypeError) as error:
        print(f"parse.py: {type(error).__name__}: {error}", file=sys.stderr)
        return 1
    for each in made:
        print(json.dumps(each))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
