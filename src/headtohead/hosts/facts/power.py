"""The power of the processor packages at idle: two readings of their energy counters, a second apart."""

import time
from collections.abc import Iterator

from headtohead.hosts.facts.load_now import LoadNow
from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model import rules
from headtohead.model.machine.host import Fact

SAMPLE_S = 1.0
NAME = "processor packages, idle"
ZONES = "sys/class/powercap"


def read_power(tree: Tree, load: LoadNow | None) -> Iterator[Fact]:
    """Yield the power of all processor packages in watts, hidden if it cannot be read or the machine is not idle."""
    group, source = Group("power", tree), f"/{ZONES}"
    zones = [each.relative_to(tree.root).as_posix() for each in tree.glob(f"{ZONES}/intel-rapl:*")]
    packages = [each for each in zones if each.count(":") == 1]
    if not packages:
        yield group.hidden(NAME, source=source, why_not="no processor package counts its energy here")
        return
    if load is not None and load.cpus > rules.FOREIGN_CPU.limit:
        yield group.hidden(NAME, source=source, why_not=f"others used {load.cpus:.2f} CPU when it was read")
        return
    joules, seconds = _drawn_j(tree, packages)
    if joules is None:
        path = f"{packages[0]}/energy_uj"
        yield group.hidden(NAME, source=f"/{path}", why_not=tree.why_not(path))
        return
    yield group.known(NAME, round(joules / seconds, 2), source=f"{source}, over {SAMPLE_S:g} s", unit="W")


def _drawn_j(tree: Tree, packages: list[str]) -> tuple[float | None, float]:
    """Return the energy of all packages between two readings, None if one cannot be read, and the seconds between."""
    before, began = [tree.integer(f"{each}/energy_uj") for each in packages], time.monotonic()
    tree.pause(SAMPLE_S)
    after, seconds = [tree.integer(f"{each}/energy_uj") for each in packages], max(time.monotonic() - began, SAMPLE_S)
    ranges = [tree.integer(f"{each}/max_energy_range_uj") for each in packages]
    used = 0
    for first, last, most in zip(before, after, ranges, strict=True):
        if first is None or last is None or (last < first and most is None):
            return None, seconds
        used += last - first + (most + 1 if last < first and most is not None else 0)
    return used / 1e6, seconds
