"""Userlands of studies: which are to be made, and making them."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from headtohead.cli.wiring import Question, say
from headtohead.hosts.host import Host
from headtohead.hosts.paths import cache_dir
from headtohead.hosts.software import packages, userlands
from headtohead.hosts.software.make_userland import TAKES_MIB, TAKES_S, make
from headtohead.hosts.software.userlands import MAKER
from headtohead.model.errors import HostError


@dataclass(frozen=True)
class WantedUserland:
    """A userland that is to be made, or made again, with the packages of a subject."""

    level: str
    subject: str
    packages: tuple[str, ...]


def wanted_userlands(questions: Iterable[Question], host: Host) -> tuple[WantedUserland, ...]:
    """Return the userlands that studies name and that cannot be used as they are."""
    found: dict[tuple[str, str], dict[str, None]] = {}
    for question in questions:
        for level, subject in question.userlands:
            names = userlands.wanted_packages(subject, question.levels(subject))
            found.setdefault((level, subject.name), {}).update(dict.fromkeys(names))
    return tuple(
        WantedUserland(level, subject, tuple(names))
        for (level, subject), names in found.items()
        if not _usable(level, subject, names, host)
    )


def _usable(level: str, subject: str, names: Iterable[str], host: Host) -> bool:
    try:
        there = userlands.read(cache_dir(), level, subject, host=host)
    except HostError:
        return False
    held = {each.partition(":")[0] for each in there.packages}
    return held.issuperset(names)


def announce(wanted: Iterable[WantedUserland]) -> None:
    """Show which userlands are to be made, with the disk space and the time that they take."""
    for each in wanted:
        say(f"The userland {each.level} with {each.subject} takes about {TAKES_MIB} MB of disk and {TAKES_S} s.")


def makers_lacking(wanted: Iterable[WantedUserland], host: Host) -> dict[str, tuple[str, ...]]:
    """Return the package that makes userlands, if it is needed and not installed, as what userlands lack.

    HostError if we may not make any.
    """
    if not tuple(wanted):
        return {}
    if os.geteuid() != 0:
        why = "A userland has files of root's, and is made by root."
        raise HostError("No userland can be made", why=why, remedy="Run setup as root, or remove the factor userland.")
    there = packages.installed(host)
    if there is None:
        why = f"This distribution has no dpkg, and so no {MAKER}."
        raise HostError("No userland can be made", why=why, remedy="Use Debian, or remove the factor userland.")
    return {} if MAKER in there else {"userland": (MAKER,)}


def make_all(wanted: Iterable[WantedUserland], host: Host, *, user: str) -> dict[str, HostError]:
    """Make userlands; return those that could not be made, each with the error."""
    refused = {}
    for each in wanted:
        try:
            made = make(each.level, each.subject, each.packages, cache=cache_dir(), user=user, host=host, show=say)
        except HostError as error:
            refused[f"{each.subject} in {each.level}"] = error
        else:
            say(f"Made {made.facts}.")
    return refused
