"""What to do next about an answer: how many more blocks, by which command, in which time; else what its doubts need."""

from shlex import join

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Scaling
from headtohead.model.finding import Finding, Severity
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.configuration import telling_differences
from headtohead.report.experiment.crossings import proven_crossings
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.study.page_one.answer_with_badge import WINNERS
from headtohead.report.study.page_one.blocks_that_may_decide import (
    FEWEST,
    MORE,
    MOST,
    OUT_OF_TIME,
    at_once,
    block_s,
    blocks_to_add,
    goes_on_alone,
    ideal_needs,
    may_decide,
    more_needed,
    not_worth_it,
    open_ideal,
    scarce,
    time_to_add,
)
from headtohead.report.study.page_one.card.query_that_decides import query_to_look_at
from headtohead.report.study.page_one.doubts import decided, leaves_verdict, worst_first
from headtohead.report.study.page_one.leader_by_level import by_level
from headtohead.report.study.page_one.masthead import lasted_s
from headtohead.report.study.path_of_study_file import needs_own_folder, study_file
from headtohead.report.text.blocks_needed import needed_for
from headtohead.report.text.differences import margin_text
from headtohead.report.text.numbers.dates_and_durations import rough
from headtohead.report.text.verdicts import as_sentence, withheld
from headtohead.report.text.wording import capital, listed, plural

NO_MORE = "The verdict needs no more blocks."
MARGIN_OPEN = "Who is ahead needs no more blocks; whether by over {} is not known."
GOES_AWAY = "They are one setup, so neither can be faster: these blocks show whether the difference goes away."
GAIN_IS_SURE = "The gain needs no more blocks; {}"
NOTHING_MORE = "It needs no more blocks; ask it with your own load."
SET_ALIKE = "It needs no more blocks. To see what {} does, set it alike; then ask it with your own load."
UNDECIDED = "Look at the runs of each setup in their order first: more blocks alone may not decide this."
_NARROWER = "For narrower intervals"
OF_SEARCHES = {
    rules.HELD_PAST_CAPACITY.id: "that a setup kept up with more than its capacity",
    "unstable-region": "that trials near a capacity held and failed by turns",
}
"""Doubts about a capacity that no number of blocks removes, in words."""
WAITED = "queued"
"""The doubt that requests waited for a free connection: its advice is about what may have limited the answer."""


def next_step(context: ExperimentContext) -> str:
    """Return what to do next, with the command and its time if it is to measure more."""
    result = context.result
    if result.stopped == "unfinished":
        return f"Finish the {'race' if context.study.recording.race else 'study'}: {_line(context)}."
    if may_decide(context):
        goes_on = result.stopped == OUT_OF_TIME and _planned_ahead(context)
        own = f" For your own {result.suite}, measure that one." if result.suite else ""
        return f"{_go_on(context) if goes_on else _add(context)}{own}{_uncured(result)}"
    doubts = [each for each in worst_first(result.findings) if each.advice.strip() and not leaves_verdict(each, result)]
    narrower = _narrower_or_where(context)
    if not doubts and (more := open_ideal(result)):
        how = _for_ideal(context, more) or f". {narrower}".rstrip()
        return f"{GAIN_IS_SURE.format(ideal_needs(context, more))}{how}"
    if not doubts and any(leaves_verdict(each, result) for each in result.findings):
        return f"{_no_more(result)} {narrower}".rstrip()
    if not doubts:
        return (
            _nothing_more(context) if decided(result) else UNDECIDED if any(map(withheld, result.comparisons)) else ""
        )
    first = doubts[0]
    if first.severity is Severity.INVALID:
        return f"{as_sentence(first.advice)} Then measure again: {_line(context, here=False)}{_took(context)}."
    advice = "Choose by your own load: see What to do." if _by_load(first, result) else as_sentence(first.advice)
    also = next((f" {as_sentence(each.advice)}" for each in doubts[1:] if each.id == WAITED != first.id), "")
    return f"{_no_more(result) if decided(result) else ''} {advice}{also}".lstrip()


def _no_more(result: ExperimentResult) -> str:
    """Return that verdicts need no more blocks, and of a winner whose lead may be too small what they leave open."""
    small = any(each.verdict in WINNERS and not each.at_least_margin for each in result.comparisons)
    verdict = MARGIN_OPEN.format(margin_text(result.matters)) if small else NO_MORE
    return f"{verdict} {query_to_look_at(result)}".rstrip()


def _nothing_more(context: ExperimentContext) -> str:
    """Return that a clear answer needs nothing more, and what to look at: a kind of query, or settings of two servers.

    Settings are those of servers of pages, which have the same ones.
    """
    result, planned = context.result, context.planned
    if look := query_to_look_at(result):
        return f"{NO_MORE} {look}"
    arms, pairs = arms_of(result), [(each.factor, each.verdict) for each in result.comparisons]
    pages = planned is not None and planned.asks.startswith("http/")
    won = len(arms) == 2 and pairs in [[("subject", verdict)] for verdict in WINNERS]
    unlike = telling_differences(*arms) if pages and won else []
    return SET_ALIKE.format(unlike[0]) if unlike == ["sendfile"] else NOTHING_MORE


def _uncured(result: ExperimentResult) -> str:
    """Return what the worst doubt about searches needs: more blocks of the same trials repeat what it is about."""
    found = next((each for each in worst_first(result.findings) if each.id in OF_SEARCHES), None)
    if found is None:
        return ""
    return f" More blocks do not remove the doubt {OF_SEARCHES[found.id]}: {as_sentence(found.advice, capital=False)}"


def _narrower_or_where(context: ExperimentContext) -> str:
    """Return what narrows the interval of a verdict, or which earlier question has the same advice."""
    advice = _narrower(context)
    before = [each.in_words() for each in context.study.experiments[: context.number - 1]] if advice else []
    where = next((each.number for each in before if next_step(each).endswith(advice)), None)
    return advice if where is None else f"For narrower intervals, see question {where}."


def _narrower(context: ExperimentContext) -> str:
    """Return the advice on the setup whose runs vary most, if they leave a verdict as it is; else empty.

    That more blocks narrow an interval is no next step for a verdict that needs none.
    """
    result, race = context.result, context.study.recording.race
    kept = [each for each in result.findings if leaves_verdict(each, result)]
    advice = max(kept, key=_spread).advice if kept else ""
    return as_sentence(advice) if race is not None or not advice.startswith(_NARROWER) else ""


def _spread(finding: Finding) -> float:
    spread = finding.evidence.get("typical_error_share")
    return spread if isinstance(spread, float) else 0.0


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


def _by_load(finding: Finding, result: ExperimentResult) -> bool:
    """Return whether a doubt is that some loads reverse the answer, and what to do names them."""
    return finding.id == "worse-elsewhere" and bool(by_level(result)) and bool(proven_crossings(result))


def typed(context: ExperimentContext, *, more: int = 0, here: bool = True) -> str:
    """Return the command that measures this, with ``more`` blocks for it alone: of a race its own, as it was typed.

    That of a study is typed next to the results folder, ``here`` to go on in it, or where the user's own file is.
    """
    recording = context.study.recording
    own = f"headtohead race {join(recording.race)}" if recording.race else ""
    beside = " --results ." if here and not needs_own_folder(recording) else ""
    noisy = " --tolerate-noise" if here and recording.plan.tolerates_noise else ""
    command = own or f"headtohead run {study_file(recording)}{beside}"
    alone = f" --only {context.result.name}" if more and goes_on_alone(context) else ""
    return f"{command}{noisy}{f' --more {more}' if more else ''}{alone}"


def _line(context: ExperimentContext, *, more: int = 0, here: bool = True) -> str:
    """Return that command as it is shown, with where it is typed if that is not next to the results folder."""
    where = ", in its folder and with your options" if needs_own_folder(context.study.recording) else ""
    return f"`{typed(context, more=more, here=here)}`{where}"


def _add(context: ExperimentContext) -> str:
    """Return how many blocks to add, by which command and in which time."""
    lost = next((each for each in context.result.findings if each.id == rules.MANY_INVALID.id), None)
    most_often = lost.evidence.get("most_often") if lost else None
    cause = rules.CAUSES.get(str(most_often), "see the doubts")
    disturbed = most_often in rules.CAUSES and most_often != rules.WRONG_ANSWER.id
    at_fault = "`headtohead host`" if disturbed else "see each run in the report"
    far = not_worth_it(context) or (not lost and not scarce(context))
    if (needed := more_needed(context) or 0) > MOST and far:
        return _far_away(context, needed)
    first = f"First end what discards runs ({cause}): {at_fault}." if lost else _first_compare(context.result)
    measure = f"{first} Then measure" if first else "Measure"
    return f"{measure} {time_to_add(context)}{_command(context)} {_whether(context)}"


def _first_compare(result: ExperimentResult) -> str:
    """Return which runs to look at before more are made, if those of a setup fall in two groups; else empty."""
    grouped = [each for each in result.findings if each.evidence.get("runs_above")]
    if not grouped:
        return ""
    advice = max(grouped, key=_spread).advice.partition(": ")[0]
    return f"First {as_sentence(advice, capital=False)}"


def _far_away(context: ExperimentContext, needed: int) -> str:
    """Return how many blocks are needed, more than are added at once, in which time, and by which command."""
    waiting, each_s = may_decide(context), block_s(context)
    what = needed_for(waiting[0], context.result) if len(waiting) == 1 else ""
    blocks = f"about {needed:,} more blocks{f' ({rough(needed * each_s)})' if each_s else ''}"
    start = f"If the best {'estimate is' if len(waiting) == 1 else 'estimates are'} true,"
    even = all(each.blocks_needed_for == "winner" for each in waiting)
    takes = f"{start} {blocks} {'give an even chance' if even else 'may be enough'}"
    if not_worth_it(context):
        return f"{takes}{what}: not worth it."
    some = f". {capital(at_once(context))}" if context.result.stopped in MORE else ""
    return f"{takes}{what or ' to decide'}{some}{_command(context)}"


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
        f"{_line(context, more=FEWEST)}."
    )


def _whether(context: ExperimentContext) -> str:
    """Return what the blocks would decide: of one open comparison for which verdict."""
    waiting, needed, result = may_decide(context), more_needed(context), context.result
    if scarce(context):
        return f"A verdict needs at least {rules.FEWEST_BLOCKS} blocks; a small difference needs more."
    if not needed:
        return "How many it takes cannot be estimated from these."
    if all(_against_itself(context, each) for each in waiting):
        return GOES_AWAY
    what = needed_for(waiting[0], result) if len(waiting) == 1 else ""
    if needed > MOST:
        return f"If the best estimates are true, about {needed:,} more may be enough{what or ' to decide'}."
    even = needed >= FEWEST and all(each.blocks_needed_for == "winner" for each in waiting)
    if even and len(waiting) == 1:
        least = waiting[0].blocks_needed == rules.enough_blocks(len(result.comparisons))
        likely = "is probably enough" if least else "has about an even chance"
        return f"If the best estimate is true, that {likely}{what}."
    if even:
        return "If the best estimates are true, the one that needs most has about an even chance then."
    return f"That may be enough{what or ' to decide'}."


def _against_itself(context: ExperimentContext, comparison: ComparisonResult) -> bool:
    """Return whether the two of a comparison are one setup, and more blocks show nothing else about them."""
    planned = context.planned
    itself = planned is not None and planned.against_itself(comparison.baseline, comparison.other)
    return itself and comparison.blocks_needed_for != "same"


def _command(context: ExperimentContext) -> str:
    """Return the command that adds blocks."""
    if context.result.stopped not in MORE:
        return "."
    return f": {_line(context, more=blocks_to_add(context))}."


def _took(context: ExperimentContext) -> str:
    took_s = sum(map(lasted_s, context.runs))
    return f" (about {rough(took_s)} for this question)" if took_s else ""
