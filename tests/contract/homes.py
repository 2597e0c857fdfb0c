"""The content with something changed: a deliberately wrong subject more, or a data set that is spoiled."""

import shutil
from pathlib import Path

from headtohead.describe.home import Home, find_home

HOME = find_home()
CHANGED = """\"\"\"Write a data set as it is, and change it afterwards.\"\"\"

import runpy
from pathlib import Path

whole = runpy.run_path(str(Path(__file__).with_name("whole.py")))
BYTES_AT_SCALE_1 = whole.get("BYTES_AT_SCALE_1", 0)


def main(arguments):
    status = whole["main"](arguments)
    out = Path(arguments[arguments.index("--out") + 1])
    CHANGE
    return status
"""


def home_with(tmp_path: Path, name: str, subject_toml: str) -> Home:
    """Return the content with one subject more."""
    root = tmp_path / "home"
    root.mkdir()
    for folder in ("workloads", "datasets", "studies", "schemas"):
        (root / folder).symlink_to(HOME.root / folder)
    shutil.copytree(HOME.subjects, root / "subjects")
    (root / "subjects" / name).mkdir()
    (root / "subjects" / name / "subject.toml").write_text(subject_toml)
    return Home(root)


def home_changed(tmp_path: Path, data_set: str, change: str = "pass") -> Home:
    """Return the content with a data set that statements (about the folder ``out``) change after it is generated.

    Even one that changes nothing is another one to us, of which no prepared copy is kept.
    """
    root = tmp_path / "home"
    root.mkdir()
    for folder in ("subjects", "workloads", "studies", "schemas"):
        (root / folder).symlink_to(HOME.root / folder)
    shutil.copytree(HOME.datasets, root / "datasets", ignore=shutil.ignore_patterns("__pycache__"))
    generator = root / "datasets" / data_set / "generate.py"
    generator.rename(generator.with_name("whole.py"))
    generator.write_text(CHANGED.replace("CHANGE", "\n    ".join(change.splitlines())))
    return Home(root)
