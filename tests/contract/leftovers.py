"""What runs may leave behind: processes, directories, cgroups."""

import os
import re
from collections.abc import Mapping
from pathlib import Path

from headtohead.hosts.paths import cache_dir, is_alive, owner_of

OF_A_RUN = re.compile(r"(?:/headtohead-|HEADTOHEAD_OWNER=)(?P<id>[0-9]+-[0-9]+-[0-9]+)")
"""What names a run: its directory, its control groups, the environment of its processes."""


def left_behind(owner: str = "", *, cache: Path | None = None) -> Mapping[str, list[str]]:
    """Return what runs left behind: processes, directories, cgroups.

    Those of one owner (``PID-``), or of all owners that have ended, as others may be measuring here. ``cache`` is
    searched too, by default that of this user.
    """
    owned = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment, works_in = (folder / "environ").read_bytes(), str((folder / "cwd").readlink())
            told = OF_A_RUN.search(f"{works_in} {environment.decode(errors='replace')}")
            if told is not None and _is_left(told["id"], owner):
                owned.append((folder / "comm").read_text().strip())
        except OSError:
            continue
    places = (*Path("/var/tmp").glob("headtohead-*"), *(cache or cache_dir()).glob("*/headtohead-*"))
    # not Path.glob: it fails if the group of another run vanishes while it walks
    tree = os.walk("/sys/fs/cgroup")
    cgroups = [Path(top, name) for top, names, _ in tree for name in names if name.startswith("headtohead-")]
    directories, groups = ([str(each) for each in found if _is_of(each, owner)] for found in (places, cgroups))
    return {"processes": owned, "directories": directories, "cgroups": groups}


def _is_of(path: Path, owner: str) -> bool:
    told = OF_A_RUN.search(str(path))
    return not owner if told is None else _is_left(told["id"], owner)


def _is_left(run_id: str, owner: str) -> bool:
    if owner:
        return run_id.startswith(owner)
    alive = owner_of(run_id)
    return alive is None or not is_alive(alive)


def left_by_us() -> Mapping[str, list[str]]:
    """Return what runs of this very process left."""
    return left_behind(f"{os.getpid()}-")


def nothing() -> Mapping[str, list[str]]:
    """Return what `left_behind` should find."""
    return {"processes": [], "directories": [], "cgroups": []}
