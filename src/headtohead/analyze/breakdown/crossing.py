"""Whether two treatments change places as something that is counted grows: connections, clients, CPUs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headtohead.analyze.breakdown.overtake import rivals
from headtohead.analyze.runs.records import planned_cases
from headtohead.analyze.samples.samples import Samples
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.statistics.scaling import Turn, turns
from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.analyze.verdicts.compare import log_ratios, metric_of
from headtohead.model.analysis.estimates import Estimate, Key
from headtohead.model.analysis.sweeps import Crossing
from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.model.study.counts import COUNTABLE


@dataclass(frozen=True)
class _Row:
    """Two sides over rising levels: at each level the pair that stands for them there, and the key it is measured by.

    ``one`` is the baseline's side; a level that only a treatment's label tells apart (CPUs) is not in the names.
    """

    over: str
    one: str
    other: str
    fixed: Mapping[str, Scalar]
    levels: tuple[float, ...]
    pairs: tuple[tuple[Comparison, Key], ...]


def crossings(samples: Samples) -> tuple[Crossing, ...]:
    """Return for every two treatments where they change places over a range that was measured, or that they do not.

    Over the cases, where one number alone tells them apart, each ratio at error / (pairs x levels), as for overtakings;
    over each countable factor (CPUs) that is held fixed in comparisons, at error / (their number).
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
    """Yield every pair over the field that alone tells the cases apart; nothing where that is no number."""
    cases = () if experiment.load.searches else planned_cases(experiment)
    varying = [name for name in dict.fromkeys(name for case in cases for name in case) if _varies(cases, name)]
    if len(varying) != 1:
        return
    (field,) = varying
    told = {_number(case.get(field)): case for case in cases}
    rising = sorted(level for level in told if level is not None)
    if None in told or len(rising) != len(cases):
        return
    for pair in rivals(experiment):
        keys = tuple((pair, Key(told[level], experiment.primary.of)) for level in rising)
        yield _Row(field, pair.baseline, pair.other, pair.fixed, tuple(rising), keys)


def _varies(cases: Sequence[Mapping[str, Scalar]], name: str) -> bool:
    return len({case.get(name) for case in cases}) > 1


def _number(level: Scalar | None) -> float | None:
    return float(level) if isinstance(level, int | float) and not isinstance(level, bool) else None


def _over_factors(experiment: PlannedExperiment) -> Iterator[_Row]:
    """Yield every two levels of the compared factor over a countable factor that is held fixed at two or more."""
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
    """Return what a treatment stands for in the compared factor; of a subject its name, of others factor and level."""
    level = experiment.treatment(label).levels.get(factor)
    if level is None:
        return label
    return scalar_text(level) if factor == "subject" else f"{factor}={scalar_text(level)}"


def _crossings(row: _Row, samples: Samples, *, share: int) -> Iterator[Crossing]:
    """Yield each change of places, or one that says that there is none; nothing where a level has too few blocks."""
    logs = [log_ratios(pair, samples, key=key) for pair, key in row.pairs]
    if len(logs) < 2 or min(map(len, logs)) < MINIMUM:
        return
    ratios = [of_logs(each, alpha=samples.error / share) for each in logs]
    higher = metric_of(samples.experiment).better == "higher"
    found = turns(ratios)
    for turn in found:
        yield _crossing(row, turn, other_gains=turn.upward == higher)
    if not found:
        yield _none(row, ratios, higher=higher)


def _crossing(row: _Row, turn: Turn, *, other_gains: bool) -> Crossing:
    ahead, behind = (row.one, row.other) if other_gains else (row.other, row.one)
    low, high = row.levels[turn.low], row.levels[turn.high]
    return Crossing(row.over, ahead, behind, row.fixed, row.levels, low=low, high=high, shown=turn.shown)


def _none(row: _Row, ratios: Sequence[Estimate], *, higher: bool) -> Crossing:
    """Return that they keep their places: who is ahead at the most levels, and whether that is shown at each."""
    leads = sum((each.value > 1) == higher for each in ratios)
    ahead, behind = (row.other, row.one) if 2 * leads > len(ratios) else (row.one, row.other)
    shown = all(each.interval is not None and not each.interval.low <= 1 <= each.interval.high for each in ratios)
    return Crossing(row.over, ahead, behind, row.fixed, row.levels, low=None, high=None, shown=shown)
