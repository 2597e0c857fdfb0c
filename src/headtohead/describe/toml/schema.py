"""Check TOML files against the JSON Schemas, the one place for allowed keys, patterns and ranges."""

import json
from collections.abc import Mapping
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
"""The number of errors that are looked for. One is reported; a text of a stranger may have one in every value."""


def check_shape(data: Mapping[str, Any], schema: str, *, home: Home, place: Place) -> None:
    """Check parsed TOML against ``schemas/<schema>.json``; raises WordsError for the first error."""
    found = islice(_validator(home.schemas, schema).iter_errors(data), _MOST_ERRORS)
    errors = sorted(found, key=_urgency)
    if errors:
        raise complain(errors[0], data=data, place=place)


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
