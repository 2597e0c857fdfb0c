"""The host facts of hosts.json where many folders are read: a fact that many folders share is one object."""

from pathlib import Path
from typing import Annotated, Final, Literal

import msgspec

from headtohead.model.analysis.systems import FactValue
from headtohead.model.errors import RecordError
from headtohead.model.harmless_text import harmless
from headtohead.store.convert import MOST_DIGITS, REMEDY

KEPT: Final = 100_000
"""At most this many names and values are shared; above it all are dropped and shared anew."""
MOST_FACTS: Final = 10_000
"""Of one host. A large machine has some hundreds."""

Named = tuple[str, str]
"""Group and name of a fact."""


class _Fact(msgspec.Struct, gc=False):
    group: str
    name: str
    value: str | int | float | bool | None
    unit: str | None


class _Host(msgspec.Struct, gc=False):
    facts: Annotated[list[_Fact], msgspec.Meta(max_length=MOST_FACTS)]


class _Document(msgspec.Struct, gc=False):
    format: Literal[1]
    hosts: list[_Host]


_DECODER: Final = msgspec.json.Decoder(_Document)
_NAMED: dict[Named, Named] = {}
_VALUES: dict[tuple[type, str | float | None, str | None], FactValue] = {}


def facts_of(document: bytes, *, where: Path) -> dict[Named, FactValue]:
    """Return the facts of all hosts of hosts.json by group and name.

    RecordError if the document is not ours. Letters that steer a terminal are replaced, see ``harmless``.
    """
    try:
        if len(_VALUES) + len(_NAMED) > KEPT:
            _NAMED.clear()
            _VALUES.clear()
        return {_named(fact): _value(fact) for host in _DECODER.decode(document).hosts for fact in host.facts}
    except (msgspec.DecodeError, RecursionError, ValueError) as error:
        why = f"it does not have the expected form ({type(error).__name__}: {str(error)[:200]})."
        raise RecordError(f"{where} cannot be read", why=why, remedy=REMEDY) from error


def _named(fact: _Fact) -> Named:
    key = (fact.group, fact.name)
    found = _NAMED.get(key)
    if found is None:
        found = _NAMED[key] = (harmless(fact.group), harmless(fact.name))
    return found


def _value(fact: _Fact) -> FactValue:
    """Return a fact's value and unit; the type is in the key, as True and 1 are equal."""
    value, unit = fact.value, fact.unit
    key = (value.__class__, value, unit)
    found = _VALUES.get(key)
    if found is None:
        if isinstance(value, int) and abs(value) >= 10**MOST_DIGITS:
            raise ValueError("a number of the facts is too large")
        shown = harmless(value) if isinstance(value, str) else value
        found = _VALUES[key] = (shown, None if unit is None else harmless(unit))
    return found
