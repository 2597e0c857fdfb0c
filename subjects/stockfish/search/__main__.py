"""Let an engine search fixed positions to a fixed depth, and print a batch record for each case.

search --engine PATH --positions FILE --cases FILE --count N --hash-mib M --threads T
"""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from check import answer, mates_complaint, moves_complaint, perft, read_search
from positions import Position, PositionError, read_positions
from uci import Engine, EngineError

NS_PER_S = 1_000_000_000
WORKING_SHARE = 0.1
"""A thread counts as working from this share of the CPU time of the busiest one."""

Scalar = int | float | str


class CaseError(Exception):
    """A case names no depth."""


def read_cases(path: Path) -> Iterator[dict[str, Scalar]]:
    """Yield the cases of a file: ``depth=13``, further fields separated by commas."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = dict(each.split("=", 1) for each in line.split(",") if "=" in each)
        if not fields.get("depth", "").isdecimal() or int(fields["depth"]) < 1:
            raise CaseError(f"the case {line!r} names no depth")
        yield {name: _number(value) for name, value in fields.items()}


def _number(text: str) -> Scalar:
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def record(
    engine: Engine, case: dict[str, Scalar], positions: Sequence[Position], *, legal: Sequence[frozenset[str]]
) -> dict[str, object]:
    """Return the record of one case: one position after the other, with earlier results still in the hash."""
    depth = case["depth"]
    engine.fresh()
    before = engine.busy_ns()
    said = []
    from_ns = time.monotonic_ns()
    for position in positions:
        said.append(engine.ask(f"position fen {position.fen}", f"go depth {depth}", until="bestmove"))
    to_ns = time.monotonic_ns()
    busy = [used - before.get(thread, 0) for thread, used in engine.busy_ns().items()]
    searches = [read_search(each) for each in said]
    nodes = sum(each.nodes for each in searches if each is not None)
    return {
        "format": 1,
        "record": "batch",
        "case": case,
        "work": nodes,
        "work_in": "nodes",
        "elapsed_ns": to_ns - from_ns,
        "from_ns": from_ns,
        "to_ns": to_ns,
        "answer": answer(searches, positions, legal=legal, depth=depth),
        "metrics": {
            "nodes_visited": nodes,
            "threads": sum(each > WORKING_SHARE * max(busy) for each in busy),
            "time_to_depth_s": (to_ns - from_ns) / NS_PER_S,
        },
    }


def records(words: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield the record of each case. A wrong result before the measured time is the answer of every case."""
    cases = list(read_cases(words.cases))
    positions = read_positions(words.positions, count=words.count)
    with Engine([words.engine]) as engine:
        complaint = moves_complaint(engine) or mates_complaint(engine, positions)
        legal = [perft(engine, each.fen, plies=1)[1] for each in positions]
        engine.set("Threads", words.threads)
        engine.set("Hash", words.hash_mib)
        for case in cases:
            found = record(engine, case, positions, legal=legal)
            yield found if complaint is None else {**found, "answer": complaint}


def main(arguments: Sequence[str]) -> int:
    """Print a record for each case; 1 if the engine fails, 2 if the arguments are wrong."""
    parser = argparse.ArgumentParser(prog="search", description="Search chess positions to a fixed depth.")
    for name in ("--positions", "--cases"):
        parser.add_argument(name, type=Path, required=True)
    for name in ("--count", "--hash-mib", "--threads"):
        parser.add_argument(name, type=int, required=True)
    parser.add_argument("--engine", required=True)
    try:
        for each in records(parser.parse_args(arguments)):
            print(json.dumps(each), flush=True)
    except (CaseError, PositionError, OSError) as error:
        print(f"search: {error}", file=sys.stderr)
        return 2
    except EngineError as error:
        print(f"search: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
