"""A free TCP port for a server, of this machine or of another one."""

import errno
import random
import socket
from collections.abc import Sequence

from headtohead.execute.supervise_process_of_run import SupervisedRun
from headtohead.model.errors import HostError

PORTS = range(20_000, 30_000)
"""Ports to choose from: below those that a kernel gives to clients by default, who would take one before the server."""


def port_for(supervised: SupervisedRun, *, but: Sequence[int]) -> int:
    """Return a free TCP port of the supervised run's machine that is not in ``but``."""
    there = supervised.environment.elsewhere
    if there is None:
        return free_port(but=but)
    taken = there.listening_ports().union(but)
    return random.choice([each for each in PORTS if each not in taken])


def free_port(*, but: Sequence[int] = ()) -> int:
    """Return a free TCP port of the loopback address that is not in ``but``; HostError if there is none."""
    for port in (each for each in random.sample(PORTS, len(PORTS)) if each not in but):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise
            else:
                return port
    raise HostError(
        "There is no free port for a server",
        why=f"Every port from {PORTS[0]} to {PORTS[-1]} of this machine is taken.",
        remedy="End what uses these ports, or wait a minute: a closed connection keeps its port that long.",
    )
