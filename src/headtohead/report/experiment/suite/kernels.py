"""The table of a suite: every kernel or program by effect, with absolute values, then their means."""

from collections.abc import Iterator, Sequence

from headtohead.model.analysis.estimates import Cell, Key
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.analysis.suite import Suite
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.suite.sentences import (
    TIMES,
    level_of,
    like_text,
    ratio_text,
    suite_sentences,
    suite_title,
)
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import times
from headtohead.report.text.numbers.values_with_units import Scale, scale_for, unit_words
from headtohead.report.text.wording import capital


def suite_blocks(context: ExperimentContext) -> Blocks:
    """Yield the cases of a suite one by one; nothing for other experiments."""
    result = context.result
    if result.suite:
        yield from with_heading(f"Each {result.suite}", suite_table(context), *suite_sentences(result))


def suite_table(context: ExperimentContext) -> Table:
    """Return every kernel or program by effect, absolute values next to the ratios, then their means."""
    result, scale = context.result, _scale(context.result)
    first = result.suites[0].cases if result.suites else ()
    order = [each.case for each in first] or context.cases_of(result.primary.of)
    rows = tuple(_row(result, case, scale=scale) for case in order)
    unit = f", {unit_words(scale.unit)}" if scale.unit else ""
    by_effect = f"; by effect, the best of {suite_title(result.suites[0])} first" if result.suites else ""
    caption = f"{capital(context.titled(result.primary.of))}{unit}{by_effect}"
    groups = (RowGroup("", rows), RowGroup("Their mean", tuple(_sums(result, scale=scale))))
    return Table(caption, capital(result.suite), _columns(result), groups, note=_note(result))


def _scale(result: ExperimentResult) -> Scale:
    """Return the unit that suits the least value: kernels differ by factors of up to a thousand."""
    every = (cell for each in result.treatments for cell in each.cells)
    values = [cell.estimate.value for cell in every if cell.metric == result.primary.of]
    return scale_for(result.metric.unit, [min(values)] if values else [])


def _arms(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in result.treatments if not each.floor]


def _clocked(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in _arms(result) if each.per_ghz]


def _columns(result: ExperimentResult) -> tuple[str, ...]:
    return (
        *(suite_title(each) for each in result.suites),
        *(each.label for each in _arms(result)),
        *(f"{each.label}, per GHz" for each in _clocked(result)),
        *((f"reference machine, {result.yardstick.treatment}",) if result.yardstick else ()),
    )


def _row(result: ExperimentResult, case: Case, *, scale: Scale) -> Row:
    ratios = (_ratio(each, case) for each in result.suites)
    return Row(level_of(case, result.suite), (*ratios, *_values(result, Key(case, result.primary.of), scale=scale)))


def _values(result: ExperimentResult, key: Key, *, scale: Scale) -> tuple[Entry, ...]:
    """Return the absolute values: of each treatment, of each per GHz, of the reference machine."""
    rows = (
        *(each.cells for each in _arms(result)),
        *(each.per_ghz for each in _clocked(result)),
        *((result.yardstick.cells,) if result.yardstick else ()),
    )
    return tuple(_value(cells, key, scale=scale) for cells in rows)


def _value(cells: Sequence[Cell], key: Key, *, scale: Scale) -> Entry:
    return estimate_entry(next((each.estimate for each in cells if each.key == key), None), scale)


def _ratio(suite: Suite, case: Case) -> Entry:
    place, each = next(((number, each) for number, each in enumerate(suite.cases) if each.case == case), (0, None))
    if each is None:
        return NOTHING
    ends = {0: "best", len(suite.cases) - 1: "worst"}
    marks = [*([ends[place]] if place in ends else []), *(["tail"] if each.tail else [])]
    value, interval = ratio_text(suite, each.ratio)
    return Entry(value, " ".join([interval, ", ".join(marks)]).strip(), number=True)


def _sums(result: ExperimentResult, *, scale: Scale) -> Iterator[Row]:
    """Yield the mean with its two intervals, and the spread; the first row also has the absolute means."""
    values = _values(result, Key(WHOLE_RUN, result.primary.name), scale=scale)
    suites, blank = result.suites, tuple(Entry("", number=True) for _ in values)
    means = tuple(Entry(*ratio_text(each, each.ratio), number=True) for each in suites)
    yield Row("geometric mean", (*means, *values), small=f"for these {result.suite}s", mark="decides")
    if suites:
        like = tuple(Entry(like_text(each) or NOTHING.text, number=True) for each in suites)
        spreads = tuple(Entry(f"{times(each.spread)}{TIMES}", number=True) for each in suites)
        yield Row("its interval", (*like, *blank), small=f"for {result.suite}s like these")
        yield Row("spread", (*spreads, *blank), small="one standard deviation")


def _note(result: ExperimentResult) -> str:
    """Return at which levels the intervals hold."""
    if not result.suites:
        return ""
    means = {share(each.ratio.interval.confidence) for each in result.suites if each.ratio.interval}
    ratios = [case.ratio for each in result.suites for case in each.cases]
    alone = {share(each.interval.confidence) for each in ratios if each.interval}
    both = (("means", means), (f"single {result.suite}s, exploratory,", alone))
    levels = ", ".join(f"{what} at {' and '.join(sorted(found))}" for what, found in both if found)
    return f"Intervals: {levels}. Nothing is left out of any mean." if levels else "Nothing is left out of any mean."
