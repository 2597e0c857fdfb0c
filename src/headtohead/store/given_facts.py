"""What people gave: facts and prices, byte for byte as they wrote them, and the options of a race."""

import re
from collections.abc import Sequence
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.store.convert import REMEDY, read_document, to_json
from headtohead.store.durable import whole
from headtohead.store.layout import Layout
from headtohead.store.untrusted.bounds import MOST_TOML_BYTES
from headtohead.store.untrusted.plain_files import read_plain

SYSTEM = "system.toml"
PRICES = "prices.toml"
RACE = "command.json"
"""The file with the options of a race, in its content."""
MOST_WORDS, MOST_LETTERS = 400, 20_000
"""A race has at most 26 commands, each with a name."""


def system_of(label: str) -> str:
    """Return the name of the file with the facts and prices of one server of a bench, by its label.

    A label is lower-case letters, digits and hyphens; RecordError for any other name, which could be a path.
    """
    if not re.fullmatch(r"[a-z0-9-]+", label):
        why = f'hosts.json has several hosts, and "{label[:40]}" is not the label of one.'
        raise RecordError("The host names cannot be read", why=why, remedy=REMEDY)
    return f"system-{label}.toml"


def read_stated(root: Path, name: str) -> bytes | None:
    """Return the bytes of a given file, or None if there is none; RecordError if it is not a plain file."""
    path = root / name
    if not path.is_symlink() and not path.exists():
        return None
    try:
        content = read_plain(path, within=root)
    except OSError as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error
    if len(content) > MOST_TOML_BYTES:
        why = f"it has {len(content):,} bytes; at most {MOST_TOML_BYTES:,} are read."
        raise RecordError(f"{path} cannot be read", why=why, remedy=REMEDY)
    return content


def keep_stated(root: Path, name: str, content: bytes) -> None:
    """Keep a given file, replacing an earlier one; it was parsed before, so it is a text."""
    whole(root / name, content.decode("utf-8"))


def read_race(layout: Layout) -> tuple[str, ...] | None:
    """Return the options of a race; None if the results are of no race, empty if it kept none."""
    path = layout.content / RACE
    if not path.is_symlink() and not path.exists():
        return () if layout.content.is_dir() else None
    words = read_document(path, dict[str, tuple[str, ...]], within=layout.root).get("options", ())
    if len(words) > MOST_WORDS or sum(map(len, words)) > MOST_LETTERS:
        why = f"it has more than {MOST_WORDS} words, or {MOST_LETTERS:,} letters."
        raise RecordError(f"{path} cannot be read", why=why, remedy=REMEDY)
    return words


def race_as_typed(options: Sequence[str]) -> bytes:
    """Return the file that keeps the options of a race."""
    return to_json({"options": list(options)}).encode()
