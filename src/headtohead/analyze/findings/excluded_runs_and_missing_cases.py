"""Runs that do not count, many or most of one treatment, and cases that were refused or have no record."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.runs.records_and_times_of_case import of_case, planned_cases
from headtohead.analyze.statistics.binomial import by_chance
from headtohead.model import rules
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import Recorded

CHANGE = "Change the machine (`headtohead host`) or the load, and run the study again."
OF_OTHERS = {
    rules.STEAL.id: "Run the study again when the hypervisor has CPU time to spare.",
    rules.FOREIGN_CPU.id: "Stop other programs on this machine, and run the study again.",
}
"""Another load would not change what others on the machine do."""
MEND = "Mend what made these runs fail (each run has its reason), and run the study again."


def invalid_share(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if more than a fifth of the runs are invalid or failed, with the most frequent reason."""
    bad = [each.run for each in whole.runs if each.run.status != "valid"]
    if not whole.runs or len(bad) <= rules.MANY_INVALID.limit * len(whole.runs):
        return
    share = len(bad) / len(whole.runs)
    ids = [reason.split(":")[0] for run in bad for reason in dict.fromkeys(run.reasons)]
    often = max(dict.fromkeys(ids), key=ids.count, default="unknown")
    mostly = "mostly: " if len(set(ids)) > 1 else ""
    yield Finding(
        id=rules.MANY_INVALID.id,
        severity=rules.MANY_INVALID.then,
        says=f"{len(bad)} of {len(whole.runs)} runs ({percent(share)}) do not count{', ' if mostly else ': '}{mostly}"
        f"{rules.CAUSES.get(often, often)}.",
        advice=OF_OTHERS.get(often) or (CHANGE if often in rules.CAUSES else MEND),
        evidence={
            "invalid_share": share,
            "limit_share": rules.MANY_INVALID.limit,
            "runs": len(bad),
            "most_often": often,
        },
    )


LEAST = 4
"""With fewer excluded runs, chance is as uneven."""
TIMES = 2
"""The worst treatment may have at most this many times as many as the best."""
RARE = 0.05
"""Below this probability, chance alone does not explain the difference (METHOD.md 12)."""


def lopsided(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if one treatment has over twice as many excluded runs as another, at least 4 in all.

    Between the treatments of a comparison it is invalid if chance does not explain it.
    """
    discarded = {each.label: 0 for each in whole.experiment.treatments if not each.floor}
    for each in whole.runs:
        if each.run.status == "invalid" and each.run.label in discarded:
            discarded[each.run.label] += 1
    certain = list(_certain(whole, discarded))
    yield from certain
    if certain or len(discarded) < 2 or sum(discarded.values()) < LEAST:
        return
    most, least = max(discarded, key=lambda label: discarded[label]), min(discarded, key=lambda label: discarded[label])
    if discarded[most] > TIMES * discarded[least]:
        yield _finding(discarded, most, least, severity=Severity.DOUBT)


def _certain(whole: Whole, discarded: Mapping[str, int]) -> Iterator[Finding]:
    """Yield what chance does not explain: between treatments of a comparison, the error shared among comparisons."""
    for comparison, _, _ in whole.pairs():
        pair = (comparison.baseline, comparison.other)
        if not set(pair) <= discarded.keys():
            continue
        most, least = max(pair, key=lambda label: discarded[label]), min(pair, key=lambda label: discarded[label])
        if discarded[most] > TIMES * discarded[least]:
            p = by_chance(discarded[most], discarded[least])
            if p < RARE / len(whole.experiment.comparisons):
                yield _finding(discarded, most, least, severity=Severity.INVALID)


def _finding(discarded: Mapping[str, int], most: str, least: str, *, severity: Severity) -> Finding:
    return Finding(
        id="lopsided",
        severity=severity,
        says=f"{discarded[most]} runs of {most} were discarded, but {discarded[least]} of {least}: the rules "
        "look at no result, but the cause may be one treatment's.",
        advice="Look at why runs were discarded; if the program itself is the cause, change the load.",
        evidence={"most": discarded[most], "least": discarded[least], "treatment": most},
        of=(most, least),
    )


LISTED_AT_MOST = 8


def refused(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each reason that a treatment gave, with the cases that it refused."""
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
            says=f"{label} refused {listed}. Its reason: {reason}.",
            advice="These cases have no value, and no summary that needs one of them has one.",
            evidence={"treatment": label, "cases": len(cases)},
        )


def cases_missing(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment with runs that lack a planned case; a refused case is not missing."""
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
                advice="They are not in a mean over the cases; see records.jsonl of these runs.",
                evidence={"runs": len(lacking), "case": case.text, "treatment": treatment.label},
                of=(treatment.label,),
            )


def _lacks(whole: Whole, run: Recorded) -> list[Case]:
    """Return the planned cases of which a run has no record."""
    return [case for case in planned_cases(whole.experiment) if not of_case(run.records, case)]
