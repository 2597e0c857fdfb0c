"""Another user of this machine, whom the tests of root let try what he must not be able to do."""

import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

USER = "nobody"
WITHIN_S = 30.0


def as_nobody(*argv: str) -> subprocess.CompletedProcess[str]:
    """Run a program as that user; return how it ended."""
    return as_user(USER, *argv)


def as_user(user: str, *argv: str) -> subprocess.CompletedProcess[str]:
    """Run a program as a user, in the root directory and without our variables; return how it ended."""
    return subprocess.run(
        argv,
        check=False,
        user=user,
        group=pwd.getpwnam(user).pw_gid,
        extra_groups=(),
        cwd="/",
        env={"PATH": "/usr/lib/postgresql/15/bin:/usr/bin:/bin", "LANG": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=WITHIN_S,
    )


@contextmanager
def open_folder() -> Iterator[Path]:
    """Make a folder of ours that every user may enter; those of pytest are closed to others."""
    folder = Path(tempfile.mkdtemp(prefix="h2h-", dir="/var/tmp"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)
