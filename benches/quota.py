"""A share of a CPU, held by the kernel: a quota of a cgroup, version 1 or 2, where this user may make one."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benches.meter import BenchError

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 100_000
GONE_WITHIN_S = 5.0


def home() -> tuple[Path, bool] | None:
    """Return where groups with a quota can be made, and whether that is version 2; None where there is no such."""
    for folder, second in ((GROUPS / "cpu", False), (GROUPS / "cpu,cpuacct", False), (GROUPS, True)):
        if second:
            controllers = folder / "cgroup.subtree_control"
            able = controllers.is_file() and "cpu" in controllers.read_text(encoding="ascii").split()
        else:
            able = (folder / "cpu.cfs_quota_us").is_file() or (folder / "cgroup.procs").is_file()
        if able and os.access(folder, os.W_OK):
            return folder, second
    return None


@contextmanager
def quota(share: float) -> Iterator["Quota"]:
    """Give a group that holds what runs in it to this share of a CPU; ``BenchError`` where that cannot be had."""
    found = home()
    if found is None:
        raise BenchError("no CPU quota can be set here: run as root where cgroups have the cpu controller.")
    parent, second = found
    group = parent / f"h2h-bench-{os.getpid()}"
    group.mkdir()
    try:
        allowed_us = round(share * PERIOD_US)
        if second:
            (group / "cpu.max").write_text(f"{allowed_us} {PERIOD_US}", encoding="ascii")
        else:
            (group / "cpu.cfs_period_us").write_text(str(PERIOD_US), encoding="ascii")
            (group / "cpu.cfs_quota_us").write_text(str(allowed_us), encoding="ascii")
        yield Quota(group, back_to(parent, second=second))
    finally:
        remove(group)


class Quota:
    """A group with a quota."""

    def __init__(self, group: Path, home: Path) -> None:
        self._group = group
        self._home = home

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let what is started inside be held; this process is held for that moment too."""
        (self._group / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")
        try:
            yield
        finally:
            (self._home / "cgroup.procs").write_text(str(os.getpid()), encoding="ascii")


def back_to(parent: Path, *, second: bool) -> Path:
    """Return the group that this process is in now."""
    for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
        _, controllers, path = line.split(":", 2)
        if (second and controllers == "") or (not second and "cpu" in controllers.split(",")):
            return parent / path.lstrip("/")
    return parent


def remove(group: Path) -> None:
    """Remove a group, once what ran in it has gone."""
    until = time.monotonic() + GONE_WITHIN_S
    while True:
        try:
            group.rmdir()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.05)
        else:
            return
