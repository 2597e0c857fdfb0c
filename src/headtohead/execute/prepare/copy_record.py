"""The record of how a prepared copy was made, in a file next to the copy for later studies."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar
from headtohead.store import write
from headtohead.store.convert import from_json, read_text, to_json


@dataclass(frozen=True)
class CopyRecord:
    """The checksum of a prepared copy, the duration of its load, and the time at which it was made."""

    sha256: str
    load_s: float
    made_at: str

    def note(self) -> Mapping[str, Scalar]:
        """Return the note for run.json."""
        return {"load_s": self.load_s, "made_at": self.made_at}


def read_copy_record(copy: Path) -> CopyRecord | None:
    """Return how a copy was made, or None without a valid record: the copy may then be incomplete."""
    try:
        return from_json(read_text(_beside(copy), within=copy.parent), CopyRecord, where=_beside(copy))
    except RecordError:
        return None


def write_copy_record(copy: Path, made: CopyRecord) -> None:
    """Store how a copy was made."""
    write.whole(_beside(copy), to_json(made))


def _beside(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.json")
