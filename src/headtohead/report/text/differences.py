"""How much two setups differ, in words: a factor from 2 times on, percent below, absolute values next to it."""

from collections.abc import Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.quantity import Metric
from headtohead.report.text.case_that_decides import case_that_decides
from headtohead.report.text.cases_of_primary_value import mean_of, over_unlike
from headtohead.report.text.names import work_unit
from headtohead.report.text.numbers.percents import nearest_down, percent, percent_decimals
from headtohead.report.text.numbers.ratios import at_least, down, factors, times
from headtohead.report.text.numbers.values_with_units import (
    Scale,
    bracketed,
    scale_for,
    significant,
    unit_words,
)
from headtohead.report.text.setup_names import apart, levels_apart
from headtohead.report.text.wording import plural

_WORDS = {"higher": ("higher", "lower"), "lower": ("lower", "higher"), "neither": ("higher", "lower")}
_FAST = "faster"
TIMES = ("ns", "s")
TWICE = 2.0
"""From this ratio on, or below its inverse, percents are hard to read: "342 % faster" is 4.42 times as much."""
ALIKE = 1.2
"""From here on a ratio is a factor next to one of ``TWICE``."""
LEAST = 1e-12
"""A ratio is taken for no less than this, so that it has an inverse."""


def direction_word(metric: Metric, ratio: float) -> str:
    """Return the metric's own word for a value with this ratio to the baseline's: ``faster``."""
    better, worse = metric.words or _WORDS[metric.better]
    if metric.better == "lower":
        return better if ratio < 1 else worse
    return better if ratio >= 1 else worse


def time_word(metric: Metric) -> str:
    """Return what less or more of a metric is less or more of: " time", or nothing."""
    return " time" if metric.better == "lower" and metric.unit in TIMES else ""


def one_sided(comparison: ComparisonResult) -> bool:
    """Return whether the interval of a comparison excludes no change."""
    interval = comparison.ratio.interval if comparison.ratio else None
    return interval is not None and (interval.low > 1 or interval.high < 1)


def margin_text(matters: float) -> str:
    """Return the margin as percent: 1.03 is "3 %"."""
    return percent(round(100 * (matters - 1), 6), 0 if round(100 * (matters - 1), 6).is_integer() else 1)


def at_least_factors(ratios: Sequence[float]) -> list[str]:
    """Return ratios as factors, the first one rounded down, but not to 1: it is what an answer claims at least.

    >>> at_least_factors([1.8566, 1.941, 2.0078]), at_least_factors([1.0069, 1.2]), at_least_factors([1288, 1400])
    (['1.85x', '1.94x', '2.01x'], ['1.006x', '1.20x'], ['1,280x', '1,400x'])
    """
    first, *others = factors(ratios)
    return [at_least(ratios[0], first), *others]


def ratio_ends(interval: Interval) -> str:
    """Return an interval of a ratio in brackets, its end nearest to 1 rounded toward 1 if it excludes 1.

    >>> ratio_ends(Interval(1.8566, 2.0078, 0.95)), ratio_ends(Interval(0.9426, 0.98394, 0.95))
    ('[1.85, 2.01]', '[0.943, 0.984]')
    """
    low, high = times(interval.low), times(interval.high)
    places = len((low if interval.low > 1 else high).partition(".")[2])
    if (lower := down(interval.low, places)) > 1:
        low = f"{lower:,.{places}f}"
    if (higher := -down(-interval.high, places)) < 1:
        high = f"{higher:.{places}f}"
    return bracketed(low, high)


def at_least_percent(size: float, places: int) -> str:
    """Return a size of at least this, rounded down; one too small for these places is nearly none.

    >>> at_least_percent(16.68, 1), at_least_percent(0.04, 0)
    ('16.6 %', '0 %')
    """
    return percent(nearest_down(size, places), places)


MOST_GAIN = 1_000.0
"""Larger gains are shown as over this: blocks that agree to the last digit gain without limit."""


def variance_times(value: float) -> str:
    """Return how many times as large a variance would be.

    >>> variance_times(2.68), variance_times(4e25)
    ('2.7', 'over 1,000')
    """
    return f"over {MOST_GAIN:,.0f}" if value > MOST_GAIN else significant(value, 2)


def difference(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return who is faster than whom by how much, without a full stop; only for an interval that excludes 1."""
    ratio = comparison.ratio
    if ratio is None or ratio.interval is None:
        return f"{comparison.other} against {comparison.baseline}"
    return (_as_factor if as_times(comparison, experiment) else _as_percent)(comparison, experiment)


def as_times(comparison: ComparisonResult, experiment: ExperimentResult) -> bool:
    """Return whether an answer has its ratio as a factor: from twice as much on, and for the gain of more CPUs.

    From ``ALIKE`` on it is one too if another answer of the experiment has twice as much: readers compare the two.
    """
    size = _size(comparison)
    most = max([_size(each) for each in experiment.comparisons if each.verdict in ("better", "worse")], default=0.0)
    return size >= TWICE or (size >= ALIKE and most >= TWICE) or _grown(comparison)


def _size(comparison: ComparisonResult) -> float:
    """Return how many times as much one of two has as the other; 0 if that is not known."""
    ratio = comparison.ratio
    return max(ratio.value, 1 / max(ratio.value, LEAST)) if ratio else 0.0


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
        ends = [1 / max(each, LEAST) for each in reversed(ends)]
    low, size, high = at_least_factors(ends)
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
    low, size, high = (at_least_percent(sizes[0], places), *(percent(each, places) for each in sizes[1:]))
    word, blocks = direction_word(metric, ratio.value), plural(ratio.n, "block")
    values, than = _values(other, baseline, experiment), apart(baseline, other)
    if metric.better == "lower" and " " not in word:
        less = "less" if ratio.value < 1 else "more"
        what = f"{less}{time_word(metric)}"
        own = f",{values[1:]}" if values.startswith(":") else values
        return f"{other} is {word} than {than}: {size} {what}{own} (interval {low} to {high} {less}, {blocks})"
    verb, _, degree = word.rpartition(" ")
    ends = f" (interval {low} to {high}, {blocks})"
    end = f"{ends}{values}" if over_unlike(experiment) else f"{values}{ends}"
    if comparison.factor == metric.per and (several := levels_apart(other, baseline)):
        one = levels_apart(baseline, other)
        return f"with {several}, each {verb or 'is'} {size} {degree} than {one} alone{end}"
    return f"{other} {verb or 'is'} {size} {degree} than {than}{end}"


def _values(first: str, second: str, experiment: ExperimentResult) -> str:
    """Return both absolute values, the first treatment's first; of a mean over unlike work, that it is one.

    Empty if they are unknown.
    """
    if over_unlike(experiment):
        over, most = mean_of(experiment), case_that_decides(experiment)
        mostly = f", perhaps mostly {most.name}" if most else ""
        return f", {over}{mostly}" if over else ""
    found = {each.label: each.primary for each in experiment.treatments}
    one, two = found.get(first), found.get(second)
    if one is None or two is None:
        return ""
    metric = experiment.metric
    scale = scale_for(metric.unit, [one.value, two.value])
    return f": {scale.bare(one.value)} against {scale.bare(two.value)} {unit_of_work(scale, metric)}".rstrip()


def unit_of_work(scale: Scale, metric: Metric) -> str:
    """Return a scale's unit; of a rate of events it names the work: ``million queries/s``."""
    if metric.unit != "1/s":
        return scale.unit
    return f"{unit_words(scale.unit).removesuffix('per second').strip()} {work_unit(metric)}/s".strip()
