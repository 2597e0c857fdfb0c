"""Results folders that somebody changed: each is refused, or what was changed is named and no verdict stands."""

import json
import re
import shutil
from pathlib import Path

import pytest

from tests.cli.forging import CAREFUL, CARELESS, drop, flip
from tests.conftest import Command
from tests.sealing import seal_again

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of numpy, about numbers that no machine has
    pytest.mark.usefixtures("charts_drawn_once"),
]
NAMED = ("better", "worse", "same")


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "2026-11-20-forged")


def first_verdicts(root: Path) -> list[str]:
    analysis = json.loads((root / "analysis.json").read_text())
    return [each["verdict"] for each in analysis["experiments"][0]["comparisons"]]


def test_what_nobody_changed_has_a_verdict_and_is_verified(folder: Path, command: Command) -> None:
    assert command("report", folder)[0] == 0
    assert set(first_verdicts(folder)) & set(NAMED)
    analysis = json.loads((folder / "analysis.json").read_text())
    assert not [each for one in analysis["experiments"] for each in one["findings"] if "seal" in each["id"]]

    code, out, err = command("verify", folder)

    assert (code, err) == (0, "")
    assert re.search(r"as it was recorded\. 31 runs, seal [0-9a-f]{16}\.", out)
    assert analysis["seal"] in out
    assert analysis["seal"] in (folder / "report.md").read_text()


def refused_or_named(folder: Path, command: Command) -> None:
    """Check that a folder is refused, or what is wrong with it is named and there is no verdict."""
    code, out, err = command("compare", folder, "--json")
    if code:
        assert all(part in err for part in ("error:", "why:", "do:"))
    else:
        first = json.loads(out)["experiments"][0]
        findings = [each for each in first["findings"] if each["id"] == "not-as-recorded"]
        assert findings[0]["says"].startswith("The results are not as they were recorded: ")
        assert not {each["verdict"] for each in first["comparisons"]} & set(NAMED)
    assert command("verify", folder)[0] == 1


@pytest.mark.parametrize("how", CARELESS)
def test_a_folder_that_was_changed_is_refused_or_the_change_is_named(folder: Path, command: Command, how: str) -> None:
    CARELESS[how](folder)

    refused_or_named(folder, command)


@pytest.mark.parametrize("how", CAREFUL)
def test_a_folder_that_was_changed_and_sealed_again_contradicts_itself(
    folder: Path, command: Command, how: str
) -> None:
    CAREFUL[how](folder)
    seal_again(folder)

    refused_or_named(folder, command)


def test_a_table_that_was_changed_is_not_compared_with_others(whole: Path, folder: Path, command: Command) -> None:
    other = shutil.copytree(whole, folder.parent / "other")
    for each in (folder, other):
        command("report", each)
    table = folder / "measurements.csv"
    table.write_text(re.sub(r",(\d)(\d*)\.", r",1\1\2.", table.read_text()))

    code, _, err = command("compare", folder, other)

    assert code == 1
    assert "measurements.csvisnotwhatwasrecorded" in "".join(err.split())  # a long path is broken over lines
    assert "measurements.csv is not what the runs give" in command("verify", folder)[1]


def test_a_changed_folder_names_the_change_on_its_page_and_does_not_get_a_sealed_table(
    whole: Path, folder: Path, command: Command
) -> None:
    other = shutil.copytree(whole, folder.parent / "other")
    command("report", other)
    flip("runs/0003/readings.csv")(folder)
    command("report", folder)
    assert not set(first_verdicts(folder)) & set(NAMED)
    page = (folder / "report.md").read_text().replace("\\", "")
    assert "runs/0003/readings.csv is not what was recorded: its SHA-256 differs" in page

    code, _, err = command("compare", folder, other)

    assert code == 1
    assert "measurements.csvisnotwhatwasrecorded" in "".join(err.split())  # a long path is broken over lines


def test_a_folder_of_before_the_seal_is_read_with_a_doubt(folder: Path, command: Command) -> None:
    drop("seal.json")(folder)
    for path in folder.glob("runs/*/run.json"):
        run = json.loads(path.read_text())
        run.pop("follows")
        run["files"] = {name: told for name, told in run["files"].items() if "/" not in name}
        path.write_text(json.dumps(run))

    code, out, _ = command("report", folder)

    assert code == 0
    assert set(first_verdicts(folder)) & set(NAMED)
    assert "No seal: later changes" in " ".join(out.split())
    code, out, _ = command("verify", folder)
    assert (code, "not sealed" in out) == (1, True)
    assert not (folder / "seal.json").exists()


def test_a_table_that_was_changed_and_sealed_again_is_not_compared_with_others(
    whole: Path, folder: Path, command: Command
) -> None:
    other = shutil.copytree(whole, folder.parent / "other")
    for each in (folder, other):
        command("report", each)
    assert command("compare", folder, other)[0] == 0
    table = folder / "measurements.csv"
    table.write_text(re.sub(r",(\d)(\d*)\.", r",1\1\2.", table.read_text()))
    seal_again(folder)

    code, _, err = command("compare", folder, other)

    assert code == 1
    assert "measurements.csvisnotwhattherunsgive" in "".join(err.split())
    command("report", folder)
    assert command("compare", folder, other)[0] == 0, "its table is that of its runs again"


def test_a_run_that_was_changed_and_sealed_again_is_not_compared_with_others(
    whole: Path, folder: Path, command: Command
) -> None:
    other = shutil.copytree(whole, folder.parent / "other")
    for each in (folder, other):
        command("report", each)
    next(iter(CAREFUL.values()))(folder)
    seal_again(folder)

    assert command("compare", folder, other)[0] == 1
