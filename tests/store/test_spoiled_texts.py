"""Spoiled TOML, JSON and readings: each of many seeded changes is read, or refused in words; nothing else happens."""

from pathlib import Path
from random import Random

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.toml.document import toml_in
from headtohead.describe.toml.position import Place
from headtohead.model.errors import RecordError, WordsError
from headtohead.model.plan import Plan
from headtohead.store import read
from headtohead.store.convert import from_json, to_json
from tests.report.plans import PLAN

CHANGES = 400
PIECES = (
    '"',
    "'",
    '"""',
    "[",
    "]",
    "[[",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\\",
    "\n",
    "\r",
    "\0",
    "#",
    "-",
    "1e999",
    "nan",
    "0x",
    "é",
)
STUDY = (find_home().studies / "first.toml").read_text("utf-8")
READINGS = "t_ns,busy_ns,disk_read_bytes\n0,10,\n100,900,4096\n200,2800,8192\n"
WHERE = Path("somewhere")


def spoiled(text: str, chance: Random) -> str:
    """Return the text with one to four pieces taken out, put in, or repeated."""
    for _ in range(chance.randrange(1, 5)):
        at, length = chance.randrange(len(text) + 1), chance.randrange(12)
        put = chance.choice((chance.choice(PIECES), text[at : at + length] * 2, ""))
        text = text[:at] + put + text[at + (length if chance.random() < 0.5 else 0) :]
    return text


@pytest.mark.parametrize("seed", range(4))
def test_a_spoiled_study_is_read_or_refused_in_words(seed: int) -> None:
    chance = Random(f"toml {seed}")
    refused: list[bool] = []
    for _ in range(CHANGES // 4):
        try:
            toml_in(spoiled(STUDY, chance).encode(), "study", home=find_home(), place=Place("first.toml"))
        except WordsError as error:
            refused.append(all((error.what, error.why, error.remedy)))
    assert refused
    assert all(refused)


def test_a_spoiled_plan_is_read_or_refused_in_words() -> None:
    text, chance = to_json(PLAN), Random("json")
    refused: list[bool] = []
    for _ in range(CHANGES // 8):
        try:
            from_json(spoiled(text, chance), Plan, where=WHERE)
        except RecordError as error:
            refused.append(all((error.what, error.why, error.remedy)))
    assert refused
    assert all(refused)


def test_spoiled_readings_are_read_at_once_as_they_are_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = Random("readings")
    texts = [spoiled(READINGS, chance) for _ in range(5 * CHANGES)]

    def told(text: str) -> object:
        try:
            found = read.readings(text, where=WHERE)
        except RecordError:
            return "refused"
        return found.columns, tuple(found.rows)

    at_once = [told(text) for text in texts]
    monkeypatch.setattr(read, "_cells", lambda body, *, width: None)  # noqa: ARG005
    line_by_line = [told(text) for text in texts]

    assert at_once == line_by_line
    assert "refused" in at_once
    assert any(each != "refused" for each in at_once)
