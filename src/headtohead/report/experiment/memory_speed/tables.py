"""The tables of memory: each level, latency against traffic, the share of the peak, every point, what is absent."""

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.machine.host import Fact
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, folded, with_heading
from headtohead.report.experiment.memory_speed.charts import LOAD, RATE, SIZE
from headtohead.report.experiment.memory_speed.find_curves_levels_caches import curves_of, level_cases, value
from headtohead.report.experiment.memory_speed.matrix_tables import matrix_tables
from headtohead.report.experiment.memory_speed.sizes_and_titles_in_words import mix_title, size_text
from headtohead.report.experiment.values.cells import NOTHING
from headtohead.report.experiment.values.rows_and_columns import row_title
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, bracketed, count, plain, quantity, scale_for
from headtohead.report.text.wording import plural

BANDWIDTH = "memory_bandwidth_bytes_per_s"
PEAK = "theoretical bandwidth"
_POINT_UNITS = (("_bytes_per_s", "B/s"), ("_bytes", "B"), ("_ns", "ns"), ("_cycles", "cycles"))


def memory_blocks(context: ExperimentContext) -> Blocks:
    """Yield the tables that an experiment on memory has in addition to its values, each with its heading."""
    made = (
        ("Each level", _levels_table(context), False),
        ("Latency next to traffic", _loaded_table(context), False),
        ("Share of the theoretical bandwidth", _peak_table(context), False),
        *matrix_tables(context),
        ("What was not obtained", _absent_table(context), False),
        ("Every point", _points_table(context), True),
    )
    for title, table, fold in made:
        yield from (folded if fold else with_heading)(title, table)


def _levels_table(context: ExperimentContext) -> Table | None:
    """Return what a load takes in each level: ns, cycles if the clock is known, and whether its sizes agree."""
    groups = []
    for treatment in context.result.treatments:
        rows = tuple(_level_row(context, treatment, case) for _, case in level_cases(context, treatment))
        if rows and curves_of(treatment, x=SIZE, y=LOAD):
            groups.append(RowGroup(treatment.label if len(context.result.treatments) > 1 else "", rows))
    if not groups:
        return None
    columns = ("Time of a load", "Cycles", "Sizes measured", "The sizes agree")
    note = (
        "Cycles are shown if the kernel knows the clock, and never computed from a nominal one. The sizes of a level "
        "agree where they differ by at most 10 % (yes: in every run); where they do not, its figure is between theirs."
    )
    return Table("What a load takes in each level; the interval below it", "Level", columns, tuple(groups), note=note)


def _level_row(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Row:
    cell = context.cell(treatment, case=case, metric="load_latency_ns")
    cycles = value(context, treatment, case, "load_latency_cycles")
    ends = [value(context, treatment, case, f"working_set_{end}_bytes") for end in ("least", "most")]
    sizes = " to ".join(dict.fromkeys(size_text(each) for each in ends if each)) if all(ends) else NOT_VISIBLE
    cells = (
        NOTHING if cell is None else _timed(cell.estimate, "ns"),
        Entry(NOT_VISIBLE if cycles is None else plain(cycles), number=cycles is not None),
        Entry(sizes),
        _agreed(value(context, treatment, case, "plateau")),
    )
    fields = case.levels
    return Row(f"{fields['level']}, {fields['pages']} pages" if "pages" in fields else fields["level"], cells)


def _agreed(plateau: float | None) -> Entry:
    if plateau is None:
        return Entry("one size")
    return Entry("yes" if plateau == 1 else "no" if plateau == 0 else f"in {share(plateau)} of the runs")


def _timed(estimate: Estimate, unit: str) -> Entry:
    scale = scale_for(unit, [estimate.value])
    ends = estimate.interval
    small = bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else ""
    return Entry(scale.full(estimate.value), small, number=True)


def _loaded_table(context: ExperimentContext) -> Table | None:
    names = ("idle_latency_ns", "latency_at_half_ns", "latency_at_90_percent_ns")
    groups = []
    for treatment in context.result.treatments:
        curves = curves_of(treatment, x=RATE, y=LOAD)
        rows = []
        for curve in curves:
            cells = [context.cell(treatment, case=curve.case, metric=name) for name in names]
            most = context.cell(treatment, case=curve.case, metric="traffic_most_bytes_per_s")
            reach = quantity(most.estimate.value, "B/s") if most else NOT_VISIBLE
            partial = value(context, treatment, curve.case, "partial_curve")
            whole = NOT_VISIBLE if partial is None else f"partial curve to {reach}" if partial else "yes"
            times = (NOTHING if each is None else _timed(each.estimate, "ns") for each in cells)
            moved = NOTHING if most is None else _timed(most.estimate, "B/s")
            rows.append(Row(mix_title(curve.case), (*times, moved, Entry(whole))))
        if rows:
            groups.append(RowGroup(treatment.label if len(context.result.treatments) > 1 else "", tuple(rows)))
    if not groups:
        return None
    columns = ("Idle", "At 50 % of the most", "At 90 %", "Most traffic", "Memory saturated")
    note = (
        "Lines read and lines written both count as traffic. A curve is partial where one CPU made the traffic, or a "
        "load waited less than 1.5 times as long as in idle memory: 90 % is then of what these CPUs move."
    )
    caption = "Time of a load while other CPUs read and write memory; each number with its interval"
    return Table(caption, "Traffic", columns, tuple(groups), note=note)


def _peak_table(context: ExperimentContext) -> Table | None:
    """Return the bandwidth as a share of channels times speed, or the reason if the modules cannot be read."""
    if context.result.primary.of != BANDWIDTH:
        return None
    fact = next((each for each in context.facts if (each.group, each.name) == ("memory", PEAK)), None)
    peak = float(fact.value) if fact and isinstance(fact.value, int | float) else None
    rows = []
    for treatment in context.result.treatments:
        best = _best(treatment)
        if best is not None:
            case, estimate = best
            reached = Entry(share(estimate.value / peak), number=True) if peak else Entry(NOT_VISIBLE, _why(fact))
            rows.append(Row(treatment.label, (_timed(estimate, "B/s"), Entry(row_title(context, case)), reached)))
    if not rows:
        return None
    columns = ("Most bandwidth of a case", "Case", "Share of the theoretical bandwidth")
    theory = f"{quantity(peak, 'B/s')}: {fact.source}" if peak and fact else f"not visible: {_why(fact)}"
    note = (
        f"Theoretical bandwidth (channels times transfers a second times width): {theory}. Bytes are counted as STREAM "
        "counts them; ordinary stores move up to half as much again."
    )
    return Table(
        "Bandwidth against what the memory modules can", "Setup", columns, (RowGroup("", tuple(rows)),), note=note
    )


def _why(fact: Fact | None) -> str:
    return (fact.why_not if fact else None) or "these host facts hold none"


def _best(treatment: TreatmentResult) -> tuple[Case, Estimate] | None:
    cells = [each for each in treatment.cells if each.metric == BANDWIDTH and each.case]
    best = max(cells, key=lambda each: each.estimate.value, default=None)
    return (best.case, best.estimate) if best else None


def _absent_table(context: ExperimentContext) -> Table | None:
    groups = []
    for treatment in context.result.treatments:
        rows = tuple(
            Row(case_title(each.case), (Entry(each.why), Entry(count(each.runs), number=True)))
            for each in treatment.not_obtained
        )
        if rows:
            groups.append(RowGroup(treatment.label if len(context.result.treatments) > 1 else "", rows))
    note = "Such a case has no figure, and what needs it has none either: missing is never zero."
    caption = "Figures that the program could not give, in its own words"
    return Table(caption, "Case", ("Because", "Valid runs"), tuple(groups), note=note) if groups else None


def _points_table(context: ExperimentContext) -> Table | None:
    """Return all curves as numbers: a group for each curve, a row for each point."""
    curves = [(each, curve) for each in context.result.treatments for curve in each.point_curves if curve.points]
    if not curves:
        return None
    every = dict.fromkeys(name for _, curve in curves for point in curve.points for name in point.figures)
    names = tuple(sorted(every, key=lambda name: name not in (SIZE, RATE)))
    groups = []
    for treatment, curve in curves:
        head = case_title(curve.case)
        rows = tuple(
            Row(str(point.number), tuple(_figure(name, point.figures.get(name)) for name in names))
            for point in curve.points
        )
        groups.append(RowGroup(f"{treatment.label}: {head}" if len(context.result.treatments) > 1 else head, rows))
    titles = tuple(_point_title(name) for name in names)
    caption = (
        f"The points of {plural(len(curves), 'curve')} as numbers: geometric means over runs, each with its interval"
    )
    return Table(caption, "Point", titles, tuple(groups))


def _point_unit(name: str) -> str:
    return next((unit for ending, unit in _POINT_UNITS if name.endswith(ending) or f"_{name}" == ending), "1")


def _point_title(name: str) -> str:
    titles = {SIZE: "size", LOAD: "time of a load", RATE: "traffic", "load_cycles": "cycles of a load"}
    return titles.get(name, name.replace("_", " "))


def _figure(name: str, estimate: Estimate | None) -> Entry:
    if estimate is None:
        return NOTHING
    if name == SIZE:
        return Entry(size_text(estimate.value), number=True)
    return _timed(estimate, _point_unit(name))
