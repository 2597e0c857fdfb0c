"""The line of a place in a TOML file; the parser keeps none."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

from headtohead.describe.toml.bounds import KEY_PART, TOKEN
from headtohead.describe.toml.position import Place

_NAMED = re.compile(r"(?P<kind>experiment|request|query) (?:\"(?P<name>.*)\"|(?P<number>\d+))")
"""A part that names one of several tables, as ``Place`` writes it."""
_ITEM = re.compile(r" \(item \d+\)")
_LINE = re.compile(r"\s*(?:(?P<header>\[\[?)(?P<table>[^\]]*)|(?P<key>[^=\[{]+?)\s*=)")

Way = tuple[str | int, ...]
"""The keys that lead to a value; a number counts the tables of one name, from 0."""


def line_of(place: Place) -> int | None:
    """Return the line of a place, counted from 1: that of its key, or of the nearest table or key around it.

    None if the file was not read or is not TOML, or if the place is the file as a whole.
    """
    try:
        text = place.content.decode("utf-8")
        wanted = _way(place.parts, tomllib.loads(text))
    except ValueError:
        return None
    found: tuple[int, int | None] = (0, None)
    for line, way in _ways(text):
        if len(way) > found[0] and way == wanted[: len(way)]:
            found = len(way), line
    return found[1]


def _way(parts: tuple[str, ...], data: Mapping[str, Any]) -> Way:
    """Return the keys that the parts of a place stand for."""
    way: list[str | int] = []
    for part in parts:
        named = _NAMED.fullmatch(part)
        if named is None:
            way.extend(_keys(_ITEM.sub("", part)))
        elif named["number"]:
            way.extend((named["kind"], int(named["number"]) - 1))
        else:
            tables = data.get(named["kind"], [])
            names = [each.get("name") if isinstance(each, dict) else None for each in tables]
            way.extend((named["kind"], names.index(named["name"])) if named["name"] in names else ())
    return tuple(way)


def _ways(text: str) -> Iterator[tuple[int, Way]]:
    """Yield the line of each table and key with the keys that lead to it."""
    table: Way = ()
    counts: dict[Way, int] = {}
    for number, line in enumerate(_without_long_texts(text).split("\n"), 1):
        found = _LINE.match(line)
        if found is None:
            continue
        if found["key"] is not None:
            yield number, (*table, *_keys(found["key"]))
            continue
        table = ()
        for key in _keys(found["table"].strip("[")):
            table = (*table, key)
            table = (*table, counts[table]) if table in counts else table
        if found["header"] == "[[":
            plain = table[:-1] if isinstance(table[-1], int) else table
            counts[plain] = counts.get(plain, -1) + 1
            table = (*plain, counts[plain])
        yield number, table


def _without_long_texts(text: str) -> str:
    """Return the text with nothing but line breaks where it has comments and texts of several lines."""

    def blank(found: re.Match[str]) -> str:
        token = found[0]
        return "\n" * token.count("\n") if token.startswith(("#", '"""', "'''")) else token

    return TOKEN.sub(blank, text)


def _keys(dotted: str) -> tuple[str, ...]:
    return tuple(found[0].strip("\"'") for found in KEY_PART.finditer(dotted))
