"""TOML files, read and checked against their schema."""

import math
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from headtohead.describe.home import Home
from headtohead.describe.toml.bounds import MOST_INTEGER, check_keys, check_size
from headtohead.describe.toml.position import Place
from headtohead.describe.toml.schema import check_shape
from headtohead.model.harmless_text import harmless
from headtohead.store.untrusted.bounds import MOST_TOML_BYTES


@dataclass(frozen=True)
class TomlFile:
    """A file that was read once: its bytes, and their content, checked against its schema."""

    place: Place
    data: Mapping[str, Any]
    content: bytes


def read_toml(path: Path, schema: str, *, home: Home) -> TomlFile:
    """Read a TOML file and check its shape against ``schemas/<schema>.json``.

    Raises WordsError with the line if it is not TOML, or with the key if the shape is wrong.
    """
    place = Place(home.shown(path))
    return toml_in(content_of(path, place), schema, home=home, place=place)


def toml_in(content: bytes, schema: str, *, home: Home, place: Place) -> TomlFile:
    """Check the bytes of a TOML file against ``schemas/<schema>.json``; raises WordsError as ``read_toml`` does."""
    return _checked(content, schema, home, place)


@lru_cache(maxsize=256)
def _checked(content: bytes, schema: str, home: Home, place: Place) -> TomlFile:
    """Check the same bytes once: several studies, servers and questions share subjects, workloads and metrics."""
    place, data = replace(place, content=content), parsed(content, place)
    check_shape(data, schema, home=home, place=place)
    return TomlFile(place=place, data=data, content=content)


def content_of(path: Path, place: Place) -> bytes:
    """Return the bytes of a TOML file; raises WordsError if it is no plain file, is empty, or is too large."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise place.wrong("not a file", why="This must be a TOML file.", remedy="Give the path of a TOML file.")
        if found.st_dev in _of_kernel():
            why = "The kernel makes its content while it is read, and reading it may have effects."
            raise place.wrong("not a file on a disk", why=why, remedy="Give the path of a TOML file on a disk.")
        check_size(found.st_size, place)  # before it is opened
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            content = file.read(MOST_TOML_BYTES + 1)
        check_size(len(content), place)
    except OSError as error:
        why = f"{error.strerror or error}."
        raise place.wrong("cannot be read", why=why, remedy="Check the path and its permissions.") from error
    return content


def _of_kernel() -> set[int]:
    """Return the devices whose files the kernel makes up: those of /proc and /sys."""
    return {Path(each).stat().st_dev for each in ("/proc", "/sys") if Path(each).is_dir()}


def parsed(content: bytes, place: Place) -> dict[str, Any]:
    """Return the tables of a TOML file, whatever their shape; raises WordsError if it is not TOML, or too large."""
    try:
        text = content.decode("utf-8")
        check_keys(text, place)
        data = tomllib.loads(text)
        for where, value in _leaves(data, ()):
            _check_leaf(value, where, place)
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        why = f"Line {line} has bytes that are not UTF-8."
        raise place.wrong("not a text", why=why, remedy="Save the file as UTF-8.") from error
    except (ValueError, RecursionError) as error:  # invalid TOML, and numbers with thousands of digits
        deep = isinstance(error, RecursionError)
        why = "Its tables are nested too deeply." if deep else f"{error}."
        raise place.wrong("not TOML", why=why, remedy="Correct the file at that place.") from error
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


def _check_leaf(value: object, where: tuple[str, ...], file: Place) -> None:
    if isinstance(value, bool) or (isinstance(value, str) and value.isascii() and value.isprintable()):
        return  # most values: their place is not needed
    place = file.at(".".join(where))
    if isinstance(value, float) and not math.isfinite(value):
        raise place.wrong(
            f"{value} is not a number", why="Only finite numbers are allowed.", remedy="Write a finite number."
        )
    if isinstance(value, int) and not -MOST_INTEGER - 1 <= value <= MOST_INTEGER:
        why = f"Whole numbers are at most {MOST_INTEGER}, as in TOML."
        raise place.wrong("a number that is too large", why=why, remedy="Write a smaller number.")
    if isinstance(value, str) and harmless(value) != value:
        why = "It would control a terminal, or change the reading direction."
        raise place.wrong("a character that cannot be shown", why=why, remedy="Remove it.")
    if not isinstance(value, str | int | float):
        why = "TOML dates and times are not allowed here."
        raise place.wrong(f"{value} is a date or a time", why=why, remedy="Write a text or a number.")
