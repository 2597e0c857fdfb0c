"""Turn a violation of the schema into clear errors: what is wrong, why, and what to do."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from jsonschema.exceptions import ValidationError

from headtohead.describe.toml.position import Place, PlacedError, clipped, nearest, toml_text

_NOUNS = {
    "string": "a text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "a table",
}
_NAME = "^[a-z0-9-]+$"
"""The pattern of names in the schemas; the error for a path explains that a path is not a name."""

_NAMED = ("experiment", "request", "query")


def complain(error: ValidationError, *, data: Mapping[str, Any], place: Place) -> tuple[PlacedError, ...]:
    """Return the errors for one violation of the schema, in terms of the file: one for each unknown or missing key."""
    where = place.at(*_way(error, data))
    if error.validator == "additionalProperties":
        known = _schema(error).get("properties", {})
        return tuple(_unknown_key(key, error, where) for key in _instance(error) if key not in known)
    if error.validator == "required":
        return tuple(_missing_key(key, error, where) for key in _required(error) if key not in _instance(error))
    return (_wrong_value(error, where),)


def _wrong_value(error: ValidationError, where: Place) -> PlacedError:
    if "propertyNames" in error.absolute_schema_path:
        return where.wrong(
            f'"{clipped(str(error.instance))}" is not a name for a key', why=_expected(error), remedy=_remedy(error)
        )
    problem = _PROBLEMS.get(str(error.validator), _not_allowed)(error)
    return where.wrong(problem, why=_expected(error), remedy=_remedy(error))


def _way(error: ValidationError, data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the parts of a place: ``experiment "rsa"``, then the keys inside it, joined by dots."""
    path = list(error.absolute_path)
    parts: list[str] = []
    if len(path) >= 2 and path[0] in _NAMED and isinstance(path[1], int):
        parts.append(_named(str(path[0]), path[1], data=data))
        path = path[2:]
    keys = ""
    for step in path:
        keys = f"{keys} (item {step + 1})" if isinstance(step, int) else f"{keys}.{step}" if keys else step
    return (*parts, keys) if keys else tuple(parts)


def _named(kind: str, index: int, *, data: Mapping[str, Any]) -> str:
    each = data[kind][index]
    name = each.get("name") if isinstance(each, dict) else None
    return f'{kind} "{clipped(name)}"' if isinstance(name, str) else f"{kind} {index + 1}"


def _unknown_key(word: str, error: ValidationError, where: Place) -> PlacedError:
    """Return the error, named as one of the table that has the key, and placed on the key's own line."""
    schema = _schema(error)
    known: Mapping[str, Any] = schema.get("properties", {})
    refused: Mapping[str, str] = schema.get("x-refused", {})
    if word in refused:
        why, remedy = f"{refused[word]}.", "Remove it."
        remedy = "Remove it; machines come from the command line." if "machine" in refused[word] else remedy
    else:
        why, remedy = f"The keys here: {', '.join(known)}.", nearest(word, known) or "Remove it."
    found = where.wrong(f'unknown key "{clipped(word)}"', why=why, remedy=remedy)
    found.place = where.at(word)
    return found


def _missing_key(word: str, error: ValidationError, where: Place) -> PlacedError:
    why = f"Required here: {', '.join(_required(error))}."
    value = "1." if word == "format" else "..."  # there is one version of each format
    return where.wrong(f'"{word}" is missing', why=why, remedy=f"Write {word} = {value}")


def _required(error: ValidationError) -> Sequence[str]:
    keys: Sequence[str] = _schema(error)["required"]
    return keys


def _wrong_type(error: ValidationError) -> str:
    for name, types in (("boolean", bool), ("integer", int), ("number", float), ("string", str), ("array", list)):
        if isinstance(error.instance, types):
            return f"{toml_text(error.instance)} is {_NOUNS[name]}"
    return f"{toml_text(error.instance)} is a table"


def _not_allowed(error: ValidationError) -> str:
    return f"{toml_text(error.instance)} is not allowed"


def _too_long(error: ValidationError) -> str:
    return f"a text of {len(_instance(error))} characters is too long"


def _twice(error: ValidationError) -> str:
    return f"{toml_text(error.instance)} holds a value twice"


def _empty(error: ValidationError) -> str:
    return f"{toml_text(error.instance)} is empty" if not error.instance else _not_allowed(error)


_PROBLEMS: Mapping[str, Callable[[ValidationError], str]] = {
    "type": _wrong_type,
    "maxLength": _too_long,
    "uniqueItems": _twice,
    "minItems": _empty,
    "minLength": _empty,
    "minProperties": _empty,
    "const": lambda error: f"{toml_text(error.instance)} is unknown",
}


def _expected(error: ValidationError) -> str:
    text = str(_schema(error).get("x-expected") or clipped(error.message))
    climbs = _schema(error).get("pattern") == _NAME and "/" in str(error.instance)
    return f"{text}.{' A path is not a name.' if climbs else ''}"


def _remedy(error: ValidationError) -> str:
    examples = _schema(error).get("examples")
    if not examples:
        return "Change it."
    key = error.absolute_path[-1] if error.absolute_path else None
    named = isinstance(key, str) and "propertyNames" not in error.absolute_schema_path
    return f"For example {key} = {toml_text(examples[0])}." if named else f"For example {toml_text(examples[0])}."


def _schema(error: ValidationError) -> Mapping[str, Any]:
    """Return the violated part of the schema as a table; our schemas never use a bare true or false."""
    if not isinstance(error.schema, Mapping):
        raise TypeError(error.schema)
    return error.schema


def _instance(error: ValidationError) -> Collection[str]:
    """Return the value in the file, for rules about texts, lists and tables."""
    if not isinstance(error.instance, Collection):
        raise TypeError(error.instance)
    return error.instance
