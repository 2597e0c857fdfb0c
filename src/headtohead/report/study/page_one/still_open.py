"""What is still open: comparisons without a verdict, and an ideal that may be reached."""

from collections.abc import Iterator

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.report.context import ExperimentContext
from headtohead.report.study.page_one.blocks_that_may_decide import (
    MOST,
    block_s,
    ideal_needs,
    less_or_more,
    may_decide,
    more_needed,
    not_worth_it,
    open_ideal,
    time_to_add,
)
from headtohead.report.study.page_one.doubts import leaves_verdict, worst_first
from headtohead.report.study.total_of_copies import totals
from headtohead.report.text.differences import direction_word, margin_text, one_sided
from headtohead.report.text.numbers.dates_and_durations import rough
from headtohead.report.text.setup_names import apart, levels_apart
from headtohead.report.text.wording import plural


def still_open(context: ExperimentContext) -> Iterator[str]:
    """Yield what is open, with what comes first: comparisons without a verdict, and an ideal that may be reached."""
    result, planned = context.result, context.planned
    opened = [each for each in result.comparisons if each.verdict == "inconclusive"]
    pairs = [_either(each.baseline, each.other) for each in opened]
    if of_each := _open_for_each(context):
        yield of_each
    elif pairs:
        what = pairs[0] if len(pairs) == 1 else f"{len(pairs)} of {plural(len(result.comparisons), 'comparison')}"
        doubts = "see its doubts first" if worst_first(result.findings) else "the card has the reason"
        itself = planned is not None and all(planned.against_itself(each.baseline, each.other) for each in opened)
        first = "see Next" if itself else _what_may_decide(context) if may_decide(context) else doubts
        yield f"{what}: {'one setup, nothing to choose' if itself else 'no choice follows yet'}; {first}."
    if more := open_ideal(result):
        graver = any(not leaves_verdict(each, result) for each in worst_first(result.findings))
        many = more.blocks_for_ideal is None or more.blocks_for_ideal > MOST or graver
        yield f"{ideal_needs(context, more)}." if many else f"{less_or_more(more)}: see Next."


def _what_may_decide(context: ExperimentContext) -> str:
    """Return how much more may decide: all that is needed, also if it is more than can be added at once."""
    needed, each_s = more_needed(context), block_s(context)
    if needed <= MOST:
        return f"{time_to_add(context)} may decide"
    if not_worth_it(context):
        return "see Next"
    return f"about {needed:,} more blocks{f' ({rough(needed * each_s)})' if each_s else ''} may be enough"


def _either(one: str, other: str) -> str:
    """Return two setups to choose from: by their levels alone, ``1 copy or 2 copies``, if these name them."""
    levels = levels_apart(one, other), levels_apart(other, one)
    return " or ".join(levels if all(levels) else (one, apart(other, one)))


def _open_for_each(context: ExperimentContext) -> str:
    """Return what is open about each of several copies, if what they do together is more for sure; else empty."""
    found = [each for each in totals(context) if each.comparison.verdict == "inconclusive" and each.ends[0] > 1]
    if len(found) != len(may_decide(context)) or len(found) != 1:
        return ""
    (total,) = found
    compared = _compared(total.comparison, context.result)
    return f"whether each of {total.several} is {compared} {total.one} alone; {_what_may_decide(context)}."


def _compared(comparison: ComparisonResult, result: ExperimentResult) -> str:
    """Return what more blocks can show of two setups: that one is slower, or both are alike within the margin."""
    if comparison.blocks_needed_for != "winner" or comparison.ratio is None:
        return f"within {margin_text(result.matters)} of"
    called = "called " if one_sided(comparison) else ""
    return f"{called}{direction_word(result.metric, comparison.ratio.value).rpartition(' ')[2]} than"
