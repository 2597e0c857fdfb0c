"""The user of the subjects if headtohead runs as root on a host."""

import os
from collections.abc import Callable

from headtohead.hosts.host import Host
from headtohead.model.errors import HostError

USER = "headtohead"
WITHIN_S = 30.0


def uid_of(host: Host) -> int | None:
    """Return the id of our user on the host, None if there is no such user."""
    try:
        return int(host.run(("id", "-u", "--", USER), within_s=WITHIN_S))
    except (HostError, ValueError):
        return None


def create_argv(host: Host) -> tuple[str, ...]:
    """Return the command that creates the system user: no home, no login, a group of its own."""
    try:
        host.run(("getent", "group", USER), within_s=WITHIN_S)
        group: tuple[str, ...] = ("--gid", USER)
    except HostError:
        group = ("--user-group",)
    return ("useradd", "--system", *group, "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", USER)


def ensure_user(host: Host, *, show: Callable[[str], None], root: bool | None = None) -> str | None:
    """Return the user of the subjects: ``headtohead``, created after showing the command; None if we are not root.

    ``root`` is whether we are root on the host (default: on this machine). Raises HostError if the user cannot be
    created, or has root's id.
    """
    if not (os.geteuid() == 0 if root is None else root):
        return None
    uid = uid_of(host)
    if uid is None:
        argv = create_argv(host)
        show(" ".join(argv))
        host.run(argv, within_s=WITHIN_S)
    elif uid == 0:
        raise HostError(
            f"The user {USER} is root",
            why="Its user id is 0, and no subject is ever started as root.",
            remedy=f"Remove that user (userdel {USER}); setup makes a right one.",
        )
    return USER
