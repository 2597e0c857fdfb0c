"""Removing the packages that setup installed, and no others."""

from collections.abc import Callable, Sequence
from pathlib import Path

from headtohead.hosts.host import Host
from headtohead.hosts.software import services, setup_record
from headtohead.hosts.software.interrupts_noted import interrupts_noted
from headtohead.hosts.software.services import ETC
from headtohead.hosts.software.setup_record import RECORD
from headtohead.model.errors import HostError

SIMULATE_WITHIN_S = 120.0
REMOVE_WITHIN_S = 1800.0
REMOVED = "Remv "


def removable(host: Host, *, record: Path = RECORD) -> tuple[str, ...]:
    """Return what setup installed and is still here, as ``name:architecture``.

    HostError if apt would remove other packages with them: someone has installed what needs them since.
    """
    ours = setup_record.read(record).packages & setup_record.installed(host)
    if not ours:
        return ()
    native = host.run(("dpkg", "--print-architecture"), within_s=SIMULATE_WITHIN_S).strip()
    said = host.run(remove_argv(ours, "--simulate"), within_s=SIMULATE_WITHIN_S)
    gone = {line.split()[1] for line in said.splitlines() if line.startswith(REMOVED)}
    # apt names a package of this architecture, or of all, by its name alone
    plain = {each.removesuffix(f":{native}").removesuffix(":all") for each in ours}
    others = sorted(gone - plain - ours)
    if others:
        raise HostError(
            "The packages that setup installed are not removed",
            why=f"apt would remove {', '.join(others)} too, which setup did not install and which needs one of them.",
            remedy="Remove those first, or keep the packages.",
        )
    return tuple(sorted(ours))


def remove_argv(names: Sequence[str] | frozenset[str], *options: str) -> tuple[str, ...]:
    """Return the command that removes packages; their configuration and data stay."""
    return ("env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "remove", "--yes", "--quiet", *options, *sorted(names))


def remove(
    names: Sequence[str],
    *,
    host: Host,
    show: Callable[[str], object],
    prefix: Sequence[str] = (),
    record: Path = RECORD,
    etc: Path = ETC,
) -> None:
    """Remove the packages of ``removable`` after showing the command, then the record of them.

    Installed again by somebody, their services start as those of any package: that setup disabled them is undone.
    """
    if names:
        argv = (*prefix, *remove_argv(names))
        show(" ".join(argv))
        with interrupts_noted():
            host.run(argv, within_s=REMOVE_WITHIN_S)
            services.forget(setup_record.read(record).services, host=host, prefix=prefix, etc=etc)
    setup_record.forget(host=host, prefix=prefix, record=record)
