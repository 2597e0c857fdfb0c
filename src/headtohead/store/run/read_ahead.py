"""The runs of a long folder, read by several processes; see ``model/parallel_work.py``.

A process reads a run and takes the sums of its files, whatever is wrong with it. What it could not read is read again
where it is checked, so that errors and exclusions are those of reading run by run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

from headtohead.model.errors import RecordError
from headtohead.model.parallel_work import side_by_side
from headtohead.model.record import Recorded
from headtohead.store.layout import Layout
from headtohead.store.proof.inspection import leads_out
from headtohead.store.proof.seal import sum_of_file
from headtohead.store.untrusted.bounds import check_summed

MANY = 1000
"""A folder with fewer runs is read in about a second."""
TOGETHER = 20
"""Runs that one process reads and returns at once: texts that they have in common are then sent and kept once."""


@dataclass(frozen=True)
class Ahead:
    """A run before it is checked, if it could be read, and the sums and sizes of its files by their path."""

    found: Recorded | None = None
    sums: Mapping[str, tuple[str, int]] = field(default_factory=dict)


def read_ahead(layout: Layout, numbers: Sequence[int], read: Callable[[Layout, int], Recorded]) -> Iterator[Ahead]:
    """Yield what could be read of each run by ``read``; of the runs of a short folder nothing."""
    if len(numbers) < MANY:
        return iter([Ahead()] * len(numbers))
    parts = [numbers[place : place + TOGETHER] for place in range(0, len(numbers), TOGETHER)]
    return chain.from_iterable(side_by_side(partial(_part, layout, read), parts))


def _part(layout: Layout, read: Callable[[Layout, int], Recorded], numbers: Sequence[int]) -> list[Ahead]:
    return [_ahead(layout, read, number) for number in numbers]


def _ahead(layout: Layout, read: Callable[[Layout, int], Recorded], number: int) -> Ahead:
    sums, folder = dict[str, tuple[str, int]](), layout.run(number)
    try:
        found = read(layout, number)
        for name in ("run.json", *(each for each in found.run.files if not leads_out(each))):
            path = folder / name
            size = path.lstat().st_size
            check_summed(size, together=0, where=path)
            sums[f"runs/{folder.name}/{name}"] = (sum_of_file(path, within=layout.root), size)
    except (OSError, RecordError, ValueError):
        return Ahead()
    return Ahead(found, sums)
