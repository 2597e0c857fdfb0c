"""Where along the response times two treatments differ: their ratio at each decile (a shift function).

Two servers may have the same median and very different tails. Each quantile of a run is one value, so n counts blocks,
not requests: the requests of one run are correlated and do not predict the next run.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics import max_t
from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.model.analysis.comparison import Exploratory, Shift
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.case import Case
from headtohead.model.plan import Comparison
from headtohead.model.quantiles import carries
from headtohead.model.record import LoadRecord

QUANTILES = ("p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p99")


def shifts(comparison: Comparison, samples: Samples, *, alpha: float) -> tuple[Shift, ...]:
    """Return the ratios in the first and the last planned case: usually the lightest and the heaviest load.

    All intervals share alpha: they are simultaneous bands (METHOD.md 3.3). A quantile that some block has too few
    requests for is left out, and so is a case with too few blocks for a verdict. A search has none, because each of its
    runs chooses its own loads.
    """
    if samples.experiment.load.searches:
        return ()
    cases = planned_cases(samples.experiment)
    rows: dict[tuple[Case, str], Floats] = {}
    for case in dict.fromkeys((cases[0], cases[-1])):
        pairs = list(_records(comparison, samples, case))
        by_quantile = {(case, each): _log_ratios(pairs, each) for each in QUANTILES}
        rows |= {key: logs for key, logs in by_quantile.items() if logs is not None}
    ratios = max_t.shared(list(rows.values()), alpha=alpha)
    return tuple(Shift(*key, ratio) for key, ratio in zip(rows, ratios, strict=True))


def with_one_interval(
    explored: Sequence[Exploratory], shifted: Sequence[Shift]
) -> tuple[tuple[Exploratory, ...], tuple[Shift, ...]]:
    """Return both with one interval for each ratio that both have, the wider: so those of each still hold together."""
    keys = [{(each.case, each.metric): each.ratio for each in explored}]
    keys += [{(each.case, _metric(each.quantile)): each.ratio for each in shifted}]
    wider = {key: max((each[key] for each in keys), key=_width) for key in keys[0].keys() & keys[1].keys()}
    return (
        tuple(replace(each, ratio=wider.get((each.case, each.metric), each.ratio)) for each in explored),
        tuple(replace(each, ratio=wider.get((each.case, _metric(each.quantile)), each.ratio)) for each in shifted),
    )


def _width(ratio: Estimate) -> float:
    return ratio.interval.log_width if ratio.interval else 0.0


def _records(comparison: Comparison, samples: Samples, case: Case) -> Iterator[tuple[LoadRecord, LoadRecord]]:
    """Yield the load records of a case in each block that has both treatments, the baseline's first."""
    counted = [samples.counted.get(label, {}) for label in (comparison.baseline, comparison.other)]
    for block in sorted(counted[0].keys() & counted[1].keys()):
        latest = [of_case(runs[block].records, case)[:1] for runs in counted]
        found = [each for records in latest for each in records if isinstance(each, LoadRecord)]
        if len(found) == len(counted):
            yield found[0], found[1]


def _metric(quantile: str) -> str:
    return f"response_time_{quantile}_ns"


def _log_ratios(pairs: list[tuple[LoadRecord, LoadRecord]], quantile: str) -> Floats | None:
    """Return ln(other / baseline) of a quantile in each block; None if a block lacks it or blocks are too few."""
    name = _metric(quantile)
    logs = []
    for both in pairs:
        low, high = (each.values.get(name) for each in both)
        if not low or not high or not all(carries(each.sent, name) for each in both):
            return None
        logs.append(math.log(high / low))
    return np.asarray(logs, dtype=np.float64) if len(logs) >= MINIMUM else None
