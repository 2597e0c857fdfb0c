"""A free TCP port for a server, of this machine or of another one."""

import random
import socket
from collections.abc import Sequence

from headtohead.execute.supervise_process_of_run import SupervisedRun

FAR_PORTS = range(20_000, 30_000)
"""Ports of another machine to choose from: below those that its kernel gives to clients."""


def port_for(supervised: SupervisedRun, *, but: Sequence[int]) -> int:
    """Return a free TCP port of the supervised run's machine that is not in ``but``."""
    there = supervised.environment.elsewhere
    if there is None:
        return free_port(but=but)
    taken = there.listening_ports().union(but)
    return random.choice([each for each in FAR_PORTS if each not in taken])


def free_port(*, but: Sequence[int] = ()) -> int:
    """Return a free TCP port of the loopback address that is not in ``but``."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port not in but:
            return port
