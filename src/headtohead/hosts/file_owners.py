"""Whose files are whose: programs run as a user of their own, and what must not change belongs to us.

Without root there is one user, so nothing changes hands: ``user`` is then None.
"""

import os
import pwd
import stat
from pathlib import Path

READ_AND_RUN = 0o500
"""An owner's rights to read and to run (or enter); the group's are the same, three bits to the right."""
OWNER = 0o700


def name_of(user: str | None) -> str:
    """Return the name of the user that programs run as, ours without one."""
    return user or user_name(os.geteuid())


def user_name(uid: int) -> str:
    """Return the name of a user, the number if there is no name."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def give_to(user: str | None, path: Path) -> None:
    """Give a file or a folder to the user that programs run as."""
    if user is not None:
        account = pwd.getpwnam(user)
        os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)


def give_tree(user: str | None, top: Path) -> None:
    """Give a whole folder to the user that programs run as.

    What is deeper comes first: in a folder that is not yet the user's, no program can replace a part of a path.
    """
    for path in (*reversed(list(top.rglob("*"))), top):
        give_to(user, path)


def take_tree(top: Path) -> None:
    """Take a whole folder back from the user that programs run as, if there is one and it is not yet ours.

    The top comes first: only root can then enter it.
    """
    if os.geteuid() != 0 or not top.is_dir() or top.is_symlink() or top.stat().st_uid == 0:
        return
    os.chown(top, 0, 0, follow_symlinks=False)
    top.chmod(OWNER)
    for path in top.rglob("*"):
        os.chown(path, 0, 0, follow_symlinks=False)


def share_tree(user: str | None, top: Path) -> None:
    """Let the programs' user read and run what is in a folder of ours as its owner may, and change nothing."""
    if user is None:
        return
    group = pwd.getpwnam(user).pw_gid
    for path in (*reversed(list(top.rglob("*"))), top):
        os.chown(path, -1, group, follow_symlinks=False)
        mode = path.lstat().st_mode
        if not stat.S_ISLNK(mode):
            path.chmod(mode & OWNER | (mode & READ_AND_RUN) >> 3)
