"""Whether values, or the ratio of two setups, rose or fell over the blocks: a verdict may depend on its time."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import rose_or_fell
from headtohead.analyze.statistics.over_time.trend import sure_trends, trend_of
from headtohead.model.finding import Finding, Severity


def trend_of_ratio(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each comparison whose ratio within blocks followed a straight line by more than the margin.

    Blocks remove what changes both setups alike, not what changes one of them.
    """
    pairs = [(each.baseline, each.other) for each in whole.experiment.comparisons]
    logs = [_logs(whole, pair) for pair in pairs]
    ratios = [{block: other - base for block, (base, other) in each.items()} for each in logs]
    for pair, both, trend in zip(pairs, logs, sure_trends(ratios, least=whole.experiment.matters - 1), strict=True):
        if trend is None:
            continue
        own = [trend_of({block: each[place] for block, each in both.items()}) for place in range(2)]
        parts = ", ".join(f"{label} {rose_or_fell(each.change)}" for label, each in zip(pair, own, strict=True) if each)
        yield Finding(
            id="trend-of-ratio",
            severity=Severity.DOUBT,
            says=f"{pair[1]} against {pair[0]}: their ratio {rose_or_fell(trend.change)} over the blocks "
            f"(p {trend.p:.2g}; {parts}): the answer may depend on when it was measured.",
            advice="Measure again at another hour, with more blocks, and compare the runs of each setup in their "
            "order.",
            evidence={"change_share": trend.change, "p": trend.p, "blocks": len(both)},
            of=pair,
        )


def _logs(whole: Whole, pair: tuple[str, str]) -> dict[int, tuple[float, float]]:
    """Return the logarithms of the values of two setups, the baseline's first, in each block that has both."""
    base, other = (whole.primary(label) for label in pair)
    return {block: (math.log(base[block]), math.log(other[block])) for block in sorted(base.keys() & other.keys())}
