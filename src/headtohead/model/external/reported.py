"""Results that others report: shown next to what was measured here, and never part of a verdict."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Given:
    """One value of a test that was not run here (a SPEC score, say), and the workload that it resembles.

    ``when`` is a year, a month or a day (``2008``, ``2008-03``, ``2008-03-01``); ``who`` names who reports it, and
    where.
    """

    workload: str
    test: str
    system: str
    value: float
    unit: str
    who: str
    when: str
    note: str = ""
