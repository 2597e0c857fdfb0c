"""`headtohead report --charts`: every chart as files of its own."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.conftest import Command

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

NAME = re.compile(r"\d{2}-[a-z0-9-]+\.(svg|png)")


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "2026-11-20-first")


def test_every_chart_of_the_page_is_an_svg_and_a_png_that_need_no_page(folder: Path, command: Command) -> None:
    code, out, err = command("report", "--charts", folder)
    assert (code, err) == (0, "")
    svgs, pngs = sorted((folder / "charts").glob("*.svg")), sorted((folder / "charts").glob("*.png"))
    assert f"Charts: {folder / 'charts'}\n" in out
    assert [each.stem for each in svgs] == [each.stem for each in pngs]
    assert all(NAME.fullmatch(each.name) for each in (*svgs, *pngs))
    in_page = set(re.findall(r'<title id="c\w+w-title">([^<]+)<', (folder / "report.html").read_text()))
    roots = [ElementTree.parse(each).getroot() for each in svgs]
    assert {each.findtext("{http://www.w3.org/2000/svg}title") for each in roots} == in_page
    assert all("var(--" not in each.read_text() for each in svgs)
    assert all(each.read_bytes().startswith(b"\x89PNG\r\n\x1a\n") for each in pngs)


def test_without_the_option_no_folder_appears_and_with_it_old_charts_go(folder: Path, command: Command) -> None:
    assert command("report", folder)[0] == 0
    assert not (folder / "charts").exists()
    (folder / "charts").mkdir()
    for name in ("99-old.svg", "notes.txt"):
        (folder / "charts" / name).write_text("x")
    assert command("report", "--charts", folder)[0] == 0
    assert not (folder / "charts" / "99-old.svg").exists()
    assert (folder / "charts" / "notes.txt").read_text() == "x"


def test_a_link_named_charts_is_refused_and_its_target_stays_as_it_was(
    folder: Path, command: Command, tmp_path: Path
) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "holiday.png").write_bytes(b"x")
    (folder / "charts").symlink_to(tmp_path / "mine")
    code, _, err = command("report", "--charts", folder)
    assert code == 1
    assert "charts is not a folder" in " ".join(err.split())
    assert [each.name for each in (tmp_path / "mine").iterdir()] == ["holiday.png"]


def test_charts_change_nothing_that_the_seal_covers(folder: Path, command: Command) -> None:
    assert command("report", "--charts", folder)[0] == 0
    before = command("verify", folder)
    shutil.rmtree(folder / "charts")
    assert command("verify", folder) == before
