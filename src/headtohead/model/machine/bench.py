"""A bench: the machines that a study is carried out on, as ``bench.toml`` names them."""

from dataclasses import dataclass
from typing import Final, Literal

SERVER: Final = "server"
"""The factor whose levels are the labels of servers."""
EACH: Final = "each"
"""Its level for all servers of the bench, in their order."""
DRIVERS: Final = "drivers"
"""The factor whose levels are numbers of drivers: N stands for the first N of the bench."""

Role = Literal["server", "driver"]
"""A server's programs are measured; a driver requests what they serve."""


@dataclass(frozen=True)
class BenchHost:
    """One machine of a bench, by its label.

    ``ssh`` is its destination as OpenSSH takes it. ``address`` is its IP address on the measured network, None for the
    one that ssh connects to. ``cpus`` are the CPUs that may be used, None for all. ``system`` is the path of the file
    with its price and power, relative to the bench file.
    """

    label: str
    role: Role
    ssh: str
    address: str | None = None
    cpus: tuple[int, ...] | None = None
    system: str | None = None


@dataclass(frozen=True)
class Bench:
    """All machines of a bench, servers first, each in the order of the file."""

    hosts: tuple[BenchHost, ...]

    def of(self, role: Role) -> tuple[BenchHost, ...]:
        """Return the machines with this role."""
        return tuple(each for each in self.hosts if each.role == role)
