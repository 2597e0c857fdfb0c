"""Compare two treatments within blocks: the ratio, its interval, the verdict and its reason."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics import paired
from headtohead.analyze.statistics.along_levels import gains
from headtohead.analyze.statistics.between_runs.equal_spread import unlike_spreads_p
from headtohead.analyze.statistics.between_runs.far_from_median import far_from_median
from headtohead.analyze.statistics.estimate import of_logs
from headtohead.analyze.statistics.robust_ratio_by_ranks import hodges_lehmann
from headtohead.analyze.statistics.skewed_interval import UNLIKE, Reach, reach
from headtohead.analyze.statistics.verdict import MINIMUM, Ruling
from headtohead.analyze.verdicts import shift_function, winner
from headtohead.analyze.verdicts.exploratory_ratios import explore
from headtohead.analyze.verdicts.log_ratios import both_logs, log_ratios
from headtohead.model.analysis.comparison import ComparisonResult, Outcome
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.plan import Comparison, PlannedExperiment
from headtohead.model.quantiles import BEYOND
from headtohead.model.quantity import Metric
from headtohead.model.rules import ERROR, FEWEST_ADDED, enough_blocks

LOST_ONE_IN = 5
"""Rules may exclude one block of this many. If they exclude more, the rest is a selection (METHOD.md 9)."""


HUGE_LOG = math.log(2)
"""A ratio that is worth a word before a verdict is possible, if every block has it."""
FEWEST_SEEN = 2
SECONDS_UP_TO = 120


@dataclass(frozen=True)
class Progress:
    """How far an experiment is: its complete blocks, and the last interim analysis (blocks, and place in ``looks``).

    ``look`` and ``place`` are None before the first one. ``dropped`` holds the treatments that were given up, each with
    the reason. ``out_of_time`` is whether a time limit ended the experiment there.
    """

    blocks: int
    look: int | None
    place: int | None
    dropped: Mapping[str, str]
    out_of_time: bool = False


def error_at(experiment: PlannedExperiment, place: int | None) -> float:
    """Return the error that all comparisons share at an interim analysis; 5 % if nothing is compared.

    ``place`` None means before the first one. A plan with more than 5 % gets 5 %.
    """
    levels = [each.alpha[place or 0] for each in experiment.comparisons]
    return min(math.fsum(levels), ERROR) if levels else ERROR


def metric_of(experiment: PlannedExperiment) -> Metric:
    """Return the metric of the primary summary; KeyError if the plan lacks it."""
    return experiment.metrics[experiment.primary.of]


def too_few(used: int, *, of: int) -> bool:
    """Return whether more than a fifth of the blocks are lost, because one of their two runs does not count."""
    return LOST_ONE_IN * (of - used) > of


def ruling(comparison: Comparison, samples: Samples, *, progress: Progress) -> Ruling:
    """Return the verdict of a comparison, from the blocks up to the last interim analysis."""
    gone = [label for label in (comparison.baseline, comparison.other) if label in progress.dropped]
    if gone:
        return Ruling("not-measured", f"{gone[0]} was dropped: {progress.dropped[gone[0]]}")
    if progress.blocks == 0:
        return Ruling("not-measured", "no block is complete")
    if progress.place is None:
        first = samples.experiment.looks[0]
        done = f"{progress.blocks} of the {first} blocks up to the first check are complete"
        allows = next((each for each in samples.experiment.looks if each >= MINIMUM), MINIMUM)
        return Ruling("inconclusive", so_far(comparison, samples, needs=allows) or done)
    if samples.primary in {each.key for each in samples.refused}:
        return Ruling("not-measured", f"a run sent too few requests for it: {BEYOND} must lie beyond a quantile")
    logs = log_ratios(comparison, samples, key=samples.primary)
    experiment = samples.experiment
    better, n = metric_of(experiment).better, len(logs)
    if n < MINIMUM:
        lacking = winner.verdict_of(0.0, 0.0, n=n, matters=experiment.matters, better=better)
        ended = progress.out_of_time or progress.look == experiment.looks[-1]
        ahead = so_far(comparison, samples, needs=MINIMUM, ended=ended)
        return Ruling("inconclusive", ahead) if ahead else lacking
    if too_few(n, of=progress.blocks):
        lost = f"{progress.blocks - n} of {progress.blocks} blocks are lost"
        return Ruling("inconclusive", f"{lost}, more than a fifth of them")
    p, several = _unlike_p(comparison, samples), len(experiment.comparisons)
    reached = reach(logs, alpha=comparison.alpha[progress.place], unlike=p < UNLIKE)
    ruled = winner.verdict_of(
        float(reached.center),
        (float(reached.below), float(reached.above)),
        n=n,
        matters=experiment.matters,
        better=better,
        unlike=p < winner.unlike_below(several),
        comparisons=several,
    )
    if ruled.verdict in ("better", "worse") and winner.ordered_alike(_firsts(comparison, samples), of=n):
        return Ruling(
            "inconclusive", "one of the two ran before the other in nearly all blocks, which may be what differs"
        )
    return ruled


def so_far(comparison: Comparison, samples: Samples, *, needs: int, ended: bool = False) -> str:
    """Return how far ahead one of two is in every block before a verdict is possible; empty if that is not clear.

    An experiment that has ``ended`` gets more blocks on request only; what to do next states how long these take, by
    the blocks that were made.
    """
    logs, experiment = log_ratios(comparison, samples, key=samples.primary), samples.experiment
    if len(logs) < FEWEST_SEEN or min(abs(logs)) < HUGE_LOG or len(set(np.sign(logs))) > 1:
        return ""
    ahead = (logs[0] > 0) == (metric_of(experiment).better == "higher")
    block_s = sum(experiment.run_s.get(each.label, 0.0) for each in experiment.treatments)
    blocks = max(FEWEST_ADDED, needs - len(logs)) if ended else needs - len(logs)
    more = f", about {_lasting(blocks * block_s)} more" if block_s and not ended else ""
    by = math.exp(abs(float(np.mean(logs))))
    place = "far ahead" if ahead else "far behind"
    return (
        f"{place}, by {by:.1f} times, in each of {len(logs)} blocks, but a verdict needs {needs} blocks{more}: run "
        "the same command again" + (f" with --more {blocks}" if ended else "")
    )


def _lasting(seconds: float) -> str:
    """Return a time to come in whole seconds, or minutes, rounded up.

    >>> _lasting(37.2), _lasting(372)
    ('38 s', '7 min')
    """
    return f"{math.ceil(seconds)} s" if seconds < SECONDS_UP_TO else f"{math.ceil(seconds / 60)} min"


def _unlike_p(comparison: Comparison, samples: Samples) -> float:
    """Return the p that the two treatments vary alike from run to run; 1 with too few blocks for a verdict."""
    both = both_logs(comparison, samples)
    return float(unlike_spreads_p(*both.T)) if len(both) >= MINIMUM else 1.0


def _firsts(comparison: Comparison, samples: Samples) -> int:
    """Return in how many blocks the baseline ran before the other, of those in which both count."""
    values = [samples.of(each, samples.primary) for each in (comparison.baseline, comparison.other)]
    runs = [samples.counted[each] for each in (comparison.baseline, comparison.other)]
    both = [block for block in values[0] if block in values[1] and min(each[block] for each in values) > 0]
    return sum(runs[0][block].run.run < runs[1][block].run.run for block in both)


def result(comparison: Comparison, samples: Samples, *, progress: Progress) -> ComparisonResult:
    """Return the result of a comparison: the primary ratio with its verdict, and the exploratory ratios."""
    experiment, verdict = samples.experiment, ruling(comparison, samples, progress=progress)
    alpha = comparison.alpha[progress.place or 0]
    logs = log_ratios(comparison, samples, key=samples.primary)
    if verdict.verdict == "not-measured":
        logs = logs[:0]
    seen = len(logs) > 1
    reached = reach(logs, alpha=alpha, unlike=_unlike_p(comparison, samples) < UNLIKE) if seen else None
    ratio = reached.estimate(alpha=alpha, n=len(logs)) if reached else of_logs(logs, alpha=alpha) if len(logs) else None
    needed, needed_for = _needed(reached, verdict, experiment, progress=progress, n=len(logs), alpha=alpha)
    itself = experiment.against_itself(comparison.baseline, comparison.other)
    explored, shifted = shift_function.with_one_interval(
        tuple(explore(comparison, samples, alpha=alpha)) if seen else (),
        shift_function.shifts(comparison, samples, alpha=alpha) if seen else (),
    )
    return ComparisonResult(
        factor=comparison.factor,
        baseline=comparison.baseline,
        other=comparison.other,
        fixed=comparison.fixed,
        verdict=verdict.verdict,
        because=verdict.because,
        ratio=ratio,
        blocks=tuple(math.exp(each) for each in logs),
        look=progress.look,
        alpha=alpha,
        sign_flip_p=paired.sign_flip_p(logs) if seen else None,
        at_least_margin=verdict.at_least_margin,
        negligible=verdict.negligible,
        detectable=paired.detectable(logs, alpha=alpha) if seen else None,
        blocks_needed=needed,
        blocking_gain=_blocking_gain(comparison, samples) if seen else None,
        scaling=_scaling(comparison, experiment, ratio=ratio, alpha=alpha),
        robust=hodges_lehmann(logs, alpha=alpha),
        exploratory=explored,
        shifts=shifted,
        blocks_needed_for=None if itself and needed_for == "winner" else needed_for,
        without_repeats=_without(_repeated(comparison, samples), comparison, samples, alpha=alpha),
        without_outliers=_without(_far_off(comparison, samples), comparison, samples, alpha=alpha),
    )


def _scaling(
    comparison: Comparison, experiment: PlannedExperiment, *, ratio: Estimate | None, alpha: float
) -> Scaling | None:
    """Return the gain with the blocks that would show whether it misses its ideal, all analyzed at once."""
    found = gains.scaling(comparison, experiment, ratio=ratio)
    if found is None or ratio is None:
        return found
    levels = (alpha, ERROR / len(experiment.comparisons))
    return replace(found, blocks_for_ideal=gains.blocks_for_ideal(found, n=ratio.n, alpha=levels))


def _repeated(comparison: Comparison, samples: Samples) -> set[int]:
    """Return the blocks in which one of the two had a case measured again."""
    both = (samples.counted.get(label, {}) for label in (comparison.baseline, comparison.other))
    return {block for counted in both for block, each in counted.items() if each.run.repeated}


def _far_off(comparison: Comparison, samples: Samples) -> set[int]:
    """Return the blocks in which one of the two is far from the median of its treatment."""
    both = (samples.of(label, samples.primary) for label in (comparison.baseline, comparison.other))
    positive = ({block: value for block, value in values.items() if value > 0} for values in both)
    return {block for values in positive for block in far_from_median(values)}


def _without(left_out: set[int], comparison: Comparison, samples: Samples, *, alpha: float) -> Estimate | None:
    """Return the ratio over the other blocks; None if there is none to leave out, or too few are left."""
    values = [samples.of(label, samples.primary) for label in (comparison.baseline, comparison.other)]
    kept = [block for block in values[0] if block in values[1] and min(each[block] for each in values) > 0]
    logs = np.asarray([math.log(values[1][each] / values[0][each]) for each in kept if each not in left_out])
    if not left_out & set(kept) or len(logs) < FEWEST_SEEN:
        return None
    unlike = _unlike_p(comparison, samples) < UNLIKE
    return reach(logs, alpha=alpha, unlike=unlike).estimate(alpha=alpha, n=len(logs))


def _needed(
    reached: Reach | None, verdict: Ruling, experiment: PlannedExperiment, *, progress: Progress, n: int, alpha: float
) -> tuple[int | None, Outcome | None]:
    """Return about how many blocks would decide, and for what: a winner, or the same within the margin.

    After the last planned analysis they would be added ones, whose analysis has less error.
    """
    matters, comparisons = experiment.matters, len(experiment.comparisons)
    scarce = n < MINIMUM or too_few(n, of=progress.blocks)
    if reached is None or progress.look is None or scarce or verdict.verdict != "inconclusive":
        return None, None
    center, half = float(reached.center), max(float(reached.below), float(reached.above))
    then = experiment.added_error / comparisons if progress.look == experiment.looks[-1] else alpha
    blocks_for = partial(paired.blocks_needed, center, half, n=n, matters=matters, alpha=(alpha, then))
    if abs(center) + half < math.log(matters):
        return max(blocks_for(wins=False) or n + 1, enough_blocks(comparisons)), "same"
    least = winner.least_blocks(center, matters=matters, comparisons=comparisons)
    if least is not None and least <= n and abs(center) > half:
        return None, None
    needed = blocks_for(wins=least is not None)
    if needed is None:
        return None, None
    near = least is None or abs(center) < math.log(matters) - abs(center)
    if least is None and 2 * abs(center) > math.log(matters):  # any interval within the margin excludes 1
        needed = max(needed, enough_blocks(comparisons))
    return (needed if least is None else max(needed, least)), "same" if near else "winner"


def _blocking_gain(comparison: Comparison, samples: Samples) -> float | None:
    baseline, other = both_logs(comparison, samples).T
    return paired.blocking_gain(baseline, other)


def all_decided(comparisons: Sequence[Comparison], samples: Samples, *, progress: Progress) -> bool:
    """Return whether every comparison has a verdict other than inconclusive, or cannot be measured."""
    return all(ruling(each, samples, progress=progress).verdict != "inconclusive" for each in comparisons)
