"""Debian packages: which are missing, which can be installed, and installing them.

No service is started, and none is enabled for the next boot.
"""

import contextlib
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.software import keep_services_stopped, setup_record
from headtohead.hosts.software.interrupts_noted import interrupts_noted
from headtohead.hosts.software.keep_services_stopped import POLICY, services_kept_from_starting
from headtohead.hosts.software.package_files import HERE, Files
from headtohead.hosts.software.programs import OURS, find_program
from headtohead.hosts.software.services import ETC
from headtohead.hosts.software.setup_record import RECORD, recorded
from headtohead.model.errors import HostError
from headtohead.model.machine.host import lacked
from headtohead.model.study.subject import Subject

# deb-control(5): lower case letters, digits, plus, minus, period; an architecture may follow.
PACKAGE = re.compile(r"[a-z0-9][a-z0-9+.-]+(:[a-z0-9-]+)?")
ASK_WITHIN_S, UPDATE_WITHIN_S, INSTALL_WITHIN_S = 30.0, 300.0, 1800.0
PASSWORD_WITHIN_S = 600.0
"""For a person who types the password of sudo later."""
ROOTS_PROGRAMS = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Folders of servers, which the PATH of an ordinary user lacks."""
NO_LISTS = "apt knows no packages here, as its lists are empty: run `apt-get update` as root (`headtohead setup` does)"


@dataclass(frozen=True)
class Stock:
    """What subjects lack: package names (or programs) by subject, and the reason if they cannot be installed."""

    missing: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    unobtainable: Mapping[str, str] = field(default_factory=dict)


def missing(subject: Subject, *, host: Host, levels: Iterable[tuple[str, str]] = ()) -> tuple[str, ...]:
    """Return the packages that a subject needs and that are not installed; needs no root.

    Without dpkg, a subject whose program is there lacks nothing. ``levels`` are the factors and levels of the study;
    packages that only these need are included.
    """
    there = installed(host)
    more = () if there is None else tuple(name for name in subject.packages_of(levels) if name not in there)
    return tuple(dict.fromkeys((*_missing(subject, there), *more)))


def levels_lacking(subjects: Iterable[Subject], *, host: Host) -> dict[str, str]:
    """Return the levels that are not available because their own packages are not installed, each with the reason.

    Without dpkg that is not known, and none is reported.
    """
    own = [(subject.name, each) for subject in subjects for each in subject.factors.values() if each.packages]
    there = installed(host) if own else None
    if there is None:
        return {}
    absent = {
        lacked(factor.name, level, subject): [name for name in names if name not in there]
        for subject, factor in own
        for level, names in factor.packages.items()
    }
    return {
        level: f"missing: {', '.join(names)}; `headtohead setup` installs it"
        for level, names in absent.items()
        if names
    }


def programs_lacking(subjects: Iterable[Subject]) -> dict[str, tuple[str, ...]]:
    """Return the programs that subjects start by name or path, and that are not on this machine, by subject.

    Our own programs are where they were built.
    """
    found, path = {}, os.pathsep.join((os.environ.get("PATH", os.defpath), *ROOTS_PROGRAMS))
    for each in subjects:
        programs = [program.argv[0] for program in (each.start, each.batch) if program is not None and program.argv]
        started = [each.program(name) for name in programs]
        bare = [name for name in started if "@" not in name and ("/" not in name or name.startswith("/"))]
        lacking = tuple(name for name in bare if shutil.which(name, path=path) is None and not _built(name))
        if lacking:
            found[each.name] = lacking
    return found


def _built(name: str) -> bool:
    try:
        return name in OURS and find_program(name).is_file()
    except HostError:
        return False


def take_stock(subjects: Iterable[Subject], *, host: Host) -> Stock:
    """Return what each subject lacks and which of it cannot be installed; changes nothing."""
    there = installed(host)
    lacking = {each.name: names for each in subjects if (names := _missing(each, there))}
    if not lacking:
        return Stock()
    if there is None:
        return Stock(lacking, {name: _by_hand(names) for name, names in lacking.items()})
    reasons = why_unobtainable({name for names in lacking.values() for name in names}, host=host)
    unobtainable = {
        subject: "; ".join(dict.fromkeys(reasons[name] for name in names if name in reasons))
        for subject, names in lacking.items()
        if any(name in reasons for name in names)
    }
    return Stock(lacking, unobtainable)


def installed(host: Host) -> frozenset[str] | None:
    """Return the installed packages, with and without their architecture; None on a machine without dpkg."""
    layout = "${db:Status-Status}\t${Package}\t${Architecture}\n"
    try:
        listing = host.run(("dpkg-query", "--show", f"--showformat={layout}"), within_s=ASK_WITHIN_S)
    except HostError:
        return None
    names: set[str] = set()
    for line in listing.splitlines():
        status, _, rest = line.partition("\t")
        name, _, architecture = rest.partition("\t")
        if status == "installed":
            names |= {name, f"{name}:{architecture}"}
    return frozenset(names)


def why_unobtainable(names: Collection[str], *, host: Host) -> dict[str, str]:
    """Return the packages that apt cannot install here, each with the reason."""
    checked = _checked(names)
    try:
        said = host.run(("apt-cache", "policy", *checked), within_s=ASK_WITHIN_S)
        if all(_candidates(said).get(name) for name in names):
            return {}
        sources = host.run(("apt-cache", "policy"), within_s=ASK_WITHIN_S)
    except HostError:
        return dict.fromkeys(names, _by_hand(names))
    has_lists = any(line.endswith(" Packages") for line in sources.splitlines())
    candidates = _candidates(said)
    return {
        name: f"apt has no package {name} here" if has_lists else NO_LISTS
        for name in sorted(names)
        if not candidates.get(name)
    }


def install_argv(names: Collection[str]) -> tuple[str, ...]:
    """Return the command that installs packages: no questions, no recommended extras, nothing removed."""
    options = ("--yes", "--quiet", "--no-install-recommends", "--no-remove", "-o", "DPkg::Lock::Timeout=120")
    return ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "install", *options, *_checked(names))


def privilege(*, root: bool, terminal: bool, names: Collection[str] = (), removing: bool = False) -> tuple[str, ...]:
    """Return the prefix of a command that needs root; HostError if there is no way.

    ``sudo`` is used only at a terminal, where a person sees its prompt. The error has the line that root may run to
    install ``names``; ``removing`` is what it is to be allowed to otherwise.
    """
    if root:
        return ()
    if terminal and shutil.which("sudo"):
        return ("sudo",)
    raise HostError(
        f"Packages cannot be {'removed' if removing else 'installed'}",
        why="This is not root, and there is no " + ("sudo here." if terminal else "terminal at which sudo could ask."),
        remedy="Run `headtohead clean --packages` as root."
        if removing
        else _line_for_root(names) + " What needs no packages runs without.",
    )


def finish_killed(
    *,
    host: Host,
    show: Callable[[str], object],
    prefix: Sequence[str] | None = None,
    policy: Path = POLICY,
    record: Path = RECORD,
    etc: Path = ETC,
) -> None:
    """Finish what a killed installation left: record and disable what it brought, and restore the policy of services.

    ``prefix`` is the result of ``privilege`` (the default). Nothing is done if none was killed.
    """
    if setup_record.read(record).before is None:
        return
    show("An earlier installation was killed: what it brought is recorded, and its services are disabled.")
    if prefix is None:
        prefix = privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty())
    with interrupts_noted(), recorded(host, prefix=prefix, show=show, record=record, etc=etc):
        keep_services_stopped.put_back(policy=policy, host=host, prefix=prefix)


def _line_for_root(names: Collection[str]) -> str:
    by_us = "Run `headtohead setup` as root, which starts no service."
    return f"{by_us} Or give root this line: {shlex.join(install_argv(names))}." if names else by_us


def install(
    names: Collection[str],
    *,
    host: Host,
    show: Callable[[str], object] = lambda _: None,
    prefix: Sequence[str] | None = None,
    policy: Path = POLICY,
    record: Path = RECORD,
    files: Files = HERE,
) -> None:
    """Install packages, their services kept from starting and then disabled; shows each command first.

    ``prefix`` is the result of ``privilege`` (the default), ``files`` are those of the host. The package lists are
    updated once if a package is not in them, or cannot be fetched because they are old. Raises HostError if a package
    cannot be installed or apt fails.
    """
    if prefix is None:
        prefix = privilege(root=os.geteuid() == 0, terminal=sys.stdin.isatty(), names=names)
    fresh = bool(why_unobtainable(names, host=host))
    if fresh:
        _update(host, prefix, show=show)
        _refuse(why_unobtainable(names, host=host))
    if tuple(prefix) == ("sudo",):  # a person may type the password late; if this is not allowed, the commands may be
        with contextlib.suppress(HostError):
            host.run((*prefix, "-v"), within_s=PASSWORD_WITHIN_S)
    with (
        interrupts_noted() as noted,
        recorded(host, prefix=prefix, show=show, record=record, files=files),
        services_kept_from_starting(host, prefix=prefix, policy=policy, files=files),
    ):
        argv = (*prefix, *install_argv(names))
        show(" ".join(argv))
        try:
            host.run(argv, within_s=INSTALL_WITHIN_S)
        except HostError:
            if fresh or noted:
                raise
            _update(host, prefix, show=show)
            host.run(argv, within_s=INSTALL_WITHIN_S)


def _update(host: Host, prefix: Sequence[str], *, show: Callable[[str], object]) -> None:
    argv = (*prefix, "apt-get", "update", "--quiet")
    show(" ".join(argv))
    host.run(argv, within_s=UPDATE_WITHIN_S)


def _refuse(reasons: Mapping[str, str]) -> None:
    if reasons:
        raise HostError(
            f"{', '.join(sorted(reasons))} cannot be installed",
            why="; ".join(dict.fromkeys(reasons.values())) + ".",
            remedy="Check apt's sources, or leave out what needs it.",
        )


def _missing(subject: Subject, there: frozenset[str] | None) -> tuple[str, ...]:
    install = subject.install
    if there is not None:
        return tuple(name for name in install.debian if name not in there)
    has_program = install.version is not None and shutil.which(_program(subject, install.version[0])) is not None
    return () if has_program or not install.debian else install.debian


def _program(subject: Subject, word: str) -> str:
    """Return the program that a word names; if it names a factor, at its default level."""
    factor = subject.factors.get(word.strip("@"))
    return subject.program(word) if factor is None else str(factor.default)


def _by_hand(names: Collection[str]) -> str:
    return f"there is no apt on this distribution: install by hand what Debian calls {', '.join(sorted(names))}"


def _checked(names: Collection[str]) -> tuple[str, ...]:
    """Return the names in order; HostError for one that apt would not read as a package."""
    for name in names:
        if not PACKAGE.fullmatch(name):
            raise HostError(
                f"{name!r} is no package name",
                why="Debian's names hold only lower case letters, digits, plus, minus and period.",
                remedy="Correct install.debian in the subject.toml.",
            )
    return tuple(sorted(set(names)))


def _candidates(said: str) -> dict[str, str]:
    """Return the version that apt would install of each package in the output of ``apt-cache policy``."""
    found: dict[str, str] = {}
    name = ""
    for line in said.splitlines():
        if line and not line[0].isspace():
            name = line.strip().removesuffix(":")
        elif line.strip().startswith("Candidate:") and "(none)" not in line:
            found[name] = line.partition(":")[2].strip()
    return found
