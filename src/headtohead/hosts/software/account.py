"""The user of the subjects if headtohead itself runs as root."""

import grp
import os
import pwd
from collections.abc import Callable

from headtohead.hosts.host import Host
from headtohead.model.errors import HostError

USER = "headtohead"
CREATE_WITHIN_S = 30.0


def exists(name: str = USER) -> bool:
    """Return whether there is such a user here."""
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def create_argv(name: str = USER) -> tuple[str, ...]:
    """Return the command that creates the system user: no home, no login, a group of its own."""
    try:
        grp.getgrnam(name)
        group: tuple[str, ...] = ("--gid", name)
    except KeyError:
        group = ("--user-group",)
    return ("useradd", "--system", *group, "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin", name)


def ensure_user(host: Host, *, show: Callable[[str], None], root: bool | None = None) -> str | None:
    """Return the user of the subjects: ``headtohead``, created after showing the command; None if we are not root.

    Raises HostError if the user cannot be created, or has root's id.
    """
    if not (os.geteuid() == 0 if root is None else root):
        return None
    if not exists():
        argv = create_argv()
        show(" ".join(argv))
        host.run(argv, within_s=CREATE_WITHIN_S)
    elif pwd.getpwnam(USER).pw_uid == 0:
        raise HostError(
            f"The user {USER} is root",
            why="Its user id is 0, and no subject is ever started as root.",
            remedy=f"Remove that user (userdel {USER}); setup makes a right one.",
        )
    return USER
