"""Files of a results folder that are too large, of another kind, or full of what no machine says: refused unread."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from headtohead.model.errors import RecordError
from headtohead.model.harmless_text import harmless
from headtohead.store import read, write
from headtohead.store.convert import parsed
from headtohead.store.layout import Layout
from headtohead.store.run import records
from headtohead.store.run.images import check_names
from headtohead.store.untrusted import bounds, plain_files
from tests import hostile
from tests.images import png
from tests.sealing import seal_again

GIB = 1024**3
READ = (
    "plan.json",
    "hosts.json",
    "end.json",
    "noise.json",
    "runs/0001/run.json",
    "runs/0001/records.jsonl",
    "runs/0001/readings.csv",
    "runs/0001/configuration.tsv",
    "runs/0001/images/frame.png",
)
"""Every file of a results folder that is read."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results folder that nobody spoiled."""
    return hostile.whole(tmp_path_factory.mktemp("results") / "whole")


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of it, to be spoiled."""
    return shutil.copytree(whole, tmp_path / "spoiled")


def refused(folder: Path) -> RecordError:
    """Return the error that the folder is refused with."""
    with pytest.raises(RecordError) as caught:
        read.recording(folder)
    assert caught.value.remedy
    return caught.value


def change(path: Path, edit: Callable[[dict[str, object]], object]) -> None:
    """Change a JSON file."""
    document = json.loads(path.read_text())
    edit(document)
    path.write_text(json.dumps(document))


def test_the_folder_is_read_where_nobody_spoiled_it(whole: Path) -> None:
    found = read.recording(whole)

    assert len(found.runs) == 31  # 6 blocks of 3 and of 2 treatments, and a second attempt
    assert found.runs[0].readings is not None
    assert found.runs[0].configuration
    assert found.runs[0].images
    assert found.noise is not None


@pytest.mark.parametrize("name", READ)
def test_a_file_of_ten_gib_is_refused_unread(folder: Path, name: str) -> None:
    os.truncate(folder / name, 10 * GIB)

    why = refused(folder).why.lower()

    assert "larger than" in why or "are read" in why


@pytest.mark.parametrize("name", READ)
def test_a_link_is_not_followed(folder: Path, name: str) -> None:
    elsewhere = folder.parent / "elsewhere"
    (folder / name).rename(elsewhere)
    (folder / name).symlink_to(elsewhere)

    assert "symbolic link" in refused(folder).why


@pytest.mark.parametrize("name", ["hosts.json", "runs/0001/run.json", "runs/0001/images/frame.png"])
def test_a_pipe_is_not_waited_for(folder: Path, name: str) -> None:
    (folder / name).unlink()
    os.mkfifo(folder / name)

    assert "not a plain file" in refused(folder).why.lower()


@pytest.mark.parametrize("name", READ[:-1])
def test_bytes_that_are_no_text_are_refused(folder: Path, name: str) -> None:
    with (folder / name).open("ab") as file:
        file.write(b"\xff\xfe\n")
    seal_again(folder)

    assert "utf-8" in refused(folder).why


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "too deeply"),
        ('{"a":' * 100_000, "too deeply"),
        ('{"format": 1, "title": NaN}', "not a number"),
        ('{"format": 1, "seed": -Infinity}', "not a number"),
        ('{"format": 1, "seed": 1e400}', "too large"),
        ('{"format": 1, "seed": ' + "9" * 5000 + "}", "too large"),
        ("", "not JSON"),
        ("null", "format 1"),
    ],
)
def test_json_that_no_program_of_ours_writes_is_refused(folder: Path, text: str, says: str) -> None:
    (folder / "plan.json").write_text(text)

    assert says in refused(folder).why


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seed", "nan"),
        ("seed", True),
        ("seed", 1.5),
        ("seed", "5"),
        ("within_min", "inf"),
        ("within_min", {"a": []}),
        ("title", 5),
        ("title", ["a"]),
        ("experiments", [1] * 100_000),
        ("titles", ["nginx"]),
    ],
)
def test_a_value_of_another_kind_is_no_value(folder: Path, name: str, value: object) -> None:
    change(folder / "plan.json", lambda document: document.update({name: value}))

    error = refused(folder)

    assert "plan.json cannot be read" in error.what
    assert len(error.why) < 400


def test_a_nested_value_is_neither_what_was_read_back_nor_an_answer(folder: Path) -> None:
    run = folder / "runs/0001/run.json"
    change(run, lambda document: document.update({"read_back": {"cpus": [[0]]}}))
    seal_again(folder)
    assert "run.json cannot be read" in refused(folder).what

    with pytest.raises(TypeError, match="case"):
        records.record({"format": 1, "record": "batch", "case": {"a": [1]}})


@pytest.mark.parametrize(
    "wrong",
    [{"sent": -1}, {"right": 1.5}, {"elapsed_ns": -1}, {"errors": {"timeout": -3}}, {"loop": 3}, {"driver": None}],
)
def test_a_count_below_zero_is_no_count(wrong: dict[str, object]) -> None:
    right = {"driver": "local", "case": {}, "loop": "closed", "elapsed_ns": 9, "from_ns": 0, "to_ns": 9}
    line = {"format": 1, "record": "load", **right, "sent": 1, "right": 1, "errors": {}}
    assert records.record(line)

    with pytest.raises(TypeError):
        records.record({**line, **wrong})


def test_work_below_zero_is_no_work() -> None:
    line = {"format": 1, "record": "batch", "case": {}, "work": -1, "work_in": "operations", "elapsed_ns": 9}

    with pytest.raises(ValueError, match="work"):
        records.record({**line, "answer": "verified", "metrics": {}})


def test_a_cell_that_is_too_long_is_refused(folder: Path) -> None:
    (folder / "runs/0001/readings.csv").write_text("t_ns\n" + "1" * 200_000 + "\n")
    seal_again(folder)

    assert "field larger than field limit" in refused(folder).why


@pytest.mark.parametrize(
    ("limit", "most", "says"),
    [
        ("MOST_RUNS", 30, "31 runs"),
        ("MOST_CELLS", 100, "values in the readings"),
        ("MOST_EXPERIMENTS", 1, "2 experiments"),
        ("MOST_TREATMENTS", 2, "3 treatments"),
        ("MOST_BLOCKS", 9, "10 blocks"),
        ("MOST_PLACES", 13, "14 treatments times cases"),  # 3 of 2 cases, 2 of 4
        ("LONGEST_NAME", 20, "letters in one name"),
    ],
)
def test_more_than_any_study_has_is_refused(
    whole: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, says: str
) -> None:
    monkeypatch.setattr(bounds, limit, most)

    error = refused(whole)

    assert "is too large" in error.what
    assert says in error.why


def test_what_all_runs_tell_is_limited_together(folder: Path) -> None:
    for number in (1, 2, 3):
        os.truncate(folder / f"runs/{number:04d}/records.jsonl", 60 * plain_files.MIB)

    error = refused(folder)

    assert f"{folder / 'runs'} is too large" in error.what
    assert "180 MiB" in error.why


def test_a_plan_of_a_million_runs_of_nothing_is_refused(folder: Path) -> None:
    change(folder / "plan.json", lambda document: document.update({"experiments": [{}] * 1_000_000}))

    assert "plan.json cannot be read" in refused(folder).what


def test_an_image_that_claims_to_be_huge_is_refused(folder: Path) -> None:
    (folder / "runs/0001/images/frame.png").write_bytes(png(width=100_000, height=100_000, rows=1))
    seal_again(folder)

    assert "100000 x 100000 pixels" in refused(folder).why


@pytest.mark.parametrize("name", ["../../escape.png", "a/b.png"])
def test_a_name_that_leads_out_of_its_folder_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="not a plain name"):
        check_names([name])


@pytest.mark.parametrize("name", ["..", "0001x", "1", "00001", "\u0661\u0662\u0663\u0664", "-001"])
def test_other_names_among_the_runs_are_no_runs(folder: Path, name: str) -> None:
    (folder / "runs" / name).mkdir(exist_ok=True)

    assert len(read.recording(folder).runs) == 31


def test_runs_that_lie_elsewhere_are_not_read_and_nothing_there_is_taken_away(folder: Path) -> None:
    elsewhere = (folder / "runs").rename(folder.parent / "elsewhere")
    (elsewhere / ".mine").mkdir()
    (folder / "runs").symlink_to(elsewhere)

    refused(folder)
    with pytest.raises(RecordError, match="is not a folder"):
        write.tidy(Layout(folder))
    assert (elsewhere / ".mine").is_dir()


def test_what_steers_a_terminal_is_replaced_in_every_kind_of_file(folder: Path) -> None:
    hostile.spoil(folder, hostile.free_text, words=["\x1b[2J\x9b2J\u202e"])

    found = read.recording(folder)

    assert found.plan.title == "A first look at this machine\ufffd[2J\ufffd2J\ufffd"
    first = found.runs[0]
    for part in (found.plan, found.hosts, found.noise, first.run, first.records, first.readings, first.configuration):
        assert not any(escape in repr(part) for escape in ("\\x1b", "\\x9b", "\\u202e"))


def test_half_a_letter_is_replaced_as_no_file_can_hold_it() -> None:
    assert parsed(r'{"a\ud800": ["\udfff", "\u00e4"]}') == {"a\ufffd": ["\ufffd", "\u00e4"]}
    assert harmless("a\tb\nc") == "a\tb\nc"
    assert harmless("\r\x7f\u2066") == "\ufffd\ufffd\ufffd"
