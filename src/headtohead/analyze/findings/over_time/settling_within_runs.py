"""Whether runs still changed while they were measured: the first half of the measured time against the second."""

import math
import statistics
from collections.abc import Iterator, Sequence

import numpy as np

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import rose_or_fell
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen
from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.analyze.runs.use_in_window import increase
from headtohead.analyze.statistics.error_of_checks import ENOUGH, SURE
from headtohead.analyze.statistics.paired import center_and_half_width
from headtohead.model import rules
from headtohead.model.finding import Finding
from headtohead.model.record import LoadRecord

FLOWS = ("loopback_bytes", "link_sent_bytes")
"""The bytes between driver and subject, whose rate a closed loop keeps as high as the subject allows."""

HEAD_BYTES = 40
"""A response has at least the head of a packet; fewer bytes mean another way (a socket in the file system)."""

WORK = ("subject_cpu_ns",)
"""If the rate is given: the cost of its requests."""


def settling(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment (no floors) that changed by more than 1 % from half to half: a t over runs.

    In a closed loop it compares the bytes that passed; if requests come at a rate of their own, the subject's CPU. A
    search tries one rate after another, and a batch program has no times within its work.
    """
    load = whole.experiment.load
    if load.searches or load.loop == "batch":
        return
    columns, what = (
        (FLOWS, "the traffic between load generator and server") if load.loop == "closed" else (WORK, "its CPU")
    )
    for treatment in whole.experiment.treatments:
        runs = [each for each in whole.seen if each.run.label == treatment.label and not treatment.floor]
        logs = [log for each in runs if (log := second_over_first(each, columns)) is not None]
        change = change_of(logs)
        if change:
            yield Finding(
                id=rules.NOT_SETTLED.id,
                severity=rules.NOT_SETTLED.then,
                says=f"{treatment.label}: from the first to the second half of the measured time {what} "
                f"{rose_or_fell(change)}, over {len(logs)} runs.",
                advice="It had not settled when it was measured: raise warm_up_s, or measure longer.",
                evidence={"change_share": change, "limit_share": rules.NOT_SETTLED.limit, "treatment": treatment.label},
                of=(treatment.label,),
            )


def change_of(logs: Sequence[float]) -> float | None:
    """Return the mean change as a share if its interval is beyond the limit on one side; else None."""
    if len(logs) < ENOUGH:
        return None
    center, half = (float(each) for each in center_and_half_width(np.asarray(logs, dtype=np.float64), alpha=SURE))
    limit = rules.NOT_SETTLED.limit
    beyond = center - half > math.log1p(limit) or center + half < math.log1p(-limit)
    return math.expm1(center) if beyond else None


def second_over_first(seen: RunSeen, columns: Sequence[str]) -> float | None:
    """Return the logarithm of second over first half, the mean over the run's cases; None if no case has it."""
    if seen.columns is None:
        return None
    logs = [log for each in seen.cases if (log := _of_case(seen.columns, each, columns)) is not None]
    return statistics.fmean(logs) if logs else None


def _of_case(readings: Columns, case: CaseSeen, columns: Sequence[str]) -> float | None:
    if case.window is None or not isinstance(case.record, LoadRecord):
        return None
    begin, end = case.window.from_ns, case.window.to_ns
    middle = (begin + end) / 2
    for name in columns:
        rises = [increase(readings, name, window=Window(*each)) for each in ((begin, middle), (middle, end))]
        first, second = (rise or 0.0 for rise in rises)
        least = HEAD_BYTES * case.record.sent if name in FLOWS else 0
        if min(first, second) > 0 and first + second >= least:
            return math.log(second / first)
    return None
