"""Verdicts that a finding forbids: the ratio stays, and no treatment is called better (METHOD.md 9)."""

from collections.abc import Sequence
from dataclasses import replace

from headtohead.model import rules
from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Finding, Severity


def forbids(findings: Sequence[Finding], *labels: str) -> Finding | None:
    """Return the first finding that forbids a verdict on a comparison of these treatments; None if there is none.

    A finding about one treatment forbids every verdict on it, one about two treatments their comparison, one about none
    every verdict.
    """
    invalid = (each for each in findings if each.severity is Severity.INVALID)
    return next((each for each in invalid if set(each.of) <= set(labels)), None)


def without_forbidden(result: ExperimentResult) -> ExperimentResult:
    """Return the result without the verdicts that its findings forbid, and without everything else that names a leader.

    Ratios stay, marked as deciding nothing. Growth, overtakings, break-even prices and means over a suite are left out
    for such a pair. Crossings are of levels too, so one forbidden pair removes them all.
    """

    def allowed(*labels: str) -> bool:
        return forbids(result.findings, *labels) is None

    result = _without_scaling(result)
    return replace(
        result,
        comparisons=tuple(_withheld(each, result.findings) for each in result.comparisons),
        growth=tuple(each for each in result.growth if allowed(each.baseline, each.other)),
        overtakings=tuple(each for each in result.overtakings if allowed(each.ahead, each.behind)),
        crossings=result.crossings if all(allowed(each.baseline, each.other) for each in result.comparisons) else (),
        suites=tuple(each for each in result.suites if allowed(each.treatment, each.against)),
        break_evens=tuple(each for each in result.break_evens if allowed(each.plain, each.packed)),
    )


def _without_scaling(result: ExperimentResult) -> ExperimentResult:
    """Return the result without the gain of more CPUs, threads or copies where the driver was at its limit or near it.

    It would be the driver's gain. "Near" is the limit of the rule driver-busy, in at least half of a treatment's runs.
    """
    near = {
        str(each.evidence["treatment"])
        for each in result.findings
        if each.id == rules.DRIVER_BUSY.id and 2 * int(each.evidence["runs"]) >= int(each.evidence["of_runs"])
    }
    growth = tuple(each for each in result.growth if not near & {each.baseline, each.other})
    compared = tuple(
        replace(each, scaling=None) if near & {each.baseline, each.other} else each for each in result.comparisons
    )
    if (growth, compared) == (result.growth, result.comparisons):
        return result
    finding = Finding(
        id="driver-near-limit",
        severity=Severity.DOUBT,
        says=f"No scaling is stated: the load generator was near its limit at {', '.join(sorted(near))}.",
        advice="Give the load generator more CPUs (driver_cpus), or the subject fewer.",
    )
    return replace(result, growth=growth, comparisons=compared, findings=(*result.findings, finding))


def _withheld(comparison: ComparisonResult, findings: Sequence[Finding]) -> ComparisonResult:
    """Return the comparison without its verdict if a finding forbids one; "not-measured" stays."""
    finding = forbids(findings, comparison.baseline, comparison.other)
    if finding is None or comparison.verdict == "not-measured":
        return comparison
    return replace(
        comparison,
        verdict="inconclusive",
        because=finding.says,
        at_least_margin=False,
        negligible=False,
        blocks_needed=None,
        blocks_needed_for=None,
        scaling=None,
    )
