"""How long each query took, and each step of a session."""

from headtohead.model.analysis.curves import QueryTime
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded, with_heading
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.names import case_title, metric_title
from headtohead.report.text.numbers.values_with_units import Scale, scale_for

MEAN = "response_time_mean_ns"
SECONDS = Scale(1e9, "s")


def seconds_blocks(context: ExperimentContext) -> Blocks:
    """Yield the seconds that each query took."""
    return with_heading("Seconds a query", seconds_table(context))


def seconds_table(context: ExperimentContext) -> Table | None:
    """Return the seconds that each query took in each treatment; None if the values are that already."""
    result = context.result
    cases = {case: name for case in context.cases_of(MEAN) if (name := case.levels.get("query"))}
    if not cases or len(set(cases.values())) < len(cases) or result.primary.of == MEAN:
        return None
    rows = tuple(
        Row(name, tuple(_seconds(context, each, case=case) for each in result.treatments))
        for case, name in cases.items()
    )
    columns = tuple(each.label for each in result.treatments)
    note = "The mean of each run's answers, then the geometric mean over runs; it decides nothing."
    caption = "Seconds that each query took; each number with its interval"
    return Table(caption, "Query", columns, (RowGroup("", rows),), note=note)


def kinds_blocks(context: ExperimentContext) -> Blocks:
    """Yield how long each kind of query, or each step of a session, took, folded."""
    return folded(f"Each {_kind_of_request(context)}", kinds_table(context))


def kinds_table(context: ExperimentContext) -> Table | None:
    """Return the time of each kind of query in a mix, at the lowest concurrency; None without kinds."""
    result = context.result
    by_label = {each.label: {time.query: time for time in each.queries} for each in result.treatments}
    times = [time for each in result.treatments for time in each.queries]
    if not times:
        return None
    scale = scale_for("ns", [each.response_time_mean_ns.value for each in times])
    rows = tuple(
        Row(name, tuple(_kind(by_label[each.label].get(name), scale) for each in result.treatments))
        for name in dict.fromkeys(each.query for each in times)
    )
    where = f", {case_title(times[0].case)}" if times[0].case else ""
    caption = f"Mean {metric_title('response_time_ns')} of each {_kind_of_request(context)}{where}, {scale.unit}"
    columns = tuple(each.label for each in result.treatments)
    note = "Geometric means over runs; they decide nothing."
    heading = "Query" if _of_queries(context) else "Step"
    return Table(caption, heading, columns, (RowGroup("", rows),), note=note)


def _of_queries(context: ExperimentContext) -> bool:
    return context.planned is None or context.planned.of_queries


def _kind_of_request(context: ExperimentContext) -> str:
    return "kind of query" if _of_queries(context) else "step of a session"


def _kind(time: QueryTime | None, scale: Scale) -> Entry:
    return NOTHING if time is None else estimate_entry(time.response_time_mean_ns, scale)


def _seconds(context: ExperimentContext, treatment: TreatmentResult, *, case: Case) -> Entry:
    cell = context.cell(treatment, case=case, metric=MEAN)
    return NOTHING if cell is None else estimate_entry(cell.estimate, SECONDS)
