"""What the written pages say that can be held against the project: links, studies, options of the load generator."""

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest

from benches.bench_http2 import BARS
from headtohead.cli import durations, wiring
from headtohead.cli.commands import check
from headtohead.describe.home import find_home
from headtohead.describe.study.study import read_study
from headtohead.describe.subject import subjects
from tests.conftest import Command
from tests.describe.homes import TWO_CPUS

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


def test_the_list_of_documentation_has_the_interfaces_that_subjects_serve_and_no_others() -> None:
    text = (ROOT / "docs/README.md").read_text("utf-8")
    listed = re.findall(r"\[([a-z]+/[a-z0-9-]+)\]\(reference/interfaces/([a-z0-9-]+)\.md\)", text)
    served = {each for subject in subjects.read_all(find_home()).values() for each in subject.serves}

    assert {name for name, _ in listed} == served
    assert [page for name, page in listed if page != name.replace("/", "-")] == []


def test_the_times_of_a_search_are_those_that_check_prints(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "read_machine", lambda *_, **__: TWO_CPUS)
    for module in (check, durations):
        monkeypatch.setattr(module, "cache_dir", lambda: tmp_path)  # neither a noise floor nor earlier runs
    blocks = [text for _, _, text in FENCED.findall((ROOT / "docs/how-to/find-a-capacity.md").read_text("utf-8"))]
    (study,) = (each for each in blocks if "[[experiment]]" in each)
    (shown,) = (each for each in blocks if each.startswith("$ headtohead check capacity.toml\n"))
    (tmp_path / "capacity.toml").write_text(study, "utf-8")

    code, out, err = command("check", tmp_path / "capacity.toml")

    assert (code, err) == (0, "")
    parts = re.split(r"^ *\.\.\.\n", shown.partition("\n")[2], flags=re.MULTILINE)
    assert re.findall(r"\d+ min \d+ s", parts[0])
    assert [part for part in parts if part not in out] == []


def test_the_cost_of_http_2_as_measured_is_below_the_bar_of_its_bench() -> None:
    (bar,) = BARS.values()
    text = (ROOT / "docs/adr/0055-http-2-by-the-crate-h2.md").read_text("utf-8")
    ranges = re.findall(r"\| [\d.]+ \(([\d.]+)-([\d.]+)\) \|$", text, re.MULTILINE)

    assert (BARS, bar) == ({"h2load": 1.5}, 1.5)
    assert f"within {bar:g} times that of h2load" in " ".join(text.split())
    assert len(ranges) == 4
    assert [(low, high) for low, high in ranges if not 0 < float(low) <= float(high) <= bar] == []
