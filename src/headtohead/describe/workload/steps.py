"""The session of an http interface: ``[[step]]`` and ``[values]`` of workload.toml."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from headtohead.describe.factors.templates import names_in
from headtohead.describe.toml.document import TomlFile
from headtohead.describe.toml.folder_paths import check_inside, existing_file
from headtohead.describe.toml.position import Place
from headtohead.describe.workload.request_headers import check_headers
from headtohead.model.study.session import Find, Session, SessionStep, StepExpect, ValueCheck

_NOT_IN_RUST = re.compile(r"(?<!\\)(?:\\\\)*(?:\(\?(?:=|!|<=|<!)|\\[1-9])")
"""Look-around and references back to a group."""


def read_session(written: TomlFile, folder: Path) -> Session | None:
    """Return the session of a workload's folder, or None if it has requests; raises WordsError for a wrong step."""
    tables, place = written.data.get("step", []), written.place
    values = written.data.get("values", {})
    if not tables and not values:
        return None
    if not tables or "request" in written.data:
        why = "A workload has either requests, each by itself, or the steps of a session, which may use [values]."
        raise place.wrong("not exactly one of [[request]] and [[step]]", why=why, remedy="Keep one of the two.")
    for name, value in values.items():
        _check_value(value, place.at(f"values.{name}"))
    known, seen = set(values), set[str]()
    for table in tables:
        where = place.at(f'step "{table["name"]}"')
        if table["name"] in seen:
            raise where.wrong("two steps have the same name", why="Names distinguish the steps.", remedy="Rename one.")
        seen.add(table["name"])
        _check_step(table, where, known=known, folder=None if "data" in written.data else folder)
        known |= set(table.get("take", {}))
    return Session(tuple(_read_step(table) for table in tables), values)


def _check_value(value: Mapping[str, int], place: Place) -> None:
    if set(value) not in ({"letters"}, {"from", "to"}) or value.get("from", 0) > value.get("to", 0):
        why = "A value is a number of letters, or a number from one to another."
        raise place.wrong("not a value to draw", why=why, remedy="Write { letters = 12 } or { from = 1, to = 1000 }.")


def _check_step(table: Mapping[str, Any], place: Place, *, known: set[str], folder: Path | None) -> None:
    """Raise WordsError if a step cannot be sent or checked; ``known`` are the values at its beginning."""
    check_headers(table, place)
    if any(name.lower() == "cookie" for name in table.get("headers", {})):
        why = "The load generator writes it, with the cookies that the session got."
        raise place.at("headers").wrong("the header Cookie", why=why, remedy="Remove it.")
    for one, other in (("text", "sends"), ("expect.body", "expect.sha256")):
        if _has(table, one) and _has(table, other):
            why = "They state the same thing."
            raise place.at(one).wrong(f"both {one} and {other}", why=why, remedy="Keep one of the two.")
    for word, name in (("sends", table.get("sends")), ("expect.body", table["expect"].get("body"))):
        if name is not None and folder is not None:
            existing_file(folder, name, place=place.at(word))
        elif name is not None:
            check_inside(name, place.at(word))
    for word, found in _finds(table):
        _check_find(found, place.at(word))
    body = "" if folder is None or "sends" not in table else (folder / table["sends"]).read_text(errors="replace")
    for word, text in (*_texts(table), ("sends", body)):
        for name in names_in([text]):
            if name not in known:
                raise place.at(word).unknown("value", name, known=sorted(known), owner="the steps before")


def _has(table: Mapping[str, Any], word: str) -> bool:
    *outer, last = word.split(".")
    return last in (table[outer[0]] if outer else table)


def _texts(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the texts that may have values, with where they are."""
    yield from (("path", table["path"]), ("text", table.get("text", "")))
    yield from (("headers", text) for text in table.get("headers", {}).values())
    yield from (("expect.values", each.get("equals", "")) for each in table["expect"].get("values", ()))


def _finds(table: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield where values are looked for."""
    yield from ((f"take.{name}", each) for name, each in table.get("take", {}).items())
    yield from (("expect.values", each) for each in table["expect"].get("values", ()))


def _check_find(found: Mapping[str, str], place: Place) -> None:
    ways = found.keys() - {"equals"}
    if ways not in ({"json"}, {"header"}, {"regex"}, {"header", "regex"}):
        why = "A value is in one place: a JSON field, a header, or a match in the body or in a header."
        remedy = 'Write json = "/token", header = "Location", regex = "id=([0-9]+)", or a header with a regex.'
        raise place.wrong("not one place of a value", why=why, remedy=remedy)
    expression = found.get("regex", "")
    try:
        re.compile(expression)
    except re.error as error:
        raise place.wrong("not a regular expression", why=f"{error}.", remedy="Correct it.") from error
    if _NOT_IN_RUST.search(expression):
        why = "The load generator's expressions take linear time, so they have no look-around and no \\1."
        raise place.wrong("a regular expression with look-around or \\1", why=why, remedy="Use a group ( ) instead.")


def _read_step(table: Mapping[str, Any]) -> SessionStep:
    expect = table["expect"]
    values = tuple(ValueCheck(**each) for each in expect.get("values", ()))
    take = {name: Find(**each) for name, each in table.get("take", {}).items()}
    return SessionStep(**{**table, "expect": StepExpect(**{**expect, "values": values}), "take": take})
