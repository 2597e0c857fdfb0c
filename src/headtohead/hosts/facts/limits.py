"""The resource limits of a headtohead process here."""

import re
from collections.abc import Iterator

from headtohead.hosts.kernel_files import Group, Tree
from headtohead.model.machine.host import Fact
from headtohead.model.quantity import Scalar

LIMITS = "proc/self/limits"
LINE = re.compile(r"^Max (.+?)\s{2,}(\S+)\s+(\S+)(?:\s+(\S+))?\s*$")
UNITS = {"bytes": "B", "seconds": "s", "us": "us"}


def read_limits(tree: Tree) -> Iterator[Fact]:
    """Yield the soft limit of each kind, and the hard one if it is higher."""
    group = Group("limits", tree)
    lines = [found for line in (tree.text(LIMITS) or "").splitlines() if (found := LINE.match(line))]
    if not lines:
        yield group.hidden("limits", source=f"/{LIMITS}", why_not=tree.why_not(LIMITS))
    for found in lines:
        name, soft, hard, unit = found.groups()
        yield group.known(name, _value(soft), source=f"/{LIMITS}", unit=UNITS.get(unit or ""))
        if hard != soft:
            yield group.known(f"{name} (hard)", _value(hard), source=f"/{LIMITS}", unit=UNITS.get(unit or ""))


def _value(text: str) -> Scalar:
    return int(text) if text.isdecimal() else text
