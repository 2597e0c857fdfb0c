"""Runs that count and do not hold every case: sub-results that are missing (METHOD.md 9)."""

from collections.abc import Iterator

from headtohead.analyze.findings.whole import Whole
from headtohead.analyze.runs.records import of_case, planned_cases
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import Recorded


def cases_missing(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment with runs that lack a planned case; a case that was refused is not missing."""
    if whole.experiment.load.searches:
        return
    for treatment in whole.experiment.treatments:
        runs = whole.counting(treatment.label)
        lacking = [each for each in runs if _lacks(whole, each)]
        if lacking:
            case = _lacks(whole, lacking[0])[0]
            yield Finding(
                id="cases-missing",
                severity=Severity.DOUBT,
                says=f"{treatment.label}: {len(lacking)} of {len(runs)} runs hold no record of a case that was planned"
                f"{f', such as {case}' if case else ''}.",
                advice="They have no part in a mean over the cases; see records.jsonl of these runs.",
                evidence={"runs": len(lacking), "case": case.text, "treatment": treatment.label},
                of=(treatment.label,),
            )


def _lacks(whole: Whole, run: Recorded) -> list[Case]:
    """Return the planned cases of which a run has no record of any kind."""
    return [case for case in planned_cases(whole.experiment) if not of_case(run.records, case)]
