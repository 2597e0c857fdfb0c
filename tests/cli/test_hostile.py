"""What strangers put into a results folder does no harm: not in the page, not on the terminal, not to other files."""

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

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
def usual(whole: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of it with its report."""
    root = shutil.copytree(whole, tmp_path_factory.mktemp("usual") / "2026-11-20-usual")
    render(root)
    return root


@pytest.fixture(params=[hostile.every_word, hostile.free_text], ids=["every word", "free text"])
def chosen(request: pytest.FixtureRequest) -> Callable[[str], bool]:
    """Return which texts of a folder are spoiled."""
    choose: Callable[[str], bool] = request.param
    return choose


def test_no_output_of_spoiled_texts_steers_a_page_a_terminal_or_markdown(
    usual: Path, spoiled: Path, command: Command, chosen: Callable[[str], bool]
) -> None:
    hostile.spoil(spoiled, chosen)

    told = [command(*words, spoiled) for words in (("report",), ("report", "--json"), ("compare",))]

    assert [(code, err) for code, _, err in told] == [(0, "")] * 3
    written = [(spoiled / name).read_text() for name in ("report.html", "report.md", "analysis.json")]
    for text in (*(out for _, out, _ in told), *written, (spoiled / "measurements.csv").read_text()):
        assert "alert(1)" in text
        assert UNSHOWN.search(OUR_COLORS.sub("", text)) is None
    has_no_element_that_another_page_lacks(elements(spoiled / "report.html"), elements(usual / "report.html"))
    has_no_raw_tag_link_or_fence((spoiled / "report.md").read_text(), (usual / "report.md").read_text())


def has_no_element_that_another_page_lacks(found: Elements, before: Elements) -> None:
    assert found.kinds <= {*before.kinds, ("text", "transform")}  # a label of two lines is drawn as two texts
    assert found.scripts == before.scripts
    assert all(link.startswith(("#", "data:image/png;base64,")) for link in found.links)


def has_no_raw_tag_link_or_fence(found: str, before: str) -> None:
    for raw in (r"(?<!\\)<", r"(?<!\\)\]\(", r"(?<!\\)~", r"(?<!\\)&"):
        assert re.search(raw, before) is None
        assert re.search(raw, found) is None
    assert all(CODE_WORDS.fullmatch(span) for span in re.findall(r"(?<!\\)`[^`]*`", found))
    assert sum(line.startswith("# ") for line in found.splitlines()) == 1


@pytest.mark.usefixtures("tables_as_given")
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


def test_a_spoiled_reference_machine_does_no_harm(whole: Path, spoiled: Path, tmp_path: Path, command: Command) -> None:
    command("report", spoiled)
    hostile.spoil(spoiled, hostile.free_text)

    code, out, err = command("report", shutil.copytree(whole, tmp_path / "2026-11-20-whole"), "--reference", spoiled)

    assert code in (0, 1, 2)
    assert UNSHOWN.search(OUR_COLORS.sub("", out + err)) is None


def test_a_name_of_a_folder_that_is_a_command_stays_a_name(whole: Path, tmp_path: Path, command: Command) -> None:
    named = shutil.copytree(whole, tmp_path / "x; rm -rf ~; \x1b]0;y\x07<b>")

    code, out, err = command("report", named)

    assert (code, err) == (0, "")
    assert UNSHOWN.search(out) is None
    assert "headtohead report 'x; rm -rf ~;" in (named / "report.md").read_text().replace("\\", "")
    assert ("b", "") not in elements(named / "report.html").kinds


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
