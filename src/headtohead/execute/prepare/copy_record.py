"""How a prepared copy was made: kept beside it, so that later studies know it too."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from headtohead.model.errors import RecordError
from headtohead.model.quantity import Scalar
from headtohead.store import write
from headtohead.store.convert import from_json, read_text, to_json


@dataclass(frozen=True)
class Made:
    """What a prepared copy holds (its checksum), how long its load took, and when that was."""

    sha256: str
    load_s: float
    made_at: str

    def note(self) -> Mapping[str, Scalar]:
        """Return what run.json says of it."""
        return {"load_s": self.load_s, "made_at": self.made_at}


def read_made(copy: Path) -> Made | None:
    """Return how a copy was made; None where nothing tells, so that nobody knows whether it is whole."""
    try:
        return from_json(read_text(_beside(copy), within=copy.parent), Made, where=_beside(copy))
    except RecordError:
        return None


def write_made(copy: Path, made: Made) -> None:
    """Keep how a copy was made."""
    write.whole(_beside(copy), to_json(made))


def _beside(copy: Path) -> Path:
    return copy.with_name(f"{copy.name}.json")
