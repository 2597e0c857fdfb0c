"""How long a plan takes, and how small a difference it can detect."""

import math
import re
from collections.abc import Sequence

from headtohead.model.case import Case
from headtohead.model.plan import Plan, PlannedExperiment
from headtohead.model.rules import GATE
from headtohead.model.study import trials
from headtohead.model.study.subject import Batch, Subject
from headtohead.model.study.workload import Load

USUAL_SPREAD = 0.03
"""The spread of log-ratios within blocks on a usual machine; 1 % on a quiet one, 5 % on a noisy one (METHOD.md 2.1)."""
_POWER = 0.8
_START_AND_STOP_S = 1.0
_GATE_S = GATE.for_s + 0.05
"""The gate needs that much quiet; the rest is the time of the check."""
_PART_S = 3.0
"""The time that a needed subject adds: a database starts more slowly than a web server, and is read in."""
_DRAIN_S = 0.3
"""After arrivals end, the driver waits for requests in flight; below saturation there are few."""
_TRIALS, _TRIALS_SCATTER = (11, 10), (15, 15)
"""Trials of the first search of a treatment, including its probe, and of those that start at the median so far.

The second are for trials that scatter, the most that a search makes: a time limit may bind before the server is
saturated (ADR 27), or they have few requests (ADR 87).
"""
USUAL_RATE_PER_S = 10_000.0
"""The rate that a forecast assumes: a static page or a small query on one CPU."""
SLOWER_PER_S = (1_000.0, 100.0)
"""Rates at which the plan states how long a search takes too, in requests/s."""
_OVERLOADS = (1.1, 1.25, 1.5, 2.0)
"""The loads offered past the capacity once it is found, as shares of it."""
_BYTES_PER_MIB = 1024 * 1024
_USUAL_BYTES_PER_S = 1500 * _BYTES_PER_MIB
"""The assumed rate of files: through the page cache, or of a current disk."""
_PAYLOAD = 1448 / 1538
"""The share of a link that is left for data: frames of 1500 bytes, with the headers of Ethernet, IP and TCP."""
_CASE_S = 1.0
"""The assumed time of a case of batch work if neither its load has ``seconds`` nor its program ``takes_s``."""


def run_s(
    subject: Subject,
    load: Load,
    *,
    cases: Sequence[Case],
    parts: int = 0,
    rate_mbit: int | None = None,
    rate_per_s: float | None = None,
) -> float:
    """Return what one run is expected to take, in seconds.

    A server's cases each have a gate, a warm-up and a measurement, and a drain if requests arrive; ``parts`` counts the
    subjects that it needs. A measurement that ends after a number of requests lasts as long as at ``rate_per_s``, if
    that is known. A batch program is started, after a gate, once for each combination of the case fields
    that its argv names: it takes the ``seconds`` of its cases, or of the load, plus its own ``takes_s``, plus the time
    of the data that it moves. The same is true of a server's own client program, over a link of ``rate_mbit``.
    """
    program = subject.batch or subject.driver
    if program is None:
        drain_s = 0.0 if load.loop == "closed" else _DRAIN_S
        measure_s = _measure_s(load, rate_per_s)
        begin_and_end_s = _begin_and_end_s(parts) + (load.settle_s or 0.0)
        return begin_and_end_s + len(cases) * (_GATE_S + load.warm_up_s + measure_s + drain_s)
    named = [field for field in load.cases if any(re.search(f"@{field}@", part) for part in program.argv)]
    starts = {tuple(case[field] for field in named): case for case in cases}
    unstated_s = _CASE_S if program.takes_s is None else 0.0
    work_s = sum(_seconds(case, load, unstated_s=unstated_s) for case in cases)
    work_s += sum(_moved_bytes(program, case, load) for case in starts.values()) / _bytes_per_s(rate_mbit)
    return _START_AND_STOP_S + len(starts) * (_GATE_S + (program.takes_s or 0.0)) + work_s


def _measure_s(load: Load, rate_per_s: float | None) -> float:
    requests = load.settings.get("requests")
    return load.measure_s if requests is None or rate_per_s is None else float(requests) / rate_per_s


def _moved_bytes(program: Batch, case: Case, load: Load) -> float:
    """Return the data that one start moves; none if its program does not say."""
    given = {**load.settings, **case}
    parts = [float(given[each]) if isinstance(each, str) else each for each in program.moves_mib]
    return math.prod(parts) * _BYTES_PER_MIB if parts else 0.0


def _bytes_per_s(rate_mbit: int | None) -> float:
    return _USUAL_BYTES_PER_S if rate_mbit is None else min(_PAYLOAD * rate_mbit * 1e6 / 8, _USUAL_BYTES_PER_S)


def search_s(load: Load, *, blocks: int, parts: int = 0, rate_per_s: float = USUAL_RATE_PER_S) -> float:
    """Return what one search is expected to take, in seconds: the mean over the first ``blocks`` runs of a treatment.

    The first search of a treatment needs more trials than those after it, and all need more where trials scatter.
    Trials last as long as at ``rate_per_s``: the rates are not known beforehand. Past the capacity a server is loaded
    for a timeout before it is measured. It is assumed to work on the excess for as long as it received it.
    """
    measure_s = trials.measure_s(load, rate_per_s)
    scatter = trials.may_bind(load, rate_per_s) or measure_s > load.measure_s
    first, later = _TRIALS_SCATTER if scatter else _TRIALS
    count = (first + later * (blocks - 1)) / blocks
    trial_s = _GATE_S + trials.warm_up_s(load, rate_per_s, first=False) + measure_s + _DRAIN_S
    past_s = _GATE_S + load.timeout_s + load.measure_s
    backlog_s = sum((share - 1) * (load.timeout_s + load.measure_s) for share in _OVERLOADS)
    once_s = _begin_and_end_s(parts) + (load.settle_s or 0.0) + load.warm_up_s
    return once_s + count * trial_s + len(_OVERLOADS) * past_s + backlog_s


def _begin_and_end_s(parts: int) -> float:
    return _START_AND_STOP_S + parts * _PART_S


def _seconds(case: Case, load: Load, *, unstated_s: float) -> float:
    seconds = case.get("seconds", load.settings.get("seconds"))
    return float(seconds) if isinstance(seconds, int | float) else unstated_s


def duration_s(plan: Plan) -> tuple[float, float]:
    """Return how long the plan takes to the first interim analysis of every experiment, and to the last, in seconds."""
    first = sum(experiment_s(each, blocks=each.looks[0]) for each in plan.experiments)
    last = sum(experiment_s(each, blocks=each.looks[-1]) for each in plan.experiments)
    return first, last


def experiment_s(experiment: PlannedExperiment, *, blocks: int) -> float:
    """Return how long this number of blocks of an experiment takes, in seconds."""
    return blocks * sum(experiment.run_s[each.label] for each in experiment.treatments)


def detectable(blocks: int, *, spread: float, alpha: float) -> float | None:
    """Return the smallest ratio above 1 that a paired t at level ``alpha`` shows in 8 of 10 studies.

    Assumes:    log-ratios within blocks are normal with standard deviation ``spread`` (0.03 for 3 %).
    Result:     ``exp((t(1 - alpha / 2) + t(0.8)) * spread / sqrt(blocks))``; None for fewer than 2 blocks.
    Reference:  METHOD.md section 1.5, the minimum detectable effect.
    """
    if blocks < 2:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415  importing scipy takes longer than most commands

    freedom = blocks - 1
    reach = stdtrit(freedom, 1 - alpha / 2) + stdtrit(freedom, _POWER)
    return math.exp(float(reach) * spread / math.sqrt(blocks))


def smallest_ratio(experiment: PlannedExperiment, *, spread: float = USUAL_SPREAD, look: int = -1) -> float | None:
    """Return the smallest ratio above 1 that an experiment can detect, or None if nothing is compared.

    ``look`` is the interim analysis, counted from 0; the default is the last.
    """
    if not experiment.comparisons:
        return None
    return detectable(experiment.looks[look], spread=spread, alpha=experiment.comparisons[0].alpha[look])
