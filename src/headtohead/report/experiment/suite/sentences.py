"""Sentences on a geometric mean over kernels or programs: its intervals, its spread, its tail."""

from collections.abc import Iterator

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import Suite, Yardstick
from headtohead.model.case import Case
from headtohead.report.text.numbers.percents import percent, share
from headtohead.report.text.numbers.ratios import changes, times
from headtohead.report.text.numbers.values_with_units import bracketed
from headtohead.report.text.wording import listed, plural

TIMES = "\u00d7"
TAIL = 3
"""The same as in ``analyze.verdicts.suite``, which the report may not import."""


def suite_sentences(result: ExperimentResult) -> Iterator[str]:
    """Yield the sentences before a suite's table: on the reference, on each comparison, on what the words mean."""
    if result.yardstick:
        yield reference_sentence(result.yardstick)
    yield from (suite_sentence(each, result.suite) for each in result.suites)
    if result.suites:
        yield _meaning(result.suite)
    yield from _clock(result)


def reference_sentence(yardstick: Yardstick) -> str:
    """Return which machine is the reference, and the limits of a comparison with it."""
    machine = yardstick.reference
    about = [machine.machine or "", f"measured on {machine.day}" if machine.day else "on an unknown day"]
    runs = plural(next((each.estimate.n for each in yardstick.cells), 0), "run")
    return (
        f"The reference machine is {machine.name} ({', '.join(each for each in about if each)}) with its "
        f"{yardstick.treatment}, {runs}. They were not interleaved with the runs here: that machine on its day, this "
        "one on its own."
    )


def suite_title(suite: Suite) -> str:
    """Return the two sides of a comparison."""
    return f"{suite.treatment} against {'the reference machine' if suite.reference else suite.against}"


def ratio_text(suite: Suite, ratio: Estimate) -> tuple[str, str]:
    """Return a ratio and its interval: as a change against a baseline, as a factor against the reference machine."""
    if not suite.reference:
        return changes(ratio)
    ends = ratio.interval
    return f"{times(ratio.value)}{TIMES}", bracketed(times(ends.low), times(ends.high)) if ends else ""


def like_text(suite: Suite) -> str:
    """Return the interval for cases like these in brackets; empty if there is none."""
    return ratio_text(suite, Estimate(suite.ratio.value, suite.like_these, 0))[1]


def level_of(case: Case, field: str) -> str:
    """Return the level of the field that distinguishes the cases: ``fft``."""
    return case.levels.get(field, case.text)


def suite_sentence(suite: Suite, field: str) -> str:
    """Return the result of one comparison over all cases: mean, both intervals, spread, best and worst, tail."""
    return f"{_mean(suite, field)} {_spread(suite, field)} {_tail(suite, field)}"


def _mean(suite: Suite, field: str) -> str:
    value, ends = ratio_text(suite, suite.ratio)
    start = f"{suite_title(suite)}: {value} as the geometric mean of {plural(len(suite.cases), field)}"
    if suite.ratio.interval is None or suite.like_these is None:
        return f"{start}, of one block, so that there is no interval."
    level = share(suite.ratio.interval.confidence)
    open_ = suite.like_these.low <= 1 <= suite.like_these.high
    either = f": the sign may differ for other {field}s" if open_ else ""
    return f"{start}, {ends} for these {field}s, {like_text(suite)} for {field}s like these{either} (at {level})."


def _spread(suite: Suite, field: str) -> str:
    ends = [f"{level_of(each.case, field)} {ratio_text(suite, each.ratio)[0]}" for each in suite.cases]
    apart = f"a factor of {times(suite.spread)} ({percent(100 * (suite.spread - 1))})"
    worst = suite.cases[-1].ratio.interval if suite.cases else None
    unsure = "" if worst is None or not worst.low <= 1 <= worst.high else _unsure(suite)
    return f"Best {ends[0]}, worst {ends[-1]}{unsure}; the ratios spread by {apart}, one standard deviation."


def _unsure(suite: Suite) -> str:
    """Return that the interval of the worst case is too wide to say that it is worse."""
    between = ratio_text(suite, suite.cases[-1].ratio)[1].strip("[]").replace(", ", " to ")
    return f", but its interval ({between}) is too wide to be sure"


def _tail(suite: Suite, field: str) -> str:
    """Return the cases far from the others, which were chosen afterwards: hypotheses, no results."""
    far = [level_of(each.case, field) for each in suite.cases if each.tail]
    if not far:
        return f"No {field} is shown to be far from the others."
    return f"Far from the others: {listed(far)}; chosen afterwards, so that is a hypothesis."


def _meaning(field: str) -> str:
    """Return what the two intervals, and a tail, mean in plain words."""
    return (
        f"For these {field}s: how well these runs know the mean of exactly these; more blocks narrow it. For {field}s "
        f"like these: where the mean of other {field}s may be, if these were drawn from them at random; only more "
        f"{field}s narrow it. A single {field}, such as yours, may be far outside both. A {field} is "
        f"far from the others if its ratio is {TAIL:g} or more typical distances (scaled median deviations) from the "
        f"median of the {field}s, and its own interval does not reach that near; it stays in every number."
    )


def _clock(result: ExperimentResult) -> Iterator[str]:
    """Yield how work per clock was computed, or that the machine does not show its clock."""
    if any(each.per_ghz for each in result.treatments):
        yield (
            "Per GHz: over the clock at which the setup's CPUs ran, the mean over the measured time of each run; "
            f"a {result.suite} that slows the clock down cannot be distinguished."
        )
    elif result.metric.better == "higher" and result.metric.unit == "1/s":
        yield "Work per clock is not shown: the machine hides the clock of its CPUs."
