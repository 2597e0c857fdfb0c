"""TOML files, read and checked against their schema."""

import hashlib
import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.schema import check_shape
from headtohead.model.text import harmless

_BYTES_AT_MOST = 1_000_000


@dataclass(frozen=True)
class Written:
    """A file's content, of the shape that its schema asks for."""

    place: Place
    data: Mapping[str, Any]
    sha256: str


def read_written(path: Path, schema: str, *, home: Home) -> Written:
    """Read a TOML file and check its shape against ``schemas/<schema>.json``.

    Raises WordsError, with the line, where it is not TOML, and naming the key where its shape is wrong.
    """
    place = Place(home.shown(path))
    return written_in(content_of(path, place), schema, home=home, place=place)


def written_in(content: bytes, schema: str, *, home: Home, place: Place) -> Written:
    """Check the bytes of a TOML file against ``schemas/<schema>.json``; WordsError as for a file that is read."""
    data = _parse(content, place)
    check_shape(data, schema, home=home, place=place)
    return Written(place=place, data=data, sha256=hashlib.sha256(content).hexdigest())


def content_of(path: Path, place: Place) -> bytes:
    """Return the bytes of a TOML file; WordsError where it is none, or larger than any is."""
    try:
        size = path.stat().st_size
        if not path.is_file():
            raise place.wrong("not a file", why="A TOML file is needed here.", remedy="Give the path of one.")
        if size > _BYTES_AT_MOST:
            raise place.wrong(
                "too long", why=f"It has {size} bytes; at most {_BYTES_AT_MOST} are read.", remedy="Split it up."
            )
        return path.read_bytes()
    except OSError as error:
        why = f"{error.strerror or error}."
        raise place.wrong("cannot be read", why=why, remedy="Check the path and its permissions.") from error


def _parse(content: bytes, place: Place) -> dict[str, Any]:
    try:
        data = tomllib.loads(content.decode("utf-8"))
        for where, value in _leaves(data, ()):
            _check_leaf(value, place.at(".".join(where)))
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        why = f"Line {line} holds bytes that are no UTF-8."
        raise place.wrong("not a text", why=why, remedy="Save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:  # of TOML that is none, and of numbers of thousands of digits
        deep = isinstance(error, RecursionError)
        why = "Its tables are nested too deeply." if deep else f"{error}."
        raise place.wrong("not TOML", why=why, remedy="Correct the file there.") from error
    return data


def _leaves(value: object, where: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, (*where, key))
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, where)
    else:
        yield where, value


def _check_leaf(value: object, place: Place) -> None:
    if isinstance(value, float) and not math.isfinite(value):
        raise place.wrong(f"{value} is no number", why="Only finite numbers mean something here.", remedy="Write one.")
    if isinstance(value, str) and harmless(value) != value:
        why = "It would steer a terminal, or turn the order of reading."
        raise place.wrong("a letter that cannot be shown", why=why, remedy="Take it out.")
    if not isinstance(value, str | int | float):
        why = "The dates and times of TOML are not read here."
        raise place.wrong(f"{value} is a date or a time", why=why, remedy="Write a text or a number.")
