"""The record of how a prepared copy was made, in a file next to the copy for later studies."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar
from headtohead.store import durable
from headtohead.store.convert import from_json, read_text, to_json

OURS_ALONE = 0o600
PASSWORD_BYTES = 16


@dataclass(frozen=True)
class CopyRecord:
    """The checksum of a prepared copy, the duration of its load, the time at which it was made, and its password."""

    sha256: str
    load_s: float
    made_at: str
    password: str = field(repr=False)

    def note(self) -> Mapping[str, Scalar]:
        """Return the note for run.json, in which the password has no place."""
        return {"load_s": self.load_s, "made_at": self.made_at}


def read_copy_record(copy: Path) -> CopyRecord | None:
    """Return how a copy was made, or None without a valid record: the copy may then be incomplete."""
    try:
        return from_json(read_text(_beside(copy), within=copy.parent), CopyRecord, where=_beside(copy))
    except RecordError:
        return None


def write_copy_record(copy: Path, made: CopyRecord) -> None:
    """Store how a copy was made, in a file that no other user may read."""
    durable.whole(_beside(copy), to_json(made), mode=OURS_ALONE)


def new_password() -> str:
    """Return a password that cannot be guessed, in letters and digits that no file format quotes."""
    return secrets.token_hex(PASSWORD_BYTES)


def _beside(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.json")
