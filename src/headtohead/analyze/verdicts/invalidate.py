"""Verdicts that a finding forbids: what was seen stays, and nobody is named a winner (METHOD.md 9)."""

from collections.abc import Sequence
from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Finding, Severity


def forbids(findings: Sequence[Finding], *labels: str) -> Finding | None:
    """Return the first finding that forbids a verdict on these treatments, set against each other; None if none does.

    What is about one treatment forbids every verdict on it; about two, those that set them against each other; about
    none in particular, all.
    """
    invalid = (each for each in findings if each.severity is Severity.INVALID)
    return next((each for each in invalid if set(each.of) <= set(labels)), None)


def verdicts(result: ExperimentResult) -> ExperimentResult:
    """Return the result without the verdicts that its findings forbid, and without what else names who is ahead.

    Ratios stay as they were seen, and say that they decide nothing; what CPUs bought, who overtakes whom, from which
    price on one pays, and means over a suite are left out where they are of such a pair. Where two change places is
    told of levels too, and is left out with any of them.
    """

    def allowed(*labels: str) -> bool:
        return forbids(result.findings, *labels) is None

    return replace(
        result,
        comparisons=tuple(_withheld(each, result.findings) for each in result.comparisons),
        growth=tuple(each for each in result.growth if allowed(each.baseline, each.other)),
        overtakings=tuple(each for each in result.overtakings if allowed(each.ahead, each.behind)),
        crossings=result.crossings if all(allowed(each.baseline, each.other) for each in result.comparisons) else (),
        suites=tuple(each for each in result.suites if allowed(each.treatment, each.against)),
        break_evens=tuple(each for each in result.break_evens if allowed(each.plain, each.packed)),
    )


def _withheld(comparison: ComparisonResult, findings: Sequence[Finding]) -> ComparisonResult:
    """Return the comparison without its verdict where a finding forbids one; that it was not measured stays."""
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
        scaling=None,
    )
