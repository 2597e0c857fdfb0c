"""Few machines next to each other, case by case, as articles print them: a table for each metric, and a chart."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.systems import GridRow, SystemsComparison, SystemsGrid
from headtohead.model.quantity import scalar_text
from headtohead.report.document import Block, Entry, Figure, Row, RowGroup, Table, Text
from headtohead.report.drawing.axes import clipped_ends, cut_off_note, level_axis, value_axis
from headtohead.report.drawing.lines import Plot, Series
from headtohead.report.experiment.load.charts_against_offered_load import plot_figure
from headtohead.report.text.names import case_title, metric_title
from headtohead.report.text.numbers.values_with_units import Scale, bracketed, quantity, scale_for, unit_words
from headtohead.report.text.wording import capital, listed

UNPAIRED = (
    "For context: the machines were not interleaved, so what differed between their days is in every number. Each "
    "interval is that of one cell, at 95 %; no verdict rests on these. Where both machines can be reached, run the "
    "study on a bench of both (`headtohead run STUDY --bench FILE`): interleaved runs cancel what differs from day to "
    "day."
)
_MISSING = Entry("not measured", number=True)
LEAST_LEVELS = 3
"""Fewer levels make no line."""


def grid_parts(found: SystemsComparison) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """Yield the title and the blocks of the grids of each treatment."""
    arms = dict.fromkeys((each.experiment, each.treatment) for each in found.grids)
    for number, (experiment, treatment) in enumerate(arms, start=1):
        own = [each for each in found.grids if (each.experiment, each.treatment) == (experiment, treatment)]
        blocks: list[Block] = [Text(UNPAIRED)]
        for place, each in enumerate(own, start=1):
            blocks += [grid_table(each), *_chart(each, prefix=f"g{number}-{place}")]
        yield f"{experiment}: {treatment}, case by case", tuple(blocks)


def grid_table(grid: SystemsGrid) -> Table:
    """Return a row for each case and a column for each machine."""
    scale = _scale(grid)
    rows = tuple(Row(case_title(row.case), tuple(_cell(each, scale) for each in row.estimates)) for row in grid.rows)
    once = [name for name, within in zip(grid.systems, grid.within_session, strict=True) if within]
    note = f"Intervals of {listed(once)} are of the runs of one session." if once else ""
    direction = {"higher": "more is better", "lower": "less is better"}.get(grid.metric.better, "shown, never judged")
    fields = listed([metric_title(name) for name in dict.fromkeys(name for row in grid.rows for name in row.case)])
    caption = f"{capital(_named(grid, scale))}, by {fields}; {direction}; the interval below each number"
    return Table(caption, fields, grid.systems, (RowGroup("", rows),), note=note)


def _named(grid: SystemsGrid, scale: Scale) -> str:
    unit = unit_words(scale.unit)
    return f"{metric_title(grid.metric.name, loop=grid.loop)}{f', {unit}' if unit else ''}"


def _scale(grid: SystemsGrid) -> Scale:
    return scale_for(grid.metric.unit, [each.value for row in grid.rows for each in row.estimates if each])


def _cell(estimate: Estimate | None, scale: Scale) -> Entry:
    if estimate is None:
        return _MISSING
    ends = estimate.interval
    small = bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else "too few runs for an interval"
    return Entry(scale.bare(estimate.value), small, number=True)


def _chart(grid: SystemsGrid, *, prefix: str) -> Iterator[Figure]:
    """Yield a line for each machine over the levels; nothing if cases have several fields, or no positive numbers."""
    levels = _levels(grid.rows)
    if levels is None or len(levels) < LEAST_LEVELS:
        return
    series = tuple(
        series
        for place, name in enumerate(grid.systems)
        if len((series := _series(grid, levels, place, name)).line) > 1
    )
    if not series:
        return
    scale, field = _scale(grid), metric_title(next(iter(grid.rows[0].case)))
    seen = [y for each in series for _, y in each.line]
    ends = [y for each in series for _, low, high in each.bars for y in (low, high)]
    reach = [*seen, *clipped_ends(ends, seen)]

    def plot(most: int) -> Plot:
        across = level_axis(sorted(levels), below=field, most=most)
        return Plot(series, across, value_axis(reach, scale, most=5), _named(grid, scale))

    title = f"{capital(metric_title(grid.metric.name, loop=grid.loop))} over {field}"
    caption = (
        f"{title}, a line for each machine, not interleaved. The vertical line through a mark is its interval."
        f"{cut_off_note(ends, reach)}"
    )
    yield plot_figure(plot, prefix=prefix, title=title, caption=caption, across=f"{field} {{}} to {{}}")


def _levels(rows: Sequence[GridRow]) -> list[float] | None:
    """Return the level of each case; None if cases have several only, or one is not a number above 0."""
    only = [next(iter(row.case.values())) if len(row.case) == 1 else None for row in rows]
    levels = [float(each) for each in only if isinstance(each, int | float) and not isinstance(each, bool) and each > 0]
    return levels if len(levels) == len(rows) else None


def _series(grid: SystemsGrid, levels: Sequence[float], place: int, name: str) -> Series:
    found = [(level, row.estimates[place]) for level, row in zip(levels, grid.rows, strict=True)]
    known = sorted(
        ((level, each) for level, each in found if each is not None and each.value > 0), key=lambda each: each[0]
    )
    best = max if grid.metric.better == "higher" else min
    text = ""
    if known and grid.metric.better != "neither":
        level, at = best(known, key=lambda each: each[1].value)
        text = f"best {quantity(at.value, grid.metric.unit)}, at {scalar_text(level)}"
    bars = tuple((level, each.interval.low, each.interval.high) for level, each in known if each.interval)
    return Series(name, text, (), tuple((level, each.value) for level, each in known), bars=bars, number=place)
