"""Removes what dead owners left, including leftovers of a killed supervise or a power cut.

Everything of a run has its owner's process id and start time in its name. It is removed only if no process of that id
and start time runs; what belongs to a living owner is never touched. Another user may take such names in ``/var/tmp``:
what is his there is left alone.
"""

import contextlib
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from headtohead.hosts import paths, processes
from headtohead.hosts.cache_locks import measuring
from headtohead.hosts.files.remove_tree import remove_tree
from headtohead.hosts.paths import LOG, PREFIX, PROC, RUN_ID, RUNS
from headtohead.hosts.software import keep_services_stopped
from headtohead.hosts.software.keep_services_stopped import POLICY
from headtohead.hosts.supervise import restore_settings
from headtohead.hosts.supervise.restore_settings import JOURNALS

SIGNS = (
    processes.run_of_environment,
    processes.run_of_cgroup,
    processes.run_of_directory,
    processes.run_of_supervise,
)
REMOVED_WITHIN_S = 2.0
SUPERVISE_WITHIN_S = 10.0
Meant = Callable[[str | None], bool]
"""Whether what a run of that id left is to be removed."""
Kind = Literal["process", "cgroup", "directory", "file", "settings", "policy", "cache"]
CGROUP_KINDS = frozenset({"cgroup", "cgroup2"})


@dataclass(frozen=True)
class Swept:
    """One thing that was removed, and the run that left it; ``why_not`` if it could not be removed."""

    kind: Kind
    name: str
    run_id: str
    why_not: str | None = None

    def __str__(self) -> str:
        """Return it as text."""
        of = f" of run {self.run_id}" if self.run_id else ""
        return f"{self.kind} {self.name}{of}" + (f": not removed ({self.why_not})" if self.why_not else "")


@dataclass(frozen=True)
class Places:
    """The places to search: ``folders`` for ``headtohead-<run id>``, and the mounts of control groups."""

    proc: Path = PROC
    policy: Path = POLICY
    journals: Path = JOURNALS
    folders: tuple[Path, ...] = field(default_factory=lambda: (RUNS, *cache_folders(paths.cache_dir())))


def sweep(places: Places | None = None, *, patience_s: float = SUPERVISE_WITHIN_S) -> tuple[Swept, ...]:
    """Remove what dead owners left; return what that was.

    A supervise that still runs ends its run itself: wait for it for at most ``patience_s``.
    """
    where = places or Places()
    _await_supervises(where, patience_s=patience_s)
    return (*_sweep_runs(where, partial(is_left_over, proc=where.proc)), *_sweep_policy(where))


def end_run(run_id: str, places: Places | None = None) -> tuple[Swept, ...]:
    """End and remove all that is left of one run whose supervise was killed, though its owner is alive."""
    return _sweep_runs(places or Places(), lambda found: found == run_id)


def clean(places: Places | None = None, *, caches: bool = False, cache: Path | None = None) -> tuple[Swept, ...]:
    """Sweep by hand; with ``caches`` remove prepared data and programs too, unless a measurement is running."""
    swept = sweep(places)
    folder = cache or paths.cache_dir()
    if not caches or not folder.is_dir():
        return swept
    lock = paths.lock_path(folder)
    with measuring(lock, study="clean", since="just now"):
        rest = [each for each in sorted(folder.iterdir()) if each != lock.parent]
        emptied = tuple(_removed(each, kind="cache", run_id="") for each in rest)
    return (*swept, *emptied)


def is_left_over(run_id: str | None, *, proc: Path) -> bool:
    """Return whether that is the id of a run whose owner is dead."""
    owner = paths.owner_of(run_id) if run_id else None
    return owner is not None and not paths.is_alive(owner, proc=proc)


def cache_folders(cache: Path) -> tuple[Path, ...]:
    """Return the folders of the cache that may hold working copies: itself, and each kind of data."""
    with contextlib.suppress(OSError):
        return (cache, *sorted(each for each in cache.iterdir() if each.is_dir() and not each.is_symlink()))
    return ()


def _await_supervises(where: Places, *, patience_s: float) -> None:
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline and any(_supervises(where)):
        time.sleep(processes.LOOK_EVERY_S)


def _supervises(where: Places) -> Iterator[int]:
    for pid in processes.all_pids(where.proc):
        if is_left_over(processes.run_of_supervise(pid, where.proc), proc=where.proc):
            yield pid


def _sweep_runs(where: Places, meant: Meant) -> tuple[Swept, ...]:
    ended = (*_sweep_processes(where, meant), *_sweep_cgroups(where, meant), *_sweep_folders(where, meant))
    return (*ended, *_sweep_settings(where, meant))


def _sweep_settings(where: Places, meant: Meant) -> Iterator[Swept]:
    """Restore the settings of the system that a killed supervise left changed."""
    for journal, run_id in restore_settings.left_in(where.journals):
        if meant(run_id):
            why_not = restore_settings.settle(journal, proc=where.proc)
            yield Swept("settings", str(journal), run_id, why_not)


def _sweep_processes(where: Places, meant: Meant) -> tuple[Swept, ...]:
    ours = processes.ancestry(os.getpid(), where.proc)
    seen: dict[int, tuple[str, str]] = {}

    def is_meant(pid: int) -> bool:
        run_id = None if pid in ours else _run_that_left(pid, where, meant)
        if run_id is not None:
            seen.setdefault(pid, (processes.name_of(pid, where.proc), run_id))
        return run_id is not None

    ended = processes.end_all(is_meant, proc=where.proc)
    return tuple(Swept("process", f"{pid} ({seen[pid][0]})", seen[pid][1]) for pid in sorted(ended))


def _run_that_left(pid: int, where: Places, meant: Meant) -> str | None:
    """Return the meant run that a process belongs to, None for any other process."""
    for sign in SIGNS:
        run_id = sign(pid, where.proc)
        if meant(run_id):
            return run_id
    return None


def _sweep_cgroups(where: Places, meant: Meant) -> Iterator[Swept]:
    """Remove control groups, and end what is still in one: a process may fork between a look at all and its own end."""
    left = [pair for hierarchy in cgroup_mounts(where.proc) for pair in _left_in(hierarchy, meant, suffix=True)]
    for cgroup, _ in left:
        _kill_in(cgroup)
    for cgroup, run_id in left:
        deadline = time.monotonic() + REMOVED_WITHIN_S
        while (swept := _removed_cgroup(cgroup, run_id)).why_not is not None and time.monotonic() < deadline:
            yield from _sweep_processes(where, meant)
            time.sleep(processes.LOOK_EVERY_S)
        yield swept


def _kill_in(cgroup: Path) -> None:
    """Have the kernel kill all in a control group at once (version 2, Linux 5.14), or let none in it fork (version 1).

    Of processes that fork and end in a chain, each is gone before it is found by its id.
    """
    for name, order in (("cgroup.kill", b"1"), ("pids.max", b"0")):
        with contextlib.suppress(OSError):
            file = os.open(cgroup / name, os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                os.write(file, order)
            finally:
                os.close(file)


def cgroup_mounts(proc: Path) -> tuple[Path, ...]:
    """Return where control groups are mounted, every v1 hierarchy and v2."""
    try:
        lines = (proc / "self" / "mounts").read_text(errors="replace").splitlines()
    except OSError:
        return ()
    mounts = (line.split() for line in lines)
    return tuple(dict.fromkeys(Path(words[1]) for words in mounts if len(words) > 2 and words[2] in CGROUP_KINDS))


def _removed_cgroup(cgroup: Path, run_id: str) -> Swept:
    """Remove a control group; the kernel may hold it for a moment after its last process has ended."""
    try:
        for each in (*reversed(list(_folders_below(cgroup))), cgroup):
            each.rmdir()
    except FileNotFoundError:
        pass
    except OSError as held:
        return Swept("cgroup", str(cgroup), run_id, why_not=held.strerror)
    return Swept("cgroup", str(cgroup), run_id)


def _folders_below(folder: Path) -> Iterator[Path]:
    for base, names, _ in os.walk(folder):
        yield from (Path(base) / name for name in names)


def _sweep_folders(where: Places, meant: Meant) -> tuple[Swept, ...]:
    found = [pair for folder in where.folders for pair in _left_in(folder, meant, suffix=False)]
    return tuple(
        _removed(each, kind="directory" if each.is_dir() or each.is_symlink() else "file", run_id=run_id)
        for each, run_id in found
    )


def _sweep_policy(where: Places) -> tuple[Swept, ...]:
    """Restore the policy of services that a killed installation left changed; only root could have changed it."""
    try:
        put_back = keep_services_stopped.put_back(policy=where.policy, proc=where.proc)
    except OSError as refused:
        return (Swept("policy", str(where.policy), "", why_not=f"{refused.strerror}: run it as root"),)
    return () if put_back is None else (Swept("policy", put_back, ""),)


def _left_in(folder: Path, meant: Meant, *, suffix: bool) -> Iterable[tuple[Path, str]]:
    """Yield what the meant runs left in a folder; with ``suffix`` a group's name follows the run's id."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for each in entries:
        rest = each.name.removeprefix(PREFIX) if each.name.startswith(PREFIX) else ""
        match = RUN_ID.match(rest) if suffix else RUN_ID.fullmatch(rest.removesuffix(LOG))
        if match and (not suffix or rest[match.end() :][:1] in {"", "-"}) and meant(match[0]) and _is_ours(each):
            yield each, match[0]


def _is_ours(path: Path) -> bool:
    """Return whether we made what has that name: it is ours, or no other user may write in its folder."""
    try:
        return path.lstat().st_uid == os.geteuid() or not path.parent.stat().st_mode & stat.S_IWOTH
    except OSError:
        return False


def _removed(path: Path, *, kind: Kind, run_id: str) -> Swept:
    """Remove a file, a link itself, or a whole folder."""
    try:
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink()
    except FileNotFoundError:
        pass
    except OSError as held:
        return Swept(kind, str(path), run_id, why_not=held.strerror)
    except RecursionError:
        return Swept(kind, str(path), run_id, why_not="it is nested too deep")
    return Swept(kind, str(path), run_id)
