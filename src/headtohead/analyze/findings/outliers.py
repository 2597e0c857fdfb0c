"""Values far from their sample: flagged, and kept (removing them doubles false winners, METHOD.md 0, line 5)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.say import percent
from headtohead.analyze.findings.whole import ENOUGH, Residual, Whole
from headtohead.model.finding import Finding, Severity

FAR = 5.0
"""Median absolute deviations, scaled, from the median: chance flags 6 % of samples of 6 normal values, 3 % of 10."""

SCALE = 1.4826
"""Makes the median absolute deviation of normal values their standard deviation."""

SMALL = 0.01
"""A value nearer than 1 % to its median is none, however still the others are."""


def outliers(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each treatment of which some runs lie far from the others."""
    by_label: dict[str, list[Residual]] = {}
    for each in whole.residuals():
        by_label.setdefault(each.label, []).append(each)
    for label, residuals in by_label.items():
        far = _far(residuals) if len(residuals) >= ENOUGH else []
        if far:
            runs = [whole.samples.counted[label][each.block].run.run for each, _ in far]
            worst = max((away for _, away in far), key=abs)
            yield Finding(
                id="outlier",
                severity=Severity.NOTE,
                says=f"{label}: run{'s' if len(runs) > 1 else ''} {', '.join(map(str, runs))} "
                f"{'lie' if len(runs) > 1 else 'lies'} up to {percent(abs(worst))} from the median; kept.",
                advice="Look at the readings of these runs; a value is never left out for being far off.",
                evidence={"away_share": worst, "runs": ", ".join(map(str, runs)), "treatment": label},
            )


def _far(residuals: list[Residual]) -> list[tuple[Residual, float]]:
    middle = statistics.median(each.log for each in residuals)
    spread = SCALE * statistics.median(abs(each.log - middle) for each in residuals)
    away = [(each, each.log - middle) for each in residuals]
    return [(each, log) for each, log in away if abs(log) > max(FAR * spread, SMALL)]
