"""Sentences from values: the result of each comparison, how sure it is, and what it does not show."""

from dataclasses import dataclass

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.quantity import Metric, scalar_text
from headtohead.report.text.names import counted, counted_many, listed, plural, summary_of
from headtohead.report.text.numbers import (
    bracketed,
    count,
    gains,
    percent,
    percent_decimals,
    scale_for,
    share,
    signed_percent,
    significant,
    times,
    variance_times,
)

_WORDS = {"higher": ("higher", "lower"), "lower": ("lower", "higher"), "neither": ("higher", "lower")}
TIMES = ("ns", "s")


@dataclass(frozen=True)
class VerdictText:
    """One comparison as text: its kind (the verdict), a word for it, the sentence, and the figures behind it."""

    kind: str
    tag: str
    sentence: str
    behind: str


def verdict_text(comparison: ComparisonResult, experiment: ExperimentResult) -> VerdictText:
    """Return a comparison as text: a verdict in words only if there is one."""
    metric = experiment.metric
    sentence = f"{_prefix(comparison, experiment)}{_per(metric)}{_sentence(comparison, metric, experiment.matters)}"
    if comparison.scaling and _kind(comparison) not in ("inconclusive", "not-measured"):
        better = _kind(comparison) == "better"
        sentence = (
            f"{sentence} {ideal_sentence(comparison.scaling) if better else scaling_sentence(comparison.scaling)}"
        )
    return VerdictText(_kind(comparison), _tag(comparison, metric), sentence, _behind(comparison, experiment))


def _kind(comparison: ComparisonResult) -> str:
    """Return the verdict; one that its own interval does not support is no verdict."""
    named = comparison.verdict in ("better", "worse")
    return "inconclusive" if named and not _one_sided(comparison) else comparison.verdict


def _one_sided(comparison: ComparisonResult) -> bool:
    interval = comparison.ratio.interval if comparison.ratio else None
    return interval is not None and (interval.low > 1 or interval.high < 1)


def _tag(comparison: ComparisonResult, metric: Metric) -> str:
    kind = _kind(comparison)
    if kind in ("better", "worse") and comparison.ratio:
        return direction_word(metric, comparison.ratio.value)
    return {"same": "same", "inconclusive": "no verdict"}.get(kind, "not measured")


def direction_word(metric: Metric, ratio: float) -> str:
    """Return the metric's own word for a value with this ratio to the baseline's: ``faster``."""
    better, worse = metric.words or _WORDS[metric.better]
    if metric.better == "lower":
        return better if ratio < 1 else worse
    return better if ratio >= 1 else worse


def _prefix(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return the fixed levels in which the comparisons of this experiment differ."""
    every = [each.fixed for each in experiment.comparisons]
    varying = [key for key in sorted(comparison.fixed) if any(each.get(key) != every[0].get(key) for each in every)]
    if not varying:
        return ""
    return f"With {listed([f'{key} {scalar_text(comparison.fixed[key])}' for key in varying])}: "


def _per(metric: Metric) -> str:
    """Return "Per copy: " or the like if the metric is counted for each of several, which together may do more."""
    return f"Per {counted(metric.per)}: " if metric.per else ""


def _sentence(comparison: ComparisonResult, metric: Metric, matters: float) -> str:
    kind = _kind(comparison)
    if kind == "not-measured" or (kind == "inconclusive" and comparison.ratio is None):
        start = "Not measured:" if kind == "not-measured" else "No verdict on"
        why = f" ({comparison.because.rstrip('.')})" if comparison.because else ""
        return f"{start} {comparison.other} against {comparison.baseline}{why}."
    if kind == "same":
        return _same(comparison, metric, matters)
    if kind == "inconclusive":
        return _inconclusive(comparison, metric)
    extra = "" if comparison.at_least_margin else f" It may be less than the {margin_text(matters)} that matters."
    return f"{_difference(comparison, metric)}.{extra}"


def _difference(comparison: ComparisonResult, metric: Metric) -> str:
    """Return who is faster than whom by how much, without a full stop; only for an interval that excludes 1."""
    ratio = comparison.ratio
    if ratio is None or ratio.interval is None:
        return f"{comparison.other} against {comparison.baseline}"
    sizes = sorted(100 * abs(each - 1) for each in (ratio.interval.low, ratio.value, ratio.interval.high))
    places = percent_decimals(sizes)
    low, size, high = (percent(each, places) for each in sizes)
    told = direction_word(metric, ratio.value)
    blocks = plural(ratio.n, "block")
    if metric.better == "lower" and " " not in told:
        less = "less" if ratio.value < 1 else "more"
        what = f"{less} time" if metric.unit in TIMES else less
        claim = f"{comparison.other} is {told} than {comparison.baseline}: {size} {what}"
        return f"{claim} (interval {low} to {high} {less}, {blocks})"
    verb, _, degree = told.rpartition(" ")
    claim = f"{comparison.other} {verb or 'is'} {size} {degree} than {comparison.baseline}"
    return f"{claim} (interval {low} to {high}, {blocks})"


def _same(comparison: ComparisonResult, metric: Metric, matters: float) -> str:
    if _one_sided(comparison):
        within = f"which is within the {margin_text(matters)} that would matter"
        return f"A real but negligible difference: {_difference(comparison, metric)}, {within}."
    pair = f"{comparison.other} and {comparison.baseline} are the same within {margin_text(matters)}"
    if comparison.ratio is None or comparison.ratio.interval is None:
        return f"{pair}."
    between = _between(comparison.ratio.interval, metric, joined="to")
    return f"{pair} (interval {between}, {plural(comparison.ratio.n, 'block')})."


def _inconclusive(comparison: ComparisonResult, metric: Metric) -> str:
    start = f"No verdict on {comparison.other} against {comparison.baseline}"
    ratio = comparison.ratio
    if ratio is None or ratio.interval is None:
        return f"{start}: {as_sentence(comparison.because)}"
    if _one_sided(comparison):
        ends = f"{times(ratio.interval.low)} and {times(ratio.interval.high)}"
        seen = f"a ratio between {ends} was seen, which decides nothing"
    else:
        seen = f"between {_between(ratio.interval, metric, joined='and')}"
    end = f"; {as_sentence(comparison.because, capital=False)}" if comparison.because else "."
    if comparison.blocks_needed:
        more = max(1, comparison.blocks_needed - ratio.n)
        about = str(more) if more < 100 else significant(more, 2)
        end = f"; about {about} more {'block' if more == 1 else 'blocks'} would be needed."
    return f"{start}: {seen} ({plural(ratio.n, 'block')}){end}"


def _between(interval: Interval, metric: Metric, *, joined: str) -> str:
    """Return an interval around 1 as two sizes with their words: ``4 % slower and 6 % faster``."""
    sizes = [100 * (interval.low - 1), 100 * (interval.high - 1)]
    places = percent_decimals(sizes)
    texts = [f"{percent(abs(size), places)} {_side(metric, size)}" for size in sizes]
    return f" {joined} ".join(texts)


def _side(metric: Metric, size: float) -> str:
    """Return the word for one end of an interval; an amount (less, more) if lower is better."""
    if metric.better == "lower":
        return "less" if size < 0 else "more"
    return direction_word(metric, 1 + size / 100).rpartition(" ")[2]


def margin_text(matters: float) -> str:
    """Return the margin as percent: 1.03 is "3 %"."""
    return percent(round(100 * (matters - 1), 6), 0 if round(100 * (matters - 1), 6).is_integer() else 1)


def scaling_sentence(scaling: Scaling) -> str:
    """Return the gain from more of a factor next to its ideal; a gain that may be none is given as a range."""
    one = counted(scaling.factor)
    grown = f"Going from {count(scaling.low)} to {count(scaling.high)} {counted_many(scaling.factor)}"
    start = f"A second {one}" if (scaling.low, scaling.high) == (1, 2) else grown
    ideal = f"ideal {signed_percent(100 * scaling.ideal)}"
    if scaling.interval.low <= 0 <= scaling.interval.high:
        ends = [100 * scaling.interval.low, 100 * scaling.interval.high]
        low, high = (signed_percent(each, percent_decimals(ends)) for each in ends)
        return f"{start} brings between {low} and {high}; {ideal}."
    value, interval = gains(scaling.gain, scaling.interval)
    serial = f"; serial share {share(scaling.serial_share)}" if scaling.serial_share else ""
    return f"{start} brings {value} {interval}; {ideal}; efficiency {' '.join(efficiency_text(scaling))}{serial}."


def ideal_sentence(scaling: Scaling) -> str:
    """Return ideal and efficiency, after a sentence that has the gain."""
    serial = f"; serial share {share(scaling.serial_share)}" if scaling.serial_share else ""
    return f"Ideal is {signed_percent(100 * scaling.ideal)}: efficiency {' '.join(efficiency_text(scaling))}{serial}."


def efficiency_text(scaling: Scaling) -> tuple[str, str]:
    """Return the share of the ideal that was reached, and its interval in brackets."""
    step = 100 * scaling.low / scaling.high
    ends = [step * (1 + each) for each in (scaling.interval.low, scaling.interval.high)]
    places = percent_decimals([*ends, 100 * scaling.efficiency])
    low, high = (percent(each, places) for each in ends)
    return percent(100 * scaling.efficiency, places), bracketed(low, high)


def _behind(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return the figures behind a verdict: confidence, ratio, interim analysis, other tests, what is detectable."""
    parts = []
    if comparison.ratio and comparison.ratio.interval:
        interval = comparison.ratio.interval
        ends = bracketed(times(interval.low), times(interval.high))
        parts.append(f"ratio {times(comparison.ratio.value)} {ends} at {share(interval.confidence)}")
    if comparison.look:
        looks = listed([str(each) for each in experiment.looks])
        parts.append(f"look after {plural(comparison.look, 'block')} (planned: {looks})")
    if comparison.sign_flip_p is not None:
        parts.append(f"sign-flip p {significant(comparison.sign_flip_p, 2)} (shown, never decides)")
    if comparison.robust and comparison.robust.interval:
        ends = bracketed(times(comparison.robust.interval.low), times(comparison.robust.interval.high))
        parts.append(f"by ranks {times(comparison.robust.value)} {ends} (shown, never decides)")
    if comparison.detectable:
        parts.append(
            f"a difference of {percent(100 * (comparison.detectable - 1))} would have shown in 8 of 10 studies"
        )
    if comparison.blocking_gain:
        more = variance_times(comparison.blocking_gain)
        parts.append(f"compared without blocks, the variance would be {more} times as large")
    return as_sentence("; ".join(parts))


def floor_sentence(treatment: TreatmentResult, metric: Metric) -> str:
    """Return the value of a floor as the harness's own limit, which is compared with nothing."""
    if treatment.primary is None:
        return f"The harness's own limit ({treatment.label}) was not measured."
    value = estimate_text(treatment.primary, metric)
    return f"The harness's own limit ({treatment.label}, shown and not compared): {value}."


def measured_sentences(experiment: ExperimentResult) -> tuple[str, ...]:
    """Return the value of each treatment if nothing is compared; empty if something is."""
    if experiment.comparisons:
        return ()
    what, metric = summary_of(experiment.primary), experiment.metric
    return tuple(
        f"{each.label} was not measured: none of its {plural(each.runs_made, 'run')} counts."
        if each.primary is None
        else f"{each.label}: {estimate_text(each.primary, metric)}, {what} ({plural(each.primary.n, 'run')})."
        for each in experiment.treatments
        if not each.floor and (each.primary is not None or each.runs_made)
    )


def estimate_text(estimate: Estimate, metric: Metric) -> str:
    """Return an estimate with its unit, and its interval if there is one."""
    scale = scale_for(metric.unit, [estimate.value])
    ends = [estimate.interval.low, estimate.interval.high] if estimate.interval else []
    interval = f" {bracketed(*(scale.bare(each) for each in ends))}" if ends else ""
    return f"{scale.full(estimate.value)}{interval}"


def stopped_sentence(experiment: ExperimentResult) -> str:
    """Return why no more blocks were made."""
    done = plural(experiment.blocks_done, "complete block")
    last = max(experiment.looks, default=0)
    withheld = any(each.verdict == "inconclusive" for each in experiment.comparisons)
    decided = "more of them would not change the answer" if withheld else "every comparison was decided"
    return {
        "decided": f"Ended after {done}: {decided}.",
        "last-look": f"Ended after {done}, at the last planned look.",
        "out-of-time": f"Ended after {done}: its time was over.",
        "nothing-to-compare": f"Ended after {done}: there was nothing to compare.",
        "unfinished": f"Not finished: {done} so far; up to {last} are planned.",
    }.get(experiment.stopped, f"Ended after {done}: {as_sentence(experiment.stopped, capital=False)}")


def as_sentence(text: str, *, capital: bool | None = True) -> str:
    """Return a phrase as a sentence with one full stop; empty text stays empty.

    ``capital`` is for its first letter: True makes it a capital, False makes a word's small, None leaves it (a name).
    """
    stripped = text.strip().rstrip(".")
    if not stripped:
        return ""
    first = stripped[0]
    if capital:
        first = first.upper()
    elif capital is False and stripped[1:2].islower():
        first = first.lower()
    return f"{first}{stripped[1:]}."
