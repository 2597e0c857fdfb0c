"""Another machine that runs are carried out on: who owns them there, its address, and its clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.hosts.paths import Owner
from headtohead.hosts.ssh.session import ClockOffset


@dataclass
class FarClock:
    """The monotonic clock of another machine, in ns: ours, and the offset that was measured last."""

    measured: Callable[[], ClockOffset]
    ours_ns: Callable[[], int] = time.monotonic_ns
    offset_ns: int = field(default=0, init=False)

    def __call__(self) -> int:
        """Return the time there, now."""
        return self.ours_ns() + self.offset_ns

    def measure(self) -> ClockOffset:
        """Measure the offset anew and go by it; takes some ms."""
        found = self.measured()
        self.offset_ns = found.offset_ns
        return found


@dataclass(frozen=True)
class Elsewhere:
    """Another machine, reached over SSH, as one study uses it.

    Runs there belong to ``owner``, our session on it; ``harness_pids`` serve our connection there. ``end_run`` removes
    what a run left there, ``forget`` what was brought here of it. ``address`` is its address on the measured network,
    ``user_name`` the user that programs run as, and ``logs`` the folder here for what supervise prints.
    ``listening_ports`` returns the TCP ports that are in use there. ``push`` sends a folder there once and returns its
    path there. ``instructions`` are those of its CPUs.
    """

    label: str
    address: str
    owner: Owner
    harness_pids: tuple[int, ...]
    clock: FarClock
    end_run: Callable[[str], object]
    forget: Callable[[Path], None]
    user_name: str
    logs: Path
    listening_ports: Callable[[], frozenset[int]]
    push: Callable[[Path], Path]
    instructions: str
