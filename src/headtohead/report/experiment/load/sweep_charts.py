"""The curves of a sweep: the metric, and the CPU for each gigabyte, at each number of clients, processes, ..."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Cell
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.analysis.sweeps import Sweep
from headtohead.model.case import Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import clipped_ends, cut_off_note, level_axis, value_axis
from headtohead.report.drawing.lines import Plot, Points, Series
from headtohead.report.experiment.change_charts import series_of
from headtohead.report.experiment.load.charts_against_offered_load import plot_figure
from headtohead.report.experiment.load.merge_loads_into_steps import load_steps
from headtohead.report.text.names import case_title, metric_title
from headtohead.report.text.numbers.values_with_units import Scale, plain, quantity, scale_for, unit_words
from headtohead.report.text.wording import capital

MOVED = "bytes_per_s"
MOVES = (MOVED, "disk_bytes_per_s")
"""Metrics of bytes moved: if the primary summary is of one, all bytes are shown, through the page cache or not."""
SUBJECT_COST, DRIVER_COST = "subject_cpu_s_per_gb", "driver_cpu_s_per_gb"


@dataclass(frozen=True)
class _Line:
    """One line of a chart: its name, its result as text, and the source of its values."""

    label: str
    text: str
    treatment: TreatmentResult
    sweep: Sweep


def draw_sweeps(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the charts of sweeps: the metric of each treatment at each level, and the CPU for each gigabyte.

    None if curves show it already. A single treatment has all its sweeps in one chart; several have one for each sweep.
    """
    result = context.result
    if any(load_steps(each) for each in result.treatments):
        return ()
    charts: list[Figure] = []
    for number, (title, lines) in enumerate(_drawn(context), start=1):
        name = f"{prefix}l{number}" if len(result.sweeps) > 1 else f"{prefix}l"
        charts.extend((*_values(context, lines, prefix=name, title=title), *_costs(context, lines, f"{name}c", title)))
    return tuple(charts)


def drawn_metric(context: ExperimentContext) -> str:
    """Return the metric that is drawn: the primary one, or all bytes moved if that one counts only those of a disk."""
    primary = context.result.primary.of
    return MOVED if primary in MOVES and MOVED in context.result.metrics else primary


def _drawn(context: ExperimentContext) -> Iterator[tuple[str, list[_Line]]]:
    """Yield what each chart is of (empty: all) and its lines."""
    result = context.result
    arms = [each for each in result.treatments if not each.floor]
    if len(arms) == 1 and len(result.sweeps) > 1:
        alone = arms[0]
        yield "", [_Line(case_title(each.fixed), _highest(context, alone, each), alone, each) for each in result.sweeps]
        return
    for sweep in result.sweeps:
        describe = _highest if sweep.fixed else _came_to
        lines = [_Line(each.label, describe(context, each, sweep), each, sweep) for each in result.treatments]
        yield (case_title(sweep.fixed) if sweep.fixed else ""), lines


def _came_to(context: ExperimentContext, treatment: TreatmentResult, _: Sweep) -> str:
    """Return a treatment's primary value as text."""
    if treatment.primary is None:
        return ""
    return (
        f"{metric_title(context.result.primary.name)} {quantity(treatment.primary.value, context.result.metric.unit)}"
    )


def _highest(context: ExperimentContext, treatment: TreatmentResult, sweep: Sweep) -> str:
    """Return the highest value of a treatment's line, and its level."""
    line = [(cell.estimate.value, level) for level, cell in _cells(context, treatment, sweep, drawn_metric(context))]
    if not line:
        return ""
    value, level = max(line, key=lambda each: (each[0], -each[1]))
    return f"at most {quantity(value, context.result.metric.unit)}, at {plain(level)}"


def _values(context: ExperimentContext, lines: Sequence[_Line], *, prefix: str, title: str) -> tuple[Figure, ...]:
    metric, unit = drawn_metric(context), context.result.metric.unit
    measured, field = context.titled(metric), metric_title(lines[0].sweep.field)
    series = tuple(
        Series(each.label, each.text, (), line, bars=_bars(context, each, metric), number=number, titles=titles)
        for each in lines
        for number in [_number(context, each, lines)]
        for line in [_line(context, each, metric)]
        for titles in [tuple(f"{each.label}, {field} {plain(x)}: {quantity(y, unit)}" for x, y in line)]
        if len(line) > 1
    )
    if not series:
        return ()
    whose = "setup" if title or not lines[0].sweep.fixed else "kind"
    caption = (
        f"{capital(measured)} of each {whose} over {field}{f', {title}' if title else ''}. Each mark is the "
        "geometric mean over runs, the vertical line through it its interval. It decides nothing."
    )
    scale = scale_for(unit, [y for each in series for _, y in each.line])
    named = f"{measured}, {unit_words(scale.unit)}".rstrip(", ")
    return (_chart(series, scale, named, prefix=prefix, over=(capital(measured), field, title), caption=caption),)


def _costs(context: ExperimentContext, lines: Sequence[_Line], prefix: str, title: str) -> tuple[Figure, ...]:
    """Return the chart of the CPU for each gigabyte at each level; none if no bytes were moved or read."""
    series = tuple(
        Series(each.label, "", (), line, beneath=driver if len(driver) > 1 else (), number=number)
        for each in lines
        for number in [_number(context, each, lines)]
        if len(line := _line(context, each, SUBJECT_COST)) > 1
        for driver in [_line(context, each, DRIVER_COST)]
    )
    if not series:
        return ()
    field, driven = metric_title(lines[0].sweep.field), any(each.beneath for each in series)
    whose = "the program's bold, its load generator's thin" if driven else "the program's"
    caption = (
        f"CPU seconds for each gigabyte moved over {field}{f', {title}' if title else ''}: "
        f"{whose}. The intervals are in the table. It decides nothing."
    )
    named = f"CPU, s per GB ({whose})" if driven else "CPU of the program, s per GB"
    over = ("CPU for each gigabyte", field, title)
    return (_chart(series, Scale(1.0, ""), named, prefix=prefix, over=over, caption=caption),)


def _chart(
    series: tuple[Series, ...], scale: Scale, named: str, *, prefix: str, over: tuple[str, str, str], caption: str
) -> Figure:
    """Return the chart of these lines; ``over`` is what is drawn, over which field, and of which cases."""
    what, field, title = over
    across = sorted({x for each in series for x, _ in each.line})
    seen = [y for each in series for _, y in (*each.line, *each.beneath)]
    ends = [y for each in series for _, low, high in each.bars for y in (low, high)]
    reach = [*seen, *clipped_ends(ends, seen)]

    def plot(most: int) -> Plot:
        levels = level_axis(across, below=field, most=most)
        up = value_axis(reach, scale, most=5)
        return Plot(series, levels, up, f"{named}{f'; {title}' if title else ''}")

    whole = f"{what} over {field}{f', {title}' if title else ''}"
    whole_caption = f"{caption}{cut_off_note(ends, reach)}"
    return plot_figure(plot, prefix=prefix, title=whole, caption=whole_caption, across=f"{field} {{}} to {{}}")


def _number(context: ExperimentContext, line: _Line, lines: Sequence[_Line]) -> int | None:
    """Return the number of a line's treatment, which gives its color; None if all lines are of one."""
    one = len({each.treatment.label for each in lines}) == 1
    return None if one else series_of(context.result, line.treatment.label)


def _cells(
    context: ExperimentContext, treatment: TreatmentResult, sweep: Sweep, metric: str
) -> list[tuple[float, Cell]]:
    """Return the levels that fit on a logarithmic axis, each with its value."""
    found = ((level, context.cell(treatment, case=case, metric=metric)) for level, case in _places(sweep))
    return [(level, cell) for level, cell in found if cell and cell.estimate.value > 0 and level > 0]


def _places(sweep: Sweep) -> Iterator[tuple[float, Case]]:
    return zip(sweep.levels, sweep.cases, strict=True)


def _line(context: ExperimentContext, line: _Line, metric: str) -> Points:
    return tuple((level, cell.estimate.value) for level, cell in _cells(context, line.treatment, line.sweep, metric))


def _bars(context: ExperimentContext, line: _Line, metric: str) -> tuple[tuple[float, float, float], ...]:
    cells = _cells(context, line.treatment, line.sweep, metric)
    intervals = ((level, cell.estimate.interval) for level, cell in cells)
    return tuple((level, ends.low, ends.high) for level, ends in intervals if ends)
