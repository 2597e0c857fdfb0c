"""Whether values changed with time or place: over blocks, within a block, within a run."""

import math
import statistics
from collections.abc import Iterator, Sequence

import numpy as np

from headtohead.analyze.findings.input_of_findings import ENOUGH, SURE, Residual, Whole, slope
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.analyze.runs.usage import CaseSeen, RunSeen
from headtohead.analyze.runs.use_in_window import increase
from headtohead.analyze.statistics.paired import center_and_half_width, t_tail
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

SMALL = 0.01
"""A smaller drift is not reported."""


def drift(whole: Whole) -> Iterator[Finding]:
    """Yield a note if the block means of all treatments follow a straight line; ratios within blocks remove it."""
    logs: dict[int, list[float]] = {}
    for each in whole.residuals():
        logs.setdefault(each.block, []).append(each.log)
    blocks = sorted(logs)
    if len(blocks) < ENOUGH:
        return
    steep, p = slope([float(block) for block in blocks], [float(np.mean(logs[block])) for block in blocks])
    change = math.exp(steep * (blocks[-1] - blocks[0])) - 1
    if p < SURE and abs(change) > SMALL:
        yield Finding(
            id="drift",
            severity=Severity.NOTE,
            says=f"From the first block to the last all values {'rose' if change > 0 else 'fell'} by "
            f"{percent(abs(change))} (p {p:.2g}).",
            advice="Ratios are taken within blocks, so they hold; absolute values are those of a changing machine.",
            evidence={"change_share": change, "p": p, "blocks": len(blocks)},
        )


ROUNDING = 1e-9
"""Logarithms that differ by less are equal."""


def position(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if later places of a block differ from the first, after removing treatments and blocks."""
    residuals = whole.residuals()
    found = effect(residuals, first=min((each.place for each in whole.experiment.runs), default=1))
    if found is None:
        return
    log, p, blocks = found
    if p < SURE:
        change = math.expm1(log)
        yield Finding(
            id="position-effect",
            severity=Severity.DOUBT,
            says=f"Runs that were not the first of their block gave {percent(abs(change))} "
            f"{'more' if change > 0 else 'less'} than the first (p {p:.2g}): a run affects the next one.",
            advice="Lengthen the warm-up, or find what remains: page cache, sockets, heat.",
            evidence={"change_share": change, "p": p, "blocks": blocks},
        )


def effect(residuals: Sequence[Residual], *, first: int) -> tuple[float, float, int] | None:
    """Return the difference of later places from the first (a log), its two-sided p, and the number of blocks.

    Least squares with a mean for each treatment and each block. None for fewer than 6 blocks with both places, if every
    block began with the same treatment, and if there is no difference.

    Assumes:    the noise of runs within a block is alike and independent.
    Invariant:  a factor on all runs of a block, or of a treatment, changes nothing.
    Reference:  Frisch and Waugh (1933), Econometrica 1; calibrated in tests/analyze/test_alarms.py.
    """
    places: dict[int, set[bool]] = {}
    for each in residuals:
        places.setdefault(each.block, set()).add(each.place != first)
    kept = [each for each in residuals if len(places[each.block]) > 1]
    blocks = list(dict.fromkeys(each.block for each in kept))
    if len(blocks) < ENOUGH:
        return None
    labels = list(dict.fromkeys(each.label for each in kept))
    others = np.array(
        [[each.label == label for label in labels] + [each.block == block for block in blocks] for each in kept], float
    )
    table = np.array([[each.log, each.place != first] for each in kept], float)
    fitted, _, rank, _ = np.linalg.lstsq(others, table, rcond=None)
    logs, later = (table - others @ fitted).T
    spread = float(later @ later)
    if spread < ROUNDING:
        return None
    log = float(logs @ later) / spread
    if abs(log) < ROUNDING or len(kept) < rank + 2:
        return None
    left, df = logs - log * later, len(kept) - int(rank) - 1
    error = math.sqrt(float(left @ left) / df / spread)
    return log, (t_tail(log / error, df) if error > ROUNDING else 0.0), len(blocks)


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
                f"{'rose' if change > 0 else 'fell'} by {percent(abs(change))}, over {len(logs)} runs.",
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
