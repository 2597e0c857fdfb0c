"""Many results folders: found by name or in a folder of them, read of three files, each by itself."""

import json
from pathlib import Path

import pytest

from headtohead.model.analysis.systems import ArmKey, Broken, SystemResults
from headtohead.model.errors import RecordError, WordsError
from headtohead.store.layout import Layout
from headtohead.store.measurements import COLUMNS, primary_values
from headtohead.store.read_systems import Folder, folders, system, systems
from tests.analyze.building import plan
from tests.analyze.fleet import HERE, folder, lone
from tests.sealing import seal_again

HEAD = ",".join(COLUMNS) + "\n"
WHERE = Path("measurements.csv")
NAMED = {"a": "overall"}
LINE = "a,1,1,A,valid,,overall,12.5\n"


def line(run: int, block: int, value: float, *, status: str = "valid", arm: str = "A") -> str:
    return f"a,{run},{block},{arm},{status},,overall,{value}\n"


def test_the_primary_values_of_valid_runs_are_read_and_nothing_else() -> None:
    others = "a,1,1,A,valid,connections=10,overall,7\na,1,1,A,valid,,other,7\na,1,1,A,valid,,rate,no number\n"
    text = HEAD + LINE + others + line(2, 2, 13.5) + line(3, 3, 99, status="invalid") + line(4, 4, 20, arm="B")
    assert primary_values(text, NAMED, where=WHERE) == {("a", "A"): (12.5, 13.5), ("a", "B"): (20.0,)}


def test_of_several_valid_runs_in_a_block_the_latest_counts_wherever_it_stands() -> None:
    text = HEAD + line(3, 1, 30) + line(1, 1, 10) + line(4, 1, 40, status="failed") + line(2, 2, 20)
    assert primary_values(text, NAMED, where=WHERE) == {("a", "A"): (30.0, 20.0)}


@pytest.mark.parametrize(
    ("text", "number", "why"),
    [
        ("", 0, "the columns are not"),
        (HEAD + "a,1,1,A\n", 2, "it has 4 cells, not 8"),
        (HEAD + LINE + LINE, 3, "it has overall of run 1 twice"),
        (HEAD + LINE + LINE.replace("a,1,", "a,01,"), 3, "it has overall of run 1 twice"),
        (HEAD + LINE.replace("a,", "z,", 1), 2, "the experiment 'z' is not in plan.json"),
        (HEAD + LINE.replace("12.5", "inf"), 2, "not a finite number"),
        (HEAD + LINE.replace("valid", "lovely"), 2, "not one of valid, uncounted, invalid, failed"),
        (HEAD + LINE.replace("a,1,", "a,-1,"), 2, "not a whole number"),
        (HEAD + '"a,1\n', 2, "unexpected end of data"),
    ],
)
def test_a_line_that_is_none_of_ours_is_named_with_the_reason(text: str, number: int, why: str) -> None:
    with pytest.raises(RecordError) as error:
        primary_values(text, NAMED, where=WHERE)
    assert error.value.why.startswith(f"line {number}: ")
    assert why in error.value.why


def test_more_lines_than_any_study_has_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headtohead.store.measurements.MOST_LINES", 1)
    with pytest.raises(RecordError, match="cannot be read") as error:
        primary_values(HEAD + LINE + line(2, 2, 1), NAMED, where=WHERE)
    assert "more than 1 values" in error.value.why


def test_a_system_is_read_of_three_files_alone(tmp_path: Path) -> None:
    root = folder(tmp_path / "2026-11-20-first", [100.0, 101.0])
    Layout(root).study.unlink()
    Layout(root).runs.rmdir()
    assert system(Folder("it", root)) == SystemResults(
        "it",
        plan(lone()),
        {key: (value, None) for key, value in HERE.items()},
        {ArmKey("static-page", "nginx"): (100.0, 101.0)},
    )


def test_true_and_one_are_not_the_same_fact(tmp_path: Path) -> None:
    told = [
        system(Folder(name, folder(tmp_path / name, [1.0], facts={("x", "y"): value})))
        for name, value in (("a", 1), ("b", True), ("c", 1.0))
    ]
    assert [type(each.facts["x", "y"][0]) for each in told] == [int, bool, float]


def test_a_folder_that_is_broken_does_not_stop_the_others(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        folder(tmp_path / name, [1.0])
    (tmp_path / "b" / "plan.json").write_text("{")
    (tmp_path / "c" / "measurements.csv").unlink()
    first, second, third = systems(folders([tmp_path]))
    assert isinstance(first, SystemResults)
    assert isinstance(second, Broken)
    assert isinstance(third, Broken)
    assert (second.name, third.name) == ("b", "c")
    assert "plan.json cannot be read: it is not JSON" in second.why
    assert third.why.endswith("it holds no measurements.csv.")


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"format": 1, "hosts": {}}',
        '{"format": 1, "hosts": [{}]}',
        '{"format": 1, "hosts": [{"facts": [{"group": "a", "name": "b", "value": 1}]}]}',
        '{"format": 1, "hosts": [{"facts": [{"group": "a", "name": "b", "value": [], "unit": null}]}]}',
        '{"format": 1, "hosts": [{"facts": [{"group": "a", "name": "b", "value": 1, "unit": 7}]}]}',
        '{"format": 1, "hosts": [{"facts": [{"group": 3, "name": "b", "value": 1, "unit": null}]}]}',
        '{"format": 1, "hosts": [{"facts": [{"group": "a", "name": "b", "value": 1e999, "unit": null}]}]}',
        "[" * 100_000,
        "\udcff",
    ],
)
def test_facts_of_another_form_are_refused(text: str, tmp_path: Path) -> None:
    root = folder(tmp_path / "a", [1.0])
    (root / "hosts.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(RecordError, match="cannot be read"):
        system(Folder("a", root))


def test_values_of_a_treatment_that_was_not_planned_are_refused(tmp_path: Path) -> None:
    root = folder(tmp_path / "a", {("static-page", "zeus"): [1.0]})
    with pytest.raises(RecordError, match="does not belong here"):
        system(Folder("a", root))


def test_files_that_are_links_are_refused(tmp_path: Path) -> None:
    root = folder(tmp_path / "a", [1.0])
    elsewhere = Layout(root).hosts.rename(tmp_path / "elsewhere")
    Layout(root).hosts.symlink_to(elsewhere)
    with pytest.raises(RecordError, match="cannot be read"):
        system(Folder("a", root))


def test_a_folder_of_folders_stands_for_them_by_name_and_for_nothing_else_in_it(tmp_path: Path) -> None:
    for name in ("b", "a"):
        folder(tmp_path / name, [1.0])
    (tmp_path / "notes").mkdir()
    (tmp_path / "half").mkdir()
    (tmp_path / "half" / "hosts.json").write_text("{}")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "plan.json").write_text("{}")
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    assert [each.name for each in folders([tmp_path])] == ["a", "b", "half"]
    assert [each.name for each in folders([tmp_path / "b", tmp_path / "a"])] == ["b", "a"]


def test_folders_of_one_name_are_told_apart(tmp_path: Path) -> None:
    made = [folder(tmp_path / parent / "first", [1.0]) for parent in ("old", "new", "x/old")]
    assert [each.name for each in folders(made[:2])] == ["old/first", "new/first"]
    assert [each.name for each in folders(made)] == ["old/first", "new/first", "old/first (2)"]


def test_a_name_that_would_steer_a_terminal_is_shown_without_that(tmp_path: Path) -> None:
    assert folders([folder(tmp_path / "a\x1b[31m", [1.0])])[0].name == "a?[31m"


def test_a_folder_named_twice_in_any_way_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = folder(tmp_path / "a", [1.0])
    (tmp_path / "link").symlink_to(root)
    monkeypatch.chdir(root)
    for twice in ([root, root], [tmp_path, root], [root, tmp_path / "link"], [root, Path()], [root, Path("../a")]):
        with pytest.raises(WordsError, match="compare"):
            folders(twice)


def test_a_folder_that_holds_no_results_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    for path in (tmp_path, tmp_path / "nowhere"):
        with pytest.raises(RecordError, match="is not a results folder"):
            folders([path])


def test_folders_of_one_kind_share_their_plan(tmp_path: Path) -> None:
    told = [system(each) for each in folders([folder(tmp_path / name, [1.0]) for name in ("a", "b")])]
    assert told[0].plan is told[1].plan
    document = json.loads((tmp_path / "b" / "plan.json").read_text())
    (tmp_path / "b" / "plan.json").write_text(json.dumps(document | {"title": "Another"}))
    seal_again(tmp_path / "b")
    assert [system(each).plan.title for each in folders([tmp_path])] == ["A study", "Another"]
