"""What a run may leave on a machine of the rig, and waiting for it to be gone."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from headtohead.hosts import paths, processes
from headtohead.hosts.software.programs import PROBE
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.session import Session
from headtohead.hosts.supervise.client import Supervisor
from headtohead.hosts.supervise.heartbeat import LEASE_S
from headtohead.hosts.supervise.messages import Command, Limits
from headtohead.hosts.supervise.remove_leftovers import cgroup_mounts
from headtohead.hosts.supervise.setup import Setup
from tests.rig.machine import Machine

# It ignores TERM, as does a child in a session of its own whose parent is gone.
STUBBORN = "trap '' TERM; (setsid sh -c 'trap \"\" TERM; while :; do sleep 1; done' &); while :; do sleep 1; done"
SHORT_S = 0.2
LOOK_EVERY_S = 0.2
"""A look at all processes of all machines takes CPU, and what is waited for takes up to a lease."""


def eventually(holds: Callable[[], bool], *, within_s: float) -> bool:
    deadline = time.monotonic() + within_s
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_EVERY_S)
    return True


def of_run(run_id: str) -> list[int]:
    """Return the processes of a run, on whichever machine."""
    return [pid for pid in processes.all_pids(paths.PROC) if processes.run_of_environment(pid, paths.PROC) == run_id]


def left(run_id: str, *, tmp: Path) -> list[str]:
    """Return all that is left of a run: processes, control groups, and its folder below ``tmp`` of its machine."""
    folder = tmp / paths.run_dir(run_id).name
    # not Path.glob: it fails if the group of another run vanishes while it walks
    tree = (each for mount in cgroup_mounts(paths.PROC) for each in os.walk(mount))
    groups = [str(Path(top, name)) for top, names, _ in tree for name in names if run_id in name]
    return [*(f"process {pid}" for pid in of_run(run_id)), *groups, *([str(folder)] if folder.exists() else [])]


def left_on(machine: Machine, *, but: int = 0) -> list[str]:
    """Return what is on a machine that was not there when the rig was built: processes, control groups and folders.

    ``but`` is the process of somebody else.
    """
    found = [f"process {pid} ({processes.name_of(pid, paths.PROC)})" for pid in machine.members() - {machine.pid, but}]
    tree = (each for group in machine.groups for each in os.walk(group))
    found += [str(Path(top, name)) for top, names, _ in tree for name in names if name.startswith(paths.PREFIX)]
    return [*found, *(str(each) for each in (machine.base / "tmp").iterdir())]


def start_stubborn(run: Supervisor, folder: Path) -> None:
    run.group("subject", Limits())
    out = folder / "out"
    run.start(
        "server", Command("subject", ("/bin/sh", "-c", STUBBORN), folder, out, out, env={"PATH": "/usr/bin:/bin"})
    )


def supervised(server: SshHost, session: Session, log: Path, *, lease_s: float = LEASE_S) -> tuple[Setup, Supervisor]:
    """Return a run of the session on its host, and the supervisor that begins it."""
    run_id = session.owner.run_id(7)
    probe = server.place.cache / "remote" / server.agent.checksum / PROBE
    pids = session.harness_pids
    setup = Setup(probe, run_id, paths.run_dir(run_id), log, user="nobody", harness_pids=pids, lease_s=lease_s)
    return setup, Supervisor(server, setup, end_run=server.end_run)
