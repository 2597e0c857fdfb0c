"""Responses that wait until Linux sends a delayed TCP acknowledgment, because a server sends them in two parts."""

import statistics
from collections.abc import Iterator

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.study_design.load_unsuited_to_metric import most_used
from headtohead.analyze.findings.wording import at, percent
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord

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
        "use. Linux delays TCP acknowledgments by 40 ms: a server that sends head and body apart waits for them unless "
        "it sets TCP_NODELAY.",
        advice="Send each response in one write, or set TCP_NODELAY "
        "(Python's http.server: disable_nagle_algorithm = True).",
        evidence={"response_time_p50_ns": middle_ms * 1e6, "used_share": used, "treatment": label, "case": case.text},
        of=(label,),
    )
