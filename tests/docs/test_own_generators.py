"""The contract of data-set generators of one's own, as the how-to states it, is the one that holds."""

import re
from pathlib import Path

import pytest

from headtohead.cli.this_machine import environment_here
from headtohead.cli.wiring import OWN_KINDS
from headtohead.execute.data import datasets
from headtohead.execute.data.datasets import data_set, stated_bytes
from headtohead.model.study.workload import DataSet

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "compare-my-service.md"
BEGINS = "Write `datasets/<set>/generate.py` "
IN_WORDS = {600.0: "within ten minutes"}
DATA = DataSet("mine", 2, 7, "kept", own=True)
KEEPS_TO_IT = """import sys
STATED
words = dict(zip(sys.argv[1::2], sys.argv[2::2]))
with open(f"{words['--out']}/page.txt", "w") as page:
    page.write(f"{words['--scale']} {words['--seed']}")
"""


def contract() -> str:
    """Return the paragraph of the page, as one line."""
    (found,) = [each for each in PAGE.read_text("utf-8").split("\n\n") if each.startswith(BEGINS)]
    return " ".join(found.split())


def stated() -> str:
    """Return the line of a generator that states its size, as the page has it."""
    (found,) = re.findall(rf"`({datasets.SIZE} = [^`]+)`, on a line of its own, states its size", contract())
    return str(found)


def generator(folder: Path) -> dict[str, Path]:
    """Write the shortest generator that keeps to the contract."""
    (folder / "mine").mkdir()
    (folder / "mine" / datasets.GENERATOR).write_text(KEEPS_TO_IT.replace("STATED", stated()))
    return {"mine": folder / "mine"}


def test_it_names_the_file_what_runs_it_and_its_words() -> None:
    scale, _, seed, _, out, _ = datasets._words(DATA, Path("DIR"))
    assert f"`datasets/<set>/{datasets.GENERATOR}` next to `subjects/`" in contract()
    assert "datasets" in OWN_KINDS
    assert f"`{datasets.PYTHON}` runs the program with `{scale} S {seed} N {out} DIR`" in contract()
    assert f"it exits with 0 {IN_WORDS[datasets.WITHIN_S]}" in contract()


def test_it_states_what_a_generator_owes() -> None:
    for duty in (
        "It writes the files into DIR, which exists, and the same bytes for the same seed.",
        "It needs no other packages than Python's own, and no network.",
        "It runs once, as the servers' user, supervised as a run is",
    ):
        assert duty in contract()


def test_the_line_that_states_a_size_is_read_as_the_page_writes_it(tmp_path: Path) -> None:
    assert stated_bytes(generator(tmp_path), DATA) == 2 * 1_000_000
    assert "`headtohead check` reads that line, and does not run the program." in contract()


@pytest.mark.real
def test_a_program_that_keeps_to_it_makes_the_data_set(tmp_path: Path) -> None:
    made = data_set(environment_here(), generator(tmp_path), DATA)

    assert [(each.name, each.read_text()) for each in made.iterdir()] == [("page.txt", "2 7")]
