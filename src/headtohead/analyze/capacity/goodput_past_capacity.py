"""The goodput that remains past the capacity, as a share of it; and which loads were offered to see that."""

from collections.abc import Sequence

from headtohead.analyze.runs.driver_schedule import driver_late
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.record import CaseRecord, LoadRecord
from headtohead.model.study.workload import Load

OVERLOADS_PERCENT = (110, 125, 150, 200)
"""Offered loads past the capacity at which the goodput is taken."""
OVERLOAD = "overload_goodput_share"


def overload_keys() -> list[Key]:
    """Return the keys of the goodput at the worst overload and at each, as a share of the capacity."""
    return [Key(WHOLE_RUN, OVERLOAD), *(Key(_overloaded(each), OVERLOAD) for each in OVERLOADS_PERCENT)]


def _overloaded(percent: int) -> Case:
    return Case({"overload_percent": percent})


def overload_shares(records: Sequence[LoadRecord], load: Load, *, capacity_per_s: float) -> dict[Key, float]:
    """Return the goodput of a run at each overload as a share of its capacity.

    The worst share is the run's, if all overloads have one. An overload at which the driver itself was late has none:
    that load was never offered.
    """
    shares = {}
    for each in records:
        goodput = each.values.get("goodput_per_s")
        if goodput is not None and not driver_late(each, load):
            shares[int(float(each.case["overload_percent"]))] = goodput / capacity_per_s
    found = {Key(_overloaded(percent), OVERLOAD): share for percent, share in shares.items()}
    if set(OVERLOADS_PERCENT) <= set(shares):
        found[Key(WHOLE_RUN, OVERLOAD)] = min(shares.values())
    return found


def is_overload(record: LoadRecord) -> bool:
    """Return whether the record is of a load above the capacity, offered to see how much goodput remains."""
    return "overload_percent" in record.case


def of_overload(records: Sequence[CaseRecord]) -> list[LoadRecord]:
    """Return the records of loads above the capacity, in order."""
    return [each for each in records if isinstance(each, LoadRecord) and is_overload(each)]
