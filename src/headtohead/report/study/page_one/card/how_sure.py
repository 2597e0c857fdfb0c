"""The line on how sure an answer is: the level of its intervals, who was ahead in how many blocks, which machines."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.plan import PlannedExperiment
from headtohead.model.rules import ERROR, FEWEST_BLOCKS
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.study.intervals_and_error_rates import GROUPED, has_two_speeds, two_speeds
from headtohead.report.study.page_one.masthead import took_text
from headtohead.report.text.cpus_and_memory_in_words import many
from headtohead.report.text.differences import direction_word, one_sided
from headtohead.report.text.numbers.percents import percent, share
from headtohead.report.text.setup_names import levels_apart, short
from headtohead.report.text.verdicts import withheld
from headtohead.report.text.wording import listed, plural


def sure(context: ExperimentContext) -> str:
    """Return the level of the intervals, who was ahead in how many blocks, and in which time."""
    result = context.result
    shown = [each for each in result.comparisons if each.ratio and each.ratio.interval and not withheld(each)]
    if not shown:
        return ""
    within = f" in {took}" if (took := took_text(context.runs)) else ""
    planned = context.planned
    level = share(1 - (planned.error if planned else ERROR))
    speeds = (
        f" (about {GROUPED} %, as {listed(two_speeds(result))} may have two speeds)" if has_two_speeds(result) else ""
    )
    together = "both ratios" if len(shown) == 2 else f"all {len(shown)} ratios"
    kind = f"{level} {'interval' if len(shown) == 1 else f'for {together} together'}{speeds}"
    block = " (one run of each setup)" if context.number == 1 else ""
    text = f"{kind}; {_ahead(result, shown)}{block}{within}."
    return " ".join([*servers_sentence(context.planned), text, *_would_have_shown(shown)])


def _would_have_shown(shown: Sequence[ComparisonResult]) -> Iterator[str]:
    """Yield which difference the blocks made would have shown, if the only comparison is open.

    Blocks that are too few for any verdict would have shown none.
    """
    (first, *others) = shown
    if (
        not others
        and first.ratio
        and first.ratio.n >= FEWEST_BLOCKS
        and first.verdict == "inconclusive"
        and first.detectable
        and not one_sided(first)
    ):
        yield f"A difference of {percent(100 * (first.detectable - 1))} would show in 8 of 10 such studies."


def _ahead(result: ExperimentResult, shown: Sequence[ComparisonResult]) -> str:
    """Return in how many blocks which setup was ahead; of several comparisons the number of blocks alone."""
    blocks = max(each.ratio.n for each in shown if each.ratio)
    (pair, *others) = shown
    if others or len(pair.blocks) != blocks:
        return plural(blocks, "block")
    above = sum(ratio > 1 for ratio in pair.blocks)
    if 2 * above == blocks:
        return f"each ahead in {above} of {plural(blocks, 'block')}"
    most, higher = max(above, blocks - above), 2 * above > blocks
    several, one = levels_apart(pair.other, pair.baseline), levels_apart(pair.baseline, pair.other)
    if pair.factor == result.metric.per and several and one:
        word = direction_word(result.metric, 2.0 if higher else 0.5).rpartition(" ")[2]
        return f"each of {several}, on average, {word} than {one} alone in {most} of {plural(blocks, 'block')}"
    leads = pair.other if higher == (result.metric.better != "lower") else pair.baseline
    name = next((short(each, result) for each in arms_of(result) if each.label == leads), leads)
    return f"{name} ahead in {most} of {plural(blocks, 'block')}"


def servers_sentence(planned: PlannedExperiment | None) -> Iterator[str]:
    """Yield on a bench which machines the answer is about, and how they were measured; nothing for one server.

    Two machines of one kind may differ as well, and another day may differ.
    """
    servers = dict.fromkeys(each.server for each in planned.treatments if each.server) if planned else {}
    if len(servers) > 1:
        yield f"These {many(len(servers), 'machine')}, on this day, interleaved."
