"""The place of a value in a TOML file, so that every error can name it."""

import difflib
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

from headtohead.model.errors import WordsError
from headtohead.model.quantity import Scalar

_WRITTEN_ANEW = ("subject", "workload")
"""What `headtohead new` writes, and a study names."""
_LISTED_AT_MOST = 12
_QUOTED_AT_MOST = 60
_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""Keys of TOML that need no quotes."""


class PlacedError(WordsError):
    """An error at a place in a file, and the others that its file has."""

    def __init__(self, what: str, *, why: str, remedy: str, place: "Place") -> None:
        super().__init__(what, why=why, remedy=remedy)
        self.place = place
        self.others: tuple[PlacedError, ...] = ()
        self.more = False  # whether there may be more than were looked for


@dataclass(frozen=True)
class Place:
    """A file, and the path to a value in it: parts like ``experiment "rsa"`` and ``load.measure_s``."""

    file: str
    parts: tuple[str, ...] = ()
    content: bytes = field(default=b"", compare=False, repr=False)
    """The bytes of the file, from which the line follows; empty if they were not read."""

    def at(self, *parts: str) -> "Place":
        """Return the place of a part inside this one."""
        return replace(self, parts=(*self.parts, *parts))

    def wrong(self, problem: str, *, why: str, remedy: str) -> "PlacedError":
        """Return the error that names this place; the caller raises it."""
        return PlacedError(f"{self}: {problem}", why=why, remedy=remedy, place=self)

    def unknown(self, kind: str, word: str, *, known: Collection[str], owner: str = "") -> "PlacedError":
        """Return the error for a word that is not among the known words (of the owner), with the nearest one."""
        remedy = nearest(word, known) or ("Write one of these." if known else "Remove it.")
        if kind in _WRITTEN_ANEW and remedy == "Write one of these.":
            remedy = f"Write one of these, or make your own: `headtohead new {kind} NAME`."
        return self.wrong(f'unknown {kind} "{clipped(word)}"', why=listing(kind, known, owner=owner), remedy=remedy)

    def __str__(self) -> str:
        """Return the place as errors name it."""
        return ", ".join((self.file, *self.parts))


def nearest(word: str, known: Iterable[str]) -> str:
    """Return a question that suggests the nearest known word; empty if none is near."""
    near = near_words(word, known)
    return f'Did you mean "{near[0]}"?' if near else ""


def near_words(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """Return the known word that is nearest to a word; empty if none is near."""
    return tuple(difflib.get_close_matches(word, sorted(known), n=1, cutoff=0.6))


def listing(kind: str, known: Collection[str], *, owner: str) -> str:
    """Return a sentence that lists the known words, at most twelve."""
    names = sorted(known)
    whose = f"of {owner}" if owner else "here"
    if not names:
        return f"There is no {kind} {whose}."
    more = f" and {len(names) - _LISTED_AT_MOST} more" if len(names) > _LISTED_AT_MOST else ""
    return f"The {plural(kind)} {whose}: {', '.join(names[:_LISTED_AT_MOST])}{more}."


def plural(kind: str) -> str:
    """Return the plural of a noun that errors use.

    >>> plural("summary"), plural("factor")
    ('summaries', 'factors')
    """
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"


def clipped(text: str) -> str:
    """Return the text, shortened if it is long, without line breaks and other control characters."""
    plain = "".join(each if each.isprintable() else "?" for each in text)
    return plain if len(plain) <= _QUOTED_AT_MOST else f"{plain[: _QUOTED_AT_MOST - 3]}..."


def toml_text(value: object) -> str:
    """Return a value in TOML, shortened if it is long.

    >>> toml_text({"name": "nginx", "cpus": [1, True]})
    '{ name = "nginx", cpus = [1, true] }'
    """
    return clipped(_toml(value))


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(each) for each in value)}]"
    if isinstance(value, dict):
        pairs = ((key if _BARE.fullmatch(key) else f'"{key}"', each) for key, each in value.items())
        return f"{{ {', '.join(f'{key} = {_toml(each)}' for key, each in pairs)} }}"
    return str(value)


def alike(one: Scalar, other: Scalar) -> bool:
    """Return whether two levels are equal: 1 and 1.0 are equal, 1 and true are not."""
    return isinstance(one, bool) == isinstance(other, bool) and one == other


def among(value: Scalar, values: Iterable[Scalar]) -> bool:
    """Return whether the values include this one, as ``alike`` compares."""
    return any(alike(value, each) for each in values)
