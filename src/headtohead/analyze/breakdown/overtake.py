"""Where one treatment overtakes another along a sweep: between which levels their order changes."""

import itertools
from collections.abc import Iterator, Sequence

from headtohead.analyze.breakdown.growth import countable_pairs
from headtohead.analyze.breakdown.levels import sweep_of
from headtohead.analyze.samples.samples import Samples
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.statistics.scaling import Turn, turns
from headtohead.analyze.statistics.verdict import MINIMUM
from headtohead.analyze.verdicts.compare import log_ratios, metric_of
from headtohead.model.analysis.estimates import Estimate, Interval, Key
from headtohead.model.analysis.sweeps import Overtaking, Sweep
from headtohead.model.plan import Comparison, PlannedExperiment


def overtakings(samples: Samples) -> tuple[Overtaking, ...]:
    """Return where treatments overtake each other along the sweep, each ratio at error / (pairs x levels).

    Pairs are those within each group that is compared, and those that differ in a countable factor alone.
    """
    sweep, metric = sweep_of(samples.experiment), metric_of(samples.experiment)
    if sweep is None or metric.better == "neither":
        return ()
    pairs = list(rivals(samples.experiment))
    told = [(pair, _ratios(samples, pair, sweep=sweep, share=len(pairs) * len(sweep.levels))) for pair in pairs]
    return tuple(
        _overtaking(pair, turn, ratios=ratios, sweep=sweep, gains=turn.upward == (metric.better == "higher"))
        for pair, ratios in told
        for turn in turns(ratios)
    )


def rivals(experiment: PlannedExperiment) -> Iterator[Comparison]:
    """Yield every two treatments that are compared with one baseline, it among them; then the countable pairs."""
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
    """Return other over baseline at each level; nothing where a level has too few blocks with both to name a winner."""
    logs = [log_ratios(pair, samples, key=Key(case, samples.experiment.primary.of)) for case in sweep.cases]
    return [of_logs(each, alpha=samples.error / share) for each in logs] if min(map(len, logs)) >= MINIMUM else []


def _overtaking(pair: Comparison, turn: Turn, *, ratios: Sequence[Estimate], sweep: Sweep, gains: bool) -> Overtaking:
    """Return the turn with its treatments named; ``gains`` where the pair's other is the one that comes from behind."""
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
    """Return the ratio the other way round."""
    ends = ratio.interval
    return Estimate(1 / ratio.value, ends and Interval(1 / ends.high, 1 / ends.low, ends.confidence), ratio.n)
