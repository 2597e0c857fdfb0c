"""Services that start at the next boot, and disabling those that came with packages of ours.

Interfaces: systemd.unit(5) (a unit is enabled by links in ``*.wants`` and ``*.requires`` folders) and insserv(8) (a
script is enabled by ``S`` links in the folders of the runlevels S and 2 to 5).
"""

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.software.package_files import HERE, Files
from headtohead.model.errors import HostError

ETC = Path("/etc")
FOLDERS = ("*.wants", "*.requires")
RUNLEVELS = ("rcS.d", "rc2.d", "rc3.d", "rc4.d", "rc5.d")
SCRIPT = re.compile(r"S\d\d(?P<name>.+)")
WITHIN_S = 60.0


def enabled(etc: Path = ETC, *, files: Files = HERE) -> frozenset[str]:
    """Return what starts at the next boot: units of systemd such as ``nginx.service``, scripts such as ``nginx``."""
    units = [name for folder in FOLDERS for name in files.names(etc, f"systemd/system/{folder}/*")]
    links = [name for folder in RUNLEVELS for name in files.names(etc, f"{folder}/S*")]
    scripts = (SCRIPT.fullmatch(name) for name in links)
    return frozenset((*units, *(each["name"] for each in scripts if each)))


def disable_argv(name: str) -> tuple[str, ...]:
    """Return the command that keeps a unit or a script from starting at the next boot; it stops nothing."""
    if "." in name:
        return ("systemctl", "--quiet", "disable", "--", name)
    return ("update-rc.d", name, "disable")


def forget_argv(name: str) -> tuple[str, ...]:
    """Return the command by which Debian forgets that a unit or a script of a removed package was disabled.

    Else the package would stay disabled if somebody installs it again: its maintainer scripts keep that choice.
    Interface: deb-systemd-helper(1p), which works only for a package, and update-rc.d(8).
    """
    if "." in name:
        return ("env", "DPKG_MAINTSCRIPT_PACKAGE=headtohead", "deb-systemd-helper", "purge", name)
    return ("update-rc.d", "-f", name, "remove")


def forget(
    names: Collection[str], *, host: Host, prefix: Sequence[str] = (), etc: Path = ETC, files: Files = HERE
) -> None:
    """Let Debian forget that services of removed packages were disabled, except those enabled again since."""
    for name in sorted(set(names) - enabled(etc, files=files)):
        host.run((*prefix, *forget_argv(name)), within_s=WITHIN_S)


def _disable(name: str, *, host: Host, prefix: Sequence[str]) -> None:
    """Disable one service; without systemctl, as in an image of Debian's, by the program that enabled it."""
    try:
        host.run((*prefix, *disable_argv(name)), within_s=WITHIN_S)
    except HostError:
        if "." not in name:
            raise
        helper = ("env", "DPKG_MAINTSCRIPT_PACKAGE=headtohead", "deb-systemd-helper", "disable", name)
        host.run((*prefix, *helper), within_s=WITHIN_S)


def disable(
    names: Collection[str], *, host: Host, prefix: Sequence[str] = (), etc: Path = ETC, files: Files = HERE
) -> None:
    """Disable services; ``prefix`` is the command that gives the privilege. HostError names those that stay enabled."""
    for name in sorted(names, key=lambda each: ("." not in each, each)):
        if name in enabled(etc, files=files):  # disabling a unit disables a script of the same name
            _disable(name, host=host, prefix=prefix)
    still = sorted(enabled(etc, files=files) & set(names))
    if still:
        raise HostError(
            f"{', '.join(still)} will start at the next boot",
            why="Its package enabled it, and it could not be disabled.",
            remedy="Disable it by hand: systemctl disable, or update-rc.d NAME disable.",
        )
