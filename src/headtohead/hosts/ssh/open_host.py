"""The door to a host of a bench: connect, find out what it is, and leave nothing behind."""

import contextlib
import secrets
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from headtohead.hosts.paths import UNGUESSED, run_dir, this_owner
from headtohead.hosts.software import packages
from headtohead.hosts.software.programs import OURS, PROBE, find_program, install_programs
from headtohead.hosts.ssh.connection import Connection
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.package_files import RemoteFiles
from headtohead.hosts.supervise.heartbeat import LEASE_S
from headtohead.model.errors import HostError

ASK_WITHIN_S = 30.0


@contextlib.contextmanager
def ssh_host(
    label: str, destination: str, *, ssh: Sequence[str] = ("ssh",), lease_s: float = LEASE_S
) -> Iterator[SshHost]:
    """Connect to a host; HostError with cause and remedy if that is not possible.

    ``label`` is its name in the bench, ``destination`` what ssh takes. The host ends the connection when it hears
    nothing for ``lease_s``. The connection's folder has the name of a run of this process, so that a sweep removes it
    if we are killed.
    """
    folder = run_dir(this_owner().run_id(secrets.randbelow(UNGUESSED)))
    with Connection(label, destination, folder=folder, ssh=ssh, lease_s=lease_s) as connection:
        yield SshHost(connection, probe=find_program(PROBE))


def send_programs(host: SshHost, *, cache: Path) -> Path:
    """Send our programs to the host unless they are there; return their folder on it. ``cache`` is ours here."""
    return host.push(install_programs(tuple(find_program(name) for name in OURS), cache=cache), "bin").path


def install(names: Collection[str], *, host: SshHost, show: Callable[[str], object]) -> None:
    """Install packages on the host, its services kept from starting and then disabled; shows each command first."""
    packages.install(names, host=host, show=show, prefix=privilege(host), files=RemoteFiles(host))


def privilege(host: SshHost) -> tuple[str, ...]:
    """Return the prefix of a command that needs root on the host; HostError if there is no way without a question."""
    if host.place.root:
        return ()
    try:
        host.run(("sudo", "-n", "true"), within_s=ASK_WITHIN_S)
    except HostError as refused:
        raise HostError(
            f"Packages cannot be installed on the host {host.label}",
            why=f"We are not root there, and sudo does not let us in without a password ({refused.why.rstrip('.')}).",
            remedy="Log in as root in the bench file, let that user use sudo without a password, or install by hand.",
        ) from refused
    return ("sudo", "-n")
