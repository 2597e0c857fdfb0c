"""What to do next about an answer: how many more blocks, by which command, in which time; else what its doubts need."""

from collections.abc import Iterator
from shlex import quote

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.finding import Severity
from headtohead.report.context import ExperimentContext
from headtohead.report.study.page_one.doubts import decided, worst_first
from headtohead.report.study.page_one.masthead import lasted_s
from headtohead.report.study.page_one.why import totals
from headtohead.report.text.dates import rough
from headtohead.report.text.names import plural
from headtohead.report.text.numbers import factor, factors
from headtohead.report.text.scaling import grown, ideal_kind
from headtohead.report.text.setup_names import apart
from headtohead.report.text.verdicts import as_sentence, between_ends, more_blocks, needed_for, withheld

FEWEST, MOST = 4, 100
"""The numbers of blocks that ``headtohead run --more`` accepts."""
NO_MORE = "No more blocks are needed for the verdict."
NARROWER = "measure on a quieter machine, or longer"
MORE = ("last-look", "out-of-time")
"""Why an experiment ended to which blocks can be added."""


def next_step(context: ExperimentContext) -> str:
    """Return what to do next, with the command and its time if it is to measure more."""
    result = context.result
    if result.stopped == "unfinished":
        return f"Finish the study: `headtohead run {study_file(context)} --results .`."
    if _waiting(context):
        return _add(context)
    doubts = [each for each in worst_first(result.findings) if each.advice.strip()]
    if not doubts and _open_ideal(result):
        return f"{NO_MORE} Whether the ideal is reached needs narrower intervals: {NARROWER}."
    if not doubts:
        return (
            "Nothing more for this question here; ask it on your own machine, with your own load."
            if decided(result)
            else ""
        )
    first = doubts[0]
    if first.severity is Severity.INVALID:
        return (
            f"{as_sentence(first.advice)} Then measure again: `headtohead run {study_file(context)}`{_took(context)}."
        )
    return f"{NO_MORE if decided(result) else ''} {as_sentence(first.advice)}".lstrip()


def _open_ideal(result: ExperimentResult) -> Scaling | None:
    """Return the first gain of a winner that may or may not reach its ideal; None if there is none."""
    won = (each.scaling for each in result.comparisons if each.verdict == "better" and each.scaling)
    return next((each for each in won if ideal_kind(each) == "open"), None)


def study_file(context: ExperimentContext) -> str:
    """Return the study's file as it is typed next to the results folder."""
    return f"{quote(context.study.recording.name)}/study.toml"


def still_open(context: ExperimentContext) -> Iterator[str]:
    """Yield what is open, with what comes first: comparisons without a verdict, and an ideal that may be reached."""
    result = context.result
    pairs = [
        f"{each.baseline} or {apart(each.other, each.baseline)}"
        for each in result.comparisons
        if each.verdict == "inconclusive"
    ]
    if of_each := _open_for_each(context):
        yield of_each
    elif pairs:
        what = pairs[0] if len(pairs) == 1 else f"{len(pairs)} of {plural(len(result.comparisons), 'comparison')}"
        first = f"measure {_time(context)} first" if _waiting(context) else "see its doubts first"
        yield f"{what}: no choice follows yet; {first}."
    if more := _open_ideal(result):
        low, high = factors([1 + more.interval.low, 1 + more.interval.high])
        yield f"whether {grown(more)} brings the ideal of {factor(1 + more.ideal)}: the interval is {low} to {high}."


def _open_for_each(context: ExperimentContext) -> str:
    """Return what is open about each of several copies, if what they do together is more for sure; else empty."""
    found = [each for each in totals(context) if each.comparison.verdict == "inconclusive" and each.ends[0] > 1]
    if len(found) != len(_waiting(context)) or len(found) != 1:
        return ""
    between = between_ends(found[0].comparison, context.result.metric)
    return (
        f"whether each of {found[0].several} differs from {found[0].one} alone: {between}; "
        f"measure {_time(context)} to decide."
    )


def _waiting(context: ExperimentContext) -> list[ComparisonResult]:
    """Return the open comparisons that more blocks may decide."""
    return [each for each in context.result.comparisons if each.verdict == "inconclusive" and not withheld(each)]


def _needed(context: ExperimentContext) -> int:
    """Return about how many more blocks would decide all that are open; 0 if it cannot be estimated."""
    return max((more_blocks(each, each.blocks_needed) for each in _waiting(context) if each.blocks_needed), default=0)


def _blocks(context: ExperimentContext) -> int:
    """Return how many blocks to add: those needed, or as many again, within what the command accepts."""
    return min(MOST, max(FEWEST, _needed(context) or context.result.blocks_done))


def _time(context: ExperimentContext) -> str:
    blocks, each_s = _blocks(context), block_s(context)
    return f"about {rough(blocks * each_s)} more ({plural(blocks, 'block')})" if each_s else f"{blocks} more blocks"


def _add(context: ExperimentContext) -> str:
    """Return how many blocks to add, by which command and in which time."""
    lost = next((each for each in context.result.findings if each.id == rules.MANY_INVALID.id), None)
    cause = rules.CAUSES.get(str(lost.evidence.get("most_often")), "see the doubts") if lost else ""
    first = f"First end what discards runs ({cause}): `headtohead host`. Then measure" if lost else "Measure"
    return f"{first} {_time(context)}{_whether(context)}{_command(context)}"


def _whether(context: ExperimentContext) -> str:
    """Return what the blocks would decide: of one open comparison for which verdict."""
    waiting, needed = _waiting(context), _needed(context)
    if not needed:
        return "; how many it takes cannot be estimated from these"
    if needed > MOST:
        return f", then look again: about {needed:,} more would decide"
    what = needed_for(waiting[0], context.result) if len(waiting) == 1 else ""
    return f"{what or ' to decide'}, if runs keep varying as they do"


def _command(context: ExperimentContext) -> str:
    if context.result.stopped not in MORE:
        return "."
    return f": `headtohead run {study_file(context)} --results . --more {_blocks(context)}`."


def block_s(context: ExperimentContext) -> float:
    """Return the seconds that a block takes here, with its share of discarded runs: as planned, or longer as it took.

    0 if neither is known.
    """
    done, run_s = context.result.blocks_done, context.planned.run_s if context.planned else {}
    again = max(1.0, len(context.runs) / (done * len(run_s))) if done and run_s else 1.0
    took_s = sum(map(lasted_s, context.runs)) / done if done else 0.0
    return max(again * sum(run_s.values()), took_s)


def _took(context: ExperimentContext) -> str:
    took_s = sum(map(lasted_s, context.runs))
    return f" (about {rough(took_s)} for this question)" if took_s else ""
