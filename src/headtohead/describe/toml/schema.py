"""Check TOML files against the JSON Schemas, the one place for allowed keys, patterns and ranges."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry, Resource

from headtohead.describe.home import Home
from headtohead.describe.toml.complaint import complain
from headtohead.describe.toml.position import Place
from headtohead.model.errors import WordsError

_REPORTED_FIRST = ("format", "asks", "loop")
"""The keys whose errors come first: a wrong format, interface or loop causes the other errors."""


_MOST_ERRORS = 100
"""The number of errors that are looked for; a text of a stranger may have one in every value."""


def check_shape(data: Mapping[str, Any], schema: str, *, home: Home, place: Place) -> None:
    """Check parsed TOML against ``schemas/<schema>.json``; raises PlacedError for the first error, with the others."""
    found = islice(_validator(home.schemas, schema).iter_errors(data), _MOST_ERRORS)
    errors = sorted(found, key=_urgency)
    complaints = {
        str(each): each
        for error in errors
        if not _follows(error, errors)
        for each in complain(error, data=data, place=place)
    }
    if complaints:
        first, *others = complaints.values()
        first.others, first.more = tuple(others), len(errors) == _MOST_ERRORS
        raise first


def _follows(error: ValidationError, errors: Sequence[ValidationError]) -> bool:
    """Return whether another error in the same table, of its interface or its loop, may be the cause of this one."""
    path = tuple(error.absolute_path)
    return any(
        each is not error and cause[-1:] in (("asks",), ("loop",)) and path[: len(cause) - 1] == cause[:-1]
        for each in errors
        for cause in (tuple(each.absolute_path),)
    )


def _urgency(error: ValidationError) -> int:
    """Return the rank of an error; errors of equal rank keep the schema's order."""
    path = error.absolute_path
    last = path[-1] if path else ""
    if last in _REPORTED_FIRST:
        return _REPORTED_FIRST.index(str(last))
    return len(_REPORTED_FIRST)


@lru_cache(maxsize=32)
def _validator(schemas: Path, name: str) -> Draft202012Validator:
    common = Resource.from_contents(_load(schemas / "common.json"))
    registry: Registry[Any] = Registry().with_resource("common.json", common)
    return Draft202012Validator(_load(schemas / f"{name}.json"), registry=registry)


def _load(path: Path) -> dict[str, Any]:
    try:
        document: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise WordsError(f"{path}: cannot be read", why=f"{error}.", remedy="Install headtohead again.") from error
    return document
