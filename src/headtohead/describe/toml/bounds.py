"""How much a TOML file may hold. Checked on the text, as the time of parsing grows with the square."""

import re

from headtohead.describe.toml.position import Place
from headtohead.store.untrusted.bounds import MOST_TOML_BYTES

MOST_PARTS = 16
"""Of one key (``a.b.c`` has three); ours have at most four."""
MOST_INTEGER = 2**63 - 1
"""TOML's own range of integers."""

_PART = r"""(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"?+|'[^'\n]*+'?+)"""
TOKEN = re.compile(
    rf"""
    \#[^\n]*+
    | \"""(?:[^"\\]|\\.|"(?!""))*+"{{0,5}}+
    | '''(?:[^']|'(?!''))*+'{{0,5}}+
    | (?P<key>{_PART}(?:[\ \t]*+\.[\ \t]*+{_PART})*+)
    | .
    """,
    re.VERBOSE | re.DOTALL,
)
"""A comment, a long text, a key or a single value, or one other letter.

No letter is looked at more than twice: repetitions are possessive, and a text without an end reaches as far as it can.
"""
KEY_PART = re.compile(_PART)
"""One part of a key."""


def check_size(size: int, place: Place) -> None:
    """Raise WordsError for a file that is too long, or has no bytes."""
    if size == 0:
        raise place.wrong(
            "empty",
            why="It has no bytes.",
            remedy="Give the path of a TOML file that has been written.",
        )
    if size > MOST_TOML_BYTES:
        raise place.wrong(
            "too long",
            why=f"It has {size:,} bytes; the limit is {MOST_TOML_BYTES:,}.",
            remedy="Split it into several files.",
        )


def check_keys(text: str, place: Place) -> None:
    """Raise WordsError for a key of too many parts."""
    for found in TOKEN.finditer(text):
        key = found["key"]
        if key is None or key.count(".") < MOST_PARTS:
            continue
        parts = sum(1 for _ in KEY_PART.finditer(key))
        if parts > MOST_PARTS:
            line = text.count("\n", 0, found.start()) + 1
            raise place.wrong(
                f"line {line}: a key is nested too deeply",
                why=f"It has {parts:,} parts; the limit is {MOST_PARTS}.",
                remedy="Write a key of fewer parts.",
            )
