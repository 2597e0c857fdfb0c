"""Sessions that log in, post and read back, on a real small service: right, and wrong in three ways."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from headtohead.describe.subject.subjects import read_subject
from tests.contract.bench import need
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import headtohead

pytestmark = pytest.mark.real

NOTES = Path(__file__).parent / "notes"
STEPS = ("log-in", "post", "read-back")
CAUGHT = {
    "token": ("failed", "the step post gave wrong-status"),
    "mixed-up": ("invalid", "(wrong status)"),
    "stale": ("invalid", "(wrong value)"),
}
"""How each fault is noticed: a token that is always refused before the load, the others under it."""
TAKEN: Mapping[str, set[str]] = {"token": set(), "mixed-up": {"log-in", "post"}}
"""The steps that are taken under load with a fault; all with the others."""
SILENT = "no-response"


def steps_taken(folder: Path, run: Mapping[str, Any]) -> set[str]:
    """Return the steps of the session that were taken under load."""
    lines = (folder / "runs" / f"{run['run']:04}" / "records.jsonl").read_text().splitlines()
    return {name for line in lines for name, each in json.loads(line)["queries"].items() if each["sent"] > 0}


def test_sessions_are_checked_and_a_wrong_token_and_a_stale_note_are_caught(tmp_path: Path, lane: Path) -> None:
    shutil.copytree(NOTES, tmp_path / "notes")
    need(read_subject(tmp_path / "notes" / "subjects" / "notes"))

    done = headtohead("run", "notes.toml", cwd=tmp_path / "notes", lane=lane)

    (folder,) = (tmp_path / "notes" / "results").iterdir()
    runs = [json.loads(each.read_text()) for each in sorted(folder.glob("runs/*/run.json"))]
    of = {fault: [each for each in runs if each["treatment"]["fault"] == fault] for fault in ("none", *CAUGHT)}
    for fault, found in of.items():  # on a busy machine a server may answer nothing in its half second, or only few
        of[fault] = [each for each in found if not any(SILENT in reason for reason in each["reasons"])]
        of[fault] = [each for each in of[fault] if TAKEN.get(fault, set(STEPS)) <= steps_taken(folder, each)]
    assert all(of.values()), [each["treatment"] for each in runs]
    assert {each["status"] for each in of["none"]} == {"valid"}, done.stderr
    for fault, (status, reason) in CAUGHT.items():
        assert {each["status"] for each in of[fault]} == {status}
        assert all(reason in str(each["reasons"]) for each in of[fault]), of[fault]
    for each in of["none"]:
        record = json.loads((folder / "runs" / f"{each['run']:04}" / "records.jsonl").read_text())
        assert (record["errors"], set(record["queries"])) == ({}, set(STEPS))
        assert all(each["sent"] == each["right"] > 0 for each in record["queries"].values())
    assert left_behind(done.owner, cache=lane) == nothing()
