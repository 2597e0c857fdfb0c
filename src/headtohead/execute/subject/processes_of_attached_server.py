"""The processes of a server that already runs: they count as the subject's, and no run starts, limits or ends them."""

from collections.abc import Iterator
from pathlib import Path

from headtohead.hosts.listeners import listeners
from headtohead.model.errors import SubjectError
from headtohead.model.study.subject import Attach

CGROUPS = Path("/sys/fs/cgroup")


def processes(attach: Attach, *, of: str) -> tuple[int, ...]:
    """Return the processes of a running server now; empty for one on another machine.

    Raises SubjectError if none of them runs.
    """
    if attach.elsewhere:
        return ()
    found = tuple(each for each in _named(attach) if Path("/proc", str(each)).is_dir())
    if not found:
        raise SubjectError(
            f"No process of {of} runs",
            why=f"Nothing was found by {_text(attach)}, or it belongs to another user.",
            remedy="Start the server, and name its process: --pid, or --cgroup.",
        )
    return found


def _named(attach: Attach) -> tuple[int, ...]:
    if attach.pids:
        return attach.pids
    if attach.cgroup is not None:
        return tuple(_members(attach.cgroup.strip("/")))
    return () if attach.port is None else listeners(attach.port)


def _members(cgroup: str) -> Iterator[int]:
    """Yield the processes of a control group and of those inside it, in whichever hierarchy has it."""
    for root in (CGROUPS, *CGROUPS.glob("*/")):
        files = [*(root / cgroup).rglob("cgroup.procs")]
        if files:
            yield from sorted({int(line) for file in files for line in file.read_text().split()})
            return


def _text(attach: Attach) -> str:
    if attach.pids:
        return f"process {', '.join(map(str, attach.pids))}"
    return f"the control group {attach.cgroup}" if attach.cgroup is not None else f"TCP port {attach.port}"
