"""Answers that came plain though compressed ones were asked for."""

from collections.abc import Iterator

from headtohead.analyze.findings.say import at, percent
from headtohead.analyze.runs.usage import CaseSeen, RunSeen
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

SOME = 0.01
"""A share of plain answers that short pages do not explain."""


def not_compressed(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case asked for with gzip whose answers were plain: all of them, or more than 1 %.

    None of it where the subject was told not to compress: then plain answers are the point.
    """
    levels = {**seen.treatment.settings, **seen.treatment.levels}
    if levels.get("gzip") != "on" or levels.get("compress") == "off":
        return
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord) or each.record.right == 0:
            continue
        plain = each.record.values.get("plain_answers") or 0.0
        if plain >= each.record.right or plain > SOME * each.record.right:
            yield _plain(each, plain / each.record.right)


def _plain(case: CaseSeen, share: float) -> Finding:
    every = share >= 1
    return Finding(
        id="not-compressed",
        severity=Severity.INVALID if every else Severity.DOUBT,
        says=f"{'all' if every else percent(share)} answers were plain though gzip was asked for{at(case.case)}",
        advice="Let the subject compress these pages, or take gzip = on out of the study: it measures nothing here.",
        evidence={"plain_share": share, "case": case.case.text},
    )
