"""Who has a socket of this machine: the process that others with the same socket descend from."""

from collections.abc import Iterable, Iterator
from pathlib import Path

LISTENS = "0A"
"""The state of a listening socket in ``/proc/net/tcp``."""


def listeners(port: int, *, proc: Path = Path("/proc")) -> tuple[int, ...]:
    """Return the processes that listen at the port, without those whose parent does; empty if none can be seen."""
    return processes_with(_inodes(port, proc), proc=proc)


def processes_with(inodes: Iterable[str], *, proc: Path) -> tuple[int, ...]:
    """Return the processes that have one of these sockets, as ``listeners`` does."""
    sockets = {f"socket:[{inode}]" for inode in inodes}
    found = {pid for pid in _pids(proc) if sockets and sockets & _open_files(pid, proc)}
    return tuple(sorted(pid for pid in found if _parent(pid, proc) not in found))


def _inodes(port: int, proc: Path) -> Iterator[str]:
    for name in ("tcp", "tcp6"):
        try:
            lines = (proc / "net" / name).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == LISTENS and int(fields[1].rpartition(":")[2], 16) == port:
                yield fields[9]


def _pids(proc: Path) -> Iterator[int]:
    return (int(each.name) for each in proc.iterdir() if each.name.isdecimal())


def _open_files(pid: int, proc: Path) -> set[str]:
    """Return where the open files of a process lead; empty for one that has ended, or that we may not see."""
    try:
        return {str(each.readlink()) for each in (proc / str(pid) / "fd").iterdir()}
    except OSError:
        return set()


def _parent(pid: int, proc: Path) -> int:
    try:
        return int((proc / str(pid) / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0
