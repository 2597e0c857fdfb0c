"""Writing a results folder: every file appears whole or not at all."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import Run
from headtohead.store import durable
from headtohead.store.convert import to_json
from headtohead.store.durable import make_folders, whole
from headtohead.store.layout import Layout
from headtohead.store.proof import seal
from headtohead.store.run.excluded import read_excluded
from headtohead.store.untrusted import plain_files
from headtohead.store.untrusted.bounds import MOST_READINGS_BYTES
from headtohead.store.untrusted.plain_files import open_plain

MOST_LOG_BYTES = 16 * plain_files.MIB
CUT = b"\n(headtohead kept no more than 16 MiB of this log)\n"


def begin(layout: Layout, *, study: bytes, plan: Plan, hosts: Iterable[HostFacts]) -> None:
    """Make a results folder with the study, the plan and the machines, and seal it.

    The plan is written last: a folder without one was never begun, and may be used.
    """
    make_folders(layout.runs)
    whole(layout.study, study.decode("utf-8"))
    whole(layout.hosts, to_json({"hosts": tuple(hosts)}))
    text = to_json(plan)
    seal.begin(layout, plan=text.encode())
    whole(layout.plan, text)


def run(layout: Layout, done: Run, *, files: Mapping[str, Path | bytes], partial: Path) -> Run:
    """Keep one run: its folder appears by one rename, then the seal has it. Return it with the sums of its files.

    ``files`` maps names in the folder (``records.jsonl``, ``logs/subject.err``) to their current path, or to their
    content. A link there is an OSError, as a subject may have placed it. ``partial`` is a path next to the final one,
    for what is not yet whole; its owner removes it if this process dies. When this returns, the run is on the disk.
    """
    disk = durable.DISK
    disk.make_folder(partial)
    sums = {}
    inner = {partial}
    for name, source in files.items():
        target = partial / name
        if target.parent not in inner:
            disk.make_folder(target.parent)
            inner.add(target.parent)
        disk.write(target, _parts(source, depth=name.count("/"), log=name.startswith("logs/")))
        disk.sync(target)
        sums[name] = seal.sum_of_file(target, within=partial)
    kept = replace(done, files=sums, follows=seal.head_of(layout))
    whole(partial / "run.json", to_json(kept))
    for folder in sorted(inner, reverse=True):
        disk.sync_folder(folder)
    disk.rename(partial, layout.run(done.run))
    disk.sync_folder(layout.runs)
    seal.add_run(layout, done.run)
    return kept


def _parts(source: Path | bytes, *, depth: int, log: bool) -> Iterator[bytes]:
    """Yield the bytes of a file that lies ``depth`` folders below one of ours, no more of them than are ever read.

    A program may write without end, or make a file of any length without a byte in it.
    """
    if isinstance(source, bytes):
        yield source
        return
    left = MOST_LOG_BYTES if log else MOST_READINGS_BYTES
    with open_plain(source, within=source.parents[depth]) as said:
        while left and (part := said.read(min(left, plain_files.MIB))):
            left -= len(part)
            yield part
        if log and said.read(1):
            yield CUT


def tidy(layout: Layout) -> None:
    """Remove runs and files that never became whole; call it only if no one else writes here."""
    if layout.runs.is_symlink():
        raise RecordError(
            f"{layout.runs} is not a folder",
            why="it is a link, and its target may belong to others.",
            remedy="Remove it; `headtohead run` then begins a new results folder.",
        )
    layout.runs.mkdir(exist_ok=True)  # somebody may have removed them all, to measure anew
    for path in layout.root.glob(".*.[0-9]*"):
        path.unlink()
    for path in layout.runs.glob(".*"):
        shutil.rmtree(path)


def end(layout: Layout, stopped: Mapping[str, str]) -> None:
    """Record that the study is finished, and why each experiment ended."""
    whole(layout.end, to_json({"stopped": stopped}))
    seal.keep(layout, layout.end.name)


def analysis(layout: Layout, document: str, table: str, *, proved: bool) -> None:
    """Write the texts of analysis.json and measurements.csv, which can always be made again from the runs.

    The table is sealed only if the runs it was made from are ``proved``.
    """
    whole(layout.analysis, document)
    whole(layout.measurements, table)
    if proved:
        seal.keep(layout, layout.measurements.name)


def charts(layout: Layout, files: Iterable[tuple[str, bytes]]) -> None:
    """Write the files of charts in place of all earlier ones.

    They can always be drawn again, so nothing waits for the disk.
    """
    folder = layout.charts
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        raise RecordError(
            f"{folder} is not a folder",
            why="charts are written into a folder of that name, and a link may lead to the files of others.",
            remedy="Remove or rename it, and draw the charts again.",
        )
    folder.mkdir(exist_ok=True)
    for old in (*folder.glob("*.svg"), *folder.glob("*.png")):
        old.unlink()
    for name, content in files:
        durable.DISK.write(folder / name, [content])


def mark_invalid(layout: Layout, number: int, *, reason: str) -> None:
    """Make a kept run invalid, with one more reason, in excluded.json: the run's own files are never changed."""
    reasons = {**read_excluded(layout), str(number): reason}
    whole(layout.excluded, to_json({"excluded": reasons}))
    seal.keep(layout, layout.excluded.name)
