"""A small userland for tests: this machine's own servers with what they need, in a root of their own, and no mirror."""

import shutil
import subprocess
from pathlib import Path

from headtohead.hosts.local import LocalHost
from headtohead.hosts.software.make_userland import finish
from headtohead.hosts.software.userlands import PINNED, ROOT, Userland, installed, place_of

PROGRAMS = ("/usr/sbin/nginx", "/usr/bin/openssl", "/usr/bin/make", "/usr/bin/awk", "/bin/sh", "/bin/cat", "/bin/mv")
SOCKETS = "/usr/bin/tbench_srv"
MORE = ("/usr/bin/mkdir", "/usr/bin/rm", "/usr/bin/chmod", "/usr/bin/env", "/bin/sleep", "/usr/bin/wc")
OF_OTHERS = (SOCKETS, "/usr/bin/dpkg-query")
FILES = ("/usr/lib/ssl/openssl.cnf",)
FOLDERS = (
    "bin",
    "sbin",
    "etc",
    "home",
    "lib",
    "lib64",
    "root",
    "tmp",
    "usr",
    "var/cache",
    "var/tmp",
    "var/lib/dpkg/info",
)
PACKAGES = {"nginx": ("nginx", "openssl", "make", "libc6"), "tbench": ("dbench", "python3", "libc6")}


def why_none() -> str | None:
    """Return why this machine has no programs for a small userland; None if it has all."""
    lacking = [each for each in PROGRAMS if not Path(each).exists()]
    lacking += ["ldd", "dpkg-query"] if None in (shutil.which("ldd"), shutil.which("dpkg-query")) else []
    return f"there is no {', '.join(lacking)}" if lacking else None


def make_tiny(cache: Path, *, level: str, subject: str, user: str) -> Userland:
    """Make the userland of a subject in a cache, as ``setup`` would."""
    place = place_of(cache, level, subject)
    root = place / ROOT
    for folder in FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    place.parent.chmod(0o700)
    for name in (*PROGRAMS, *(each for each in (*MORE, *OF_OTHERS) if Path(each).exists())):
        for file in (Path(name), *_libraries(name)):
            _copy(file, root)
    for name in FILES:
        if Path(name).exists():
            _copy(Path(name), root)
    status = subprocess.run(
        ("dpkg-query", "--status", *PACKAGES[subject]), check=True, capture_output=True, text=True
    ).stdout
    (root / "var/lib/dpkg/status").write_text(status)
    finish(root, user=user)
    made = Userland(level, subject, root, installed(root, host=LocalHost()), "2026-11-25T12:00:00Z")
    (place / PINNED).write_text(made.text())
    return made


def _libraries(program: str) -> list[Path]:
    said = subprocess.run(("ldd", program), check=False, capture_output=True, text=True).stdout
    return [Path(word) for word in said.split() if word.startswith("/")]


def _copy(file: Path, root: Path) -> None:
    target = root / file.relative_to("/")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(file.resolve(), target)
