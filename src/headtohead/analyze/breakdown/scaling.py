"""The gain of more CPUs, copies or threads in each summary, all else equal: one against two, level by level."""

from collections.abc import Iterator
from itertools import pairwise

from headtohead.analyze.breakdown.sweeps_and_highest_level import sweep_of
from headtohead.analyze.samples.summary_over_cases import WHERE, summaries
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.along_levels.gains import scaling
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.verdicts.log_ratios import log_ratios
from headtohead.model.analysis.estimates import Key
from headtohead.model.analysis.sweeps import Growth
from headtohead.model.case import WHOLE_RUN
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.count_words import COUNTABLE


def growth(samples: Samples) -> tuple[Growth, ...]:
    """Return the gain from each level of a countable factor to the next, and over all of them, where there is a ratio.

    First in each summary, at error / (their number), then in each case of a sweep, again at error / (their number).
    Pairs are treatments that differ in that factor alone, without floors.
    """
    experiment, sweep = samples.experiment, sweep_of(samples.experiment)
    in_all = [(Key(WHOLE_RUN, each.name), each) for each in summaries(experiment) if each.by != WHERE]
    in_cases = [(Key(case, experiment.primary.of), experiment.primary) for case in sweep.cases] if sweep else []
    return (*_family(samples, in_all), *_family(samples, in_cases))


def countable_pairs(experiment: PlannedExperiment) -> Iterator[Comparison]:
    """Yield the pairs of treatments that differ in a countable factor alone.

    Each level with the next one (1 to 2, 2 to 4), then the least with the greatest (1 to 4).
    """
    arms = [each for each in experiment.treatments if not each.floor]
    for factor in COUNTABLE:
        alike: dict[tuple[tuple[str, Scalar], ...], list[Treatment]] = {}
        for each in arms:
            level = each.levels.get(factor)
            if isinstance(level, int | float) and not isinstance(level, bool):
                every = {**each.settings, **each.levels}
                rest = tuple(sorted((name, value) for name, value in every.items() if name != factor))
                alike.setdefault((("subject", each.subject), *rest), []).append(each)
        for group in alike.values():
            rising = sorted(group, key=lambda each: float(each.levels[factor]))
            fixed = {name: value for name, value in rising[0].levels.items() if name != factor}
            ends = [(rising[0], rising[-1])] if len(rising) > 2 else []
            for low, high in (*pairwise(rising), *ends):
                yield Comparison(factor, low.label, high.label, fixed, ())


def _family(samples: Samples, keys: list[tuple[Key, Summary]]) -> Iterator[Growth]:
    """Yield the growth of every pair in each of these keys; the intervals share one error."""
    asked = [(pair, key, summary) for pair in countable_pairs(samples.experiment) for key, summary in keys]
    logs = [log_ratios(pair, samples, key=key) for pair, key, _ in asked]
    found = [(each, ratios) for each, ratios in zip(asked, logs, strict=True) if len(ratios) > 1]
    for (pair, (case, name), summary), ratios in found:
        ratio = of_logs(ratios, alpha=samples.error / len(found))
        bought = scaling(pair, samples.experiment, ratio=ratio, summary=summary)
        if bought is not None:
            yield Growth(name, pair.baseline, pair.other, pair.fixed, bought, case)
