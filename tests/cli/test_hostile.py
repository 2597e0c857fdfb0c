"""What strangers put into a results folder does no harm: not in the page, not on the terminal, not to other files."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from types import FrameType

import pytest

from headtohead.cli.commands.results.report import render
from headtohead.report.text.names import CODE_WORDS
from tests import hostile
from tests.conftest import Command
from tests.hostile import UNSHOWN

pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of numpy and matplotlib, about numbers that no machine has
    pytest.mark.usefixtures("charts_drawn_once"),
]
WITHIN_S = 120
OUR_COLORS = re.compile(r"\x1b\[[0-9;]*m")


class Elements(HTMLParser):
    """Walks a page: its elements with their attributes, where its links lead, what its scripts say."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: set[tuple[str, str]] = set()
        self.links: set[str] = set()
        self.scripts: list[str] = []
        self.inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside = tag
        self.kinds |= {(tag, "")} | {(tag, name) for name, _ in attrs}
        self.links |= {value or "" for name, value in attrs if name in ("href", "src", "action", "xlink:href")}
        self.scripts += [""] if tag == "script" else []

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        if self.inside == "script":
            self.scripts[-1] += data


def elements(page: Path) -> Elements:
    found = Elements()
    found.feed(page.read_text())
    found.close()
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a results folder that nobody spoiled."""
    return hostile.whole(tmp_path_factory.mktemp("results") / "2026-11-20-whole")


@pytest.fixture(scope="module")
def usual(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of it with its report."""
    root = shutil.copytree(whole, tmp_path_factory.mktemp("usual") / "2026-11-20-usual")
    render(root)
    return root


@pytest.fixture
def spoiled(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of it, to be spoiled."""
    return shutil.copytree(whole, tmp_path / "2026-11-20-spoiled")


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


@pytest.fixture(params=[hostile.every_word, hostile.free_text], ids=["every word", "free text"])
def chosen(request: pytest.FixtureRequest) -> Callable[[str], bool]:
    """Return which texts of a folder are spoiled."""
    choose: Callable[[str], bool] = request.param
    return choose


def test_a_page_of_spoiled_texts_has_no_element_that_another_one_lacks(
    usual: Path, spoiled: Path, command: Command, chosen: Callable[[str], bool]
) -> None:
    hostile.spoil(spoiled, chosen)

    code, out, err = command("report", spoiled)

    assert (code, err) == (0, "")
    before, found = elements(usual / "report.html"), elements(spoiled / "report.html")
    assert found.kinds <= {*before.kinds, ("text", "transform")}  # a label of two lines is drawn as two texts
    assert found.scripts == before.scripts
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in found.links)
    assert "alert(1)" in (spoiled / "report.html").read_text()
    assert "alert(1)" in out


def test_no_output_of_spoiled_texts_steers_a_terminal(
    spoiled: Path, command: Command, chosen: Callable[[str], bool]
) -> None:
    hostile.spoil(spoiled, chosen)

    printed = [command(*words, spoiled)[1] for words in (("report",), ("report", "--json"), ("compare",))]

    written = [(spoiled / name).read_text() for name in ("report.html", "report.md", "analysis.json")]
    for text in (*printed, *written, (spoiled / "measurements.csv").read_text()):
        assert "alert(1)" in text
        assert UNSHOWN.search(OUR_COLORS.sub("", text)) is None


def test_markdown_of_spoiled_texts_has_no_raw_tag_link_or_fence(
    usual: Path, spoiled: Path, command: Command, chosen: Callable[[str], bool]
) -> None:
    hostile.spoil(spoiled, chosen)
    command("report", spoiled)

    before, found = ((each / "report.md").read_text() for each in (usual, spoiled))
    for raw in (r"(?<!\\)<", r"(?<!\\)\]\(", r"(?<!\\)~", r"(?<!\\)&"):
        assert re.search(raw, before) is None
        assert re.search(raw, found) is None
    assert all(CODE_WORDS.fullmatch(span) for span in re.findall(r"(?<!\\)`[^`]*`", found))
    assert sum(line.startswith("# ") for line in found.splitlines()) == 1


def test_folders_of_spoiled_texts_are_compared_without_harm(
    usual: Path, tmp_path: Path, command: Command, chosen: Callable[[str], bool]
) -> None:
    spoiled = shutil.copytree(usual, tmp_path / "2026-11-20-spoiled")
    hostile.spoil(spoiled, chosen)
    again, page = shutil.copytree(spoiled, tmp_path / "again"), tmp_path / "compared.html"

    for folders in ((spoiled, again), (usual, spoiled)):
        code, out, err = command("compare", *folders, "--write", page)
        assert (code, err) == (0, "")
        assert UNSHOWN.search(OUR_COLORS.sub("", out + page.read_text())) is None
        assert "alert(1)" in out + page.read_text()
        assert elements(page).scripts == []
        assert not any(name.startswith("on") for _, name in elements(page).kinds)


def test_a_spoiled_reference_machine_does_no_harm(whole: Path, spoiled: Path, command: Command) -> None:
    command("report", spoiled)
    hostile.spoil(spoiled, hostile.free_text)

    code, out, err = command("report", whole, "--reference", spoiled)

    assert code in (0, 1, 2)
    assert UNSHOWN.search(OUR_COLORS.sub("", out + err)) is None


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
        assert elements(spoiled / "report.html").kinds, what


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


def test_a_name_of_a_folder_that_is_a_command_stays_a_name(whole: Path, tmp_path: Path, command: Command) -> None:
    named = shutil.copytree(whole, tmp_path / "x; rm -rf ~; \x1b]0;y\x07<b>")

    code, out, err = command("report", named)

    assert (code, err) == (0, "")
    assert UNSHOWN.search(out) is None
    assert "headtohead report 'x; rm -rf ~;" in (named / "report.md").read_text().replace("\\", "")
    assert ("b", "") not in elements(named / "report.html").kinds


def test_a_folder_that_contradicts_itself_is_an_error_with_all_three_parts(spoiled: Path, command: Command) -> None:
    plan = spoiled / "plan.json"
    plan.write_text(plan.read_text().replace('"matters": 1.03', '"matters": 0'))

    code, out, err = command("report", spoiled)

    assert (code, out) == (1, "")
    told = " ".join(err.split())
    assert "cannot be analyzed" in told
    assert "the files contradict each other (ZeroDivisionError in " in told
    assert "Copy the results folder again" in told


def test_a_unit_of_many_letters_does_not_stop_a_report(spoiled: Path, command: Command) -> None:
    plan = json.loads((spoiled / "plan.json").read_text())
    for metric in (each for one in plan["experiments"] for each in one["metrics"].values()):
        metric["unit"] = "u" * 300
    (spoiled / "plan.json").write_text(json.dumps(plan))

    assert command("report", spoiled)[0] == 0


def test_a_name_that_a_spreadsheet_computes_is_refused(spoiled: Path, command: Command) -> None:
    plan = spoiled / "plan.json"
    plan.write_text(plan.read_text().replace('"label": "nginx', '"label": "=cmd|nginx'))

    code, out, err = command("report", spoiled)

    assert (code, out) == (1, "")
    assert "would be a formula in measurements.csv" in " ".join(err.split())


def test_numbers_that_no_machine_has_print_no_warning_of_a_library(spoiled: Path) -> None:
    for path in spoiled.glob("runs/*/records.jsonl"):
        path.write_text(re.sub(r'("goodput_per_s": )[0-9.e+]+', r"\g<1>1e-320", path.read_text()))

    ended = subprocess.run(
        [sys.executable, "-m", "headtohead", "report", spoiled], capture_output=True, text=True, check=False
    )

    assert "Warning" not in ended.stderr
    assert "Traceback" not in ended.stderr
