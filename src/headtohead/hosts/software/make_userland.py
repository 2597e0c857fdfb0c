"""Making a userland with mmdebstrap, from the Debian mirror of this machine's apt."""

import os
import pwd
import shutil
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from headtohead.hosts.cache_locks import making
from headtohead.hosts.host import Host
from headtohead.hosts.paths import PREFIX, this_owner
from headtohead.hosts.software.packages import PACKAGE
from headtohead.hosts.software.userlands import MAKER, PINNED, ROOT, Userland, installed, place_of
from headtohead.model.errors import HostError
from headtohead.model.machine.userland import RELEASES

WITHIN_S = 1200.0
ASK_WITHIN_S = 30.0
TAKES_MIB, TAKES_S = 150, 30
"""About the disk space and the time of one userland: what `setup` shows beforehand."""
TARGETS = ("apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Origin: Debian", "Label: Debian")
APART = (
    *("setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private"),
    *("--pid", "--fork", "--kill-child", "--mount-proc"),
)
"""mmdebstrap, all that it starts and all that it mounts end with the headtohead that started it, also if it is killed.

The kernel kills `unshare` when its parent ends, then mmdebstrap, and with it all others of its process namespace.
"""
SETUID = 0o6000


def source(suite: str, *, host: Host) -> str:
    """Return the line of apt's sources for a release, at the first mirror of this machine; HostError if it has none.

    It is the release alone: its updates come every day, and two machines would seldom have the same userland.
    """
    sites = host.run(TARGETS, within_s=ASK_WITHIN_S).split()
    if not sites:
        raise HostError(
            "No userland can be made",
            why="apt's sources here name no mirror of Debian, or its lists are empty.",
            remedy="Run `apt-get update`, or add a mirror of Debian to apt's sources.",
        )
    return f"deb {sites[0]} {suite} main"


def make_argv(level: str, packages: Sequence[str], target: Path, *, native: str, line: str) -> list[str]:
    """Return the command that makes a userland: essential packages and those named, nothing recommended."""
    for name in packages:
        if not PACKAGE.fullmatch(name):
            why, remedy = "Debian's names hold only lower case letters, digits and + - .", "Correct install.debian."
            raise HostError(f"{name!r} is no package name", why=why, remedy=remedy)
    release = RELEASES[level]
    options = [
        "--quiet",
        "--mode=root",
        "--variant=essential",
        "--skip=check/qemu",  # no other processor is imitated: ``why_no_architecture`` has checked what this one runs
        "--format=directory",
        f"--architectures={release.architecture or native}",
        f"--include={','.join(packages)}",
        '--aptopt=APT::Install-Recommends "false"',
        "--dpkgopt=path-exclude=/usr/share/doc/*",
        "--dpkgopt=path-exclude=/usr/share/man/*",
        "--dpkgopt=path-exclude=/usr/share/locale/*",
    ]
    return [*APART, MAKER, *options, release.suite, str(target), line]


def make(
    level: str,
    subject: str,
    packages: Sequence[str],
    *,
    cache: Path,
    user: str,
    host: Host,
    show: Callable[[str], None],
) -> Userland:
    """Make a userland, in place of an older one if there is one; HostError if that fails, and then nothing is left.

    ``user`` is the user that programs run as, which it gets too.
    """
    native = host.run(("dpkg", "--print-architecture"), within_s=ASK_WITHIN_S).strip()
    line = source(RELEASES[level].suite, host=host)
    place = place_of(cache, level, subject)
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    place.parent.chmod(0o700)
    partial = place.parent / f"{PREFIX}{this_owner().run_id(1)}"
    show(f"Making {level} with {', '.join(packages)} by {MAKER}.")
    with making(place):
        try:
            partial.mkdir(mode=0o755)
            host.run(make_argv(level, packages, partial / ROOT, native=native, line=line), within_s=WITHIN_S)
            finish(partial / ROOT, user=user)
            made_at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            made = Userland(level, subject, place / ROOT, installed(partial / ROOT, host=host), made_at)
            (partial / PINNED).write_text(made.text())
            shutil.rmtree(place, ignore_errors=True)
            partial.rename(place)
        finally:
            shutil.rmtree(partial, ignore_errors=True)
    return made


def finish(root: Path, *, user: str) -> None:
    """Give a root the user of the programs and the name localhost, and take all setuid bits away."""
    account = pwd.getpwnam(user)
    _add(root / "etc/passwd", f"{user}:x:{account.pw_uid}:{account.pw_gid}::/nonexistent:/usr/sbin/nologin\n")
    _add(root / "etc/group", f"{user}:x:{account.pw_gid}:\n")
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    root.chmod(0o755)
    for folder, _, names in os.walk(root):
        for path in (Path(folder, name) for name in names):
            mode = path.lstat().st_mode
            if mode & SETUID and not path.is_symlink():
                path.chmod(mode & 0o1777)


def _add(path: Path, line: str) -> None:
    text = path.read_text() if path.exists() else ""
    path.write_text(text + line)
