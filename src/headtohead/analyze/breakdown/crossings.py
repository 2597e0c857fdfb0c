"""Where the order of two treatments changes as a count grows: along a sweep of cases, or over CPUs."""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headtohead.analyze.breakdown.scaling import countable_pairs
from headtohead.analyze.breakdown.sweeps_and_highest_level import sweep_of
from headtohead.analyze.runs.records_and_times_of_case import planned_cases
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.along_levels.order_changes import OrderChange, order_changes
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.analyze.verdicts.compare import metric_of
from headtohead.analyze.verdicts.log_ratios import log_ratios
from headtohead.model.analysis.estimates import Estimate, Interval, Key
from headtohead.model.analysis.sweeps import Crossing, Overtaking, Sweep
from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.count_words import COUNTABLE


def overtakings(samples: Samples) -> tuple[Overtaking, ...]:
    """Return where the order of treatments changes along the sweep, each ratio at error / (pairs x levels).

    Pairs are those of each compared group, and those that differ in a countable factor alone.
    """
    sweep, metric = sweep_of(samples.experiment), metric_of(samples.experiment)
    if sweep is None or metric.better == "neither":
        return ()
    pairs = list(rivals(samples.experiment))
    by_pair = [(pair, _ratios(samples, pair, sweep=sweep, share=len(pairs) * len(sweep.levels))) for pair in pairs]
    return tuple(
        _overtaking(pair, turn, ratios=ratios, sweep=sweep, gains=turn.upward == (metric.better == "higher"))
        for pair, ratios in by_pair
        for turn in order_changes(ratios)
    )


def rivals(experiment: PlannedExperiment) -> Iterator[Comparison]:
    """Yield every two treatments of a baseline and those compared with it; then the countable pairs."""
    groups: dict[tuple[str, str], list[Comparison]] = {}
    for each in experiment.comparisons:
        groups.setdefault((each.factor, each.baseline), []).append(each)
    compared = [
        Comparison(factor, one, other, pairs[0].fixed, ())
        for (factor, baseline), pairs in groups.items()
        for one, other in itertools.combinations([baseline, *(each.other for each in pairs)], 2)
    ]
    seen: set[frozenset[str]] = set()
    for pair in (*compared, *countable_pairs(experiment)):
        both = frozenset((pair.baseline, pair.other))
        if both not in seen:
            seen.add(both)
            yield pair


def _ratios(samples: Samples, pair: Comparison, *, sweep: Sweep, share: int) -> list[Estimate]:
    """Return other over baseline at each level; nothing if a level has too few blocks for a verdict."""
    logs = [log_ratios(pair, samples, key=Key(case, samples.experiment.primary.of)) for case in sweep.cases]
    return [of_logs(each, alpha=samples.error / share) for each in logs] if min(map(len, logs)) >= MINIMUM else []


def _overtaking(
    pair: Comparison, turn: OrderChange, *, ratios: Sequence[Estimate], sweep: Sweep, gains: bool
) -> Overtaking:
    """Return a change of order with its treatments named; ``gains`` if the pair's other takes the lead."""
    at_low, at_high = (each if gains else _turned(each) for each in (ratios[turn.low], ratios[turn.high]))
    return Overtaking(
        ahead=pair.baseline if gains else pair.other,
        behind=pair.other if gains else pair.baseline,
        fixed=pair.fixed,
        low=sweep.levels[turn.low],
        high=sweep.levels[turn.high],
        at_low=at_low,
        at_high=at_high,
        shown=turn.shown,
    )


def _turned(ratio: Estimate) -> Estimate:
    """Return the inverse ratio."""
    ends = ratio.interval
    return Estimate(1 / ratio.value, ends and Interval(1 / ends.high, 1 / ends.low, ends.confidence), ratio.n)


@dataclass(frozen=True)
class _Row:
    """Two sides over rising levels: at each level the pair of treatments, and the key that measures them.

    ``one`` is the baseline's side. The names leave out the varied level (CPUs), which labels contain.
    """

    over: str
    one: str
    other: str
    fixed: Mapping[str, Scalar]
    levels: tuple[float, ...]
    pairs: tuple[tuple[Comparison, Key], ...]


def crossings(samples: Samples) -> tuple[Crossing, ...]:
    """Return for every two treatments where they cross over in the measured range, or that they do not.

    Over the cases, if they differ in one number alone, each ratio is at error / (pairs x levels), as for overtakings.
    Over each countable factor (CPUs) that comparisons hold fixed, it is at error / (their number).
    """
    if metric_of(samples.experiment).better == "neither":
        return ()
    families = (list(_over_cases(samples.experiment)), list(_over_factors(samples.experiment)))
    return tuple(
        found
        for rows in families
        for row in rows
        for found in _crossings(row, samples, share=sum(len(each.levels) for each in rows))
    )


def _over_cases(experiment: PlannedExperiment) -> Iterator[_Row]:
    """Yield every pair over the only field in which the cases differ; nothing if that is not a number."""
    cases = () if experiment.load.searches else planned_cases(experiment)
    varying = [name for name in dict.fromkeys(name for case in cases for name in case) if _varies(cases, name)]
    if len(varying) != 1:
        return
    (field,) = varying
    by_level = {_number(case.get(field)): case for case in cases}
    rising = sorted(level for level in by_level if level is not None)
    if None in by_level or len(rising) != len(cases):
        return
    for pair in rivals(experiment):
        keys = tuple((pair, Key(by_level[level], experiment.primary.of)) for level in rising)
        yield _Row(field, pair.baseline, pair.other, pair.fixed, tuple(rising), keys)


def _varies(cases: Sequence[Mapping[str, Scalar]], name: str) -> bool:
    return len({case.get(name) for case in cases}) > 1


def _number(level: Scalar | None) -> float | None:
    return float(level) if isinstance(level, int | float) and not isinstance(level, bool) else None


def _over_factors(experiment: PlannedExperiment) -> Iterator[_Row]:
    """Yield every two levels of the compared factor, over a countable factor that comparisons hold fixed."""
    for counted in COUNTABLE:
        alike: dict[tuple[object, ...], dict[float, Comparison]] = {}
        for each in experiment.comparisons:
            level = _number(each.fixed.get(counted))
            if level is not None and each.factor != counted:
                others = ((name, scalar_text(value)) for name, value in each.fixed.items() if name != counted)
                sides = tuple(_side(experiment, label, each.factor) for label in (each.baseline, each.other))
                alike.setdefault((sides, tuple(sorted(others))), {})[level] = each
        for pairs in alike.values():
            if len(pairs) > 1:
                yield _row(experiment, counted, pairs)


def _row(experiment: PlannedExperiment, counted: str, pairs: Mapping[float, Comparison]) -> _Row:
    rising = sorted(pairs)
    first = pairs[rising[0]]
    one, other = (_side(experiment, label, first.factor) for label in (first.baseline, first.other))
    fixed = {name: value for name, value in first.fixed.items() if name != counted}
    keys = tuple((pairs[level], Key(WHOLE_RUN, experiment.primary.name)) for level in rising)
    return _Row(counted, one, other, fixed, tuple(rising), keys)


def _side(experiment: PlannedExperiment, label: str, factor: str) -> str:
    """Return the level of a treatment in the compared factor: a subject's name, else factor and level."""
    level = experiment.treatment(label).levels.get(factor)
    if level is None:
        return label
    return scalar_text(level) if factor == "subject" else f"{factor}={scalar_text(level)}"


def _crossings(row: _Row, samples: Samples, *, share: int) -> Iterator[Crossing]:
    """Yield each crossing, or one that states that there is none; nothing if a level has too few blocks."""
    logs = [log_ratios(pair, samples, key=key) for pair, key in row.pairs]
    if len(logs) < 2 or min(map(len, logs)) < MINIMUM:
        return
    ratios = [of_logs(each, alpha=samples.error / share) for each in logs]
    higher = metric_of(samples.experiment).better == "higher"
    found = order_changes(ratios)
    for turn in found:
        yield _crossing(row, turn, other_gains=turn.upward == higher)
    if not found:
        yield _none(row, ratios, higher=higher)


def _crossing(row: _Row, turn: OrderChange, *, other_gains: bool) -> Crossing:
    ahead, behind = (row.one, row.other) if other_gains else (row.other, row.one)
    low, high = row.levels[turn.low], row.levels[turn.high]
    return Crossing(row.over, ahead, behind, row.fixed, row.levels, low=low, high=high, shown=turn.shown)


def _none(row: _Row, ratios: Sequence[Estimate], *, higher: bool) -> Crossing:
    """Return that there is no crossing: who is ahead at most levels, and whether that is shown at each."""
    leads = sum((each.value > 1) == higher for each in ratios)
    ahead, behind = (row.other, row.one) if 2 * leads > len(ratios) else (row.one, row.other)
    shown = all(each.interval is not None and not each.interval.low <= 1 <= each.interval.high for each in ratios)
    return Crossing(row.over, ahead, behind, row.fixed, row.levels, low=None, high=None, shown=shown)
