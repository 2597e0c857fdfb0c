"""A real supervise under test: programs put under it, and what is left of its run."""

import contextlib
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from headtohead.hosts import paths, processes
from headtohead.hosts.software.programs import PROBE, find_program
from headtohead.hosts.supervise import remove_leftovers
from headtohead.hosts.supervise.messages import Command
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import HostError

# Ignores TERM, as does a child in a session of its own whose parent is gone.
STUBBORN = (
    "/bin/sh",
    "-c",
    "trap '' TERM; (setsid sh -c 'while :; do sleep 0.2; done' &); echo ready; while :; do sleep 0.2; done",
)
SPIN = ("/bin/sh", "-c", "while :; do :; done")
LEFT_WITHIN_S = 60.0
NUMBERS = count(9000)


def probe() -> Path | None:
    """Return our probe where it has supervise."""
    with contextlib.suppress(HostError, OSError, subprocess.SubprocessError):
        program = find_program(PROBE)
        argv = [str(program), "supervise"]
        said = subprocess.run(argv, check=False, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
        return program if "--id" in said.stdout + said.stderr else None
    return None


def command(setup: Setup, *argv: str, group: str = "subject") -> Command:
    said = setup.run_dir / f"{argv[0].rpartition('/')[2]}.out"
    return Command(group, argv, setup.run_dir, said, said, env={"PATH": "/usr/bin:/bin"})


def left(run_id: str) -> list[str]:
    """Return everything of a run that is there: processes, directory, control groups."""
    found = [
        f"process {pid} {processes.name_of(pid, paths.PROC)}"
        for pid in processes.all_pids(paths.PROC)
        if processes.run_of_environment(pid, paths.PROC) == run_id and processes.is_running(pid, paths.PROC)
    ]
    found += [str(paths.run_dir(run_id))] if paths.run_dir(run_id).exists() else []
    mounts = remove_leftovers.cgroup_mounts(paths.PROC)
    return found + [str(each) for mount in mounts for each in mount.glob(f"{paths.PREFIX}{run_id}*")]


def eventually(holds: Callable[[], bool], *, within_s: float = LEFT_WITHIN_S) -> bool:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.05)
    return holds()


def replaced(setup: Setup) -> Setup:
    """Return the same for another run."""
    run_id = paths.this_owner().run_id(next(NUMBERS))
    return replace(setup, run_id=run_id, run_dir=paths.run_dir(run_id))
