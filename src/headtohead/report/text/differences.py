"""How much two setups differ, in words: a factor from 2 times on, percent below, absolute values next to it."""

from collections.abc import Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.quantity import Metric, Scalar
from headtohead.report.text.names import plural, work_unit
from headtohead.report.text.numbers import factors, percent, percent_decimals, scale_for, unit_words
from headtohead.report.text.setup_names import apart, levels_apart

_WORDS = {"higher": ("higher", "lower"), "lower": ("lower", "higher"), "neither": ("higher", "lower")}
_FAST = "faster"
TIMES = ("ns", "s")
TWICE = 2.0
"""From this ratio on, or below its inverse, percents are hard to read: "342 % faster" is 4.42 times as much."""
_LEAST = 1e-12
"""A ratio is taken for no less than this, so that it has an inverse."""


def direction_word(metric: Metric, ratio: float) -> str:
    """Return the metric's own word for a value with this ratio to the baseline's: ``faster``."""
    better, worse = metric.words or _WORDS[metric.better]
    if metric.better == "lower":
        return better if ratio < 1 else worse
    return better if ratio >= 1 else worse


def one_sided(comparison: ComparisonResult) -> bool:
    """Return whether the interval of a comparison excludes no change."""
    interval = comparison.ratio.interval if comparison.ratio else None
    return interval is not None and (interval.low > 1 or interval.high < 1)


def margin_text(matters: float) -> str:
    """Return the margin as percent: 1.03 is "3 %"."""
    return percent(round(100 * (matters - 1), 6), 0 if round(100 * (matters - 1), 6).is_integer() else 1)


def difference(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return who is faster than whom by how much, without a full stop; only for an interval that excludes 1."""
    ratio = comparison.ratio
    if ratio is None or ratio.interval is None:
        return f"{comparison.other} against {comparison.baseline}"
    far = max(ratio.value, 1 / ratio.value) >= TWICE
    return (_as_factor if far or _grown(comparison) else _as_percent)(comparison, experiment)


def _grown(comparison: ComparisonResult) -> bool:
    """Return whether more of a countable factor brought more: such a gain is a factor, as its ideal is."""
    return comparison.scaling is not None and comparison.ratio is not None and comparison.ratio.value > 1


def _as_factor(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return "nginx is 5.2x as fast as Apache", the one with more of it first (less time: more speed)."""
    ratio, metric = comparison.ratio, experiment.metric
    if ratio is None or ratio.interval is None:
        return ""
    first, second, turned = comparison.other, comparison.baseline, metric.unit in TIMES and metric.better == "lower"
    ends = [ratio.interval.low, ratio.value, ratio.interval.high]
    if (ratio.value < 1) != turned:
        first, second = second, first
    if ratio.value < 1:
        ends = [1 / max(each, _LEAST) for each in reversed(ends)]
    low, size, high = factors(ends)
    claim = (
        f"{first} {_as_much(metric, size, turned=turned)} {apart(second, first)}{_values(first, second, experiment)}"
    )
    return f"{claim} (interval {low} to {high}, {plural(ratio.n, 'block')})"


def _as_much(metric: Metric, size: str, *, turned: bool) -> str:
    better = (metric.words or _WORDS[metric.better])[0]
    verb, _, _ = better.rpartition(" ")
    if verb:
        return f"{verb} {size} as much as"
    if better == _FAST or turned:
        return f"is {size} as fast as"
    return f"needs {size} as much as" if metric.better == "lower" else f"is {size} as high as"


def _as_percent(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    ratio, metric = comparison.ratio, experiment.metric
    if ratio is None or ratio.interval is None:
        return ""
    other, baseline = comparison.other, comparison.baseline
    sizes = sorted(100 * abs(each - 1) for each in (ratio.interval.low, ratio.value, ratio.interval.high))
    places = percent_decimals(sizes)
    low, size, high = (percent(each, places) for each in sizes)
    word, blocks = direction_word(metric, ratio.value), plural(ratio.n, "block")
    values, than = _values(other, baseline, experiment), apart(baseline, other)
    if metric.better == "lower" and " " not in word:
        less = "less" if ratio.value < 1 else "more"
        what = f"{less} time" if metric.unit in TIMES else less
        own = values.replace(":", ",", 1)
        return f"{other} is {word} than {than}: {size} {what}{own} (interval {low} to {high} {less}, {blocks})"
    verb, _, degree = word.rpartition(" ")
    end = f"{values} (interval {low} to {high}, {blocks})"
    if metric.per and (several := levels_apart(other, baseline)):
        one = levels_apart(baseline, other)
        return f"with {several}, each {verb or 'is'} {size} {degree} than {one} alone{end}"
    return f"{other} {verb or 'is'} {size} {degree} than {than}{end}"


def _values(first: str, second: str, experiment: ExperimentResult) -> str:
    """Return both absolute values, the first treatment's first; empty if they are unknown or mean nothing."""
    found = {each.label: each.primary for each in experiment.treatments}
    one, two = found.get(first), found.get(second)
    if one is None or two is None or over_unlike(experiment):
        return ""
    metric = experiment.metric
    scale = scale_for(metric.unit, [one.value, two.value])
    unit = scale.unit
    if metric.unit == "1/s":
        unit = f"{unit_words(unit).removesuffix('per second').strip()} {work_unit(metric)}/s".strip()
    return f": {scale.bare(one.value)} against {scale.bare(two.value)} {unit}".rstrip()


def over_unlike(experiment: ExperimentResult) -> bool:
    """Return whether the primary value is a mean over unlike work, such as kernels: only its ratio means something."""
    if experiment.suite:
        return True
    primary = experiment.primary
    if experiment.metric.source != "batch" or primary.by not in ("mean", "geometric-mean"):
        return False
    cases = {
        cell.case
        for each in experiment.treatments
        for cell in each.cells
        if cell.metric == primary.of
        and cell.case
        and all(_within(cell.case, name, levels) for name, levels in primary.where.items())
    }
    return len(cases) > 1


def _within(case: Case, name: str, levels: Sequence[Scalar]) -> bool:
    return any(Case({name: level}).covers(case) for level in levels)
