"""The cost of moving bytes: CPU for each gigabyte at both ends, next to the throughput of each case."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import TreatmentResult
from headtohead.model.analysis.sweeps import Sweep
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.machine.link import CEILING
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.load.sweep_charts import DRIVER_COST, MOVED, MOVES, SUBJECT_COST
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.names import case_title, counted, metric_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, Scale, plain, scale_for, unit_words
from headtohead.report.text.wording import capital

CACHED, LINK = "page_cache", "link_share"


@dataclass(frozen=True)
class _Columns:
    """The columns, and the units of those of bytes: in all, and for each of what ``field`` counts."""

    moved: Scale
    each: Scale | None
    field: str
    driven: bool
    linked: bool
    cached: bool


def bytes_cost_blocks(context: ExperimentContext) -> Blocks:
    """Yield throughput and the CPU that a gigabyte took."""
    return with_heading("What a gigabyte costs", bytes_cost_table(context))


def bytes_cost_table(context: ExperimentContext) -> Table | None:
    """Return throughput and the CPU for each gigabyte; None if the experiment is not about bytes."""
    result = context.result
    arms = [each for each in result.treatments if any(cell.metric == MOVED for cell in each.cells)]
    cases = context.cases_of(MOVED) or [WHOLE_RUN]
    if result.primary.of not in MOVES or not arms:
        return None
    columns = _columns(context, arms, cases)
    parts = tuple(_parts(result.sweeps, cases))
    groups = tuple(
        RowGroup(
            _group_title(each, fixed, among=result.treatments),
            tuple(_row(context, each, *row, columns) for row in rows),
        )
        for each in arms
        for fixed, rows in parts
    )
    caption = f"{capital(context.titled(MOVED))} and the CPU time it took; each number with its interval"
    corner = capital(metric_title(result.sweeps[0].field)) if result.sweeps else "Case"
    return Table(caption, corner, tuple(_heads(context, columns)), groups, note=_note(columns))


def _parts(sweeps: Sequence[Sweep], cases: Sequence[Case]) -> Iterator[tuple[Case, list[tuple[Case, str]]]]:
    """Yield what cases have in common, and each case with the head of its row: in a sweep its level."""
    for each in sweeps:
        yield each.fixed, [(case, plain(level)) for level, case in zip(each.levels, each.cases, strict=True)]
    if not sweeps:
        yield WHOLE_RUN, [(case, case_title(case)) for case in cases]


def _group_title(treatment: TreatmentResult, fixed: Case, *, among: Sequence[TreatmentResult]) -> str:
    named = [*([treatment.label] if len(among) > 1 else []), *([case_title(fixed)] if fixed else [])]
    return ": ".join(named)


def _columns(context: ExperimentContext, arms: list[TreatmentResult], cases: list[Case]) -> _Columns:
    unit = context.result.metric.unit
    cells = [(case, cell) for each in arms for case in cases if (cell := context.cell(each, case=case, metric=MOVED))]
    field = _counted_field(cases)
    alone = [cell.estimate.value / number for case, cell in cells if field and (number := _number(case, field))]
    driven = any(cell.metric == DRIVER_COST for each in arms for cell in each.cells)
    return _Columns(
        moved=scale_for(unit, [cell.estimate.value for _, cell in cells]),
        each=scale_for(unit, alone) if alone else None,
        field=field,
        driven=driven or any(each.card and each.card.driver_cpus for each in arms),
        linked=any(cell.metric == LINK for each in arms for cell in each.cells),
        cached=any(cell.metric == CACHED for each in arms for cell in each.cells),
    )


def _heads(context: ExperimentContext, columns: _Columns) -> Iterator[str]:
    yield f"{capital(context.titled(MOVED))}, {unit_words(columns.moved.unit)}"
    if columns.each:
        yield f"Per {counted(columns.field)}, {unit_words(columns.each.unit)}"
    yield "CPU of the program, s per GB"
    if columns.driven:
        yield "CPU of the load generator, s per GB"
    if columns.linked:
        yield "Share of the link"
    if columns.cached:
        yield "Page cache"


def _row(context: ExperimentContext, treatment: TreatmentResult, case: Case, head: str, columns: _Columns) -> Row:
    cell = context.cell(treatment, case=case, metric=MOVED)
    moved = cell.estimate if cell else None
    cells = [estimate_entry(moved, columns.moved)]
    if columns.each:
        number = _number(case, columns.field)
        cells.append(estimate_entry(_shared(moved, number), columns.each) if moved and number else NOTHING)
    costs = (SUBJECT_COST, DRIVER_COST) if columns.driven else (SUBJECT_COST,)
    cells.extend(_cost(context, treatment, case, metric=each) for each in costs)
    if columns.linked:
        cells.append(_link(context, treatment, case))
    if columns.cached:
        cells.append(_page_cache(context, treatment, case))
    return Row(head, tuple(cells))


def _cost(context: ExperimentContext, treatment: TreatmentResult, case: Case, *, metric: str) -> Entry:
    cell = context.cell(treatment, case=case, metric=metric)
    return estimate_entry(cell.estimate, Scale(1.0, "s/GB")) if cell else Entry(NOT_VISIBLE, number=True)


def _link(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Entry:
    """Return the payload as a share of the link's rate, and of the most that payload can reach."""
    cell = context.cell(treatment, case=case, metric=LINK)
    if cell is None:
        return Entry(NOTHING.text, "not shaped", number=True)
    reached = cell.estimate.value
    return Entry(share(reached), f"{share(reached / CEILING)} of its ceiling", number=True)


def _page_cache(context: ExperimentContext, treatment: TreatmentResult, case: Case) -> Entry:
    """Return whether the page cache may have held the bytes: then the figure is not the disk's."""
    cell = context.cell(treatment, case=case, metric=CACHED)
    if cell is None:
        return Entry(NOT_VISIBLE)
    return Entry("used", "not a figure of the disk") if cell.estimate.value else Entry("not used")


def _shared(estimate: Estimate, number: float) -> Estimate:
    """Return the share of one of ``number``."""
    ends = estimate.interval
    interval = Interval(ends.low / number, ends.high / number, ends.confidence) if ends else None
    return Estimate(estimate.value / number, interval, estimate.n)


def _counted_field(cases: Sequence[Case]) -> str:
    """Return the field of the cases that counts clients, processes or streams, if some have several; else empty."""
    fields = (each for case in cases for each in case.levels.items())
    return next((name for name, level in fields if counted(name) != name and level not in ("", "1")), "")


def _number(case: Case, field: str) -> float | None:
    """Return the number of clients, processes or streams that shared the work of a case; None if it is not known."""
    level = case.levels.get(field, "")
    return float(level) if level.isdecimal() and int(level) > 0 else None


_CEILING = (
    f" The link's ceiling: at an MTU of 1500 with TCP timestamps 1448 of the 1514 bytes of a frame are payload, so "
    f"{1000 * CEILING:.0f} of 1000 Mbit/s each way; work that moves bytes both ways at once can have more in all."
)


def _note(columns: _Columns) -> str:
    """Return what the costs include, and what they cannot."""
    link = _CEILING if columns.linked else ""
    ends = "program and load generator, all their processes" if columns.driven else "the program, all its processes"
    return (
        f"A GB is 10^9 bytes. CPU is that of {ends}, while the case was measured. What the kernel does in threads of "
        "its own, such as writing back what was written, is assigned to neither and not included. Not visible: it was "
        "not read, or "
        f"the time watched holds more than the case (the program does not say when it began and ended it).{link}"
    )
