"""What the written pages say that can be held against the project: links, studies, options of the load generator."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.study.study import read_study

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")
FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
HELP = ROOT / "crates/load/tests/load/snapshots"


def studies() -> Iterator[tuple[str, str]]:
    """Yield each whole study that a page shows, with the page's name."""
    for page in PAGES:
        for _, language, block in FENCED.findall(page.read_text("utf-8")):
            text = textwrap.dedent(block)
            if language == "toml" and "[[experiment]]" in text:
                yield page.name, text


def anchors(page: Path) -> set[str]:
    """Return what a link may name behind ``#``: the headings, as pages on the web name them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^a-z0-9 _-]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target, anchor in LINK.findall(re.sub(r"\s*\n\s*", " ", page.read_text("utf-8"))):
        path = (page.parent / target).resolve() if target else page

        assert path.exists(), f"{page.name} links to {target}"
        assert not anchor or anchor in anchors(path), f"{page.name} links to {target}#{anchor}"


@pytest.mark.parametrize(("page", "text"), list(studies()))
def test_every_study_that_a_page_shows_can_be_read(page: str, text: str, tmp_path: Path) -> None:
    study = tmp_path / "shown.toml"
    study.write_text(text, "utf-8")
    (tmp_path / "my.json").write_text("{}")  # the file of one page's study

    assert read_study(study, find_home()).experiments, page


@pytest.mark.parametrize("command", ["http", "respond", "selftest"])
def test_every_option_that_is_used_by_hand_is_one(command: str) -> None:
    text = (ROOT / "docs/how-to/ask-by-hand.md").read_text("utf-8")
    used = {
        option
        for line in re.findall(rf"^\$ h2h-load {command} (.+)$", text, re.MULTILINE)
        for option in re.findall(r"--[a-z-]+", line)
    }
    kept = [each.read_text("utf-8") for each in sorted(HELP.glob("*help*.snap"))]
    told = "".join(each for each in kept if f"Usage: h2h-load {command} " in each)

    assert told, "its help is not kept where this test looks"
    assert used <= set(re.findall(r"--[a-z-]+", told))


def test_the_list_of_documentation_has_every_interface() -> None:
    listed = (ROOT / "docs/README.md").read_text("utf-8")
    pages = sorted((ROOT / "docs/reference/interfaces").glob("*.md"))
    assert [each.name for each in pages if f"reference/interfaces/{each.name}" not in listed] == []
    assert pages
