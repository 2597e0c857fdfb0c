"""What people said of the machine and of prices, kept in the results folder byte for byte as they wrote it."""

from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.store.convert import REMEDY
from headtohead.store.untrusted.plain import read_plain
from headtohead.store.write import whole

SYSTEM = "system.toml"
PRICES = "prices.toml"
MOST_BYTES = 1_000_000
"""No file that is read as words is larger."""


def read_stated(root: Path, name: str) -> bytes | None:
    """Return the bytes of a file that was given; None where there is none, RecordError where it is no plain file."""
    path = root / name
    if not path.is_symlink() and not path.exists():
        return None
    try:
        content = read_plain(path, within=root)
    except OSError as error:
        raise RecordError(f"{path} cannot be read", why=f"{error}.", remedy=REMEDY) from error
    if len(content) > MOST_BYTES:
        why = f"it has {len(content)} bytes; at most {MOST_BYTES} are read."
        raise RecordError(f"{path} cannot be read", why=why, remedy=REMEDY)
    return content


def keep_stated(root: Path, name: str, content: bytes) -> None:
    """Keep a file that was given, in place of an earlier one; it was read as words before, so it is a text."""
    whole(root / name, content.decode("utf-8"))
