"""The host facts of hosts.json, for reading many folders: a fact that many of them share is parsed once."""

import re
from pathlib import Path
from typing import Any, Final

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar
from headtohead.model.systems import Told
from headtohead.store.convert import FORMAT, REMEDY, parsed

KEPT: Final = 100_000
MOST_FACTS: Final = 10_000
"""A large machine has some hundreds."""

Named = tuple[str, str]
"""Group and name of a fact."""

_HEAD: Final = re.compile(
    rf'\{{\n "format": {FORMAT},\n "hosts": \[\n  \{{\n   "name": "[^"\\\x00-\x1f]*",\n   "facts": \[\n    \{{\n'
)
_BETWEEN: Final = "\n    },\n    {\n"
_TAIL: Final = "\n    }\n   ]\n  }\n ]\n}\n"
"""The text before, between and after the facts of one host, as ``to_json`` writes it."""

_NAMED: dict[Named, Named] = {}
_TOLD: dict[tuple[type, Scalar | None, str | None], Told] = {}
_WRITTEN: dict[str, tuple[Named, Told]] = {}
_SCALARS = (str, int, float, type(None))
_TEXTS = (str, type(None))


def facts_of(document: bytes, *, where: Path) -> dict[Named, Told]:
    """Return the facts of all hosts of hosts.json by group and name; the same fact of many folders is one object.

    RecordError states why the document is not valid.
    """
    try:
        text = document.decode()
        if len(_TOLD) + len(_NAMED) + len(_WRITTEN) > KEPT:
            _forget()
        if (quick := _as_written(text)) is not None:
            return quick
        return dict(_fact(each) for each in _facts(parsed(text)))
    except (KeyError, TypeError, ValueError) as error:
        why = f"it does not have the required form ({type(error).__name__}: {str(error)[:200]})."
        raise RecordError(f"{where} cannot be read", why=why, remedy=REMEDY) from error


def _as_written(text: str) -> dict[Named, Told] | None:
    """Return the facts of a document exactly as ``to_json`` writes it for one host, or None for any other.

    If the text between each two marks is JSON, the whole is too: no text in JSON runs over the end of a line.
    """
    head = _HEAD.match(text)
    if head is None or not text.endswith(_TAIL, head.end()):
        return None
    parts = text[head.end() : -len(_TAIL)].split(_BETWEEN)
    if len(parts) > MOST_FACTS:
        return None
    found = list(map(_WRITTEN.get, parts))  # with ten thousand folders, half of the time is spent here
    try:
        return dict([each or _written(part) for each, part in zip(found, parts, strict=True)])
    except (KeyError, TypeError, ValueError):
        return None


def _written(part: str) -> tuple[Named, Told]:
    found = _WRITTEN[part] = _fact(parsed("{" + part + "}"))
    return found


def _facts(document: Any) -> list[Any]:  # noqa: ANN401
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"it is not of format {FORMAT}")
    facts = [fact for host in _list(document.get("hosts")) for fact in _list(host["facts"])]
    if len(facts) > MOST_FACTS:
        raise ValueError(f"there are more than {MOST_FACTS:,} facts")
    return facts


def _list(value: Any) -> list[Any]:  # noqa: ANN401  whatever JSON holds
    if not isinstance(value, list):
        raise TypeError("a list is expected")
    return value


def _fact(fact: Any) -> tuple[Named, Told]:  # noqa: ANN401
    return _named(fact["group"], fact["name"]), _told(fact["value"], fact["unit"])


def _named(group: Any, name: Any) -> Named:  # noqa: ANN401
    found = _NAMED.get((group, name))
    if found is None:
        if not isinstance(group, str) or not isinstance(name, str):
            raise TypeError("a fact has no name")
        found = _NAMED[group, name] = (group, name)
    return found


def _told(value: Any, unit: Any) -> Told:  # noqa: ANN401
    """Return the value of a fact; the type is part of the key, as True and 1 are equal."""
    key = (value.__class__, value, unit)
    found = _TOLD.get(key)
    if found is None:
        if not isinstance(value, _SCALARS) or not isinstance(unit, _TEXTS):
            raise TypeError("a fact is neither text nor number")
        found = _TOLD[key] = (value, unit)
    return found


def _forget() -> None:
    for each in (_NAMED, _TOLD, _WRITTEN):
        each.clear()
