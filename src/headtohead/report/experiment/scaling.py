"""What scaling brought: the gain from more CPUs, copies or threads, in tables that decide nothing."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from headtohead.model.analysis.comparison import ComparisonResult
from headtohead.model.analysis.estimates import Cell, Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.sweeps import Growth, Scaling
from headtohead.model.case import Case
from headtohead.model.quantity import Scalar, scalar_text
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.reuse_interval_of_decided_ratio import ratio_of, with_ratio
from headtohead.report.experiment.values.cells import NOTHING
from headtohead.report.experiment.values.rows_and_columns import row_title
from headtohead.report.text.cases_of_primary_value import ONLY_RATIOS, decides, over_unlike
from headtohead.report.text.differences import at_least_factors
from headtohead.report.text.names import case_phrase, counted, counted_many, metric_of, metric_title
from headtohead.report.text.numbers.percents import share
from headtohead.report.text.numbers.ratios import gains
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, Scale, count, scale_for
from headtohead.report.text.scaling import efficiency_text
from headtohead.report.text.scaling import grown as grown_by
from headtohead.report.text.setup_names import short_title
from headtohead.report.text.wording import capital, listed

MOST_GAINS = 4
"""The most cases whose gain is on a card."""
_CAPTION = "What more of it brought, all else equal"


def scaling_blocks(context: ExperimentContext) -> Blocks:
    """Yield what more CPUs, copies or threads brought."""
    return with_heading("Scaling", growth_table(context))


def _as_elsewhere(context: ExperimentContext, grown: Sequence[Growth]) -> list[Growth]:
    """Return the gains, each of a pair that was compared with the interval that its ratio has in the other tables."""
    pairs = {(each.baseline, each.other): each for each in context.result.comparisons}

    def own(growth: Growth) -> Growth:
        pair = pairs.get((growth.baseline, growth.other))
        ratio = ratio_of(context, pair, metric=growth.summary, case=growth.case) if pair else None
        return replace(growth, scaling=with_ratio(growth.scaling, ratio))

    return [own(each) for each in grown]


def other_gains(context: ExperimentContext) -> str:
    """Return the gain in every case but that of the answer, at most ``MOST_GAINS``: another key, another operation.

    Empty unless a single pair was compared, by its gain: of several each case would have several gains.
    """
    result = context.result
    pairs = [each for each in result.comparisons if each.scaling]
    if len(pairs) != 1 or len(result.comparisons) != 1:
        return ""
    gains_of = dict(_by_case(context, pairs[0]))
    known = [(case, each, each.interval) for case, each in gains_of.items() if each.interval]
    levels = {ends.confidence for _, _, ends in known}
    found = [_gain_text(case, each, ends, pairs[0], alone=len(levels) > 1) for case, each, ends in known]
    more = f"; {len(found) - MOST_GAINS} more in the tables" if len(found) > MOST_GAINS else ""
    level = "" if len(levels) > 1 else "".join(_level(each, pairs[0]) for each in levels)
    return capital(f"{'; '.join(found[:MOST_GAINS])}{level and f' (each{level})'}{more}.") if found else ""


def gains_by_setup(context: ExperimentContext) -> str:
    """Return the gain of each setup on the primary summary that no comparison decided; empty if there are many.

    Empty too unless all grow from and to the same number.
    """
    result = context.result
    decided = {(each.baseline, each.other) for each in result.comparisons}
    of_primary = [each for each in result.growth if each.summary == result.primary.name and not each.case]
    found = [each for each in _as_elsewhere(context, of_primary) if (each.baseline, each.other) not in decided]
    steps = {(each.scaling.factor, each.scaling.low, each.scaling.high) for each in found}
    if not result.comparisons or len(steps) != 1 or len(found) > MOST_GAINS:
        return ""
    gained = [
        f"{name} {' '.join(gains(each.scaling.gain, each.scaling.interval))}"
        for name, each in zip(names_of_growing(found, result), found, strict=True)
    ]
    ideal = share(found[0].scaling.ideal)
    return f"{capital(grown_by(found[0].scaling))} brings {listed(gained)}; ideal +{ideal}."


def names_of_growing(grown: Sequence[Growth], result: ExperimentResult) -> list[str]:
    """Return the titles of the subjects that grew; if two are equal, what the setups of each have in common."""
    titles = {each.label: short_title(each.title) for each in result.treatments}
    named = [titles.get(each.baseline) or _named(each.fixed) for each in grown]
    return named if len(set(named)) == len(named) else [_named(each.fixed) for each in grown]


def _by_case(context: ExperimentContext, pair: ComparisonResult) -> Iterator[tuple[Case, Estimate]]:
    """Yield the ratio of a pair in other cases: those of summaries in one field first, then those without a summary."""
    primary, known = context.result.primary, []
    grown = [each for each in context.result.growth if (each.baseline, each.other) == (pair.baseline, pair.other)]
    for each in _as_elsewhere(context, grown):
        summary = context.summaries.get(each.summary)
        if each.case or summary is None or summary.of != primary.of:
            continue
        where = {**primary.where, **summary.where}
        apart = [name for name in where if summary.where.get(name) != primary.where.get(name)]
        if len(apart) == 1 and len(summary.where.get(apart[0], ())) == 1:
            known.append(Case({name: levels[0] for name, levels in where.items() if len(levels) == 1}))
            yield known[-1], _ratio(each.scaling)
    cases = context.cases_of(primary.of)
    for other in pair.exploratory if known else ():
        shown = decides(other.case, primary) or any(case.covers(other.case) for case in known)
        if other.metric == primary.of and other.case and not shown:
            yield other.case.only(_differing(cases)), other.ratio


def _ratio(scaling: Scaling) -> Estimate:
    ends = scaling.interval
    return Estimate(1 + scaling.gain, Interval(1 + ends.low, 1 + ends.high, ends.confidence), 0)


def _differing(cases: Sequence[Case]) -> list[str]:
    names = dict.fromkeys(name for each in cases for name in each)
    return [name for name in names if len({each.levels.get(name) for each in cases}) > 1]


def _gain_text(case: Case, ratio: Estimate, ends: Interval, pair: ComparisonResult, *, alone: bool) -> str:
    """Return a case with its ratio, and the level of its interval if no other has that and the answer's is lower."""
    low, size, high = at_least_factors([ends.low, ratio.value, ends.high])
    level = _level(ends.confidence, pair) if alone else ""
    return f"{case_phrase(case).removeprefix('with ')} {size} ({low} to {high}{level})"


def _level(confidence: float, pair: ComparisonResult) -> str:
    """Return the level of an interval if it is above that of the answer, else nothing."""
    own = pair.ratio.interval.confidence if pair.ratio and pair.ratio.interval else 1.0
    return f" at {share(confidence)}" if confidence > own else ""


def growth_table(context: ExperimentContext) -> Table | None:
    """Return the gain from more CPUs, copies or threads; in a sweep at each level, as in the articles.

    None if no factor counts anything.
    """
    grown = _as_elsewhere(context, context.result.growth)
    if not grown:
        return None
    return _by_level(context, grown) if any(each.case for each in grown) else _by_summary(context, grown)


def _by_summary(context: ExperimentContext, grown: Sequence[Growth]) -> Table:
    groups = []
    for factor in dict.fromkeys(each.scaling.factor for each in grown):
        rows = tuple(_growth_row(context, each) for each in grown if each.scaling.factor == factor)
        groups.append(RowGroup(capital(counted_many(factor)), rows))
    columns = ("From", "To", "Gain", "Ideal", "Efficiency")
    unlike = f" {ONLY_RATIOS}" if over_unlike(context.result) else ""
    note = (
        "Ratios within blocks, with the intervals of the other tables. Gains of setups that were not compared are "
        f"exploratory, with intervals that share 5 %.{unlike}"
    )
    return Table(_CAPTION, "What", columns, tuple(groups), note=note, deciding=(2,))


def _growth_row(context: ExperimentContext, growth: Growth) -> Row:
    scaling, arms = growth.scaling, {each.label: each for each in context.result.treatments}
    values = [context.cell(arms[label], metric=growth.summary) for label in (growth.baseline, growth.other)]
    metric = metric_of(context.result, growth.summary, context.summaries)
    scale = scale_for(metric.unit if metric else "1", [each.estimate.value for each in values if each])
    many = (scaling.low, scaling.high)
    cells = (
        *(_with_count(each, number, scale) for number, each in zip(many, values, strict=True)),
        _gain(growth),
        Entry(f"+{share(scaling.ideal)}", number=True),
        Entry(share(scaling.efficiency), number=True),
    )
    return Row(_named(growth.fixed), cells, small=metric_title(growth.summary))


def _with_count(cell: Cell | None, number: float, scale: Scale) -> Entry:
    return Entry(scale.full(cell.estimate.value) if cell else NOT_VISIBLE, f"with {count(number)}", number=True)


def _named(fixed: Mapping[str, Scalar]) -> str:
    """Return what two treatments have in common: the subject, then the other levels with their names."""
    levels = [f"{name} {scalar_text(level)}" for name, level in fixed.items() if name != "subject"]
    subject = scalar_text(fixed.get("subject", ""))
    return ", ".join([*([subject] if subject else []), *levels])


def _by_level(context: ExperimentContext, grown: Sequence[Growth]) -> Table:
    """Return a column for each pair, a row for each level and each summary: the gains, then the efficiencies."""
    pairs = tuple(dict.fromkeys((each.baseline, each.other) for each in grown))
    by_key = {(each.case, each.summary, each.baseline, each.other): each for each in grown}
    lines = tuple(dict.fromkeys((each.case, each.summary) for each in (*_levels(context, grown), *grown)))

    def row(case: Case, name: str, *, efficient: bool) -> Row:
        found = [by_key.get((case, name, *pair)) for pair in pairs]
        cells = tuple(_entry(each, efficient=efficient) for each in found)
        return Row(row_title(context, case) if case else metric_title(name), cells)

    first = [next(each for each in grown if (each.baseline, each.other) == pair) for pair in pairs]
    ideals = Row("ideal", tuple(Entry(f"+{share(each.scaling.ideal)}", number=True) for each in first))
    reached = tuple(row(*line, efficient=True) for line in lines)
    groups = (
        RowGroup("Gain", (*(row(*line, efficient=False) for line in lines), ideals)),
        RowGroup("Efficiency: the share of the ideal that was reached", reached),
    )
    note = (
        "Exploratory: ratios within blocks; the intervals of all levels share 5 %, and so do those of their summaries. "
        "A gain that a comparison decided has its interval. A gain below 0 % is a loss."
    )
    columns = tuple(_pair_title(each) for each in first)
    return Table(_CAPTION, capital(metric_title(context.result.sweep)), columns, groups, note=note)


def _levels(context: ExperimentContext, grown: Iterable[Growth]) -> list[Growth]:
    """Return the gains in single cases, in reading order: levels come before their summaries."""
    place = {case: number for number, case in enumerate(context.cases())}
    return sorted((each for each in grown if each.case), key=lambda each: place.get(each.case, len(place)))


def _pair_title(growth: Growth) -> str:
    low, high = growth.scaling.low, growth.scaling.high
    noun = counted(growth.scaling.factor) if low == 1 else counted_many(growth.scaling.factor)
    return f"{_named(growth.fixed)}: {count(high)} against {count(low)} {noun}"


def _entry(growth: Growth | None, *, efficient: bool) -> Entry:
    if growth is None:
        return NOTHING
    return Entry(*efficiency_text(growth.scaling), number=True) if efficient else _gain(growth)


def _gain(growth: Growth) -> Entry:
    return Entry(*gains(growth.scaling.gain, growth.scaling.interval), number=True)
