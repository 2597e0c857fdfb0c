"""Send the queries of a workload to DuckDB, inside this process, and print a record as ``h2h-load sql`` prints it.

    python client --file h2h.duckdb --engine-threads 2 --connections 1 --mix MIX --warm-up 1s --duration 5s --json -

Users send queries in a closed loop, each in a thread of this program. The client is part of what is measured.
"""

import json
import sys
import time
from pathlib import Path

import engine
import hlog
import loop
import record
import words
from complaint import Complaint
from questions import Questions


def main() -> int:
    """Do what the command line says; return the exit status."""
    try:
        asked = words.read(sys.argv[1:])
        if asked.configuration:
            print(engine.configuration(asked.file, threads=asked.engine_threads), end="")
        else:
            drive(asked)
    except Complaint as complaint:
        print(complaint, file=sys.stderr)
        return complaint.code
    return 0


def drive(asked: words.Words) -> None:
    """Send the queries, measure, and print the record."""
    began_ns = time.monotonic_ns()
    questions = Questions.read(asked.mix)
    zero_ns = began_ns if asked.zero_ns is None else asked.zero_ns
    with engine.Engine(asked.file, threads=asked.engine_threads, writes=questions.writes) as duck:
        counts = loop.run(asked, questions, duck)
    if asked.hlog is not None:
        hlog.append(asked.hlog, asked, counts, zero_ns=zero_ns)
    line = f"{json.dumps(record.record(asked, counts, zero_ns=zero_ns), separators=(',', ':'))}\n"
    if asked.json in (None, "-"):
        sys.stdout.write(line)
    else:
        Path(asked.json).write_text(line, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
