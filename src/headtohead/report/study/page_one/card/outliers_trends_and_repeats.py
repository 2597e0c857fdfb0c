"""The lines on runs: those far from others, changes over time, repeated cases."""

from collections.abc import Iterator, Mapping

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.rules import FEWEST_BLOCKS, TYPICAL_ERROR
from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.numbers.percents import percent
from headtohead.report.text.repeated_cases_and_their_effect import Setup, discarded_sentence, repeats_sentence
from headtohead.report.text.setup_names import setup_names, short

MOST_IN_ORDER = 10
"""The most blocks whose ratios are on a card; the run-order strip has all."""


def outliers(context: ExperimentContext) -> str:
    """Return the runs that are far from others of their setup, whichever way; every one of them counts."""
    blocks = {str(each.run.run): each.run.block for each in context.runs}
    return " ".join(_far_off(context.result, blocks))


def _far_off(result: ExperimentResult, blocks: Mapping[str, int]) -> Iterator[str]:
    for each in result.findings:
        if each.id == "outlier":
            away, runs = each.evidence.get("away_share"), each.evidence.get("runs")
            if isinstance(away, float):
                named = [f"{run} (block {blocks[run]})" if run in blocks else run for run in str(runs).split(", ")]
                many = len(named) > 1
                start = f"Runs {', '.join(named)} are up to" if many else f"Run {named[0]} is"
                yield f"{start} {percent(100 * abs(away))} {_side(away, many=many)}; kept."


def _side(away: float, *, many: bool) -> str:
    which = "below" if away < 0 else "above"
    return "from the median of their setup" if many else f"{which} the median of its setup"


def steps(context: ExperimentContext) -> str:
    """Return the setups whose level changed or rose or fell, and the ratio in each block if runs of a setup vary.

    A doubt about a ratio that moved has what its two setups did.
    """
    findings = context.result.findings
    shown = {label for each in findings if each.id == "trend-of-ratio" for label in each.of}
    treatments = {each.evidence.get("treatment"): each for each in findings if each.id == "trend-of-setup"}
    trends = [each for label, each in treatments.items() if label not in shown]
    found = (*(each for each in findings if each.id == "step"), *trends)
    says = [each.says.partition(" (p ")[0] for each in found]
    return " ".join(f"{each}." for each in [*_of_all(context.result), *says, *_ratio_by_block(context.result)])


def _of_all(result: ExperimentResult) -> Iterator[str]:
    """Yield that all values rose or fell, if by more than runs of a setup may vary and ratios are not known to move."""
    moved = any(each.id == "trend-of-ratio" for each in result.findings)
    for each in result.findings if result.comparisons and not moved else ():
        change = each.evidence.get("change_share")
        if each.id == "drift" and isinstance(change, float) and abs(change) > TYPICAL_ERROR.limit:
            yield f"{each.says.partition(' (p ')[0]}, which ratios within blocks cancel"


def _ratio_by_block(result: ExperimentResult) -> Iterator[str]:
    """Yield the ratio of two setups block by block if one of them leads, and that there is no sure trend."""
    ids = {each.id for each in result.findings}
    verdicts = [each.verdict in ("better", "worse") for each in result.comparisons]
    blocks = result.comparisons[0].blocks if verdicts == [True] else ()
    if TYPICAL_ERROR.id in ids and FEWEST_BLOCKS <= len(blocks) <= MOST_IN_ORDER:
        moved = "trend-of-ratio" in ids or any("runs_above" in each.evidence for each in result.findings)
        none = "" if moved else "; no trend is sure"
        yield f"Ratio by block: {', '.join(f'{each:.2f}' for each in blocks)}{none}"


def repeats(context: ExperimentContext) -> str:
    """Return which runs had a case measured again, the answer of the other blocks, and which runs were discarded."""
    result, planned = context.result, context.planned
    names = setup_names(planned, context.study.recording.plan.titles)
    labels = {names.get(each.label, each.label): each.label for each in planned.treatments} if planned else {}
    setups = [
        Setup(labels.get(each.label, each.label), each.label, short(each, result), each.points)
        for each in arms_of(result)
    ]
    again = repeats_sentence(context.runs, setups, result, known=context.study.causes_of_repeats)
    return f"{again} {discarded_sentence(context.runs, setups)}".strip()
