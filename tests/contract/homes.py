"""The content with one subject more: a deliberately wrong one."""

import shutil
from pathlib import Path

from headtohead.describe.home import Home, find_home

HOME = find_home()


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
