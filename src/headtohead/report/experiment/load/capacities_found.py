"""The capacities that searches found: of a treatment over its runs, and of each run in a table."""

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import WHOLE_RUN
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded
from headtohead.report.text.names import objective_text
from headtohead.report.text.numbers.values_with_units import bracketed, scale_for

CAPACITY = "capacity_per_s"


def capacity_of(treatment: TreatmentResult) -> Estimate | None:
    """Return the capacity that a treatment's searches found, with its interval over runs; None without searches."""
    if not treatment.searches:
        return None
    return next((cell.estimate for cell in treatment.cells if cell.key == (WHOLE_RUN, CAPACITY)), None)


def search_blocks(context: ExperimentContext) -> Blocks:
    """Yield what the search of each run found, folded."""
    return folded("Each search", _searches_table(context))


def _searches_table(context: ExperimentContext) -> Table | None:
    """Return the result of each run's search: its capacity, and the interval from its own trials."""
    found = [(each, one) for each in context.result.treatments for one in each.searches]
    if not found:
        return None
    scale = scale_for("1/s", [one.capacity_per_s for _, one in found])
    rows = tuple(
        Row(
            str(one.run),
            (
                Entry(treatment.label),
                Entry(scale.full(one.capacity_per_s), number=True),
                Entry(bracketed(scale.bare(one.interval.low), scale.bare(one.interval.high)), number=True),
                Entry(str(one.trials), number=True),
            ),
        )
        for treatment, one in sorted(found, key=lambda pair: pair[1].run)
    )
    columns = ("Setup", "Capacity", "Credible interval", "Trials")
    note = "Each search rests on its own trials; the comparison above takes its capacity as one value of one run."
    return Table(
        f"The capacity that each run found ({objective_text(context.objective)})",
        "Run",
        columns,
        (RowGroup("", rows),),
        note=note,
    )
