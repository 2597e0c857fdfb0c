"""Responses that were wrong under load, missing, or not compressed although gzip was requested."""

from collections.abc import Iterator

from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.cpu_use_by_case import CaseSeen, RunSeen
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import LoadRecord


def wrong_answer(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case with wrong responses."""
    for each in seen.cases:
        wrong = each.record.wrong if isinstance(each.record, LoadRecord) else {}
        for kind, count in wrong.items():
            yield Finding(
                id=rules.WRONG_ANSWER.id,
                severity=rules.WRONG_ANSWER.then,
                says=f"{count} wrong {'response' if count == 1 else 'responses'} ({kind.replace('-', ' ')})"
                f"{at(each.case)} (limit 0)",
                advice="See the server's log in the run's folder: a fast wrong response does not count.",
                evidence={"answers": count, "case": each.case.text},
            )


def no_response(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in whose measured time no request ended: a rate of zero there is no measurement.

    None for searches: their trials are judged one by one.
    """
    for each in () if seen.experiment.load.searches else seen.cases:
        record = each.record
        if isinstance(record, LoadRecord) and _none_ended(record) and not any(record.errors.values()):
            yield Finding(
                id=rules.NO_RESPONSE.id,
                severity=rules.NO_RESPONSE.then,
                says=f"no request ended in the measured {record.elapsed_ns / 1e9:.3g} s{at(each.case)}",
                advice="Measure for longer than a request takes (measure_s), or see why the server did not respond.",
                evidence={"measured_ns": record.elapsed_ns, "case": each.case.text},
            )


def _none_ended(record: LoadRecord) -> bool:
    """Return whether no response came in the measured time; with a schedule, those due then may have come later."""
    return record.right == 0 or record.values.get("response_rate_per_s") == 0


def not_compressed(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case with gzip whose responses were plain: all of them, or more than 1 %.

    None if the subject is set not to compress: then plain responses are intended.
    """
    levels = {**seen.treatment.settings, **seen.treatment.levels}
    if levels.get("gzip") != "on" or levels.get("compress") == "off":
        return
    for each in seen.cases:
        if not isinstance(each.record, LoadRecord) or each.record.right == 0:
            continue
        plain = each.record.values.get("plain_answers") or 0.0
        if plain >= each.record.right or plain > rules.NOT_COMPRESSED.limit * each.record.right:
            yield _plain(each, plain / each.record.right, setting=levels.get("compress"))


def _plain(case: CaseSeen, share: float, *, setting: Scalar | None) -> Finding:
    every = share >= 1
    named = "" if setting is None else f", with its setting compress = {setting}"
    return Finding(
        id=rules.NOT_COMPRESSED.id,
        severity=Severity.INVALID if every else rules.NOT_COMPRESSED.then,
        says=f"{'all' if every else percent(share) + ' of'} responses were plain although gzip was "
        f"requested{at(case.case)}{named}",
        advice="Let the server compress these pages, or remove gzip = on from the study: it measures nothing here.",
        evidence={"plain_share": share, "case": case.case.text},
    )
