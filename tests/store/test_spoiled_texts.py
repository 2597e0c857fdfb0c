"""Spoiled TOML, JSON and readings: each of many seeded changes is read, or refused in words; nothing else happens."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from benches.make_runs import Asked, make
from headtohead.describe.home import find_home
from headtohead.describe.toml.document import toml_in
from headtohead.describe.toml.position import Place
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Plan
from headtohead.model.record import Run
from headtohead.store import read
from headtohead.store.convert import from_json, to_json
from headtohead.store.proof import seal
from headtohead.store.run.records import records
from tests.report.plans import PLAN
from tests.spoiling import numbers_spoiled, spoiled, spoilings

CHANGES = 400
STUDY = (find_home().studies / "first.toml").read_text("utf-8")
READINGS = "t_ns,busy_ns,disk_read_bytes\n0,10,\n100,900,4096\n200,2800,8192\n"
WHERE = Path("somewhere")


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a results folder of invented runs, for every file of which there is a reader."""
    folder = tmp_path_factory.mktemp("invented") / "results"
    make(folder, Asked(4, 1))
    return folder


def test_a_spoiled_study_is_read_or_refused_in_words() -> None:
    refused: list[bool] = []
    for text in spoilings("TOML of a study", STUDY, times=CHANGES):
        try:
            toml_in(text.encode(), "study", home=find_home(), place=Place("first.toml"))
        except WordsError as error:
            refused.append(all((error.what, error.why, error.remedy)))
    assert refused
    assert all(refused)


def test_a_spoiled_plan_is_read_or_refused_in_words() -> None:
    refused: list[bool] = []
    for text in spoilings("JSON of a plan", to_json(PLAN), times=CHANGES // 8):
        try:
            from_json(text, Plan, where=WHERE)
        except RecordError as error:
            refused.append(all((error.what, error.why, error.remedy)))
    assert refused
    assert all(refused)


def read_run(text: str) -> object:
    return from_json(text, Run, where=WHERE)


def read_hosts(text: str) -> object:
    return from_json(text, dict[str, tuple[HostFacts, ...]], where=WHERE)


def read_sealed(text: str) -> object:
    return from_json(text, seal.Seal, where=WHERE)


def read_records(text: str) -> object:
    return records(text, where=WHERE)


@pytest.mark.parametrize("spoil", [spoiled, numbers_spoiled])
@pytest.mark.parametrize(
    ("name", "read_text"),
    [
        ("runs/0001/run.json", read_run),
        ("runs/0001/records.jsonl", read_records),
        ("hosts.json", read_hosts),
        ("seal.json", read_sealed),
    ],
)
def test_a_spoiled_file_of_results_is_read_or_refused_in_words(
    invented: Path, name: str, read_text: Callable[[str], object], spoil: Callable[[str, Random], str]
) -> None:
    refused: list[bool] = []
    text = (invented / name).read_text()
    assert read_text(text)
    for each in spoilings(f"{name}, {spoil.__name__}", text, times=CHANGES // 2, spoil=spoil):
        try:
            read_text(each)
        except RecordError as error:
            refused.append(all((error.what, error.why, error.remedy)))
    assert refused
    assert all(refused)


def test_spoiled_readings_are_read_at_once_as_they_are_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def found(text: str) -> object:
        try:
            readings = read.readings(text, where=WHERE)
        except RecordError:
            return "refused"
        return readings.columns, tuple(readings.rows)

    seen: list[bool] = []
    for text in spoilings("CSV of readings", READINGS, times=5 * CHANGES):
        at_once = found(text)
        with monkeypatch.context() as patch:
            patch.setattr(read, "_cells", lambda body, *, width: None)  # noqa: ARG005
            assert found(text) == at_once, text
        seen.append(at_once == "refused")
    assert any(seen)
    assert not all(seen)
