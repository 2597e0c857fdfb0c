"""What all runs of a study have in common on one machine: the host, our own binaries, the cache, and the user."""

import os
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.pages.request_page import GetPage, get
from headtohead.execute.remote_machine import Elsewhere
from headtohead.hosts.files.here import FilesHere
from headtohead.hosts.files.run_files import RunFiles
from headtohead.hosts.host import Host
from headtohead.hosts.machine.resources import topology
from headtohead.model.machine.host import Cpu
from headtohead.model.rules import GATE, GateRule


@dataclass(frozen=True)
class Environment:
    """What all runs of a study have in common: the host, our own binaries, the cache, and the user of the programs.

    ``clock_ns`` is the host's monotonic clock, ``get`` requests a page, ``topology`` returns where CPUs are, and
    ``gate`` is the rule that each case waits for; tests pass in others. ``cpus`` are the CPUs that we may run on, read
    before any run. ``shown`` are folders that programs see although they are in a hidden place, such as ``/tmp``.
    ``elsewhere`` is what differs on another machine, None for this one; ``bin`` and ``cache`` are then paths there.
    ``drivers`` are the drivers of a bench by label. ``waits_in_vain`` are the waits for quiet so far after which the
    machine was not quiet, in seconds.
    """

    host: Host
    bin: Path
    cache: Path
    user: str | None
    clock_ns: Callable[[], int] = time.monotonic_ns
    get: GetPage = get
    cpus: frozenset[int] = field(default_factory=lambda: frozenset(os.sched_getaffinity(0)))
    topology: Callable[[Collection[int]], tuple[Cpu, ...]] = topology
    gate: GateRule = GATE
    shown: tuple[Path, ...] = ()
    counter: list[int] = field(default_factory=lambda: [0])
    waits_in_vain: list[float] = field(default_factory=list)
    files: RunFiles = field(default_factory=FilesHere)
    elsewhere: Elsewhere | None = None
    drivers: Mapping[str, "Environment"] = field(default_factory=dict)
    home: "Environment | None" = None

    @property
    def at_home(self) -> "Environment":
        """The environment of headtohead's own machine, which generates data."""
        return self.home or self
