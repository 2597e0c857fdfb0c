"""Cases: the levels that distinguish one part of a run's work from another, with one text form."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final, Self

from headtohead.model.quantity import Scalar, scalar_text

_NEXT_FIELD = re.compile(r",(?=[^,=]+=)")


class Case(Mapping[str, Scalar]):
    """The fields of a case and their levels, for example ``{"connections": 10}``: a read-only mapping that hashes.

    Two cases are equal if their texts are: 10, 10.0 and "10" are one level. A case without fields stands for a run as
    a whole (``WHOLE_RUN``). A field whose level is empty is a name alone. Any other mapping is compared field by field.

    >>> case = Case({"operation": "sign", "bits": 2048})
    >>> case["bits"], case.text
    (2048, 'bits=2048,operation=sign')
    """

    __slots__ = ("_fields", "_levels", "_text")

    def __init__(self, fields: Mapping[str, Scalar] | None = None) -> None:
        self._fields = dict(fields or {})
        self._levels = {name: scalar_text(level) for name, level in sorted(self._fields.items())}
        self._text = ",".join(f"{name}={level}" if level else name for name, level in self._levels.items())

    @property
    def text(self) -> str:
        """The one text form, as files hold it: fields in the order of their names; empty for a whole run."""
        return self._text

    @property
    def levels(self) -> Mapping[str, str]:
        """The text of each field's level, in the order of the fields' names."""
        return self._levels

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the case of a text form, which stays its text; levels are numbers, true or false if they read so.

        >>> dict(Case.parse("bits=2048,ktls=true,operation=sign"))
        {'bits': 2048, 'ktls': True, 'operation': 'sign'}
        """
        named = (part.partition("=") for part in _NEXT_FIELD.split(text) if part)
        case = cls({name: _scalar(level) for name, _, level in named})
        case._text = text
        return case

    def only(self, names: Iterable[str]) -> Self:
        """Return the case with no other fields than these."""
        kept = frozenset(names)
        return type(self)({name: level for name, level in self._fields.items() if name in kept})

    def without(self, *names: str) -> Self:
        """Return the case without these fields."""
        return type(self)({name: level for name, level in self._fields.items() if name not in names})

    def covers(self, other: "Case") -> bool:
        """Return whether the other case has every field of this one, at the same level."""
        return self._levels.items() <= other.levels.items()

    def __getitem__(self, name: str) -> Scalar:
        """Return the level of a field; KeyError if the case has no such field."""
        return self._fields[name]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the fields, in the order in which they were given."""
        return iter(self._fields)

    def __len__(self) -> int:
        """Return the number of fields."""
        return len(self._fields)

    def __eq__(self, other: object) -> bool:
        """Return whether the texts are equal; with any other mapping, whether its fields are."""
        if isinstance(other, Case):
            return self._text == other.text
        return self._fields == other if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        """Return the hash of the text."""
        return hash(self._text)

    def __str__(self) -> str:
        """Return the text."""
        return self._text

    def __repr__(self) -> str:
        """Return how the case is made in Python."""
        return f"Case({self._fields})"


def shared(fields: Mapping[str, Scalar]) -> Case:
    """Return the case of these fields, one object for all that are written alike: a study has few cases, many runs."""
    return _shared(tuple(fields.items()), tuple(map(type, fields.values())))


@lru_cache(maxsize=4096)
def _shared(fields: tuple[tuple[str, Scalar], ...], _: tuple[type, ...]) -> Case:
    """Return a case; types distinguish 1, 1.0 and true, which are equal and are written differently."""
    return Case(dict(fields))


WHOLE_RUN: Final = Case()
"""The case of what is measured or summarized of a run as a whole."""


def _scalar(text: str) -> Scalar:
    """Return the value that a level's text stands for, of the kind that writes the same text."""
    if text in ("true", "false"):
        return text == "true"
    for kind in (int, float):
        try:
            value = kind(text)
        except ValueError:
            continue
        if math.isfinite(value) and scalar_text(value) == text:
            return value
    return text
