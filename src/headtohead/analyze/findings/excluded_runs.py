"""Runs that do not count: whether they are many, and whether one treatment has more of them than another."""

from collections.abc import Iterator, Mapping

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import percent
from headtohead.analyze.statistics.binomial import by_chance
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity


def invalid_share(whole: Whole) -> Iterator[Finding]:
    """Yield a finding if more than a fifth of the runs are invalid or failed, with the most frequent reason."""
    bad = [each.run for each in whole.runs if each.run.status != "valid"]
    if not whole.runs or len(bad) <= rules.MANY_INVALID.limit * len(whole.runs):
        return
    share = len(bad) / len(whole.runs)
    ids = [reason.split(":")[0] for run in bad for reason in dict.fromkeys(run.reasons)]
    often = max(dict.fromkeys(ids), key=ids.count, default="unknown")
    yield Finding(
        id=rules.MANY_INVALID.id,
        severity=rules.MANY_INVALID.then,
        says=f"{len(bad)} of {len(whole.runs)} runs ({percent(share)}) do not count, most often for this reason: "
        f"{rules.CAUSES.get(often, often)}.",
        advice="Change the machine (`headtohead host`) or the load, and run the study again.",
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
        says=f"{discarded[most]} runs of {most} were discarded, but {discarded[least]} of {least}: the rules do not "
        "look at results, but the cause may belong to one treatment.",
        advice="Look at why runs were discarded; if the subject itself is the cause, change the load.",
        evidence={"most": discarded[most], "least": discarded[least], "treatment": most},
        of=(most, least),
    )
