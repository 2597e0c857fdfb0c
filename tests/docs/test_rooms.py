"""CONTRIBUTING.md names the folders and files of three rooms as they are, and no folder holds too many modules."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src/headtohead"
MOST = 12
ONE_THING_A_FILE = {"analyze/findings", "hosts/facts"}
"""Folders that may hold more modules, each about one thing of the same kind."""


def modules(folder: Path) -> set[str]:
    return {each.name for each in folder.glob("*.py")} - {"__init__.py"}


@pytest.mark.parametrize("room", ["report", "analyze", "execute"])
def test_the_table_of_a_room_lists_its_folders_and_files(room: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    table = text.split(f"| Folder of `{room}/` | Holds |\n|---|---|\n")[1].split("\n\n")[0]
    listed = {name for row in table.splitlines() for name in re.findall(r"`([\w/.]+)`", row.split("|")[1])}

    folders = {f"{each.parent.name}/" for each in (SOURCE / room).glob("*/__init__.py")}
    assert listed == folders | modules(SOURCE / room)


def test_a_folder_holds_at_most_12_modules() -> None:
    counts = {str(each.parent.relative_to(SOURCE)): len(modules(each.parent)) for each in SOURCE.rglob("__init__.py")}
    assert {name for name, count in counts.items() if count > MOST} <= ONE_THING_A_FILE
