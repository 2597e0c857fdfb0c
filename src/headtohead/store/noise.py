"""The noise floor on disk: the machine's last one, and a copy in each results folder made since."""

from pathlib import Path

from headtohead.model.machine.noise import NoiseFloor
from headtohead.store.convert import read_document, to_json
from headtohead.store.durable import whole

NAME = "noise.json"


def read_floor(folder: Path) -> NoiseFloor | None:
    """Return the noise floor in a folder, or None if there is none; RecordError if it is not valid."""
    path = folder / NAME
    return read_document(path, NoiseFloor, within=folder) if path.is_file() else None


def keep_floor(folder: Path, floor: NoiseFloor) -> None:
    """Keep a noise floor in a folder, replacing an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    whole(folder / NAME, to_json(floor))
