"""Writing a results folder: every file appears whole or not at all."""

import hashlib
import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from headtohead.model.analysis.estimates import Measurement
from headtohead.model.analysis.results import Analysis
from headtohead.model.errors import RecordError
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import Run, Status
from headtohead.store.convert import from_json, read_text, to_json
from headtohead.store.layout import Layout
from headtohead.store.measurements import to_csv
from headtohead.store.untrusted.plain import open_plain


def whole(path: Path, text: str, *, mode: int = 0o666) -> None:
    """Write ``text`` so that ``path`` never holds a part of it; ``mode`` has the rights of the new file."""
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.unlink(missing_ok=True)  # a stranger's folder may hold a link of that name
    try:
        made = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        with os.fdopen(made, "w", encoding="utf-8", newline="") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)  # left if writing failed, or if a folder has that name


def begin(layout: Layout, *, study: bytes, plan: Plan, hosts: Iterable[HostFacts]) -> None:
    """Make a results folder with the study, the plan and the machines.

    The plan is written last: a folder without one was never begun, and may be used.
    """
    layout.runs.mkdir(parents=True, exist_ok=True)
    whole(layout.study, study.decode("utf-8"))
    whole(layout.hosts, to_json({"hosts": tuple(hosts)}))
    whole(layout.plan, to_json(plan))


def run(layout: Layout, done: Run, *, files: Mapping[str, Path | bytes], partial: Path) -> Run:
    """Keep one run: its folder appears by one rename. Return it with the checksums of its files.

    ``files`` maps names in the folder (``records.jsonl``, ``logs/subject.err``) to their current path, or to their
    content. A link there is an OSError, as a subject may have placed it. ``partial`` is a path next to the final one,
    for what is not yet whole; its owner removes it if this process dies.
    """
    partial.mkdir()
    sums = {}
    for name, source in files.items():
        target = partial / name
        target.parent.mkdir(exist_ok=True)
        if isinstance(source, bytes):
            target.write_bytes(source)
        else:
            with open_plain(source, within=source.parents[name.count("/")]) as said, target.open("xb") as copy:
                shutil.copyfileobj(said, copy)
        if "/" not in name:
            sums[name] = "sha256:" + hashlib.sha256(target.read_bytes()).hexdigest()
    kept = replace(done, files=sums)
    whole(partial / "run.json", to_json(kept))
    partial.rename(layout.run(done.run))
    return kept


def tidy(layout: Layout) -> None:
    """Remove runs and files that never became whole; call it only if no one else writes here."""
    if layout.runs.is_symlink():
        raise RecordError(
            f"{layout.runs} is not a folder",
            why="it is a link, and its target may belong to others.",
            remedy="Remove it; `headtohead run` then begins a new results folder.",
        )
    for path in layout.root.glob(".*.[0-9]*"):
        path.unlink()
    for path in layout.runs.glob(".*"):
        shutil.rmtree(path)


def end(layout: Layout, stopped: Mapping[str, str]) -> None:
    """Record that the study is finished, and why each experiment ended."""
    whole(layout.end, to_json({"stopped": stopped}))


def analysis(layout: Layout, result: Analysis, measurements: Iterable[Measurement]) -> None:
    """Write analysis.json and measurements.csv, which can always be made again from the runs."""
    whole(layout.analysis, to_json(result))
    whole(layout.measurements, to_csv(measurements))


def mark_invalid(layout: Layout, number: int, *, reason: str) -> None:
    """Make a kept run invalid, with one more reason; a failed run stays failed."""
    path = layout.run(number) / "run.json"
    run = from_json(read_text(path, within=layout.root), Run, where=path)
    status: Status = "failed" if run.status == "failed" else "invalid"
    whole(path, to_json(replace(run, status=status, reasons=(*run.reasons, reason))))
