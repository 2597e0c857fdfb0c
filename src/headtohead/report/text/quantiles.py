"""Which quantiles may be shown: those that enough responses stand behind, in every run."""

from collections.abc import Iterable

from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.record import LoadRecord, Recorded
from headtohead.report.text.names import quantile

ENOUGH = 100
"""A quantile q is shown where N (1 - q) reaches this in every run (METHOD.md 3.3)."""
_ROUNDING = 1e-6


def fewest(runs: Iterable[Recorded], *, treatment: str, case: Case) -> int | None:
    """Return the fewest requests that a valid run of a treatment sent in a case (empty: in any); None without load."""
    valid = (each for each in runs if each.run.status == "valid" and each.run.label == treatment)
    sent = [number for each in valid for walked, number in _sent(each).items() if case in (WHOLE_RUN, walked)]
    return min(sent, default=None)


def _sent(recorded: Recorded) -> dict[Case, int]:
    """Return the requests sent in each case; of a case walked again, the last record counts."""
    return {each.case: each.sent for each in recorded.records if isinstance(each, LoadRecord)}


def needed(metric: str) -> int:
    """Return how many requests a run needs before this metric may be shown; 0 where the metric is no quantile.

    >>> needed("response_time_p99_ns"), needed("response_time_p999_ns"), needed("goodput_per_s")
    (10000, 100000, 0)
    """
    part = quantile(metric)
    return 0 if part is None else round(ENOUGH / (1 - part))


def supported(metric: str, sent: int | None) -> bool:
    """Return whether so many requests carry this metric; what is no quantile always may be shown."""
    part = quantile(metric)
    return part is None or (sent is not None and sent * (1 - part) >= ENOUGH - _ROUNDING)
