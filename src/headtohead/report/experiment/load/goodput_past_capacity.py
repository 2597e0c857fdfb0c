"""The goodput past the capacity, as a share of it."""

from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import bracketed

OVERLOAD = "overload_goodput_share"


def overload_blocks(context: ExperimentContext) -> Blocks:
    """Yield the goodput past the capacity."""
    return with_heading("Past the capacity", _overload_table(context))


def _overload_table(context: ExperimentContext) -> Table | None:
    """Return the goodput past the capacity as a share of it: some servers hold it, others collapse."""
    treatments = [each for each in context.result.treatments if each.searches]
    cases = [case for case in context.cases_of(OVERLOAD) if case]
    if not treatments or not cases:
        return None
    rows = [
        Row(
            case_title(case),
            tuple(_share_entry(context, each, case) for each in treatments),
        )
        for case in cases
    ]
    rows.append(Row("the worst of them", tuple(_share_entry(context, each, WHOLE_RUN) for each in treatments)))
    timeout = f" ({context.load.timeout_s:g} s)" if context.load else ""
    note = (
        "100 %: a setup goes on at its full rate, whatever is offered beyond it. Less: overload costs throughput. "
        f"More: responses count here that are later than the objective allows. Measured once each load has lasted for "
        f"a timeout{timeout}; a longer overload is worse if waits grow on. The interval is over runs. Not measured: "
        "the load generator could not keep to that load, or a rule discarded it each time."
    )
    caption = "Correct responses per second under overload, in % of the capacity"
    labels = tuple(each.label for each in treatments)
    return Table(caption, "Offered load", labels, (RowGroup("", tuple(rows)),), note=note)


def _share_entry(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Entry:
    cell = context.cell(treatment, case=case, metric=OVERLOAD)
    if cell is None:
        return Entry("not measured", number=True)
    ends = cell.estimate.interval
    small = bracketed(share(ends.low), share(ends.high)) if ends else ""
    return Entry(share(cell.estimate.value), small, number=True)
