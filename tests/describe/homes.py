"""A home of its own for these tests, after FORMATS.md, so that new subjects and metrics change no snapshot here."""

import shutil
from pathlib import Path

from headtohead.describe.home import Home
from headtohead.model.machine.host import Cpu, Machine

REPOSITORY = Path(__file__).resolve().parents[2]

TWO_CPUS = Machine(name="two", cpus=(Cpu(0, 0, 0, 0), Cpu(1, 0, 0, 1)), root=True)


def make_home(root: Path) -> Home:
    """Return a home at ``root`` with FORMATS.md's examples, and the repository's own schemas."""
    shutil.copytree(Path(__file__).parent / "home", root, dirs_exist_ok=True)
    home = Home(root)
    home.schemas.mkdir()
    home.studies.mkdir()
    (root / "metrics.toml").rename(home.schemas / "metrics.toml")
    for schema in (REPOSITORY / "schemas").glob("*.json"):
        shutil.copy(schema, home.schemas)
    return home


def edit(path: Path, before: str, *, after: str) -> None:
    """Replace the one place where a file holds ``before``."""
    text = path.read_text("utf-8")
    assert text.count(before) == 1, (path, before, text.count(before))
    path.write_text(text.replace(before, after), "utf-8")
