"""Whether a run depends on the treatment that ran before it."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.over_time.carry_over import left_behind
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.finding import Finding, Severity


def carry_over(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment after which runs differ, after removing treatments and blocks.

    The run before may be the last one of the block before. It is invalid if a verdict on the treatment does not hold
    against a change of this size: what a treatment leaves counts for or against every other one.
    """
    residuals = whole.residuals()
    for label, log, p, blocks in left_behind(residuals):
        change = math.expm1(log)
        rest = {each.after for each in residuals if each.after not in (None, label)}
        others = str(rest.pop()) if len(rest) == 1 else "other treatments"
        forbidden = any(not _stands(each, abs(log), matters=whole.experiment.matters) for each in _on(whole, label))
        yield Finding(
            id="carry-over",
            severity=Severity.INVALID if forbidden else Severity.DOUBT,
            says=f"Runs made after {label} gave {percent(abs(change))} {'more' if change > 0 else 'less'} than runs "
            f"made after {others} (p {p:.2g}): a run may affect the next one.",
            advice="Find what remains (page cache, sockets, heat, background work), reset it between runs or raise the "
            "warm-up, and run the study again.",
            evidence={"change_share": change, "p": p, "blocks": blocks, "treatment": label},
            of=(label,),
        )


def _on(whole: Whole, label: str) -> Iterator[ComparisonResult]:
    """Yield the comparisons of a treatment that have a verdict."""
    yield from (
        each
        for each in whole.comparisons
        if label in (each.baseline, each.other) and each.verdict in ("better", "worse", "same")
    )


def _stands(result: ComparisonResult, shift: float, *, matters: float) -> bool:
    """Return whether a verdict stays if the whole interval moves by ``shift`` (a log) to either side."""
    if result.ratio is None or result.ratio.interval is None:
        return False
    low, high = (math.log(each) for each in (result.ratio.interval.low, result.ratio.interval.high))
    if result.verdict == "same":
        return max(abs(low), abs(high)) + shift < math.log(matters)
    return min(abs(low), abs(high)) > shift
