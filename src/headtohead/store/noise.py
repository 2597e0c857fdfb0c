"""The noise floor on disk: the machine's last one, and a copy in each results folder made since."""

from pathlib import Path

from headtohead.model.machine.noise import NoiseFloor
from headtohead.store.convert import read_document, to_json
from headtohead.store.write import whole

NAME = "noise.json"


def read_floor(folder: Path) -> NoiseFloor | None:
    """Return the noise floor that lies in a folder; None where none does, RecordError where it is none."""
    path = folder / NAME
    return read_document(path, NoiseFloor, within=folder) if path.is_file() else None


def keep_floor(folder: Path, floor: NoiseFloor) -> None:
    """Keep a noise floor in a folder, in place of an earlier one."""
    folder.mkdir(parents=True, exist_ok=True)
    whole(folder / NAME, to_json(floor))
