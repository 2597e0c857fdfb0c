"""The page about the articles names every experiment of their studies, the study between servers, and no other."""

import re
import tomllib

import pytest

from headtohead.describe.home import find_home

PAGE = "docs/explanation/articles.md"
NAMED = re.compile(r"`([a-z0-9-]+)`")


def sections() -> dict[str, str]:
    """Return the table of each study by the study's name, which its heading has in brackets."""
    text = (find_home().root / PAGE).read_text(encoding="utf-8")
    parts = re.split(r"^## .*\(`([a-z0-9-]+)`\)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("study", sections())
def test_the_page_names_the_experiments_of_the_study(study: str) -> None:
    home = find_home()
    written = tomllib.loads((home.studies / f"{study}.toml").read_text(encoding="utf-8"))
    experiments = {each["name"] for each in written["experiment"]}
    cells = [line.split("|")[2] for line in sections()[study].splitlines() if line.startswith("| ")]
    named = {name for cell in cells if not cell.strip().startswith(("factor", "none")) for name in NAMED.findall(cell)}
    assert named - {"cpus"} == experiments | {f"{study}-machines"}


def test_the_page_has_all_five_articles() -> None:
    assert len(sections()) == 5
