"""Doubts about responses: wrong under load, not compressed, unlike between treatments, refused, or missing."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.load import most_used
from headtohead.analyze.findings.wording import at, percent
from headtohead.analyze.runs.records_of_case import of_case, planned_cases
from headtohead.analyze.runs.use_by_case import CaseSeen, RunSeen
from headtohead.analyze.samples.derived_figures import DerivedFigures
from headtohead.model import rules
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.quantity import Scalar
from headtohead.model.record import LoadRecord, Recorded


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
                advice="See the subject's log in the run's folder: a fast wrong response does not count.",
                evidence={"answers": count, "case": each.case.text},
            )


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
        advice="Let the subject compress these pages, or remove gzip = on from the study: it measures nothing here.",
        evidence={"plain_share": share, "case": case.case.text},
    )


TIMES = 1.5
"""No head makes a response of a kilobyte this much longer, and compression makes it shorter by more."""
PAGE_BYTES = 1000

MEANT = ("gzip", "compress")
"""Factors whose purpose is to change the bytes on the wire."""


def unlike_answers(whole: Whole) -> Iterator[Finding]:
    """Yield a finding for each comparison whose treatments differ in bytes for each response, in the worst case."""
    if whole.experiment.load.searches:
        return
    for comparison in whole.experiment.comparisons:
        if comparison.factor in MEANT:
            continue
        sizes = [
            (case, _bytes(whole, comparison.baseline, case), _bytes(whole, comparison.other, case))
            for case in planned_cases(whole.experiment)
        ]
        apart = [(abs(b / a - 1), case, a, b) for case, a, b in sizes if a and b]
        share, case, a, b = max(apart, key=lambda each: each[0], default=(0.0, WHOLE_RUN, 0.0, 0.0))
        if share > rules.UNLIKE_ANSWERS.limit:
            yield Finding(
                id=rules.UNLIKE_ANSWERS.id,
                severity=Severity.INVALID if _other_pages(whole, a, b) else rules.UNLIKE_ANSWERS.then,
                says=f"{comparison.other} sent {b:,.0f} bytes per response and {comparison.baseline} {a:,.0f}"
                f"{at(case)}: they did not do the same work.",
                advice="Make both send the same (compression, page, headers), or state in the question what differs.",
                evidence={"share": share, "case": case.text, "other": comparison.other},
                of=(comparison.baseline, comparison.other),
            )


def _other_pages(whole: Whole, one: float, two: float) -> bool:
    """Return whether these are different pages; databases encode the same rows differently."""
    return whole.experiment.asks.startswith("http/") and max(one, two) > max(TIMES * min(one, two), PAGE_BYTES)


def _bytes(whole: Whole, label: str, case: Case) -> float | None:
    """Return the bytes for each response, the median over runs; None if no run has them."""
    found = []
    for each in whole.samples.counted.get(label, {}).values():
        figures = DerivedFigures(whole.experiment, each)
        records = [record for record in of_case(each.records, case) if isinstance(record, LoadRecord)][:1]
        found += [size for record in records if (size := figures.bytes_per_answer(record)) is not None]
    return statistics.median(found) if found else None


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


ACKNOWLEDGED_MS = (39.0, 48.0)
"""Linux holds an acknowledgment back for 40 ms, in its clock's ticks of 1 to 4 ms (TCP_DELACK_MIN)."""
MOSTLY_IDLE = 0.5
"""A server that uses less than this share of its CPUs does not keep its users waiting for 40 ms."""


def waits_for_acknowledgments(whole: Whole) -> Iterator[Finding]:
    """Yield a doubt for each treatment with a case whose responses take the time that Linux delays acknowledgments by.

    Its server sends a response in two parts, and the second waits until the first is acknowledged (Nagle's algorithm).
    """
    for treatment in whole.experiment.treatments:
        cases = [each for seen in whole.seen if seen.run.label == treatment.label for each in seen.cases]
        used = most_used(whole, treatment.label)
        if treatment.floor or used is None or used >= MOSTLY_IDLE:
            continue
        by_case: dict[Case, list[tuple[float, float]]] = {}
        for each in cases:
            if isinstance(each.record, LoadRecord) and (times := _fast_and_middle_ms(each.record)) is not None:
                by_case.setdefault(each.case, []).append(times)
        for case, pairs in by_case.items():
            fast, middle = (statistics.median(column) for column in zip(*pairs, strict=True))
            if all(ACKNOWLEDGED_MS[0] <= each <= ACKNOWLEDGED_MS[1] for each in (fast, middle)):
                yield _waits(treatment.label, case, middle_ms=middle, used=used)
                break


def _fast_and_middle_ms(record: LoadRecord) -> tuple[float, float] | None:
    fast, middle = (record.values.get(f"response_time_{each}_ns") for each in ("p10", "p50"))
    return None if fast is None or middle is None else (fast / 1e6, middle / 1e6)


def _waits(label: str, case: Case, *, middle_ms: float, used: float) -> Finding:
    return Finding(
        id="waits-for-acknowledgments",
        severity=Severity.DOUBT,
        says=f"{label}: half of the responses took {middle_ms:.0f} ms{at(case)}, with {percent(used)} of its CPUs in "
        "use. Linux delays TCP acknowledgments by 40 ms, and a server that sends head and body apart waits for them.",
        advice="Send each response in one write, or set TCP_NODELAY "
        "(Python's http.server: disable_nagle_algorithm = True).",
        evidence={"response_time_p50_ns": middle_ms * 1e6, "used_share": used, "treatment": label, "case": case.text},
        of=(label,),
    )
