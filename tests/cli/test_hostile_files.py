"""Files of a results folder that strangers changed, took away or put something else in place of do no harm."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from tests import hostile
from tests.conftest import Command
from tests.hostile import UNSHOWN

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of numpy and matplotlib, about numbers that no machine has
    pytest.mark.usefixtures("charts_drawn_once"),
]
WITHIN_S = 120


@pytest.fixture(autouse=True)
def _in_time() -> Iterator[None]:
    """End a test that hangs: opening a pipe may."""

    def over(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        raise AssertionError(f"it was not done within {WITHIN_S} s")

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(WITHIN_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize("seed", range(16))
def test_one_wrong_value_is_an_error_in_words_or_does_no_harm(spoiled: Path, command: Command, seed: int) -> None:
    what = hostile.change_one(spoiled, Random(seed))

    code, out, err = command("report", spoiled)

    assert code in (0, 1), what
    assert UNSHOWN.search(out + err) is None, what
    if code:
        assert out == "", what
        assert all(part in err for part in ("error:", "why:", "do:")), what
    else:
        assert (spoiled / "report.html").read_text().rstrip().endswith("</html>"), what


@pytest.mark.parametrize("name", ["report.html", "report.md", "analysis.json", "measurements.csv"])
def test_what_a_link_in_the_folder_leads_to_is_not_written(spoiled: Path, command: Command, name: str) -> None:
    mine = spoiled.parent / "mine"
    mine.write_text("mine")
    (spoiled / name).symlink_to(mine)
    (spoiled / f".{name}.{os.getpid()}").symlink_to(mine)

    assert command("report", spoiled)[0] == 0

    assert mine.read_text() == "mine"
    assert not (spoiled / name).is_symlink()
    assert not list(spoiled.glob(".*"))


def test_a_folder_in_place_of_the_report_is_an_error_that_leaves_nothing_behind(
    spoiled: Path, command: Command
) -> None:
    (spoiled / "report.html").mkdir()

    code, _, err = command("report", spoiled)

    assert code == 1
    assert "report.html" in "".join(err.split())
    assert not list(spoiled.glob(".*"))


@pytest.mark.parametrize(
    "name",
    [
        *("plan.json", "hosts.json", "end.json", "runs/0001/run.json", "runs/0001/records.jsonl"),
        *hostile.STATED,
    ],
)
@pytest.mark.parametrize("kind", ["pipe", "link to a device", "link to a folder above", "folder"])
def test_what_is_no_plain_file_is_not_opened(spoiled: Path, command: Command, name: str, kind: str) -> None:
    place = spoiled / name
    place.unlink()
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to("/dev/zero" if kind == "link to a device" else "../../..")

    code, out, err = command("report", spoiled)

    if code:
        assert code in (1, 2)
        assert "do:" in err
    else:
        assert name in ("end.json", "runs/0001/records.jsonl")  # a folder may lack them; the report says what it lacks
        assert out


@pytest.mark.parametrize("name", hostile.STATED)
@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "larger than|too long"),
        ('x = "\\u001b[2J"\n', "control a terminal"),
        (f"x = {'9' * 5000}\n", "integer"),
        (f"{'a.' * 5000}b = 1\n", "nested too deeply"),
    ],
    ids=["ten GiB", "an escape", "a number of 5000 digits", "tables in tables"],
)
def test_a_file_of_words_that_no_one_wrote_is_refused(
    spoiled: Path, command: Command, name: str, text: str, why: str
) -> None:
    (spoiled / name).write_text(text)
    if not text:
        os.truncate(spoiled / name, 10 * 1024**3)

    code, out, err = command("report", spoiled)

    assert (code in (1, 2), out) == (True, "")
    assert re.search(why, " ".join(err.split()).lower())
    assert UNSHOWN.search(err) is None


@pytest.mark.parametrize(
    ("right", "wrong", "why"),
    [
        ('"matters": 1.03', '"matters": 0', "a margin is at least 1"),
        ('"of": "goodput_per_s"', '"of": "nothing"', "the files contradict each other (KeyError in "),
    ],
)
def test_a_folder_that_contradicts_itself_is_an_error_with_all_three_parts(
    spoiled: Path, command: Command, right: str, wrong: str, why: str
) -> None:
    plan = spoiled / "plan.json"
    plan.write_text(plan.read_text().replace(right, wrong))

    code, out, err = command("report", spoiled)

    assert (code, out) == (1, "")
    told = " ".join(err.split())
    assert "cannot be analyzed" in told
    assert why in told
    assert "Copy the results folder again" in told


def test_numbers_that_no_machine_has_print_no_warning_of_a_library(spoiled: Path) -> None:
    for path in spoiled.glob("runs/*/records.jsonl"):
        path.write_text(re.sub(r'("goodput_per_s": )[0-9.e+]+', r"\g<1>1e-320", path.read_text()))

    ended = subprocess.run(
        [sys.executable, "-m", "headtohead", "report", spoiled], capture_output=True, text=True, check=False
    )

    assert "Warning" not in ended.stderr
    assert "Traceback" not in ended.stderr
