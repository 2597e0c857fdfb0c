"""Every word of the files that people write by hand is on the page about that file."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from headtohead.cli.app import app
from tests.docs.words_page import FILES

ROOT = Path(__file__).parents[2]
PAGES = {
    "bench": "docs/reference/bench.md",
    "excluded": "docs/reference/results.md",
    "given": "docs/how-to/measure-a-processor.md",
    "more": "docs/reference/results.md",
    "prices": "docs/how-to/give-prices.md",
    "seal": "docs/reference/results.md",
    "system": "docs/how-to/give-prices.md",
}
"""The page about each file, by its schema; those of ``words_page.py`` are made from their schemas."""
BY_PROGRAMS = {"analysis", "hosts", "noise", "plan", "record", "run", "sessions"}
"""Written by programs: the schema itself is the reference, and the page of results files leads to it."""
RESULTS = "docs/reference/results.md"
OURS = {"answers", "common", "metrics", "published"}
"""Files that come with headtohead, and the definitions that the others share."""
CODE = re.compile(r"^```.*?^```|`[^`\n]+`", re.DOTALL | re.MULTILINE)


@cache
def schema(name: str) -> Mapping[str, Any]:
    found: dict[str, Any] = json.loads((ROOT / "schemas" / f"{name}.json").read_text("utf-8"))
    return found


def words(name: str, part: Mapping[str, Any]) -> Iterator[str]:
    """Yield every key that a part of a schema knows, also those of the tables in it."""
    if "$ref" in part:
        file, _, pointer = part["$ref"].partition("#/$defs/")
        home = file.removesuffix(".json") or name
        yield from words(home, schema(home)["$defs"][pointer])
    for word, inner in part.get("properties", {}).items():
        yield word
        yield from words(name, inner)
    for inner in (part.get("items"), part.get("additionalProperties")):
        yield from words(name, inner) if isinstance(inner, Mapping) else ()


def code_of(page: Path) -> str:
    return "\n".join(CODE.findall(page.read_text("utf-8")))


def lacking(known: Iterator[str], text: str) -> list[str]:
    return [each for each in dict.fromkeys(known) if not re.search(rf"(?<![\w-]){re.escape(each)}(?![\w-])", text)]


@pytest.mark.parametrize(("name", "page"), PAGES.items(), ids=list(PAGES))
def test_a_page_has_every_word_that_the_schema_of_its_file_knows(name: str, page: str) -> None:
    assert lacking(words(name, schema(name)), code_of(ROOT / page)) == []


@pytest.mark.parametrize("name", sorted({*BY_PROGRAMS, *(name for name, page in PAGES.items() if page == RESULTS)}))
def test_the_page_of_results_files_leads_to_the_schema_of_each(name: str) -> None:
    assert f"](../../schemas/{name}.json)" in (ROOT / RESULTS).read_text("utf-8")


def test_a_word_that_a_page_lacks_is_found() -> None:
    assert lacking(iter(["cpus", "address"]), "`cpus`\n`address_of`") == ["address"]


def test_every_schema_has_its_page_or_is_of_a_file_that_no_user_writes() -> None:
    files = {each.stem for each in (ROOT / "schemas").glob("*.json")}
    assert files == {*PAGES, *FILES, *BY_PROGRAMS, *OURS}


def commands(group: object, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the options of a command and of those below it, each with its full name."""
    shown = [each for each in getattr(group, "params", ()) if not getattr(each, "hidden", False)]
    yield name, [option for each in shown for option in each.opts if option.startswith("--")]
    for word, inner in getattr(group, "commands", {}).items():
        yield from commands(inner, f"{name} {word}")


@pytest.mark.parametrize(("name", "options"), [*commands(get_command(app), "headtohead")])
def test_the_page_of_commands_has_every_command_and_option(name: str, options: list[str]) -> None:
    _, heading, rest = (ROOT / "docs/reference/commands.md").read_text("utf-8").partition(f"\n## {name}\n")
    assert heading
    assert lacking(iter(options), rest.partition("\n## ")[0]) == []
