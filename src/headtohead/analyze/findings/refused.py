"""Cases that a subject says it does not do: told, so that what is missing is not taken for forgotten."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LISTED_AT_MOST = 8


def refused(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each reason that a treatment gave, with the cases that it refused for it."""
    met: dict[tuple[str, str], dict[str, None]] = {}
    for each in whole.seen:
        for record in each.refused:
            met.setdefault((each.run.label, record.reason), {})[record.case.text] = None
    for (label, reason), cases in met.items():
        more = len(cases) - LISTED_AT_MOST
        listed = "; ".join(sorted(cases)[:LISTED_AT_MOST]) + (f"; and {more} more" if more > 0 else "")
        yield Finding(
            id="refused",
            severity=Severity.NOTE,
            says=f"{label} refused {listed}, and gave as its reason: {reason}.",
            advice="There is no value of these cases, nor of a summary that needs one of them.",
            evidence={"treatment": label, "cases": len(cases)},
        )
