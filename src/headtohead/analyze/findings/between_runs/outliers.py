"""Runs whose value is far from those of the other runs of their treatment."""

import math
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.between_runs.far_from_median import far_from_median
from headtohead.analyze.statistics.error_of_checks import ENOUGH
from headtohead.analyze.statistics.over_time.residual import Residual
from headtohead.model.finding import Finding, Severity


def outliers(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each treatment with runs far from the others."""
    by_label: dict[str, list[Residual]] = {}
    for each in whole.residuals():
        by_label.setdefault(each.label, []).append(each)
    for label, residuals in by_label.items():
        far = far_from_median(residuals) if len(residuals) >= ENOUGH else []
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
