"""Where along the response times two treatments differ: their ratio at each tenth of the requests (a shift function).

Two servers may have the same median and tails that are worlds apart. A run's quantiles are one value each, so that
blocks, not requests, are what is counted: correlated requests of one run tell nothing of the next.
"""

import math
from collections.abc import Iterator

import numpy as np

from headtohead.analyze.runs.records import of_case, planned_cases
from headtohead.analyze.samples.samples import Samples
from headtohead.analyze.statistics import max_t
from headtohead.analyze.statistics.paired import Floats
from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.model.analysis.comparison import Shift
from headtohead.model.case import Case
from headtohead.model.plan import Comparison
from headtohead.model.quantiles import carries
from headtohead.model.record import LoadRecord

QUANTILES = ("p10", "p20", "p30", "p40", "p50", "p60", "p70", "p80", "p90", "p99")


def shifts(comparison: Comparison, samples: Samples, *, alpha: float) -> tuple[Shift, ...]:
    """Return the ratios in the first and the last planned case: in studies the lightest and the heaviest load.

    All intervals share alpha: they are bands that hold together (METHOD.md 3.3). A quantile that some block cannot
    carry is left out; so is a case in which too few blocks have both treatments to name a winner. A search has none,
    as each of its runs chose its loads itself.
    """
    if samples.experiment.load.searches:
        return ()
    cases = planned_cases(samples.experiment)
    rows: dict[tuple[Case, str], Floats] = {}
    for case in dict.fromkeys((cases[0], cases[-1])):
        pairs = list(_records(comparison, samples, case))
        told = {(case, each): _log_ratios(pairs, each) for each in QUANTILES}
        rows |= {key: logs for key, logs in told.items() if logs is not None}
    ratios = max_t.shared(list(rows.values()), alpha=alpha)
    return tuple(Shift(*key, ratio) for key, ratio in zip(rows, ratios, strict=True))


def _records(comparison: Comparison, samples: Samples, case: Case) -> Iterator[tuple[LoadRecord, LoadRecord]]:
    """Yield what the load generator said of a case in each block that has both treatments, the baseline's first."""
    counted = [samples.counted.get(label, {}) for label in (comparison.baseline, comparison.other)]
    for block in sorted(counted[0].keys() & counted[1].keys()):
        latest = [of_case(runs[block].records, case)[:1] for runs in counted]
        found = [each for records in latest for each in records if isinstance(each, LoadRecord)]
        if len(found) == len(counted):
            yield found[0], found[1]


def _log_ratios(pairs: list[tuple[LoadRecord, LoadRecord]], quantile: str) -> Floats | None:
    """Return ln(other / baseline) of a quantile in each block; None where one block lacks it, or there are too few."""
    name = f"response_time_{quantile}_ns"
    logs = []
    for both in pairs:
        low, high = (each.values.get(name) for each in both)
        if not low or not high or not all(carries(each.sent, name) for each in both):
            return None
        logs.append(math.log(high / low))
    return np.asarray(logs, dtype=np.float64) if len(logs) >= MINIMUM else None
