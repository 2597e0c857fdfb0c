"""Charts of the curves and matrices of batch programs: latency staircase, latency against traffic, heat maps."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from headtohead.model.analysis.curves import Matrix, PointCurve
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.case import Case
from headtohead.model.machine.host import Fact
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import Axis, clipped_ends, cut_off_note, from_zero, time_axis
from headtohead.report.drawing.chart import Chart, same_on_both
from headtohead.report.drawing.heat_map import Heat, blocks
from headtohead.report.drawing.lines import Plot, Series, logarithmic_note
from headtohead.report.experiment.memory_speed.matrix_tables import matrix_title, matrix_value_text, mirrored
from headtohead.report.text.names import case_title
from headtohead.report.text.numbers import Scale, plain, quantity, scale_for

SIZE, LOAD, RATE = "size_bytes", "load_ns", "bytes_per_s"
MIXES = {"1r0w": "reads alone", "2r1w": "2 reads, 1 write", "1r1w": "1 read, 1 write"}
_FEW = 4
"""Smaller matrices have only a table."""


def draw_memory(context: ExperimentContext, *, prefix: str) -> tuple[Figure, ...]:
    """Return the charts of curves and matrices, treatment by treatment."""
    made: list[Figure] = []
    for number, treatment in enumerate(context.result.treatments, start=1):
        made.extend(_stairs(context, treatment, prefix=f"{prefix}s{number}"))
        made.extend(_loaded(context, treatment, prefix=f"{prefix}m{number}"))
        made.extend(_heats(context, treatment, prefix=f"{prefix}h{number}"))
    return tuple(made)


def curves_of(treatment: TreatmentResult, *, x: str, y: str) -> list[PointCurve]:
    """Return the curves whose points have both figures."""
    every = treatment.point_curves
    return [each for each in every if each.points and all({x, y} <= point.figures.keys() for point in each.points)]


def mix_title(case: Case) -> str:
    """Return a mix of traffic as words: ``2 reads, 1 write``."""
    return MIXES.get(case.levels.get("traffic", ""), case_title(case))


def _named(context: ExperimentContext, treatment: TreatmentResult) -> str:
    return f" of {treatment.label}" if len(context.result.treatments) > 1 else ""


def _stairs(context: ExperimentContext, treatment: TreatmentResult, *, prefix: str) -> Iterator[Figure]:
    curves = curves_of(treatment, x=SIZE, y=LOAD)
    if not curves:
        return
    series = tuple(_stair(context, treatment, each) for each in curves)
    sizes = [x for each in series for x, _ in each.line]
    seen = [y for each in series for _, y in each.line]
    ends = [y for each in series for _, low, high in each.bars for y in (low, high)]
    times = [*seen, *clipped_ends(ends, seen)]
    bands, caches = tuple(_bands(context, treatment)), caches_of(context.facts)

    def plot(most: int) -> Plot:
        across = size_axis(sizes, most=most)
        uprights = tuple((size, name) for size, name in caches if across.low < size < across.high)
        up = time_axis(times, most=5)
        # The names of the levels are below the lines, those of the caches above.
        room = (up.low / 1.6, up.high * 1.8) if up.logarithmic else (-0.12 * up.high, 1.12 * up.high)
        up = replace(up, low=room[0], high=room[1])
        return Plot(series, across, up, "time of a load", bands=bands, uprights=uprights)

    caption = (
        "Time of a load that waits for the one before it, over the size of what the loads wander through. "
        "Marks: geometric means over runs; bars: their intervals. Shaded: the sizes of a "
        "level."
    )
    if caches:
        caption += " Dotted lines: the caches as the machine shows them."
    caption += cut_off_note(ends, times)
    title = f"The latency staircase{_named(context, treatment)}"
    yield _both(plot, prefix=prefix, title=title, caption=f"{title}. {caption}")


def _stair(context: ExperimentContext, treatment: TreatmentResult, curve: PointCurve) -> Series:
    pages = curve.case.levels.get("pages", "")
    levels = [
        f"{name} {plain(latency)}"
        for name, case in level_cases(context, treatment)
        if case.levels.get("pages", "") == pages and (latency := value(context, treatment, case)) is not None
    ]
    text = f"{', '.join(levels)} ns" if levels else ""
    return _series(f"{pages} pages" if pages else case_title(curve.case), text, curve, across=SIZE)


def level_cases(context: ExperimentContext, treatment: TreatmentResult) -> list[tuple[str, Case]]:
    """Return the levels that the treatment has a latency of, with their cases, in the order of caches."""
    found = []
    for case in context.cases_of("load_latency_ns"):
        level = case.levels.get("level")
        if level and context.cell(treatment, case=case, metric="load_latency_ns"):
            found.append((level, case))
    return sorted(found, key=lambda each: (not each[0].startswith("L"), each[0], each[1].text))


def value(
    context: ExperimentContext, treatment: TreatmentResult, case: Case, metric: str = "load_latency_ns"
) -> float | None:
    """Return the value of a metric in a case, or None if it has none."""
    cell = context.cell(treatment, case=case, metric=metric)
    return cell.estimate.value if cell else None


def _bands(context: ExperimentContext, treatment: TreatmentResult) -> Iterator[tuple[float, float, str]]:
    named = set()
    for name, case in level_cases(context, treatment):
        ends = [value(context, treatment, case, f"working_set_{end}_bytes") for end in ("least", "most")]
        if name not in named and ends[0] is not None and ends[1] is not None and ends[0] < ends[1]:
            named.add(name)
            yield ends[0], ends[1], name


def _series(label: str, text: str, curve: PointCurve, *, across: str) -> Series:
    points = sorted(
        (each.figures[across].value, each.figures[LOAD]) for each in curve.points if _above(each.figures[LOAD])
    )
    bars = tuple((x, y.interval.low, y.interval.high) for x, y in points if y.interval)
    return Series(label, text, (), tuple((x, y.value) for x, y in points), bars=bars)


def _above(estimate: Estimate) -> bool:
    return estimate.value > 0 and (estimate.interval is None or estimate.interval.low > 0)


def size_text(size: float) -> str:
    """Return a size as people write it: ``48 KiB``; means of equal sizes are whole bytes but for their last digits."""
    scale = scale_for("B", [round(size)])
    return f"{plain(round(size) / scale.factor)} {scale.unit}"


def size_axis(sizes: Sequence[float], *, most: int) -> Axis:
    """Return a logarithmic axis of sizes, with a few ticks: at the least size and at even powers of 2 times it."""
    least, greatest = min(sizes), max(sizes)
    octaves = max(1, math.floor(math.log2(greatest / least)))
    step = 2 * math.ceil(octaves / (2 * most))
    ticks = tuple((size, size_text(size)) for size in (least * 2.0**power for power in range(0, octaves + 1, step)))
    room = max(greatest / least, 2.0) ** 0.02
    return Axis(least / room, greatest * room, True, ticks, below="size of the working set")


def caches_of(facts: Sequence[Fact]) -> tuple[tuple[float, str], ...]:
    """Return the sizes of the caches for data as the host shows them, each with its name: ``L2 1 MiB``."""
    sizes = [each for each in facts if each.group == "caches" and each.name.endswith(" size")]
    named = ((each.name.removesuffix(" size").removesuffix(" data"), each.value) for each in sizes)
    known = ((name, float(size)) for name, size in named if isinstance(size, int | float) and size > 0)
    return tuple(sorted((size, f"{name} {size_text(size)}") for name, size in known if "instruction" not in name))


def _loaded(context: ExperimentContext, treatment: TreatmentResult, *, prefix: str) -> Iterator[Figure]:
    curves = curves_of(treatment, x=RATE, y=LOAD)
    if not curves:
        return
    series = tuple(_traffic(context, treatment, each) for each in curves)
    rates = [x for each in series for x, _ in each.line]
    seen = [y for each in series for _, y in each.line]
    ends = [top for each in series for _, _, top in each.bars]
    times = [*seen, *clipped_ends(ends, seen)]

    def plot(most: int) -> Plot:
        across = from_zero(rates, Scale(1e9, "GB/s"), below="traffic, GB/s", most=most)
        up = from_zero(times, Scale(1.0, "ns"), below="", most=5)
        return Plot(series, across, up, "time of a load, ns")

    partial = [
        f"{mix_title(each.case)} to {quantity(value(context, treatment, each.case, 'traffic_most_bytes_per_s'), 'B/s')}"
        for each in curves
        if value(context, treatment, each.case, "partial_curve")
    ]
    title = f"Latency next to traffic{_named(context, treatment)}"
    caption = f"{title}: time of a load in memory against what the other CPUs move; at 0 nothing else uses the memory. "
    caption += "Marks: geometric means over runs; bars: their intervals."
    if partial:
        caption += (
            f" Partial curves: {'; '.join(partial)}. So few CPUs do not saturate the memory; more would show more."
        )
    caption += cut_off_note(ends, times)
    yield _both(plot, prefix=prefix, title=title, caption=caption)


def _traffic(context: ExperimentContext, treatment: TreatmentResult, curve: PointCurve) -> Series:
    idle = value(context, treatment, curve.case, "idle_latency_ns")
    names = (("idle", "idle_latency_ns"), ("50 %", "latency_at_half_ns"), ("90 %", "latency_at_90_percent_ns"))
    shown_ns = [
        f"{name} {plain(each)}" for name, metric in names if (each := value(context, treatment, curve.case, metric))
    ]
    made = _series(mix_title(curve.case), f"{', '.join(shown_ns)} ns" if shown_ns else "", curve, across=RATE)
    line = ((0.0, idle), *made.line) if idle is not None else made.line
    return Series(made.label, made.text, (), line, bars=made.bars)


def _heats(context: ExperimentContext, treatment: TreatmentResult, *, prefix: str) -> Iterator[Figure]:
    for number, matrix in enumerate(treatment.matrices):
        if max(len(matrix.rows), len(matrix.columns)) >= _FEW:
            yield _heat(context, treatment, mirrored(matrix), prefix=f"{prefix}x{number}")


def _heat(context: ExperimentContext, treatment: TreatmentResult, matrix: Matrix, *, prefix: str) -> Figure:
    times, values = blocks(matrix.values)
    known = [each for row in values for each in row if each is not None]
    scale = scale_for(matrix.unit, known)
    texts = tuple(tuple("" if each is None else matrix_value_text(each, scale) for each in row) for row in values)
    names = [tuple(str(each) for each in numbers[::times]) for numbers in (matrix.rows, matrix.columns)]
    title = f"{matrix_title(matrix)}{_named(context, treatment)}"
    heat = Heat(
        rows=names[0],
        columns=names[1],
        values=values,
        texts=texts,
        title=f"{matrix_title(matrix)}, {scale.unit}",
        ends=(scale.full(min(known)), scale.full(max(known))),
    )
    caption = f"{title}: faint is little, strong is much. Geometric means over {matrix.n} runs."
    if times > 1:
        caption += f" Each square is the median of {times} by {times} pairs."
    described = f"from {heat.ends[0]} to {heat.ends[1]}"
    return Figure(same_on_both(heat, name=prefix, title=title, description=described), caption)


def _both(plot: Callable[[int], Plot], *, prefix: str, title: str, caption: str) -> Figure:
    described = "; ".join(f"{each.label}: {each.text}" if each.text else each.label for each in plot(4).series)
    return Figure(Chart(prefix, title, described, plot(9), plot(4)), f"{caption}{logarithmic_note(plot(9))}")
