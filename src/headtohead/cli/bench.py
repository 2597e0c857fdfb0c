"""The machines of a bench for the commands: the option, the file, and a connection to each."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from headtohead.hosts.kernel_files import cpu_text
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.open_host import ssh_host
from headtohead.model.errors import HostError
from headtohead.model.machine.bench import BenchHost

BenchOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", show_default="this machine alone", help="A bench file: the machines to use, reached over SSH."
    ),
]


@contextlib.contextmanager
def reached(each: BenchHost) -> Iterator[SshHost]:
    """Connect to a machine of a bench; HostError if that is not possible, or if it lacks CPUs that the bench names."""
    with ssh_host(each.label, each.ssh) as host:
        missing = sorted(set(each.cpus or ()) - set(host.place.cpus))
        if missing:
            there = cpu_text(host.place.cpus)
            raise HostError(
                f"The host {each.label} has no CPU {cpu_text(missing)}",
                why=f"The bench file gives {cpu_text(each.cpus or ())}; there we may run on {there}.",
                remedy="Correct cpus in the bench file.",
            )
        yield host


def cpus_of(each: BenchHost, host: SshHost) -> tuple[int, ...]:
    """Return the CPUs that may be used on a machine of a bench."""
    return host.place.cpus if each.cpus is None else each.cpus
