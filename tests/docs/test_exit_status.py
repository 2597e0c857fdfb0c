"""The page's table of exit statuses is what the code exits with."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from headtohead.cli.exit_status import NOT_MEASURED, WORSE
from headtohead.cli.main import INTERRUPTED
from headtohead.model import errors
from headtohead.model.errors import HeadToHeadError, WordsError
from tests.conftest import Command

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "compare-my-service.md"
ROW = re.compile(r"\| (\d+) \| (.+) \|")
EXITS = ("sys.exit", "os._exit", "typer.Exit", "SystemExit")
WRONG_WORDS = "the command line or a file is wrong; nothing was started"


def table() -> dict[int, str]:
    """Return the meaning of each exit status on the page, which begins the section that other pages link to."""
    section = PAGE.read_text("utf-8").split("\n## In continuous integration\n")[1].lstrip()
    head, rule, *rows = section.partition("\n\n")[0].splitlines()
    assert (head, rule) == ("| Exit status | Meaning |", "|---|---|")
    found = [(int(each[1]), each[2]) for each in map(ROW.fullmatch, rows) if each]
    assert len(dict(found)) == len(rows), "each status is there once"
    return dict(found)


def written_as_numbers() -> Iterator[int]:
    """Yield each exit status that the code has as a number."""
    texts = (each.read_text("utf-8") for each in sorted((ROOT / "src").rglob("*.py")))
    for text in (each for each in texts if "xit(" in each):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in EXITS:
                numbers = (each for one in node.args for each in ast.walk(one) if isinstance(each, ast.Constant))
                yield from (each.value for each in numbers if isinstance(each.value, int))


def test_the_table_has_every_exit_status_of_the_code_and_no_other() -> None:
    kinds = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, HeadToHeadError)]
    of_errors, numbers = {each.exit_code for each in kinds}, set(written_as_numbers())

    assert set(table()) == {0, NOT_MEASURED, WORSE, INTERRUPTED, *of_errors}
    assert numbers
    assert numbers <= set(table())


@pytest.mark.parametrize(
    ("status", "meaning"),
    [
        (0, "every comparison was measured, also if it has no verdict"),
        (HeadToHeadError.exit_code, "something failed, or was not measured"),
        (NOT_MEASURED, "something failed, or was not measured"),
        (WordsError.exit_code, WRONG_WORDS),
        (WORSE, "with `--fail-if worse`: a later server or program is worse than the first"),
        (INTERRUPTED, "interrupted by Ctrl-C, SIGTERM or SIGHUP; completed runs are kept"),
    ],
)
def test_each_exit_status_of_the_code_has_its_meaning_in_the_table(status: int, meaning: str) -> None:
    assert table()[status].startswith(meaning)


@pytest.mark.parametrize("words", [("no-such-command",), ("run",), ("run", "first", "--fail-if", "better")])
def test_a_wrong_command_line_has_the_status_of_the_table(words: tuple[str, ...], command: Command) -> None:
    assert table()[command(*words)[0]] == WRONG_WORDS
