"""Sentences from values: the result of each comparison, how sure it is, and what it does not show."""

from collections.abc import Mapping
from dataclasses import dataclass

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.limit import AT_CAPACITY
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.quantity import Metric, Scalar
from headtohead.model.rules import FEWEST_BLOCKS
from headtohead.report.text.blocks_needed import needs_sentence, with_margin
from headtohead.report.text.cases_of_primary_value import averaged_over, best_levels, best_of, decides, mean_of
from headtohead.report.text.differences import (
    at_least_percent,
    difference,
    direction_word,
    margin_text,
    one_sided,
    ratio_ends,
    time_word,
    variance_times,
)
from headtohead.report.text.names import case_phrase, counted, summary_of
from headtohead.report.text.numbers.percents import percent, percent_decimals, share
from headtohead.report.text.numbers.ratios import TWICE, bounded, times
from headtohead.report.text.numbers.values_with_units import bracketed, scale_for, significant
from headtohead.report.text.scaling import ideal_margin, ideal_sentence, scaling_sentence
from headtohead.report.text.setup_names import apart, has_words, level_words, levels_apart, short_title
from headtohead.report.text.wording import capital, listed, plural

_EACH, _ON_EACH = "with ", "No verdict on whether each "
"""How sentences on each of several copies begin: they name the copies themselves."""
_NO_VERDICT = "No verdict on "
_PROBABLY = "Probably: "
_NOT_YET = "No verdict yet"


@dataclass(frozen=True)
class VerdictText:
    """One comparison as text: its kind (the verdict), a word for it, the sentence, and the figures behind it."""

    kind: str
    tag: str
    sentence: str
    behind: str
    needs: str = ""
    """How many more blocks would decide it, if that can be estimated: page one has that under what comes next."""


def verdict_text(comparison: ComparisonResult, experiment: ExperimentResult) -> VerdictText:
    """Return a comparison as text: a verdict in words only if there is one."""
    metric = experiment.metric
    own = _sentence(comparison, experiment)
    if (per := _per(metric)) and own.startswith(_NO_VERDICT) and not own.startswith(_ON_EACH):
        own = f"no{own[2:]}"
    own = capital(own) if own.startswith((_EACH, _ON_EACH, f"{_PROBABLY}{_EACH}")) else f"{per}{own}"
    sentence = f"{_prefix(comparison, experiment)}{own}"
    if comparison.scaling and _kind(comparison) in ("better", "worse"):
        grown, better = comparison.scaling, _kind(comparison) == "better"
        gain = ideal_sentence(grown, ideal_margin(comparison, experiment)) if better else scaling_sentence(grown)
        sentence = f"{sentence} {gain}"
    behind = _behind(comparison, experiment)
    needs = needs_sentence(comparison, experiment) if _kind(comparison) == "inconclusive" else ""
    return VerdictText(_kind(comparison), _tag(comparison, metric), sentence, f"{behind} {needs}".strip(), needs)


def _kind(comparison: ComparisonResult) -> str:
    """Return the verdict; one that its own interval does not support is no verdict."""
    named = comparison.verdict in ("better", "worse")
    return "inconclusive" if named and not one_sided(comparison) else comparison.verdict


def _tag(comparison: ComparisonResult, metric: Metric) -> str:
    kind = _kind(comparison)
    if kind in ("better", "worse") and comparison.ratio:
        return direction_word(metric, comparison.ratio.value)
    return {"same": "same", "inconclusive": "no verdict"}.get(kind, "not measured")


def _prefix(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return the fixed levels in which comparisons of this experiment differ, and the one case that it rests on.

    A level that both names have ("nginx with 1 worker") is left out.
    """
    every = [each.fixed for each in experiment.comparisons]
    varying = [key for key in sorted(comparison.fixed) if any(each.get(key) != every[0].get(key) for each in every)]
    titles = {each.subject: short_title(each.title) for each in experiment.treatments}
    levels = [_level(key, comparison.fixed[key], titles) for key in varying]
    pair = (comparison.baseline, comparison.other)
    parts = [words for words in levels if not all(has_words(each, words) for each in pair)]
    of = case_phrase(Case({key: levels[0] for key, levels in experiment.primary.where.items() if len(levels) == 1}))
    parts += [of.removeprefix(_EACH)] if of else []
    texts = [f"with {listed(parts)}"] if parts else []
    texts += [f"averaged over {over}"] if (over := averaged_over(experiment)) else []
    if best := best_of(experiment):
        where = best_levels(experiment, (comparison.other, comparison.baseline))
        texts += [f"each at its best of {best}{f' ({where})' if where else ''}"]
    return f"{capital(', '.join(texts))}: " if texts else ""


def _level(name: str, level: Scalar, titles: Mapping[str, str]) -> str:
    """Return a fixed level in words: that of a subject is its title."""
    return titles.get(str(level)) or level_words(name, level) if name == "subject" else level_words(name, level)


def withheld(comparison: ComparisonResult) -> bool:
    """Return whether an interval excludes no change and there is still no verdict: something forbids one.

    Nothing does where more blocks would bring it.
    """
    return comparison.verdict == "inconclusive" and one_sided(comparison) and not comparison.blocks_needed


def _per(metric: Metric) -> str:
    """Return "Per copy: " or the like if the metric is counted for each of several, which together may do more."""
    return f"Per {counted(metric.per)}: " if metric.per else ""


def _sentence(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    kind, matters = _kind(comparison), experiment.matters
    if kind == "not-measured" or (kind == "inconclusive" and comparison.ratio is None):
        start = "Not measured:" if kind == "not-measured" else "No verdict on"
        why = f" ({comparison.because.rstrip('.')})" if comparison.because else ""
        return f"{start} {comparison.other} against {comparison.baseline}{why}."
    if kind == "same":
        return _same(comparison, experiment)
    if kind == "inconclusive":
        return _inconclusive(comparison, experiment)
    extra = "" if comparison.at_least_margin else f" It may be under {margin_text(matters)}, too small to matter."
    return f"{difference(comparison, experiment)}.{extra}"


def _same(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    metric, matters = experiment.metric, experiment.matters
    if one_sided(comparison):
        within = f"which is within the {margin_text(matters)} that would matter"
        return f"A real but negligible difference: {difference(comparison, experiment)}, {within}."
    both = f"{comparison.other} and {apart(comparison.baseline, comparison.other)}"
    over = mean_of(experiment)
    pair = f"{both} are the same within {margin_text(matters)}{f', {over}' if over else ''}"
    if comparison.ratio is None or comparison.ratio.interval is None:
        return f"{pair}."
    ends = between(comparison.ratio.interval, metric, joined="to")
    return f"{pair} (interval {ends}, {plural(comparison.ratio.n, 'block')})."


def _inconclusive(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    baseline, other, metric = comparison.baseline, comparison.other, experiment.metric
    if levels := levels_apart(other, baseline):
        baseline, other = levels_apart(baseline, other), levels
    why = with_margin(comparison.because, experiment.matters)
    ratio, start = comparison.ratio, f"{_NO_VERDICT}{other} against {baseline}"
    if levels and comparison.factor == metric.per:
        verb, _, degree = direction_word(metric, ratio.value if ratio else 1.0).rpartition(" ")
        start = f"{_ON_EACH}of {other} {verb or 'is'} {degree} than {baseline} alone"
    start += f", {over}" if (over := mean_of(experiment)) else ""
    if ratio is None or ratio.interval is None:
        return f"{start}: {as_sentence(comparison.because)}"
    if comparison.blocks_needed_for == "winner" and one_sided(comparison) and not withheld(comparison):
        return f"{_PROBABLY}{difference(comparison, experiment)}. {_NOT_YET}{f': {why}' if why else ''}."
    if withheld(comparison):
        ends = f"{times(ratio.interval.low)} and {times(ratio.interval.high)}"
        seen = f"a ratio between {ends} was seen, which decides nothing"
        if ratio.n < FEWEST_BLOCKS:
            seen = f"the ratio is between {ends} so far"
    else:
        seen = _estimated(ratio.value, ratio.interval, metric)
    known = comparison.because and (one_sided(comparison) or not comparison.blocks_needed)
    end = f". {as_sentence(why)}" if known else "."
    return f"{start}: {seen} ({plural(ratio.n, 'block')}){end}"


def between(interval: Interval, metric: Metric, *, joined: str) -> str:
    """Return an interval as two sizes with their words: ``4 % slower and 6 % faster``, ``2 % and 6 % slower``."""
    sizes = sorted((100 * (end - 1) for end in (interval.low, interval.high)), key=lambda each: (each > 0, abs(each)))
    places = percent_decimals(sizes)
    if sizes[0] * sizes[1] > 0 and max(sizes) < 100 * (TWICE - 1):
        near, far = at_least_percent(abs(sizes[0]), places), percent(abs(sizes[1]), places)
        return f"{near} {joined} {far} {side(metric, sizes[0])}"
    return f" {joined} ".join(how_much(1 + size / 100, metric, places=places) for size in sizes)


def _estimated(ratio: float, interval: Interval, metric: Metric) -> str:
    """Return an interval around 1 after its best estimate, which is left out where it rounds to no change."""
    ends, size = f"between {between(interval, metric, joined='and')}", 100 * (ratio - 1)
    places = percent_decimals([100 * (interval.low - 1), size, 100 * (interval.high - 1)])
    if not round(size, places):
        return ends
    return f"best estimate {how_much(ratio, metric, places=places)}{time_word(metric)}, {ends}"


def how_much(ratio: float, metric: Metric, *, places: int) -> str:
    """Return a ratio as a size with its word, or as a factor from twice as much on."""
    size = 100 * (ratio - 1)
    return f"{percent(abs(size), places)} {side(metric, size)}" if ratio < TWICE else f"{bounded(ratio)} as much"


def side(metric: Metric, size: float) -> str:
    """Return the word for one end of an interval; an amount (less, more) if lower is better."""
    if metric.better == "lower":
        return "less" if size < 0 else "more"
    return direction_word(metric, 1 + size / 100).rpartition(" ")[2]


def _behind(comparison: ComparisonResult, experiment: ExperimentResult) -> str:
    """Return the figures behind a verdict: confidence, ratio, interim analysis, other tests, what is detectable."""
    parts = []
    if comparison.ratio and comparison.ratio.interval:
        interval = comparison.ratio.interval
        checks = ", the level of each check; page one has that of all together" if len(experiment.looks) > 1 else ""
        parts.append(
            f"ratio {times(comparison.ratio.value)} {ratio_ends(interval)} at {share(interval.confidence)}{checks}"
        )
    if comparison.look:
        looks = listed([str(each) for each in experiment.looks])
        parts.append(f"checked after {plural(comparison.look, 'block')} (planned: {looks})")
    parts.append(f"a difference under {margin_text(experiment.matters)} would not matter")
    if comparison.sign_flip_p is not None and _can_decide(comparison):
        parts.append(f"sign-flip p {significant(comparison.sign_flip_p, 2)} (shown, never decides)")
    if comparison.robust and comparison.robust.interval:
        ends = bracketed(times(comparison.robust.interval.low), times(comparison.robust.interval.high))
        parts.append(f"by ranks {times(comparison.robust.value)} {ends} (shown, never decides)")
    open_side = _kind(comparison) == "inconclusive" and one_sided(comparison)
    if comparison.detectable and len(comparison.blocks) >= FEWEST_BLOCKS and not open_side:
        parts.append(
            f"a difference of {percent(100 * (comparison.detectable - 1))} would have shown in 8 of 10 studies"
        )
    if comparison.blocking_gain:
        more = variance_times(comparison.blocking_gain)
        parts.append(f"compared without blocks, the variance would be {more} times as large")
    return as_sentence("; ".join(parts))


def _can_decide(comparison: ComparisonResult) -> bool:
    """Return whether the least p that this many blocks can have is below the level: else it shows nothing."""
    blocks = len(comparison.blocks)
    return comparison.alpha is None or blocks == 0 or 2.0 ** (1 - blocks) <= comparison.alpha


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
        else f"{each.label}: {_at_least(each, experiment)}{estimate_text(each.primary, metric)}, {what} "
        f"({plural(each.primary.n, 'run')})."
        for each in experiment.treatments
        if not each.floor and (each.primary is not None or each.runs_made)
    )


def _at_least(treatment: TreatmentResult, experiment: ExperimentResult) -> str:
    """Return that a value may be higher, if the load generator was the limit in most cases that it is made of."""
    limits = [each for each in treatment.limits if decides(each.case, experiment.primary)]
    cells = [each for each in treatment.cells if each.metric == experiment.primary.of and each.case]
    best = max(cells, key=lambda each: each.estimate.value, default=None)
    made = best.case if best and experiment.primary.by == "max" else AT_CAPACITY
    own = [each.resource for each in limits if each.case == made] or [each.resource for each in limits]
    higher = experiment.metric.better == "higher" and 2 * own.count("driver") > len(own)
    return "at least " if higher else ""


def estimate_text(estimate: Estimate, metric: Metric) -> str:
    """Return an estimate with its unit, and its interval if there is one."""
    scale = scale_for(metric.unit, [estimate.value])
    ends = [estimate.interval.low, estimate.interval.high] if estimate.interval else []
    interval = f" {bracketed(*(scale.bare(each) for each in ends))}" if ends else ""
    return f"{scale.full(estimate.value)}{interval}"


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
