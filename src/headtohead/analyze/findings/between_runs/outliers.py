"""Runs whose value is far from those of the other runs of their treatment."""

import math
import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import ENOUGH, Residual, Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.estimate import SCALED_MAD
from headtohead.model.finding import Finding, Severity

FAR = 5.0
"""Scaled median absolute deviations from the median: chance flags 6 % of samples of 6 normal values, 3 % of 10."""

SMALL = 0.01
"""A value within 1 % of its median is no outlier, however small the spread is."""


def outliers(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each treatment with runs far from the others."""
    by_label: dict[str, list[Residual]] = {}
    for each in whole.residuals():
        by_label.setdefault(each.label, []).append(each)
    for label, residuals in by_label.items():
        far = _far(residuals) if len(residuals) >= ENOUGH else []
        if far:
            runs = [whole.samples.counted[label][each.block].run.run for each, _ in far]
            worst = math.expm1(max((away for _, away in far), key=abs))
            yield Finding(
                id="outlier",
                severity=Severity.NOTE,
                says=f"{label}: run{'s' if len(runs) > 1 else ''} {', '.join(map(str, runs))} "
                f"{'are up to' if len(runs) > 1 else 'is'} {percent(abs(worst))} from the median; kept.",
                advice="Look at the readings of these runs; no value is left out for being far off.",
                evidence={"away_share": worst, "runs": ", ".join(map(str, runs)), "treatment": label},
            )


def _far(residuals: list[Residual]) -> list[tuple[Residual, float]]:
    middle = statistics.median(each.log for each in residuals)
    spread = SCALED_MAD * statistics.median(abs(each.log - middle) for each in residuals)
    away = [(each, each.log - middle) for each in residuals]
    return [(each, log) for each, log in away if abs(log) > max(FAR * spread, SMALL)]
