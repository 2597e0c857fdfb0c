"""The runs of a long folder, read by several processes; see ``model/side_by_side.py``.

A process reads a run and takes the sums of its files, whatever is wrong with it. What it could not read is read again
where it is checked, so that errors and exclusions are those of reading run by run.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from headtohead.model.errors import RecordError
from headtohead.model.record import Recorded
from headtohead.model.side_by_side import side_by_side
from headtohead.store.layout import Layout
from headtohead.store.proof.inspection import leads_out
from headtohead.store.proof.seal import sum_of_file
from headtohead.store.untrusted.bounds import check_summed

MANY = 1000
"""A folder with fewer runs is read in about a second."""


@dataclass(frozen=True)
class Ahead:
    """A run before it is checked, if it could be read, and the sums of its files by their path in the folder."""

    found: Recorded | None = None
    sums: Mapping[str, str] = field(default_factory=dict)


def read_ahead(layout: Layout, numbers: Sequence[int], read: Callable[[Layout, int], Recorded]) -> Iterator[Ahead]:
    """Yield what could be read of each run by ``read``; of the runs of a short folder nothing."""
    if len(numbers) < MANY:
        return iter([Ahead()] * len(numbers))
    return side_by_side(partial(_ahead, layout, read), numbers)


def _ahead(layout: Layout, read: Callable[[Layout, int], Recorded], number: int) -> Ahead:
    sums, folder = dict[str, str](), layout.run(number)
    try:
        found = read(layout, number)
        for name in ("run.json", *(each for each in found.run.files if not leads_out(each))):
            path = folder / name
            check_summed(path.lstat().st_size, together=0, where=path)
            sums[f"runs/{folder.name}/{name}"] = sum_of_file(path, within=layout.root)
    except (OSError, RecordError, ValueError):
        return Ahead()
    return Ahead(found, sums)
