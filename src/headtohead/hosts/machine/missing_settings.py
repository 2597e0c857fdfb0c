"""Which settings of the system cannot be set on a machine, and why."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from headtohead.hosts.kernel_files import Tree
from headtohead.model.machine.settings import (
    BOOST,
    GOVERNOR,
    HALT_POLL,
    HALT_POLL_FILE,
    HUGE_PAGES,
    NAMED,
    NOFILE,
    NOT_PUT_BACK,
    SHARES,
    SYSCTL,
    is_setting,
    sysctl_file,
)

CPUS = "sys/devices/system/cpu"
HUGE_PAGES_FILE = "sys/kernel/mm/transparent_hugepage/enabled"
POLICIES = f"{CPUS}/cpufreq/policy*"
BOOST_FILES = (f"{CPUS}/cpufreq/boost", f"{CPUS}/intel_pstate/no_turbo")
MOST_FILES = "proc/sys/fs/nr_open"
OWN_LIMITS, OWN_STATUS = "proc/self/limits", "proc/self/status"
_OPEN_FILES = re.compile(r"^Max open files +\S+ +(\d+)", re.MULTILINE)
_CAPABILITIES = re.compile(r"^CapEff:\s*([0-9a-f]+)", re.MULTILINE)
_SYS_RESOURCE = 24
"""The number of the capability that lets a process raise its limits (linux/capability.h)."""


def settings_lacking(tree: Tree, levels: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return why settings cannot be set, by factor, or by one level of it (``governor=performance``).

    ``levels`` are those of a study; all others are left out.
    """
    lacking: dict[str, str] = {}
    for name, level in levels:
        if not is_setting(name) and name != NOFILE:
            continue
        if not tree.root_user:
            lacking[name] = "only root may set it"
        elif why := next(_why_not(tree, name), None):
            lacking[name] = why
        elif why := _why_no_level(tree, name, level):
            lacking[f"{name}={level}"] = why
    return lacking


def files_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return the patterns of the files that ``settings_lacking`` reads, relative to the root."""
    sysctls = [sysctl_file(name) for name in names if is_setting(name) and name not in NAMED]
    sysctls += [sysctl_file(f"{SYSCTL}{each}") for name in names if (each := SHARES.get(name.removeprefix(SYSCTL)))]
    return (MOST_FILES, OWN_LIMITS, OWN_STATUS, HALT_POLL_FILE, f"{POLICIES}/*", *sysctls)


def _why_not(tree: Tree, name: str) -> Iterator[str]:
    files = _files(tree, name)
    if not files:
        yield "the machine shows no frequencies that could be chosen (/sys/devices/system/cpu/cpufreq)"
    sysctl = name.removeprefix(SYSCTL)
    if sysctl in NOT_PUT_BACK:
        yield "it leaves another setting changed when it is put back"
    instead = SHARES.get(sysctl)
    if instead and (tree.text(sysctl_file(f"{SYSCTL}{instead}")) or "0").strip() != "0":
        yield f"{instead} holds instead of it here, and could not be put back"
    for path in files:
        if tree.text(path) is None:
            yield tree.why_not(path)
        elif not tree.is_writable(path):
            yield f"/{path} is read-only here"


def _files(tree: Tree, name: str) -> tuple[str, ...]:
    if name == NOFILE:
        return (MOST_FILES,)
    if name == HUGE_PAGES:
        return (HUGE_PAGES_FILE,)
    if name == HALT_POLL:
        return (HALT_POLL_FILE,)
    if name == BOOST:
        return tuple(each for each in BOOST_FILES if tree.is_there(each))[:1]
    if name == GOVERNOR:
        return tuple(
            str(PurePosixPath(each.relative_to(tree.root)) / "scaling_governor") for each in tree.glob(POLICIES)
        )
    return (sysctl_file(name),)


def _why_no_level(tree: Tree, name: str, level: str) -> str | None:
    """Return why a level is not among those that the kernel lists; None if it is, or if it lists none."""
    if name == NOFILE:
        return _why_not_so_many(tree, int(level))
    if name == GOVERNOR:
        path = _files(tree, name)[0].replace("scaling_governor", "scaling_available_governors")
        known = (tree.text(path) or "").split()
        return None if not known or level in known else f"the governors here are {', '.join(known)}"
    return None


def _why_not_so_many(tree: Tree, files: int) -> str | None:
    """Return why no process may open this number of files: a container's root may be kept from raising its limit."""
    most = tree.integer(MOST_FILES)
    if most is not None and files > most:
        return f"the kernel allows {most} at most (/{MOST_FILES})"
    hard, held = _OPEN_FILES.search(tree.text(OWN_LIMITS) or ""), _CAPABILITIES.search(tree.text(OWN_STATUS) or "")
    if hard is None or held is None or files <= int(hard[1]) or int(held[1], 16) >> _SYS_RESOURCE & 1:
        return None
    return f"the hard limit is {hard[1]} (`ulimit -Hn`), and without CAP_SYS_RESOURCE root cannot raise it"
