"""Whether a run depends on the treatment that ran before it."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from headtohead.analyze.findings.input_of_findings import ENOUGH, SURE, Residual, Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.adjusted_difference import Runs, adjusted_difference
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
            f"made after {others} (p {p:.2g}): a run affects the next one.",
            advice="Find what remains (page cache, sockets, heat, background work), reset it between runs or raise the "
            "warm-up, and run the study again.",
            evidence={"change_share": change, "p": p, "blocks": blocks, "treatment": label},
            of=(label,),
        )


def left_behind(residuals: Sequence[Residual]) -> list[tuple[str, float, float, int]]:
    """Return the treatments after which runs differ: name, difference (a log), its p, and the number of blocks.

    With two treatments, after one and after the other are one question. Of more, each has its part of
    the error.

    Assumes:    the order of treatments was drawn for each block; the noise of runs within a block is alike.
    Reference:  METHOD.md 14; calibrated in tests/analyze/test_carry_over.py.
    """
    kept = [each for each in residuals if each.after is not None]
    before = sorted({str(each.after) for each in kept})
    if len(before) < 2 or len({each.block for each in kept}) < ENOUGH:
        return []
    blocks, labels = sorted({each.block for each in kept}), sorted({each.label for each in kept})
    logs = np.asarray([each.log for each in kept])
    places = np.asarray([labels.index(each.label) for each in kept])
    at = np.asarray([blocks.index(each.block) for each in kept])
    chosen = before[:1] if len(before) == 2 else before
    found = []
    for label in chosen:
        effect = adjusted_difference(Runs(logs, places, at, np.asarray([float(each.after == label) for each in kept])))
        if effect is not None and effect[1] < SURE / len(chosen):
            found.append((label, *effect, len(blocks)))
    return found


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
