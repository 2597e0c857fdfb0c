"""Whether memory is read faster than a core can wait for it: cache lines on their way to one CPU at once."""

import re
from collections.abc import Iterator, Sequence

from headtohead.analyze.breakdown.batch_curves_and_matrices import point_curves
from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.wording import at
from headtohead.model.case import Case
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import BatchRecord, Recorded

LINE_BYTES = 64
MOST_LINES = 64
"""No core waits for more lines at once (METHOD.md section 10, the cross-check)."""

_TRAFFIC = re.compile(r"(?P<read>\d{1,3})r(?P<written>\d{1,3})w")


def lines_in_flight(whole: Whole) -> Iterator[Finding]:
    """Yield a note for each curve of latency under traffic that needs more lines at once than a core can wait for.

    Lines on their way to one CPU, on average: what it fetches a second times the time of a load (Little's law). Written
    lines are left out: no load waits for them.
    """
    for label, by_block in whole.samples.counted.items():
        runs = list(by_block.values())
        for curve in point_curves(whole.experiment, runs):
            share, threads = _share_read(curve.case), _threads(runs)
            points = [each.figures for each in curve.points if {"bytes_per_s", "load_ns"} <= each.figures.keys()]
            if not share or not threads or not points:
                continue
            pairs = [(share / threads * each["bytes_per_s"].value, each["load_ns"].value) for each in points]
            fetched_bytes_per_s, load_ns = max(pairs, key=lambda pair: pair[0] * pair[1])
            lines = fetched_bytes_per_s * load_ns / 1e9 / LINE_BYTES
            if lines > MOST_LINES:
                yield _finding(label, curve.case, fetched_bytes_per_s=fetched_bytes_per_s, load_ns=load_ns, lines=lines)


def _finding(label: str, case: Case, *, fetched_bytes_per_s: float, load_ns: float, lines: float) -> Finding:
    return Finding(
        id="lines-in-flight",
        severity=Severity.NOTE,
        says=f"{label}{at(case)}: a CPU that makes traffic fetched {fetched_bytes_per_s / 1e9:.1f} GB/s while a load "
        f"took {load_ns:.0f} ns, so {lines:.0f} lines of {LINE_BYTES} bytes were on their way to it at once; a core "
        f"waits for {MOST_LINES} at most. The others were cached or prefetched.",
        advice="Do not compute this bandwidth from this latency: traffic is sequential, loads are random.",
        evidence={
            "treatment": label,
            "case": case.text,
            "lines": lines,
            "fetched_bytes_per_s": fetched_bytes_per_s,
            "load_ns": load_ns,
        },
    )


def _share_read(case: Case) -> float | None:
    """Return the share of the lines moved that were read; None if the case has no traffic."""
    found = _TRAFFIC.match(case.levels.get("traffic", ""))
    if found is None or not int(found["read"]):
        return None
    return int(found["read"]) / (int(found["read"]) + int(found["written"]))


def _threads(runs: Sequence[Recorded]) -> float | None:
    """Return the number of threads of the traffic; None if no record has it, or they differ."""
    counts = {each.metrics.get("threads") for run in runs for each in run.records if isinstance(each, BatchRecord)}
    (threads,) = counts if len(counts) == 1 else (None,)
    return threads
