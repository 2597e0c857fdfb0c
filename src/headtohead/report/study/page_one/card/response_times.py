"""The line on response times below an answer: the median and the slowest of each setup, and where their order turns."""

import math
from collections.abc import Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.names import case_phrase
from headtohead.report.text.numbers.values_with_units import scale_for
from headtohead.report.text.setup_names import short
from headtohead.report.text.wording import capital, joined, listed

FAR, MORE = 2.0, 1.5
"""The slowest 1 % are worth a word if p99 differs by the first factor, and by the second times what the median does."""
MOST_NAMED = 2
"""More loads than these at which responses are uneven too are counted."""
WIDE = 2.0
"""A time whose interval ends this many times above its start has that interval next to it."""
P50, P90, P99, MEAN = (f"response_time_{each}_ns" for each in ("p50", "p90", "p99", "mean"))


def response_times(context: ExperimentContext) -> str:
    """Return median and p99 of each setup at the highest load that has a p99; empty if it decides, or none has it.

    Loads at which the load generator was the limit are left out: their times are its own.
    """
    result = context.result
    if result.primary.of == P99 or not context.load or context.load.searches:
        return ""
    for case in reversed(context.cases_of(P99)):
        if (slow := _times_ns(context, case, P99)) and not _driver_limited(result, case):
            half = _times_ns(context, case, P50)
            if uneven := _uneven(context, half, slow, case):
                return f"{uneven}{_uneven_too(context, case)}"
            shown = [] if _uncertain(context.result, half, slow, case) else half
            return f"{_of_each(context, shown, slow, case)}{_ranked(context, half, slow, case)}"
    return ""


def _of_each(context: ExperimentContext, half: Sequence[float], slow: Sequence[float], case: Case) -> str:
    names = [short(each, context.result) for each in arms_of(context.result)]
    first = "half of the responses within {} and 99 of 100 within {}" if half else "99 of 100 responses within {}"
    after = "{} and {}" if half else "{}"
    columns = [[scale_for("ns", kind).full(each) for each in kind] for kind in (half, slow) if kind]
    names = [f"{name}{wide}" for name, wide in zip(names, _wide(context, slow, case), strict=True)]
    parts = [
        f"{(after if at else first).format(*own)} ({names[at]})" for at, own in enumerate(zip(*columns, strict=True))
    ]
    return f"{_load(context, case)}{joined(parts).removesuffix('.')}."


def _load(context: ExperimentContext, case: Case) -> str:
    """Return the load with which a sentence on times begins; empty if there is only one."""
    full = "At full load " if _kept_full(context, case) else ""
    return capital(f"{full}{case_phrase(case)}, ") if case else ""


def _uneven(context: ExperimentContext, half: Sequence[float], slow: Sequence[float], case: Case) -> str:
    """Return mean, p99 and median of two setups if the median, for sure, reverses the order of the other two.

    The average, which in a closed loop follows from the rate, then has the order that the quickest half reverses. If
    even the quickest nine tenths do, for sure, their limit has the place of the median.
    """
    result, mean = context.result, _times_ns(context, case, MEAN)
    if len(mean) != 2 or len(half) != 2 or len(result.comparisons) != 1:
        return ""
    (pair,), last = result.comparisons, _slower_mean(context, case)
    known = all(_is_known(pair, case, each) for each in (MEAN, P50, P99))
    if not known or half[last] >= half[1 - last] or slow[last] <= slow[1 - last]:
        return ""
    names = [short(each, result) for each in arms_of(result)]
    most = _times_ns(context, case, P90)
    nine = len(most) == 2 and most[last] < most[1 - last] and _is_known(pair, case, P90)
    within, quick = ("9 of 10", most) if nine else ("half", half)
    average, p99, soon = ([scale_for("ns", kind).full(each) for each in kind] for kind in (mean, slow, quick))
    wide = _wide(context, slow, case)
    own, other = names[last], names[1 - last]
    means = f"{average[last]} ({other}: {average[1 - last]})"
    full = _kept_full(context, case)
    on_average = f"The rate follows their mean, {means}." if full else f"Their mean is {means}."
    return (
        f"{capital(_load(context, case) + 'responses')} of {own} are uneven: {within} within {soon[last]} "
        f"({other}, slower: {soon[1 - last]}), but 1 of 100 over {p99[last]}{wide[last]} "
        f"({other}: {p99[1 - last]}{wide[1 - last]}). {on_average}"
    )


def _uneven_too(context: ExperimentContext, shown: Case) -> str:
    """Return at which other loads responses of the same setup are uneven too; empty if at none."""
    others = [each for each in context.cases_of(P99) if each != shown and not _driver_limited(context.result, each)]
    times = {each: (_times_ns(context, each, P50), _times_ns(context, each, P99)) for each in others}
    found = [
        each
        for each, (half, slow) in times.items()
        if slow and _uneven(context, half, slow, each) and _slower_mean(context, each) == _slower_mean(context, shown)
    ]
    where = listed([case_phrase(each) for each in found]) if len(found) <= MOST_NAMED else f"at {len(found)} more loads"
    return f" Uneven too {where}." if found else ""


def _slower_mean(context: ExperimentContext, case: Case) -> int:
    """Return which of two setups has the longer mean."""
    first, second = _times_ns(context, case, MEAN)
    return int(first < second)


def _wide(context: ExperimentContext, slow: Sequence[float], case: Case) -> list[str]:
    """Return the interval of each p99 that is so wide that the value alone would mislead, in the values' unit."""
    scale = scale_for("ns", slow)
    found = [context.cell(each, metric=P99, case=case) for each in arms_of(context.result)]
    ends = [cell.estimate.interval if cell else None for cell in found]
    wide = [each if each and each.high > WIDE * each.low else None for each in ends]
    return [f", interval {scale.bare(each.low)} to {scale.bare(each.high)}" if each else "" for each in wide]


def _ranked(context: ExperimentContext, half: Sequence[float], slow: Sequence[float], case: Case) -> str:
    """Return which of two setups is ahead where median and p99 disagree; empty if they agree."""
    result = context.result
    if len(half) != 2 or len(result.comparisons) != 1:
        return ""
    unknown, parts = _uncertain(result, half, slow, case), []
    if (half[0] - half[1]) * (slow[0] - slow[1]) < 0 and not unknown:
        parts.append(f"at the median {arms_of(result)[0 if half[0] < half[1] else 1].label} is ahead")
    if _slowest_differ_more(half, slow) and _is_known(result.comparisons[0], case, P99):
        first = slow[0] < slow[1]
        quickest, rest = _quickest(result, case, first=not first), _rest_is_open(result, case, first=not first)
        name = short(arms_of(result)[0 if first else 1], result)
        slowest = f"the slowest 1 % are far quicker with {name}"
        least = _sooner(result, case, ("p99",), first=first)
        parts.append(f"{quickest}; slowest 1 %:{least} sooner with {name}{rest}" if quickest else slowest)
        unknown = unknown and not quickest
    medians = " and ".join(scale_for("ns", half).full(each) for each in half)
    text = "; ".join([*([f"their medians there, {medians}, vary too much to rank"] if unknown else []), *parts])
    return f" {capital(text)}." if text else ""


def _uncertain(result: ExperimentResult, half: Sequence[float], slow: Sequence[float], case: Case) -> bool:
    """Return whether two medians are in the reverse order of the p99 and the interval of their ratio holds 1.

    Such a median shows little: runs of one setup may be of two kinds.
    """
    if len(half) != 2 or len(result.comparisons) != 1:
        return False
    return (half[0] - half[1]) * (slow[0] - slow[1]) < 0 and not _is_known(result.comparisons[0], case, P50)


def _quickest(result: ExperimentResult, case: Case, *, first: bool) -> str:
    """Return up to which tenth the quickest responses are quicker with one setup for sure, where it has the slowest.

    ``first`` is whether that is the first of the two setups; the interval of each tenth must exclude 1.
    """
    tenths = _tenths(result, case, first=first)
    if not tenths:
        return ""
    name, least = (
        short(arms_of(result)[0 if first else 1], result),
        _sooner(result, case, _names(1, tenths), first=first),
    )
    return f"quickest {10 * tenths} %:{least} sooner with {name}"


def _sooner(result: ExperimentResult, case: Case, quantiles: Sequence[str], *, first: bool) -> str:
    """Return by which factor at least all these quantiles of one setup are below the other's; empty if not known.

    Rounded down to two digits: a table next to it has three.
    """
    (pair,) = result.comparisons
    turned = arms_of(result)[0 if first else 1].label == pair.other
    ends = [each.ratio.interval for each in pair.shifts if each.case == case and each.quantile in quantiles]
    least = min((1 / each.high if turned else each.low for each in ends if each), default=0.0)
    if least <= 1:
        return ""
    places = 1 - math.floor(math.log10(least))
    down = math.floor(round(least * 10.0**places, 6)) / 10.0**places
    return f" at least {down:,.{max(0, places)}f}x"


def _names(first: int, last: int) -> list[str]:
    return [f"p{10 * each}" for each in range(first, last + 1)]


def _tenths(result: ExperimentResult, case: Case, *, first: bool) -> int:
    """Return the number of tenths, from the quickest on, in each of which one setup leads for sure."""
    (pair,) = result.comparisons
    setup, tenths = arms_of(result)[0 if first else 1], 0
    for each in pair.shifts:
        ends = each.ratio.interval
        if each.case == case and each.quantile == f"p{10 * (tenths + 1)}" and ends:
            tenths += ends.low > 1 if setup.label == pair.baseline else ends.high < 1
    return tenths


def _rest_is_open(result: ExperimentResult, case: Case, *, first: bool) -> str:
    """Return that no setup leads between the quickest and the slowest, if no interval there excludes 1."""
    tenths = _tenths(result, case, first=first)
    between = _names(tenths + 1, 9)
    (pair,) = result.comparisons
    ends = [each.ratio.interval for each in pair.shifts if each.case == case and each.quantile in between]
    return "; rest open" if ends and all(each and each.low <= 1 <= each.high for each in ends) else ""


def _slowest_differ_more(half: Sequence[float], slow: Sequence[float]) -> bool:
    """Return whether p99 differs by ``FAR`` and by ``MORE`` times as much as the median, or the other way."""
    at_half, at_slow = (math.log(each[0] / each[1]) for each in (half, slow))
    further = abs(at_slow) if at_half * at_slow < 0 else abs(at_slow) - abs(at_half)
    return abs(at_slow) >= math.log(FAR) and further >= math.log(MORE)


def _is_known(pair: ComparisonResult, case: Case, metric: str) -> bool:
    """Return whether the interval of a metric's ratio in a case excludes 1."""
    found = next((each.ratio for each in pair.exploratory if (each.case, each.metric) == (case, metric)), None)
    return found is not None and found.interval is not None and not found.interval.low <= 1 <= found.interval.high


def _times_ns(context: ExperimentContext, case: Case, metric: str) -> list[float]:
    """Return a time of each setup in a case; nothing unless all have it."""
    found = [context.cell(each, metric=metric, case=case) for each in arms_of(context.result)]
    known = [cell.estimate.value for cell in found if cell]
    return known if len(known) == len(found) else []


def _kept_full(context: ExperimentContext, case: Case) -> bool:
    """Return whether users without a pause kept the CPUs of every setup full in a case: calm servers answer sooner."""
    load, full = context.load, ("cpu", "parallelism")
    if load is None or load.loop != "closed" or load.settings.get("think_s"):
        return False
    return all(
        any(limit.case == case and limit.resource in full for limit in each.limits) for each in arms_of(context.result)
    )


def _driver_limited(result: ExperimentResult, case: Case) -> bool:
    return any(limit.case == case and limit.resource == "driver" for each in arms_of(result) for limit in each.limits)
