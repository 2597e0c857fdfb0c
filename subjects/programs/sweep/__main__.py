"""Repeat everyday programs on known input, one or more copies at once, and print a batch record for each case.

sweep --data DIR --cases FILE --seconds 2 --copies 2 --own DIR
"""

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from copies import Outcome, run_copies
from program import Data, ProgramError, Right, Stage
from programs import PROGRAMS

NS_PER_S = 1_000_000_000
MOST_COPIES = 1024
SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
RIGHT = "right"


class CaseError(Exception):
    """A case names no known program."""


def read_cases(path: Path) -> list[str]:
    """Return the programs in the cases of a file, such as ``program=xz``."""
    names = []
    for line in path.read_text(encoding="utf-8").splitlines():
        field, _, name = line.partition("=")
        if field != "program" or name not in PROGRAMS:
            raise CaseError(f"there is no program of {line!r}; there are {', '.join(PROGRAMS)}")
        names.append(name)
    return names


def read_data(folder: Path) -> Data:
    """Return a data set with its right answers."""
    with (folder / "answers.csv").open(encoding="ascii", newline="") as file:
        right = {row["key"]: Right(int(row["length_bytes"]), row["sha256"]) for row in csv.DictReader(file)}
    return Data(folder, right)


def record(name: str, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return the record of a case: work / elapsed time is the sum of what each copy did in its own time."""
    repetitions = sum(each.repetitions for each in outcomes)
    rate = sum(each.repetitions / (each.to_ns - each.from_ns) for each in outcomes)
    complaints = [f"copy {number}: {each.complaint}" for number, each in enumerate(outcomes) if each.complaint]
    return {
        "format": 1,
        "record": "batch",
        "case": {"program": name},
        "work": repetitions,
        "work_in": "iterations",
        "elapsed_ns": round(repetitions / rate),
        "from_ns": min(each.from_ns for each in outcomes),
        "to_ns": max(each.to_ns for each in outcomes),
        "answer": complaints[0] if complaints else RIGHT,
        "metrics": {"copies": len(outcomes)},
    }


def records(words: argparse.Namespace) -> Iterator[dict[str, object]]:
    """Yield the record of each case."""
    data = read_data(words.data)
    for name in read_cases(words.cases):

        def make(number: int, name: str = name) -> Stage:
            own = words.own / f"copy-{number}"
            own.mkdir(parents=True, exist_ok=True)
            return Stage(PROGRAMS[name], data, own, SCRIPTS)

        yield record(name, run_copies(words.copies, make, long_ns=round(words.seconds * NS_PER_S)))


def read_words(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="sweep", description="Repeat everyday programs on known input.")
    for name in ("--data", "--cases", "--own"):
        parser.add_argument(name, type=Path, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--copies", type=int, required=True)
    words = parser.parse_args(arguments)
    if not 0 < words.seconds <= 86400:
        parser.error("--seconds is above 0 and at most a day")
    if not 1 <= words.copies <= MOST_COPIES:
        parser.error(f"--copies is from 1 to {MOST_COPIES}")
    return words


def main(arguments: Sequence[str]) -> int:
    """Print a record for each case; 1 if a program fails, 2 if the arguments are wrong."""
    try:
        for each in records(read_words(arguments)):
            print(json.dumps(each), flush=True)
    except (CaseError, OSError, KeyError) as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 2
    except ProgramError as error:
        print(f"sweep: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
