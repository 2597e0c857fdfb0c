"""Connections that a server's listen queue had no room for: their requests wait until TCP tries again."""

from collections.abc import Iterator

from headtohead.analyze.findings.wording import at
from headtohead.analyze.runs.cpu_use_by_case import RunSeen
from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.model import rules
from headtohead.model.finding import Finding
from headtohead.model.record import LoadRecord

OVERFLOWS = "listen_overflows"
"""The column of the kernel's counter; it is read once a second."""
CERTAIN = 0.5
"""Between two readings a rise is interpolated: half of a connection is the end of one that came before."""


def listen_queue_full(seen: RunSeen) -> Iterator[Finding]:
    """Yield a finding for each case in which the listen queue of a server was full, and connections had to wait."""
    for each in seen.cases:
        if seen.columns is None or each.window is None or not isinstance(each.record, LoadRecord):
            continue
        rise = _rise(seen.columns, each.window)
        if rise <= rules.LISTEN_QUEUE.limit + CERTAIN:
            continue
        slowest_ns = each.record.values.get("response_time_max_ns")
        slowest = "" if slowest_ns is None else f"; the slowest response took {slowest_ns / 1e9:.2g} s"
        yield Finding(
            id=rules.LISTEN_QUEUE.id,
            severity=rules.LISTEN_QUEUE.then,
            says=f"a listen queue was full {round(rise)} times or more{at(each.case)}: such a connection waits 0.2 s "
            f"and longer{slowest}",
            advice="Let the server listen with a longer queue (its backlog; Python's http.server: request_queue_size), "
            "or use fewer connections.",
            evidence={"connections": round(rise), "case": each.case.text},
        )


def _rise(columns: Columns, window: Window) -> float:
    """Return by how much the counter rose in the part of a window that its readings reach; 0 if it was not read."""
    found = columns.of(OVERFLOWS)
    if found is None:
        return 0.0
    low, high = max(window.from_ns, found.first_ns), min(window.to_ns, found.last_ns)
    return found.value_at(high) - found.value_at(low) if high > low else 0.0
