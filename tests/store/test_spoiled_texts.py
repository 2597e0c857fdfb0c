"""Spoiled TOML, JSON and readings: each of many seeded changes is read, or refused in words; nothing else happens."""

from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.toml.document import toml_in
from headtohead.describe.toml.position import Place
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.plan import Plan
from headtohead.store import read
from headtohead.store.convert import from_json, to_json
from tests.report.plans import PLAN
from tests.spoiling import spoilings

CHANGES = 400
STUDY = (find_home().studies / "first.toml").read_text("utf-8")
READINGS = "t_ns,busy_ns,disk_read_bytes\n0,10,\n100,900,4096\n200,2800,8192\n"
WHERE = Path("somewhere")


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
