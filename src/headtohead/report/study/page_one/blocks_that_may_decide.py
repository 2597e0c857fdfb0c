"""Which open comparisons and ideals more blocks may decide, how many they need, and how long a block takes."""

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.finding import Severity
from headtohead.report.context import ExperimentContext
from headtohead.report.study.page_one.masthead import slots_s
from headtohead.report.text.blocks_needed import is_small, more_blocks
from headtohead.report.text.numbers.dates_and_durations import rough
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.scaling import grown, ideal_kind, ideal_margin
from headtohead.report.text.verdicts import withheld
from headtohead.report.text.wording import plural

FEWEST, MOST = 4, 100
"""The numbers of blocks that ``headtohead run --more`` accepts."""
LAST_LOOK, OUT_OF_TIME = "last-look", "out-of-time"
MORE = (LAST_LOOK, OUT_OF_TIME)
"""Why an experiment ended that can go on: blocks are added to it, or its planned ones are made."""


def may_decide(context: ExperimentContext) -> list[ComparisonResult]:
    """Return the open comparisons that more blocks may decide: no finding forbids their verdict."""
    found = [each for each in context.result.comparisons if each.verdict == "inconclusive"]
    if scarce(context):
        return found
    return [each for each in found if not withheld(each) and not _is_forbidden(each, context.result)]


def _is_forbidden(comparison: ComparisonResult, result: ExperimentResult) -> bool:
    """Return whether a finding forbids the verdict, so that more blocks bring none."""
    invalid = (each for each in result.findings if each.severity is Severity.INVALID)
    return any(set(each.of) <= {comparison.baseline, comparison.other} for each in invalid)


def scarce(context: ExperimentContext) -> bool:
    """Return whether there are too few blocks for any verdict, and nothing else forbids one."""
    forbidden = any(each.severity is Severity.INVALID for each in context.result.findings)
    return not forbidden and 0 < context.result.blocks_done < rules.FEWEST_BLOCKS


def more_needed(context: ExperimentContext) -> int:
    """Return about how many more blocks would decide all that are open; 0 if it cannot be estimated."""
    return max((more_blocks(each, each.blocks_needed) for each in may_decide(context) if each.blocks_needed), default=0)


def not_worth_it(context: ExperimentContext) -> bool:
    """Return whether many more blocks would show a difference that, by the best estimate, is too small to matter."""
    waiting = may_decide(context)
    return len(waiting) == 1 and more_needed(context) > MOST and is_small(waiting[0], context.result)


def blocks_to_add(context: ExperimentContext) -> int:
    """Return how many blocks to add: those needed, or as many again, within what the command accepts."""
    done = context.result.blocks_done
    return min(MOST, max(FEWEST, more_needed(context) or (rules.FEWEST_BLOCKS - done if scarce(context) else done)))


def time_to_add(context: ExperimentContext) -> str:
    """Return how long the command that adds the blocks takes, and how many it adds."""
    blocks, takes = blocks_to_add(context), _time_to_add(context)
    return f"{takes} more ({plural(blocks, 'block')})" if takes else f"{blocks} more blocks"


def at_once(context: ExperimentContext) -> str:
    """Return how many blocks one command adds at most, and how long that takes."""
    takes = _time_to_add(context)
    return f"each command adds up to {MOST}{f', {takes}' if takes else ''}"


def _time_to_add(context: ExperimentContext) -> str:
    """Return how long the command that adds the blocks takes; empty if unknown."""
    each_s = block_s(context)
    return f"about {rough(blocks_to_add(context) * each_s)}" if each_s else ""


def goes_on_alone(context: ExperimentContext) -> bool:
    """Return whether the command must name the question, as it would go on with others that ended undecided too."""
    return sum(each.result.stopped in MORE for each in context.study.experiments) > 1


def block_s(context: ExperimentContext) -> float:
    """Return the seconds that a block took here, or else is planned to take; 0 if neither is known.

    Runs that were discarded and the pause after each run count, not breaks of the whole study.
    """
    treatments = max(1, len(context.result.treatments))
    blocks = sum(each.run.status == "valid" for each in context.runs) / treatments
    if blocks:
        slots = slots_s(context.study.recording.runs)
        return sum(slots.get(each.run.run, 0.0) for each in context.runs) / blocks
    return sum(context.planned.run_s.values()) if context.planned else 0.0


def open_ideal(result: ExperimentResult) -> Scaling | None:
    """Return the first gain of a winner that may miss its ideal by what matters, or reach it; None if there is none.

    One whose best estimate is within what matters of the ideal, or above it, is not worth more blocks.
    """
    won = ((each, each.scaling) for each in result.comparisons if each.verdict == "better" and each.scaling)
    found = (more for each, more in won if ideal_kind(more, ideal_margin(each, result)) == "open")
    return next((each for each in found if _is_short_of_it(each, result.matters)), None)


def _is_short_of_it(more: Scaling, matters: float) -> bool:
    return (1 + more.gain) * matters <= 1 + more.ideal


def ideal_needs(context: ExperimentContext, more: Scaling) -> str:
    """Return how many blocks would show on which side of its ideal a gain is, next to those made."""
    needed, made = more.blocks_for_ideal, context.result.blocks_done
    if needed is None:
        return f"{less_or_more(more)} needs more than the {made} made"
    many = f"only in over {MOST}" if needed > MOST else f"in about {needed}"
    return f"{less_or_more(more)} may show {many} new blocks"


def less_or_more(more: Scaling) -> str:
    """Return what more blocks can show: no number of them shows that an ideal is reached exactly."""
    return f"whether {grown(more)} brings less or more than {factor(1 + more.ideal)}"
