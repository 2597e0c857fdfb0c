"""The doubts about an answer on page one: every one of them, the worst first, a line each."""

from collections.abc import Sequence

from headtohead.model.finding import Finding, Severity
from headtohead.report.text.names import listed


def worst_first(findings: Sequence[Finding]) -> list[Finding]:
    """Return the doubts: those that forbid a verdict first, then in the order of the checks."""
    doubts = [each for each in findings if each.severity is not Severity.NOTE]
    return sorted(doubts, key=lambda each: each.severity is not Severity.INVALID)


def doubt_lines(findings: Sequence[Finding]) -> tuple[str, ...]:
    """Return a line for each doubt; those of one kind about several setups share one, which names the others."""
    alike: dict[str, list[Finding]] = {}
    for each in worst_first(findings):
        alike.setdefault(each.id, []).append(each)
    return tuple(_line(first, others) for first, *others in alike.values())


def _line(first: Finding, others: Sequence[Finding]) -> str:
    says = first.says.strip().rstrip(".")
    if not others:
        return f"{says}."
    named = [str(each.evidence["treatment"]) for each in others if each.evidence.get("treatment")]
    if len(named) == len(others):
        return f"{says}; likewise {listed(named)}."
    return "; ".join([says, *(each.says.strip().rstrip(".") for each in others)]) + "."
