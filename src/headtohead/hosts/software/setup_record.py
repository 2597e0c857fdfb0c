"""What setup has changed on this machine: the packages that it installed and the services that it disabled."""

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.software import services
from headtohead.hosts.software.package_files import HERE, Files
from headtohead.hosts.software.services import ETC
from headtohead.model.errors import HostError

RECORD = Path("/var/lib/headtohead/setup.json")
WITHIN_S = 30.0
NOT_THERE = ("not-installed", "config-files")
"""The states of a package of which no program is there."""
EXACT = "${db:Status-Status}\t${Package}:${Architecture}\n"


@dataclass(frozen=True)
class Before:
    """What was there when an installation began: packages as ``name:architecture``, and enabled services."""

    packages: frozenset[str]
    services: frozenset[str]


@dataclass(frozen=True)
class SetupRecord:
    """All that setup has installed and disabled; ``before`` is set while an installation is going on, or was killed."""

    packages: frozenset[str] = frozenset()
    services: frozenset[str] = frozenset()
    before: Before | None = None


@contextlib.contextmanager
def recorded(
    host: Host,
    *,
    prefix: Sequence[str] = (),
    show: Callable[[str], object],
    record: Path = RECORD,
    etc: Path = ETC,
    files: Files = HERE,
) -> Iterator[None]:
    """Record the packages installed inside, and disable the services that they enabled; also after a failure.

    What a killed installation brought is found by the next one. HostError if a service stays enabled.
    """
    earlier = read(record, files=files)
    before = earlier.before or Before(installed(host, wholly=False), services.enabled(etc, files=files))

    def write(after: SetupRecord) -> None:
        with files.staged(_text(after)) as ours:
            host.run((*prefix, "install", "-D", "--mode=0644", ours, str(record)), within_s=WITHIN_S)

    write(replace(earlier, before=before))
    try:
        yield
    finally:
        new = installed(host) - before.packages
        brought = (services.enabled(etc, files=files) - before.services) & _services_of(new, host)
        after = SetupRecord(earlier.packages | new, earlier.services | brought)
        if brought:
            show(f"Disabled for the next boot, as nobody had enabled them before: {', '.join(sorted(brought))}.")
            write(replace(after, before=before))
            services.disable(brought, host=host, prefix=prefix, etc=etc, files=files)
        write(after)


def read(record: Path = RECORD, *, files: Files = HERE) -> SetupRecord:
    """Return the record, an empty one if there is none; HostError if it cannot be read."""
    text = files.text(record)
    if text is None and not files.exists(record):
        return SetupRecord()
    try:
        given = json.loads(text or "")
        begun = given["before"]
        before = None if begun is None else Before(_names(begun, "packages"), _names(begun, "services"))
        return SetupRecord(_names(given, "packages"), _names(given, "services"), before)
    except (ValueError, KeyError, TypeError) as error:
        raise HostError(
            f"{record} cannot be read",
            why=f"It is the record of what setup has changed here ({type(error).__name__}: {error}).",
            remedy="Remove the file; packages installed so far are then removed by hand.",
        ) from error


def forget(*, host: Host, prefix: Sequence[str] = (), record: Path = RECORD) -> None:
    """Remove the record, after all that it names was removed."""
    host.run((*prefix, "rm", "--force", str(record)), within_s=WITHIN_S)


def installed(host: Host, *, wholly: bool = True) -> frozenset[str]:
    """Return the installed packages as ``name:architecture``; HostError on a machine without dpkg.

    With ``wholly`` false also those that somebody has begun to install: apt finishes them at its next call.
    """
    listing = host.run(("dpkg-query", "--show", f"--showformat={EXACT}"), within_s=WITHIN_S)
    pairs = (line.partition("\t") for line in listing.splitlines())
    return frozenset(
        name for status, _, name in pairs if (status == "installed" if wholly else status not in NOT_THERE)
    )


def _services_of(packages: frozenset[str], host: Host) -> frozenset[str]:
    """Return the units and scripts that packages hold."""
    if not packages:
        return frozenset()
    files = host.run(("dpkg-query", "--listfiles", *sorted(packages)), within_s=WITHIN_S)
    places = {"/etc/init.d", "/lib/systemd/system", "/usr/lib/systemd/system"}
    return frozenset(path.name for path in map(Path, files.splitlines()) if str(path.parent) in places)


def _text(after: SetupRecord) -> str:
    before = after.before
    given = {
        "packages": sorted(after.packages),
        "services": sorted(after.services),
        "before": before and {"packages": sorted(before.packages), "services": sorted(before.services)},
    }
    return json.dumps(given, indent=1) + "\n"


def _names(given: Mapping[str, object], key: str) -> frozenset[str]:
    found = given[key]
    if not isinstance(found, list) or not all(isinstance(each, str) for each in found):
        raise TypeError(f"{key} is not a list of names")
    return frozenset(found)
