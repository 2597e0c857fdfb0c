"""One arm cold and the other warm: then the caches are compared (METHOD.md 9)."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.page_cache import METRIC
from headtohead.analyze.findings.say import at
from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs.records import of_case
from headtohead.analyze.samples.summarize import cases_of
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.plan import Comparison, PlannedExperiment, Treatment
from headtohead.model.record import BatchRecord

MEANT = ("memory_mib", "access")
"""Factors that are there to take the page cache out of play, or to leave it in."""


def cold_and_warm(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose arms began with, or worked on, caches in different states."""
    for comparison, baseline, other in whole.pairs():
        why = _copies(comparison, baseline, other) or _cached(whole, comparison)
        if why:
            yield Finding(
                id="cold-and-warm",
                severity=Severity.INVALID,
                says=f"{why}: the state of the caches is compared too.",
                advice="Let both begin in the same state (state, memory_mib, direct access), or make that the factor.",
                evidence={"baseline": comparison.baseline, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _copies(comparison: Comparison, baseline: Treatment, other: Treatment) -> str:
    """Return that one arm alone has fresh copies of the data, unless the factor itself is the reason."""
    if baseline.fresh == other.fresh or comparison.factor in baseline.settings:
        return ""
    fresh, kept = (baseline, other) if baseline.fresh else (other, baseline)
    return f"Every run of {fresh.label} began on a fresh copy of the data, those of {kept.label} on one that was kept"


def _cached(whole: Whole, comparison: Comparison) -> str:
    """Return in which case that decides the page cache was in play for one arm alone."""
    if comparison.factor in MEANT:
        return ""
    for case in _deciding(whole.experiment):
        shares = [_share(whole, label, case) for label in (comparison.baseline, comparison.other)]
        if None not in shares and len({bool(each) for each in shares}) > 1:
            label = comparison.baseline if shares[0] else comparison.other
            return f"The page cache was in play for {label} alone{at(case)}"
    return ""


def _deciding(experiment: PlannedExperiment) -> list[Case]:
    deciding = cases_of(experiment.primary, experiment)
    return [case for case in experiment.cases if case in deciding]


def _share(whole: Whole, label: str, case: Case) -> float | None:
    """Return whether the page cache was in play, as most runs say; None where none says it."""
    told = []
    for run in whole.counting(label):
        records = [each for each in of_case(run.records, case) if isinstance(each, BatchRecord)][:1]
        told += [each.metrics[METRIC] for each in records if METRIC in each.metrics]
    return statistics.median(told) if told else None
