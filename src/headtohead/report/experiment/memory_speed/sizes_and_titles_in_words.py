"""Sizes of memory, mixes of traffic and treatments as the charts and tables of memory write them."""

from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers.values_with_units import plain, scale_for

MIXES = {"1r0w": "reads alone", "2r1w": "2 reads, 1 write", "1r1w": "1 read, 1 write"}


def size_text(size: float) -> str:
    """Return a size as people write it: ``48 KiB``; means of equal sizes are whole bytes but for their last digits."""
    scale = scale_for("B", [round(size)])
    return f"{plain(round(size) / scale.factor)} {scale.unit}"


def mix_title(case: Case) -> str:
    """Return a mix of traffic as words: ``2 reads, 1 write``."""
    return MIXES.get(case.levels.get("traffic", ""), case_title(case))


def title_of(context: ExperimentContext, treatment: TreatmentResult) -> str:
    """Return which treatment a chart is of, with a leading space; empty if there is one only."""
    return f" of {treatment.label}" if len(context.result.treatments) > 1 else ""
