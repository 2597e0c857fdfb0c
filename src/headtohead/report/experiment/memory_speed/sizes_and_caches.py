"""Sizes of memory as text and as an axis, and the sizes of the caches of a host."""

import math
from collections.abc import Sequence

from headtohead.model.machine.host import Fact
from headtohead.report.drawing.axes import Axis
from headtohead.report.text.numbers import plain, scale_for


def size_text(size: float) -> str:
    """Return a size as people write it: ``48 KiB``; means of equal sizes are whole bytes but for their last digits."""
    scale = scale_for("B", [round(size)])
    return f"{plain(round(size) / scale.factor)} {scale.unit}"


def size_axis(sizes: Sequence[float], *, most: int) -> Axis:
    """Return a logarithmic axis of sizes, with a few ticks: at the least size and at even powers of 2 times it."""
    least, greatest = min(sizes), max(sizes)
    octaves = max(1, math.floor(math.log2(greatest / least)))
    step = 2 * math.ceil(octaves / (2 * most))
    ticks = tuple((size, size_text(size)) for size in (least * 2.0**power for power in range(0, octaves + 1, step)))
    room = max(greatest / least, 2.0) ** 0.02
    return Axis(least / room, greatest * room, True, ticks, below="size of the working set")


def caches_of(facts: Sequence[Fact]) -> tuple[tuple[float, str], ...]:
    """Return the sizes of the caches for data as the host shows them, each with its name: ``L2 1 MiB``."""
    sizes = [each for each in facts if each.group == "caches" and each.name.endswith(" size")]
    named = ((each.name.removesuffix(" size").removesuffix(" data"), each.value) for each in sizes)
    known = ((name, float(size)) for name, size in named if isinstance(size, int | float) and size > 0)
    return tuple(sorted((size, f"{name} {size_text(size)}") for name, size in known if "instruction" not in name))
