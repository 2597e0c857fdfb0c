"""The names of what races: from the words in which the commands differ."""

import re
from collections.abc import Collection, Sequence

_MOST_LETTERS = 40
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def names_of(commands: Sequence[Sequence[str]], *, taken: Collection[str] = ()) -> tuple[str, ...]:
    """Return a name for each command: from the words that not all have, else ``a``, ``b`` and so on.

    A name that is ``taken``, by a subject that comes with the package, begins with ``my-``.

    >>> names_of([["python3", "v1.py", "--port", "@port@"], ["python3", "v2.py", "--port", "@port@"]])
    ('v1-py', 'v2-py')
    >>> names_of([["./server"], ["./server"]])
    ('a', 'b')
    """
    shared = set.intersection(*(set(each) for each in commands))
    names = [slug(" ".join(_last_part(word) for word in each if word not in shared)) for each in commands]
    if "" in names or len(set(names)) < len(names):
        names = list(_LETTERS[: len(commands)])
    return tuple(f"my-{each}" if each in taken else each for each in names)


def _last_part(word: str) -> str:
    return word.partition("://")[2].rstrip("/") or word.rstrip("/").rpartition("/")[2]


def slug(text: str) -> str:
    """Return the text as a name can have it: small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_MOST_LETTERS].strip("-")
