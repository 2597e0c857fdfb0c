"""The word for a file's size, resolved: twice the memory of the treatment that has the most."""

from collections.abc import Iterable
from dataclasses import replace

from headtohead.model.errors import LimitedError
from headtohead.model.plan import Treatment
from headtohead.model.study.size_words import SIZE, TWICE_MEMORY, is_size
from headtohead.model.study.workload import Load

MEMORY = "memory_mib"


def with_size(load: Load, treatments: Iterable[Treatment], *, memory_mib: int | None) -> tuple[Load, tuple[str, ...]]:
    """Return a load with the word for a size as a number, and a note if it had one.

    All treatments have files of one size, or their rates could not be compared. ``memory_mib`` is the machine's.
    Raises LimitedError if it is not known.
    """
    if not is_size(SIZE, load.settings.get(SIZE, "")):
        return load, ()
    if memory_mib is None:
        raise LimitedError(
            f'{SIZE} = "{TWICE_MEMORY}"',
            why="The memory of this machine is not visible (MemTotal in /proc/meminfo).",
            remedy=f"Write the size as a number: {SIZE} = 20480.",
        )
    limits = [int(each.levels.get(MEMORY, memory_mib)) for each in treatments]
    size = 2 * max(min(limit, memory_mib) for limit in limits)
    note = f'In the load, {SIZE} "{TWICE_MEMORY}" is {size} here: twice the memory that a program has.'
    return replace(load, settings={**load.settings, SIZE: size}), (note,)
