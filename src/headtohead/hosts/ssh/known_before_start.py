"""What is known of a host before anything starts there: who we are on it, its cache, its CPUs, and its clocks."""

import time
from dataclasses import dataclass
from pathlib import Path

from headtohead.hosts.ssh.probe_orders import Agent
from headtohead.model.errors import HostError

ROOT = 0
CLOCK_OFF_S = 10.0
"""Certificates, package lists and the dates in a report go by the time of day; measuring does not."""
NS_PER_S = 1_000_000_000


@dataclass(frozen=True)
class Place:
    """A host as its probe sees it: the user that we are there, its cache, and the CPUs we may run on."""

    uid: int
    cache: Path
    cpus: tuple[int, ...]
    clock_off_s: float
    """How far its time of day is ahead of ours, in s; half of the exchange's duration is its uncertainty."""

    @property
    def root(self) -> bool:
        """Whether we are root there."""
        return self.uid == ROOT


def read_place(agent: Agent) -> Place:
    """Return what the host's probe reports."""
    before = time.time_ns()
    facts = agent.order("facts")
    after = time.time_ns()
    clock = facts["clock"]
    assert isinstance(clock, dict)
    off_ns = int(clock["since_1970_ns"]) - (before + after) // 2
    cpus = facts["cpus"]
    assert isinstance(cpus, list)
    return Place(
        uid=int(str(facts["uid"])),
        cache=Path(str(facts["cache"])),
        cpus=tuple(int(cpu) for cpu in cpus),
        clock_off_s=off_ns / NS_PER_S,
    )


def ask_clock(label: str, place: Place) -> None:
    """Raise HostError if the host's time of day is far from ours."""
    if abs(place.clock_off_s) <= CLOCK_OFF_S:
        return
    direction = "ahead of" if place.clock_off_s > 0 else "behind"
    raise HostError(
        f"The clock of the host {label} is wrong, or ours is",
        why=f"Its time of day is {abs(place.clock_off_s):.0f} s {direction} ours; {CLOCK_OFF_S:g} s are allowed.",
        remedy="Set both by a time server (timedatectl, chrony).",
    )
