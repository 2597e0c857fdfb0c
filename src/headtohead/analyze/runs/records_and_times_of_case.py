"""Which record, and which time of the run, belongs to which case."""

from collections.abc import Sequence

from headtohead.analyze.runs.monitor_columns import Window
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import BatchRecord, CaseRecord, LoadRecord, Phase, RefusedRecord
from headtohead.model.study.workload import Load

FEWEST = 50
"""If a number of requests ends the measured time, it begins between two responses and ends with one.

Of n responses it counts half a response too many: 1 % of 50, anything of one.
"""

PAGE_CACHE = "page_cache"
"""The metric by which programs that work on files report whether the page cache may have held them: 1 if so."""


def measured_enough(record: CaseRecord, load: Load) -> bool:
    """Return whether counts of the measured time (responses, CPU) may be divided by it, or by each other.

    False if too few requests ended it: then only the time of each request is known.
    """
    return not isinstance(record, LoadRecord) or "requests" not in load.settings or record.sent >= FEWEST


def planned_cases(experiment: PlannedExperiment) -> tuple[Case, ...]:
    """Return the cases that every run walks; one without fields where the load has no lists."""
    return experiment.cases or (WHOLE_RUN,)


def of_case(records: Sequence[CaseRecord], case: Case) -> list[CaseRecord]:
    """Return the records of a planned case, the latest first: if a case was repeated, the last time counts."""
    return [record for record in reversed(records) if case.covers(record.case)]


def counted(records: Sequence[CaseRecord]) -> list[CaseRecord]:
    """Return the records that count, in order: the last of each case and kind of work, as in of_case."""
    last: dict[tuple[Case, str], CaseRecord] = {}
    for record in records:
        key = (record.case, record.work_in if isinstance(record, BatchRecord) else "")
        last.pop(key, None)
        last[key] = record
    return list(last.values())


def measured_window(record: CaseRecord, phases: Sequence[Phase]) -> Window | None:
    """Return when the record's work was measured; None if that is not known.

    A refused case was not measured. A load record has the times itself, a batch record if its program stamps its cases.
    Otherwise it is the phase "measure" with the most of the record's case fields (a program may be started once for
    several cases), the latest of equals.
    """
    if isinstance(record, RefusedRecord):
        return None
    if isinstance(record, LoadRecord):
        return Window(record.from_ns, record.to_ns)
    if record.from_ns is not None and record.to_ns is not None:
        return Window(record.from_ns, record.to_ns)
    fitting = [each for each in phases if each.name == "measure" and (each.case or WHOLE_RUN).covers(record.case)]
    if not fitting:
        return None
    best = max(fitting, key=lambda each: (len(each.case or ()), each.from_ns))
    return Window(best.from_ns, best.to_ns)
