"""The command line: the options of ``h2h-load sql`` that make sense for an engine inside the client."""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from complaint import Complaint

TIME = re.compile(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)(ms|s)")
UNITS_NS = {"ms": 1_000_000, "s": 1_000_000_000}
NO_RATE = "questions that take seconds and all CPUs are asked by users who wait for their answers"
MOST_CONNECTIONS = 1000


@dataclass(frozen=True)
class Words:
    """The options; times in ns."""

    file: Path
    engine_threads: int
    configuration: bool
    connections: int
    mix: Path
    warm_up_ns: int
    duration_ns: int
    requests: int | None
    think_ns: int
    timeout_ns: int
    late_after_ns: int | None
    seed: int
    driver: str
    case: Mapping[str, object]
    zero_ns: int | None
    at_ns: int | None
    hlog: Path | None
    json: str | None


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> None:  # type: ignore[override] # what it raises never returns either
        raise Complaint("the command line", why=message, remedy="See client/words.py.", code=2)


def read(argv: Sequence[str]) -> Words:
    """Return the options of a command line. Raise Complaint if one is unknown or wrong."""
    given = _parser().parse_args(argv)
    if given.rate is not None:
        remedy = "Ask for a closed loop with --connections."
        raise Complaint(f"--rate {given.rate}", why=NO_RATE, remedy=remedy, code=2)
    if given.connections > MOST_CONNECTIONS:
        what, remedy = f"{given.connections} connections", f"Ask for at most {MOST_CONNECTIONS}."
        raise Complaint(what, why="each is a thread of this program", remedy=remedy, code=2)
    if given.mix is None and not given.configuration:
        raise Complaint("the queries", why="--mix is missing", remedy="Name their file with --mix.", code=2)
    return Words(
        file=given.file,
        engine_threads=given.engine_threads,
        configuration=given.configuration,
        connections=given.connections,
        mix=given.mix,
        warm_up_ns=given.warm_up,
        duration_ns=given.duration,
        requests=given.requests,
        think_ns=given.think,
        timeout_ns=given.timeout,
        late_after_ns=given.late_after,
        seed=given.seed,
        driver=given.driver,
        case={"connections": given.connections} if given.case is None else given.case,
        zero_ns=given.zero_ns,
        at_ns=given.at,
        hlog=given.hlog,
        json=given.json,
    )


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="client", allow_abbrev=False)
    parser.add_argument("--file", type=Path, required=True, help="the database")
    parser.add_argument("--engine-threads", type=_count, default=1, help="threads of the engine")
    parser.add_argument("--configuration", action="store_true", help="print the settings in force, and ask nothing")
    parser.add_argument("--mix", type=Path, help="what is asked, and where the right answers stand")
    parser.add_argument("--connections", type=_count, default=1, help="users, each of whom waits for the answer")
    parser.add_argument("--rate", help="refused: there is no open loop")
    parser.add_argument("--warm-up", type=_time_ns, default=UNITS_NS["s"])
    parser.add_argument("--duration", type=_time_ns, default=5 * UNITS_NS["s"])
    parser.add_argument("--requests", type=_count, help="the measurement ends after so many, not after --duration")
    parser.add_argument("--think", type=_time_ns, default=0)
    parser.add_argument("--timeout", type=_time_ns, default=5 * UNITS_NS["s"])
    parser.add_argument("--late-after", type=_time_ns)
    parser.add_argument("--no-drain", action="store_true", help="what is under way at the end is abandoned anyway")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--driver", default="local")
    parser.add_argument("--case", type=_case, default=None)
    parser.add_argument("--zero-ns", type=int)
    parser.add_argument("--at", type=int)
    parser.add_argument("--hlog", type=Path)
    parser.add_argument("--json")
    return parser


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError("it is less than 1")
    return count


def _time_ns(text: str) -> int:
    """Return a time in ns.

    >>> _time_ns("1.5s"), _time_ns("250ms")
    (1500000000, 250000000)
    """
    matched = TIME.fullmatch(text)
    if matched is None:
        raise argparse.ArgumentTypeError(f"{text} is not a time; write 5s, 0.5s or 250ms")
    whole, _, part = matched[1].partition(".")
    return (int(whole) * 1_000_000 + int(f"{part:0<6}")) * UNITS_NS[matched[2]] // 1_000_000


def _case(text: str) -> Mapping[str, object]:
    case = json.loads(text)
    if not isinstance(case, dict):
        raise argparse.ArgumentTypeError("a case is a JSON object")
    return case
