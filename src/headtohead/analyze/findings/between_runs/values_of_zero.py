"""Runs whose primary value is 0: a ratio has no place for them, so their blocks are left out of it."""

from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.finding import Finding, Severity


def values_of_zero(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each treatment with such runs.

    It is a doubt if the treatment lost all the same. A verdict that without these runs favors it, or calls two alike,
    is invalid. A search that found no capacity has no value, and reports that itself.
    """
    for treatment in whole.experiment.treatments:
        values = whole.samples.of(treatment.label, whole.samples.primary)
        zeros = sum(value == 0 for value in values.values())
        if not zeros or treatment.floor:
            continue
        favored = [each for each in whole.comparisons if _favors(whole, each, treatment.label)]
        about: list[tuple[str, ...]] = [(each.baseline, each.other) for each in favored]
        for labels in about or [(treatment.label,)]:
            yield Finding(
                id="zero-value",
                severity=Severity.INVALID if favored else Severity.DOUBT,
                says=f"{treatment.label}: {zeros} of {len(values)} runs have a value of 0, which no ratio can hold; "
                "their blocks are left out of it.",
                advice="See the errors of these runs: lower the load, or raise its timeout, so that each run has a "
                "value.",
                evidence={"runs": zeros, "of": len(values), "treatment": treatment.label},
                of=labels,
            )


def _favors(whole: Whole, comparison: ComparisonResult, label: str) -> bool:
    """Return whether a verdict would be less good for a treatment if its values of 0 could be in the ratio."""
    if label not in (comparison.baseline, comparison.other) or comparison.verdict not in ("better", "worse", "same"):
        return False
    winner = {"better": comparison.other, "worse": comparison.baseline}.get(comparison.verdict)
    zero_is_best = whole.experiment.metrics[whole.experiment.primary.of].better == "lower"
    return winner is None or (winner != label if zero_is_best else winner == label)
