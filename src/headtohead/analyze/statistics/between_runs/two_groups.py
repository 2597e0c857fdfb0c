"""Whether values fall in two groups."""

import math
from collections.abc import Mapping

FEWEST = 2
"""The runs in the smaller of two groups, at least."""
APART, CLEARLY = 1.2, 2.0
"""Two groups are apart by at least the first factor, and by at least the second times the width of the wider one."""


def two_groups(logs: Mapping[int, float]) -> tuple[int, ...]:
    """Return the keys of the upper of two groups; empty if the values do not fall in two.

    >>> two_groups({1: 0.0, 2: 0.31, 3: 0.02, 4: 0.3})
    (4, 2)
    """
    order = sorted(logs, key=lambda each: logs[each])
    values = [logs[each] for each in order]
    places = range(FEWEST, len(values) - FEWEST + 1)
    split = max(places, key=lambda place: values[place] - values[place - 1], default=None)
    if split is None:
        return ()
    gap = values[split] - values[split - 1]
    wider = max(values[split - 1] - values[0], values[-1] - values[split])
    return tuple(order[split:]) if gap >= max(math.log(APART), CLEARLY * wider) else ()
