"""Too many runs that do not count."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import percent
from headtohead.analyze.findings.whole import Whole
from headtohead.model.finding import Finding, Severity

LIMIT = 0.20


def invalid_share(whole: Whole) -> Iterator[Finding]:
    """Yield a finding when more than a fifth of the runs are invalid or failed, with the reasons met most."""
    bad = [each.run for each in whole.runs if each.run.status != "valid"]
    if not whole.runs or len(bad) <= LIMIT * len(whole.runs):
        return
    share = len(bad) / len(whole.runs)
    ids = [reason.split(":")[0] for run in bad for reason in dict.fromkeys(run.reasons)]
    often = max(dict.fromkeys(ids), key=ids.count, default="unknown")
    yield Finding(
        id="many-invalid",
        severity=Severity.DOUBT,
        says=f"{len(bad)} of {len(whole.runs)} runs ({percent(share)}) do not count, most often for {often}.",
        advice="Fit the machine (`headtohead host`) or the load, and run the study again.",
        evidence={"invalid_share": share, "limit_share": LIMIT, "runs": len(bad), "most_often": often},
    )
