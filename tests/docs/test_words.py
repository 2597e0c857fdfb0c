"""Text that people read is plain English: no word of words.toml, except on the pages that the word allows."""

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.docs import texts

ROOT: Final = Path(__file__).parents[2]

ROOMS: Final = ("analyze", "cli", "describe", "execute", "hosts", "model", "plan", "report", "store")
"""The rooms of src/headtohead whose docstrings, comments and errors are checked. Add a room once it is clean.

Also checked, always: README, CONTRIBUTING, CHANGELOG, docs/, the READMEs of the crates, ``--help`` of every command,
the JSON schemas, the titles and questions of studies, workloads and subjects, the meanings of metrics, and every text
in the code of reports and the terminal.
"""

PRINTED: Final = "src/headtohead/report"
"""The room whose texts are those that people read in reports and on the terminal: all of them are checked."""

COMMAND: Final = "headtohead "
"""What the names of commands begin with."""

TABLES: Final = ("studies/*.toml", "workloads/*/workload.toml", "subjects/*/subject.toml", "schemas/*.toml")
"""The files whose titles, questions and meanings are on reports."""


@dataclass(frozen=True)
class Word:
    """A pattern to avoid, what to write instead, the reason, and the pages on which it is right."""

    pattern: re.Pattern[str]
    instead: str
    because: str
    allowed_in: frozenset[str]


@cache
def words() -> list[Word]:
    """Return the list of words."""
    listed = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))["word"]
    return [
        Word(
            re.compile(each["pattern"], re.IGNORECASE),
            each["instead"],
            each["because"],
            frozenset(each.get("allowed_in", ())),
        )
        for each in listed
    ]


def checked() -> list[str]:
    """Return what is checked: files by their path, commands by their name. No text is read yet."""
    pages = [*ROOT.glob("*.md"), *sorted(ROOT.glob("docs/**/*.md")), *sorted(ROOT.glob("crates/*/README.md"))]
    modules = [path for room in ROOMS for path in sorted((ROOT / "src/headtohead" / room).rglob("*.py"))]
    tables = [path for pattern in TABLES for path in sorted(ROOT.glob(pattern))]
    paths = (*pages, *sorted(ROOT.glob("schemas/*.json")), *tables, *modules)
    return [*(str(path.relative_to(ROOT)) for path in paths), *(f"{COMMAND}{name}" for name in texts.commands())]


def read(name: str) -> list[str]:
    """Return the texts of one of them."""
    if name.startswith(COMMAND):
        return [texts.of_help(name.removeprefix(COMMAND))]
    path = ROOT / name
    if path.suffix == ".md":
        return list(texts.of_page(path))
    if path.suffix == ".toml":
        return list(texts.of_table(path))
    if path.suffix == ".json":
        return list(texts.of_schema(path))
    printed = texts.of_strings(path) if path.is_relative_to(ROOT / PRINTED) else ()
    return [*texts.of_module(path), *printed]


def wrong(name: str, found: list[str]) -> Iterator[str]:
    """Yield a line for each place where a text has a word to avoid."""
    for word in words():
        if name in word.allowed_in:
            continue
        for text in found:
            for match in word.pattern.finditer(text):
                near = " ".join(text[max(0, match.start() - 40) : match.end() + 40].split())
                yield f"{name}: “{match[0]}” in “{near}”: write {word.instead} ({word.because})"


@pytest.mark.parametrize("name", checked())
def test_no_text_has_a_word_to_avoid(name: str) -> None:
    assert list(wrong(name, read(name))) == []


def test_the_texts_of_reports_are_among_them() -> None:
    found = read("src/headtohead/report/study/page_one/what_was_not_tested.py")
    assert "They may rank the setups differently." in found


def test_questions_and_sentences_of_findings_are_among_them() -> None:
    assert "Which serves a static page faster, Apache or nginx?" in read("studies/first.toml")
    findings = read("src/headtohead/analyze/findings/between_runs/values_of_zero.py")
    assert any("their blocks are left out of it." in each for each in findings)


def test_the_pages_that_a_word_allows_are_there() -> None:
    assert [page for word in words() for page in word.allowed_in if not (ROOT / page).exists()] == []


@pytest.mark.parametrize(
    "text", ["The file tells how many.", "None where nothing was read.", "It lies in the folder.", "The right answers."]
)
def test_a_word_to_avoid_is_found(text: str) -> None:
    assert list(wrong("here", [text]))


@pytest.mark.parametrize(
    "text", ["n stands for the number of blocks.", "Run one after the other.", "The right-hand side.", "Look at it."]
)
def test_a_correct_sentence_is_not_found(text: str) -> None:
    assert list(wrong("here", [text])) == []
