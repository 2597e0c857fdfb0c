"""What to do next about an answer: how many more blocks, by which command, in which time; else what its doubts need."""

from collections.abc import Iterator
from shlex import join

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.finding import Finding, Severity
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.study.page_one.doubts import decided, worst_first
from headtohead.report.study.page_one.leader_by_level import by_level
from headtohead.report.study.page_one.masthead import lasted_s
from headtohead.report.study.path_of_study_file import study_file
from headtohead.report.study.total_of_copies import totals
from headtohead.report.text.blocks_needed import more_blocks, needed_for
from headtohead.report.text.differences import direction_word, margin_text
from headtohead.report.text.numbers.dates_and_durations import rough
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import factor
from headtohead.report.text.scaling import grown, ideal_kind
from headtohead.report.text.setup_names import apart
from headtohead.report.text.verdicts import as_sentence, between_ends, withheld
from headtohead.report.text.wording import listed, plural

FEWEST, MOST = 4, 100
"""The numbers of blocks that ``headtohead run --more`` accepts."""
NO_MORE = "The verdict needs no more blocks."
GOES_AWAY = "They are one setup, so neither can be faster: these blocks show whether the difference goes away."
GAIN_IS_SURE = "The gain needs no more blocks; {}"
NOTHING_MORE = "Nothing more for this question here; ask it on your own machine, with your own load."
UNDECIDED = "Look at the runs of each setup in their order first: more blocks alone may not decide this."
LAST_LOOK, OUT_OF_TIME = "last-look", "out-of-time"
MORE = (LAST_LOOK, OUT_OF_TIME)
"""Why an experiment ended to which blocks can be added."""


def next_step(context: ExperimentContext) -> str:
    """Return what to do next, with the command and its time if it is to measure more."""
    result = context.result
    if result.stopped == "unfinished":
        return f"Finish the {'race' if context.study.recording.race else 'study'}: `{typed(context)}`."
    if _waiting(context):
        return _go_on(context) if result.stopped == OUT_OF_TIME and _planned_ahead(context) else _add(context)
    doubts = [each for each in worst_first(result.findings) if each.advice.strip() and not _kept(each, result)]
    narrower = _narrower_or_where(context)
    if not doubts and (more := _open_ideal(result)):
        how = _for_ideal(context, more) or f". {narrower}".rstrip()
        return f"{GAIN_IS_SURE.format(_ideal_needs(context, more))}{how}"
    if not doubts and narrower:
        return f"{NO_MORE} {narrower}"
    if not doubts:
        return NOTHING_MORE if decided(result) else UNDECIDED if any(map(withheld, result.comparisons)) else ""
    first = doubts[0]
    if first.severity is Severity.INVALID:
        return f"{as_sentence(first.advice)} Then measure again: `{typed(context, here=False)}`{_took(context)}."
    advice = "Choose by your own load: see What to do." if _by_load(first, result) else as_sentence(first.advice)
    return f"{NO_MORE if decided(result) else ''} {advice}".lstrip()


def _narrower_or_where(context: ExperimentContext) -> str:
    """Return what narrows the interval of a verdict, or which earlier question has the same advice."""
    advice = _narrower(context.result)
    before = [each.in_words() for each in context.study.experiments[: context.number - 1]] if advice else []
    where = next((each.number for each in before if next_step(each).endswith(advice)), None)
    return advice if where is None else f"For narrower intervals, see question {where}."


def _narrower(result: ExperimentResult) -> str:
    """Return the advice on the setup whose runs vary most, if they leave a verdict as it is; else empty."""
    kept = [each for each in result.findings if _kept(each, result)]
    return as_sentence(max(kept, key=_spread).advice) if kept else ""


def _spread(finding: Finding) -> float:
    spread = finding.evidence.get("typical_error_share")
    return spread if isinstance(spread, float) else 0.0


def _ideal_needs(context: ExperimentContext, more: Scaling) -> str:
    """Return how many blocks would show on which side of its ideal a gain is, next to those made."""
    needed, made = more.blocks_for_ideal, context.result.blocks_done
    if needed is None:
        return f"{_less_or_more(more)} needs more than the {made} made"
    many = f"over {MOST}" if needed > MOST else f"about {needed}"
    return f"{_less_or_more(more)} needs {many} blocks in all ({made} made)"


def _for_ideal(context: ExperimentContext, more: Scaling) -> str:
    """Return how to plan the blocks that would show on which side of its ideal a gain is; empty if they are too many.

    To an answer with a verdict no blocks are added: it is measured anew, alone and without the limit of the whole
    study, which has the time of all its questions.
    """
    blocks, each_s = more.blocks_for_ideal, block_s(context)
    if blocks is None or blocks > MOST:
        return ""
    takes = f"about {rough(blocks * each_s)}" if each_s else ""
    if context.study.recording.race is not None:
        return f", {takes}." if takes else "."
    plan = context.study.recording.plan
    alone = [f"keep only `{context.result.name}`"] if len(plan.experiments) > 1 else []
    limit = ["remove `within_min`"] if plan.within_min or (context.planned and context.planned.within_min) else []
    edits = listed([*alone, f"set `looks = [{blocks}]`", *limit])
    return (
        f": copy `{study_file(context.study.recording)}` to `more.toml`, {edits} there, "
        f"then `headtohead run more.toml`{f' ({takes})' if takes else ''}."
    )


def _kept(finding: Finding, result: ExperimentResult) -> bool:
    """Return whether a doubt leaves a verdict as it is: runs that vary do, and widen the interval alone."""
    return finding.id == rules.TYPICAL_ERROR.id and decided(result)


def _by_load(finding: Finding, result: ExperimentResult) -> bool:
    """Return whether a doubt is that some loads reverse the answer, and what to do names them."""
    return finding.id == "worse-elsewhere" and bool(by_level(result)) and bool(proven_crossings(result))


def _open_ideal(result: ExperimentResult) -> Scaling | None:
    """Return the first gain of a winner that may or may not reach its ideal; None if there is none."""
    won = (each.scaling for each in result.comparisons if each.verdict == "better" and each.scaling)
    return next((each for each in won if ideal_kind(each) == "open"), None)


def _less_or_more(more: Scaling) -> str:
    """Return what more blocks can show: no number of them shows that an ideal is reached exactly."""
    return f"whether {grown(more)} brings less or more than {factor(1 + more.ideal)}"


def typed(context: ExperimentContext, *, more: int = 0, here: bool = True) -> str:
    """Return the command that measures this, with ``more`` blocks: of a race its own, as it was typed.

    That of a study is typed next to the results folder, ``here`` to go on in it.
    """
    race = context.study.recording.race
    own = f"headtohead race {join(race)}" if race else ""
    of_study = f"headtohead run {study_file(context.study.recording)}{' --results .' if here else ''}"
    return f"{own or of_study}{f' --more {more}' if more else ''}"


def still_open(context: ExperimentContext) -> Iterator[str]:
    """Yield what is open, with what comes first: comparisons without a verdict, and an ideal that may be reached."""
    result, planned = context.result, context.planned
    opened = [each for each in result.comparisons if each.verdict == "inconclusive"]
    pairs = [f"{each.baseline} or {apart(each.other, each.baseline)}" for each in opened]
    if of_each := _open_for_each(context):
        yield of_each
    elif pairs:
        what = pairs[0] if len(pairs) == 1 else f"{len(pairs)} of {plural(len(result.comparisons), 'comparison')}"
        doubts = "see its doubts first" if worst_first(result.findings) else "the card has the reason"
        first = f"measure {_time(context)} first" if _waiting(context) else doubts
        itself = planned is not None and all(planned.against_itself(each.baseline, each.other) for each in opened)
        yield f"{what}: {'one setup, nothing to choose' if itself else 'no choice follows yet'}; {first}."
    if more := _open_ideal(result):
        many = more.blocks_for_ideal is None or more.blocks_for_ideal > MOST or worst_first(result.findings)
        yield f"{_ideal_needs(context, more)}." if many else f"{_less_or_more(more)}: see Next."


def _open_for_each(context: ExperimentContext) -> str:
    """Return what is open about each of several copies, if what they do together is more for sure; else empty."""
    found = [each for each in totals(context) if each.comparison.verdict == "inconclusive" and each.ends[0] > 1]
    if len(found) != len(_waiting(context)) or len(found) != 1:
        return ""
    (total,) = found
    between = between_ends(total.comparison, context.result.metric)
    return (
        f"whether each of {total.several} is {_compared(total.comparison, context.result)} {total.one} alone: "
        f"{between} so far; {_needed(context) or _blocks(context)} more blocks may show it."
    )


def _compared(comparison: ComparisonResult, result: ExperimentResult) -> str:
    """Return what more blocks can show of two setups: that one is slower, or both are alike within the margin."""
    if comparison.blocks_needed_for != "winner" or comparison.ratio is None:
        return f"within {margin_text(result.matters)} of"
    return f"{direction_word(result.metric, comparison.ratio.value).rpartition(' ')[2]} than"


def _waiting(context: ExperimentContext) -> list[ComparisonResult]:
    """Return the open comparisons that more blocks may decide."""
    found = [each for each in context.result.comparisons if each.verdict == "inconclusive"]
    return found if _scarce(context) else [each for each in found if not withheld(each)]


def _scarce(context: ExperimentContext) -> bool:
    """Return whether there are too few blocks for any verdict, and nothing else forbids one."""
    forbidden = any(each.severity is Severity.INVALID for each in context.result.findings)
    return not forbidden and 0 < context.result.blocks_done < rules.FEWEST_BLOCKS


def _needed(context: ExperimentContext) -> int:
    """Return about how many more blocks would decide all that are open; 0 if it cannot be estimated."""
    return max((more_blocks(each, each.blocks_needed) for each in _waiting(context) if each.blocks_needed), default=0)


def _blocks(context: ExperimentContext) -> int:
    """Return how many blocks to add: those needed, or as many again, within what the command accepts."""
    done = context.result.blocks_done
    return min(MOST, max(FEWEST, _needed(context) or (rules.FEWEST_BLOCKS - done if _scarce(context) else done)))


def _time(context: ExperimentContext) -> str:
    blocks, each_s = _blocks(context), block_s(context)
    return f"about {rough(blocks * each_s)} more ({plural(blocks, 'block')})" if each_s else f"{blocks} more blocks"


def _add(context: ExperimentContext) -> str:
    """Return how many blocks to add, by which command and in which time."""
    lost = next((each for each in context.result.findings if each.id == rules.MANY_INVALID.id), None)
    most_often = lost.evidence.get("most_often") if lost else None
    cause = rules.CAUSES.get(str(most_often), "see the doubts")
    at_fault = "see each run in the report" if most_often == rules.WRONG_ANSWER.id else "`headtohead host`"
    first = f"First end what discards runs ({cause}): {at_fault}. Then measure" if lost else "Measure"
    return f"{first} {_time(context)}{_command(context)} {_whether(context)}"


def _planned_ahead(context: ExperimentContext) -> tuple[int, ...]:
    """Return the blocks of the planned checks that were not reached."""
    return tuple(each for each in context.result.looks if each > context.result.blocks_done)


def _go_on(context: ExperimentContext) -> str:
    """Return how to reach the planned checks that a time limit left out: blocks are there, and none need be added."""
    ahead, done = _planned_ahead(context), context.result.blocks_done
    time_s = (ahead[0] - done) * block_s(context)
    lasts = f" (the first takes about {rough(time_s)} more)" if time_s else ""
    checks = f"check{'s' if len(ahead) > 1 else ''} after {listed([str(each) for each in ahead])} blocks"
    return (
        f"Its time limit ended it after {plural(done, 'block')}. This goes on to the planned {checks}{lasts}: "
        f"`{typed(context, more=FEWEST)}`."
    )


def _whether(context: ExperimentContext) -> str:
    """Return what the blocks would decide, and at which level: of one open comparison for which verdict."""
    waiting, needed, result = _waiting(context), _needed(context), context.result
    if _scarce(context):
        return f"A verdict needs at least {rules.FEWEST_BLOCKS} blocks; a small difference needs more."
    if not needed:
        return "How many it takes cannot be estimated from these."
    if all(_against_itself(context, each) for each in waiting):
        return GOES_AWAY
    what = needed_for(waiting[0], result) if len(waiting) == 1 else ""
    if needed > MOST:
        return f"It takes about {needed:,} more{what or ' to decide'}."
    added = context.planned is not None and result.stopped == LAST_LOOK
    level = f", by intervals at {share(1 - context.planned.added_error)}" if context.planned and added else ""
    return f"That is enough{what or ' to decide'} if nothing changes{level}."


def _against_itself(context: ExperimentContext, comparison: ComparisonResult) -> bool:
    """Return whether the two of a comparison are one setup, and more blocks show nothing else about them."""
    planned = context.planned
    itself = planned is not None and planned.against_itself(comparison.baseline, comparison.other)
    return itself and comparison.blocks_needed_for != "same"


def _command(context: ExperimentContext) -> str:
    if context.result.stopped not in MORE:
        return "."
    return f": `{typed(context, more=_blocks(context))}`."


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
