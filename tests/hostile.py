"""A small results folder that is whole, and what strangers may make of it."""

import csv
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from random import Random
from typing import Any, get_args

from headtohead.model.case import WHOLE_RUN
from headtohead.model.machine.host import Fact, HostFacts
from headtohead.model.machine.noise import NoiseFloor
from headtohead.model.plan import Comparison, LeftOut, Plan, PlannedExperiment, PlannedRun, Treatment
from headtohead.model.quantity import Better, By, Metric, Scalar, Source, Summary
from headtohead.model.record import BatchRecord, CaseRecord, CpuUse, LoadRecord, Phase, Recorded, Run, Status
from headtohead.model.study.workload import DataSet, Load, Loop
from headtohead.store import write
from headtohead.store.layout import Layout
from headtohead.store.machine_records import keep_floor
from tests.histograms import log
from tests.honest import honest, in_order
from tests.images import png
from tests.report.facts import FACTS
from tests.report.plans import EXPERIMENTS, PLAN
from tests.report.runs import runs
from tests.sealing import seal_again

WORD = (
    "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>](javascript:alert(3))"
    "\x1b]0;x\x07\x9b2J\u202e`~\n~~~\n# X"
)
"""Markup, a link, escapes of terminals, a turn of the reading, Markdown, and the end of a line."""

UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""What no output of ours holds, whatever a results folder does."""

KINDS = (Plan, PlannedExperiment, Treatment, Comparison, PlannedRun, LeftOut, Metric, Summary, Load, DataSet)
KEPT = (Run, Phase, CpuUse, HostFacts, Fact, NoiseFloor, LoadRecord, BatchRecord)
WORDS = (Status, Better, Source, By, Loop)
OURS = {
    *(each.name for kind in (*KINDS, *KEPT) for each in fields(kind)),
    *(word for literal in WORDS for word in get_args(literal)),
    *("format", "record", "refused", "why_not", "stopped", "kept", "measure", "metric", "t_ns"),
}
"""Words that a reader knows: with others in their place a file is refused, and nothing is shown of it."""


def whole(root: Path) -> Path:
    """Write a results folder of two experiments, a load and a batch program, with every file that one may have."""
    layout = Layout(root)
    study, plan = honest(replace(PLAN, experiments=EXPERIMENTS[:2]))
    keep_floor(layout.root, _FLOOR)
    write.begin(layout, study=study, plan=plan, hosts=(FACTS,))
    for each in in_order(plan, runs()):
        lines = "".join(f"{_line(record, run=each.run.run)}\n" for record in each.records)
        files = {"records.jsonl": lines.encode(), **_FILES}
        write.run(layout, _told_more(each), files=files, partial=layout.runs / f".{each.run.run}")
    write.end(layout, {each.name: "decided" for each in plan.experiments})
    for name, text in STATED.items():
        (root / name).write_text(text)
    return root


_STARTED = re.compile(r"\d{4}-\d{2}-\d{2}T[0-9:.]+Z")
"""A run that did not start at any time is left out, and nothing else of it is shown."""

STATED = {
    "system.toml": """format = 1
title = "A lab server"
chassis = "a box"
remarks = "none"
fits = { cpu = { threads = 2 } }
price = { amount = 4200, currency = "EUR", date = "2026-11-01", source = "an offer", years = 4, covers = "all of it" }
power = { idle_w = 80, load_w = 210, by = "A. Person", date = "2026-11-20", how = "a meter at the wall" }
""",
    "prices.toml": """format = 1
currency = "EUR"
gb_sent = { amount = 0.05, date = "2026-11-01", source = "a list" }
kwh = { amount = 0.31, date = "2026-11-01", source = "a bill" }
""",
    "given.toml": """format = 1

[[given]]
workload = "static-page"
test     = "A static page elsewhere"
system   = "A server"
value    = 1234.5
unit     = "pages"
who      = "its maker"
when     = "2008-03"
note     = "as told"
""",
}
"""What people say of the machine, of prices and of other machines."""

IN_TOML = "<img src=x onerror=alert(1)>](javascript:2)&'~~~"
"""What such a file may hold: letters that steer a terminal are refused there."""


_FLOOR = NoiseFloor(
    "noise", "noise", "nginx", "2026-11-19T10:00:00Z", 200, (6, 10), 1000, 41, (1.03, 1.02), 0.01, 3.1, ()
)
_FILES = {
    "readings.csv": b"t_ns,busy_ns,disk_read_bytes\n0,10,\n1000000000,900000000,4096\n3000000000,2800000000,8192\n",
    "configuration.tsv": b"worker_processes\t1\tauto\nsendfile\ton\t\n",
    "times.hlog": log(('{"connections": 10}', [[1_000_000] * 300])).encode(),
    "logs/subject.err": b"a line that the subject wrote\n",
    "images/frame.png": png(),
}


def _told_more(each: Recorded) -> Run:
    gate: dict[str, Scalar] = {"case": "connections=10", "quiet": True, "waited_s": 0.5, "foreign_cpus": 0.01}
    phases = (Phase("start", None, 0, 10), Phase("measure", WHOLE_RUN, 0, 60_000_000_000))
    made: dict[str, dict[str, Scalar]] = {"nginx": {"load_s": 1.5, "made_at": "2026-11-20T09:00:00Z"}}
    return replace(each.run, phases=phases, gates=(gate,), prepared=made, usage={"threads": 2.0, "processes": None})


def _line(record: CaseRecord, *, run: int) -> str:
    told = {**asdict(record), "case": dict(record.case)}
    if isinstance(record, LoadRecord):
        told = {key: value for key, value in told.items() if key not in ("values", "queries", "counters")}
        own = {"driver_memory_peak_bytes": 6_291_456 + run}  # a run is repeated with other values
        return json.dumps({"format": 1, "record": "load", **told, **record.values, **own})
    assert isinstance(record, BatchRecord)
    return json.dumps({"format": 1, "record": "batch", **told, "why_not": "no counter for it"})


def every_word(text: str) -> bool:
    """Tell whether a text is none of the words that a reader knows."""
    return text not in OURS


def free_text(text: str) -> bool:
    """Tell whether a text is no name: a title, a question, a reason, a processor's model."""
    return text not in OURS and re.fullmatch(r"[a-z0-9_./:=-]*", text) is None


def spoil(root: Path, chosen: Callable[[str], bool], *, words: Sequence[str] = (WORD,)) -> None:
    """Put a word behind every chosen text of every file, and seal the folder again; equal texts stay equal."""

    def put(text: str) -> str:
        word = words[zlib.crc32(text.encode()) % len(words)]
        return text + word if chosen(text) and _STARTED.fullmatch(text) is None else text

    for path in sorted(root.rglob("*.json")):
        path.write_text(json.dumps(_put(json.loads(path.read_text()), put)))
    for path in root.rglob("records.jsonl"):
        lines = [json.dumps(_put(json.loads(line), put)) for line in path.read_text().splitlines()]
        path.write_text("".join(f"{line}\n" for line in lines))
    for path in root.rglob("*.csv"):
        table = [[put(cell) if cell and not _is_number(cell) else cell for cell in row] for row in _rows(path)]
        path.write_text(_csv(table), newline="")
    for name in STATED:
        text = (root / name).read_text()
        (root / name).write_text(
            re.sub(r'(?<=[ "])((?!EUR|static-page|pages)[A-Za-z. ]+[a-z])"', rf'\1{IN_TOML}"', text)
        )
    if chosen("threads"):
        (root / "system.toml").unlink()  # the fact by which it knows its machine has another name now
    one_line = re.sub(r"[\n\t]", " ", words[0][:100])
    for path in root.rglob("configuration.tsv"):
        path.write_text(re.sub(r"([a-z]+)(?=\t|$)", lambda found: found[0] + one_line, path.read_text(), flags=re.M))
    seal_again(root)


def _put(value: Any, put: Callable[[str], str]) -> Any:  # noqa: ANN401
    if isinstance(value, str):
        return put(value)
    if isinstance(value, list):
        return [_put(each, put) for each in value]
    if isinstance(value, dict):
        return {put(key): _put(each, put) for key, each in value.items()}
    return value


def _rows(path: Path) -> list[list[str]]:
    with path.open(newline="") as file:
        return list(csv.reader(file))


def _csv(rows: list[list[str]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"[-+.0-9e]+", cell) is not None


WRONG: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**18,
    1e300,
    -1e300,
    1e-300,
    0.5,
    "",
    "nan",
    WORD,
    [],
    {},
    [[]],
    {"a": {}},
)


def change_one(root: Path, chance: Random) -> str:
    """Put another value in place of one of a file's, or take it away, and seal the folder again; return what it was."""
    path = chance.choice(sorted({*root.glob("*.json"), *root.glob("runs/000?/*.json*")}))
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.suffix == ".jsonl" else None
    document = json.loads(path.read_text()) if lines is None else lines
    holder, key = chance.choice(list(_places(document)))
    wrong = chance.choice((*WRONG, "taken away"))
    if wrong == "taken away":
        del holder[key]
    else:
        holder[key] = wrong
    text = json.dumps(document) if lines is None else "".join(f"{json.dumps(each)}\n" for each in lines)
    path.write_text(text)
    if path.name != "seal.json":
        seal_again(root)
    return f"{path.relative_to(root)}: {key} is {str(wrong)[:20]!r}"


def _places(value: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401
    """Yield every place of a document that holds a value, as what holds it and the key there."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from _places(value[key])
