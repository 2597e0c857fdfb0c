"""Changes that articles printed of tests of the same kind, next to an experiment. For context only."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.printed import Changes, NowChange, PrintedChange
from headtohead.model.analysis.sweeps import Growth
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.external.published import Computed, Gain, Published
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import scalar_text

SUMMARY = "AVG"
"""How an article names the mean over its levels, which the summary of ours stands next to."""
PERCENT = "percent_faster"
STATED = "stated-percent"
"""The kind of a printed fact that is a percentage stated in the text."""


@dataclass(frozen=True)
class _Pair:
    baseline: str
    other: str
    ratios: Mapping[Case, Estimate]
    """Of the primary metric in each case, and of its summary."""


def published_changes(
    experiment: PlannedExperiment,
    comparisons: Sequence[ComparisonResult],
    grown: Sequence[Growth],
    published: Published | None,
) -> tuple[Changes, ...]:
    """Return, for each factor that varies in the experiment, what articles printed of it; only where more is better."""
    if published is None or experiment.metrics[experiment.primary.of].better != "higher":
        return ()
    own = [each for each in published.gains if each.workload == experiment.workload]
    found = []
    for factor in dict.fromkeys(each.factor for each in own):
        pairs = [*_compared(factor, experiment, comparisons), *_grown(factor, experiment, grown)]
        once = {(each.baseline, each.other): each for each in reversed(pairs)}
        gains = [each for each in own if each.factor == factor and _fits(each, experiment, pairs)]
        if gains:
            found.append(_changes(factor, gains, tuple(reversed(once.values())), published=published))
    return tuple(found)


def _compared(factor: str, experiment: PlannedExperiment, comparisons: Sequence[ComparisonResult]) -> Iterator[_Pair]:
    for each in comparisons:
        if each.factor == factor:
            ratios = {one.case: one.ratio for one in each.exploratory if one.metric == experiment.primary.of}
            if each.ratio is not None:
                ratios[WHOLE_RUN] = each.ratio
            yield _Pair(each.baseline, each.other, ratios)


def _grown(factor: str, experiment: PlannedExperiment, grown: Sequence[Growth]) -> Iterator[_Pair]:
    primary = experiment.primary
    own = [each for each in grown if each.scaling.factor == factor]
    for baseline, other in dict.fromkeys((each.baseline, each.other) for each in own):
        alike = [each for each in own if (each.baseline, each.other) == (baseline, other)]
        kept = [each for each in alike if each.summary == (primary.of if each.case else primary.name)]
        yield _Pair(baseline, other, {each.case: _ratio(each) for each in kept})


def _ratio(growth: Growth) -> Estimate:
    gain, ends = growth.scaling.gain, growth.scaling.interval
    return Estimate(1 + gain, Interval(1 + ends.low, 1 + ends.high, ends.confidence), 0)


def _fits(gain: Gain, experiment: PlannedExperiment, pairs: Sequence[_Pair]) -> bool:
    """Return whether a pair has the levels of which an article printed the gain."""
    arms = {each.label: {**each.settings, **each.levels} for each in experiment.treatments}
    wanted = {name: scalar_text(value) for name, value in gain.where.items()}
    return any(
        all(scalar_text(arms[each.baseline].get(name, "")) == text for name, text in wanted.items()) for each in pairs
    )


def _changes(factor: str, gains: Sequence[Gain], pairs: Sequence[_Pair], *, published: Published) -> Changes:
    computed = [(each, list(_lines(each, published))) for each in gains]
    kinds = {one.level: one.level_kind for _, lines in computed for one in lines if one.level.isdecimal()}
    levels = (*sorted(kinds, key=int), "")
    printed = [row for gain, lines in computed for row in _printed(gain, lines, levels, published=published)]
    kind = next(iter(kinds.values()), "")
    now = tuple(
        NowChange(each.baseline, each.other, tuple(_at(each.ratios, kind, level) for level in levels)) for each in pairs
    )
    return Changes(factor, kind, levels, tuple(printed), now)


def _lines(gain: Gain, published: Published) -> Iterator[Computed]:
    for each in published.computed:
        if (each.benchmark, each.metric) == (gain.benchmark, PERCENT) and each.comparison in gain.comparisons:
            yield each


def _printed(
    gain: Gain, lines: Sequence[Computed], levels: Sequence[str], *, published: Published
) -> Iterator[PrintedChange]:
    """Yield a row for each comparison of an article, then for each percentage that it states in its text."""
    for comparison in gain.comparisons:
        own = {"" if each.level == SUMMARY else each.level: each for each in lines if each.comparison == comparison}
        source = published.sources[next(iter(own.values())).source]
        texts = tuple(f"{own[level].value:+g} %" if level in own else None for level in levels)
        yield PrintedChange(source, f"{gain.benchmark}: {comparison}", texts)
    for each in published.facts:
        if each.kind == STATED and each.subject in gain.stated:
            texts = tuple(None if level else f"{each.value} %" for level in levels)
            yield PrintedChange(published.sources[each.source], each.subject, texts)


def _at(ratios: Mapping[Case, Estimate], kind: str, level: str) -> Estimate | None:
    return ratios.get(Case({kind: level}) if level else WHOLE_RUN)
