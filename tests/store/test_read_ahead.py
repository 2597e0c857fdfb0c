"""Runs that several processes read and one checks: what is read, excluded and refused is as when one reads them."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.model.errors import RecordError
from headtohead.store import read
from headtohead.store.layout import Layout
from headtohead.store.run import read_ahead
from tests.sealing import seal_again
from tests.store.test_folder import begun, keep

Change = Callable[[Layout], object]
RUNS = 4


def appended(name: str, text: str = " ") -> Change:
    return lambda layout: (layout.run(3) / name).write_text((layout.run(3) / name).read_text() + text)


def leading_out(layout: Layout) -> None:
    told = layout.run(3) / "run.json"
    told.write_text(told.read_text().replace('"logs/x.err"', '"../0001/logs/x.err"'))
    seal_again(layout.root)


def linked(layout: Layout) -> None:
    (layout.run(3) / "records.jsonl").unlink()
    (layout.run(3) / "records.jsonl").symlink_to(layout.run(1) / "records.jsonl")


def sealed_nonsense(layout: Layout) -> None:
    (layout.run(3) / "records.jsonl").write_text("nonsense\n")
    seal_again(layout.root)


CHANGES: dict[str, Change] = {
    "nothing": lambda _: None,
    "its records": appended("records.jsonl"),
    "its records are no JSON": appended("records.jsonl", "nonsense\n"),
    "its run.json": appended("run.json"),
    "its run.json is no JSON": appended("run.json", "}"),
    "a log": appended("logs/x.err"),
    "a file is missing": lambda layout: (layout.run(3) / "records.jsonl").unlink(),
    "a file is a link": linked,
    "a name leads out": leading_out,
    "records that cannot be read are sealed": sealed_nonsense,
    "the run is missing": lambda layout: shutil.rmtree(layout.run(3)),
}


def seen(layout: Layout) -> object:
    try:
        return read.recording(layout.root)
    except RecordError as error:
        return (error.what, error.why, error.remedy)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_several_processes_find_what_one_finds(change: Change, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    layout = begun(tmp_path)
    for number in range(1, RUNS + 1):
        keep(layout, number)
    change(layout)
    alone = seen(layout)
    monkeypatch.setattr(read_ahead, "MANY", 1)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    assert seen(layout) == alone


def test_runs_are_read_ahead_with_their_sums(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_ahead, "MANY", 1)
    layout = begun(tmp_path)
    keep(layout, 1)
    (found,) = read_ahead.read_ahead(layout, [1], read.recorded)
    assert found.found == read.recorded(layout, 1)
    assert sorted(found.sums) == ["runs/0001/logs/x.err", "runs/0001/records.jsonl", "runs/0001/run.json"]
