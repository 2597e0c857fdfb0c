"""The page that compares many systems: its sections, in reading order."""

from collections.abc import Callable, Iterator, Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.systems import Basis, Overall, Standing, SystemsComparison, SystemsTable
from headtohead.model.quantity import Metric
from headtohead.report.document import Block, Document, Entry, Row, RowGroup, Section, Table, Text
from headtohead.report.experiment.suite.sentences import TIMES
from headtohead.report.fleet.host_differences import differing_tables, systems_table
from headtohead.report.fleet.how_to_read import reading
from headtohead.report.fleet.price_and_energy_columns import cost_columns
from headtohead.report.fleet.systems_by_case import grid_parts
from headtohead.report.text.differences import direction_word
from headtohead.report.text.names import metric_title, summary_of
from headtohead.report.text.numbers.ratios import times
from headtohead.report.text.numbers.values_with_units import Scale, bracketed, scale_for, significant, unit_words
from headtohead.report.text.verdicts import as_sentence
from headtohead.report.text.wording import listed, plural

MOST_ROWS = 40
"""A table of more systems is shortened ..."""
BEST, LAST = 10, 3
"""... to this many from its start and from its end, and the baseline."""
RowMaker = Callable[[int], Row]
"""From the index of a system in its table to its row."""
INTERVAL = "interval"
NAMED = 3
"""The most systems named in a sentence; of more only the number is given."""
UNBOUNDED = 1_000.0
"""An interval that reaches this many times further than its value only shows that there were too few runs."""


def systems_page(found: SystemsComparison) -> Document:
    """Return the page; tables of more than 40 systems are shortened and note the number left out."""
    return Document(
        title=f"{plural(len(found.systems) - 1, 'system')} against {found.baseline}",
        opening=Section("", tuple(map(Text, _said(found)))),
        sections=tuple(
            Section(title, blocks, anchor=f"part-{number}") for number, (title, blocks) in enumerate(_parts(found), 1)
        ),
    )


def _parts(found: SystemsComparison) -> Iterator[tuple[str, tuple[Block, ...]]]:
    """Yield the title and the blocks of each section."""
    yield "Systems", (systems_table(found, most=MOST_ROWS),)
    if found.overall.standings:
        yield "All together", (Text(_MORE_IS_BETTER), _overall(found.overall, found.baseline))
    for each in found.tables:
        yield f"{each.experiment}: {each.treatment}", (_test(each, found.baseline),)
    yield from grid_parts(found)
    for title, table in (*differing_tables(found), *_refused(found)):
        yield title, (table,)


def some_names(names: Sequence[str]) -> str:
    """Return the first names, and the number of the others.

    >>> some_names(["a", "b", "c", "d", "e"]), some_names(["a", "b"])
    ('a, b, c and 2 more', 'a and b')
    """
    rest = len(names) - NAMED
    return listed(list(names)) if rest <= 0 else f"{', '.join(names[:NAMED])} and {rest:,} more"


def _said(found: SystemsComparison) -> Iterator[str]:
    yield as_sentence(found.says)
    unmeant = sum(not each.intended for each in found.facts)
    if unmeant:
        verb = "differs" if unmeant == 1 else "differ"
        yield f"{plural(unmeant, 'host fact')} {verb} that no one meant to: each may be the cause of what is seen here."
    if not found.tables:
        yield "Nothing could be compared."
        return
    yield from reading(found)
    if not found.overall.standings:
        yield _no_mean(found.overall)
    if found.unsealed:
        names = some_names(found.unsealed)
        yield f"{plural(len(found.unsealed), 'folder')} without a seal, whose files anyone may have changed: {names}."
    if found.tables_believed:
        yield (
            "Values are those of each folder's measurements.csv. Whether its runs give them was not checked, as these "
            "are many folders; `headtohead verify` checks one."
        )
    if found.broken:
        names = some_names([each.name for each in found.broken])
        yield f"{plural(len(found.broken), 'folder')} could not be read: {names}."


def _no_mean(overall: Overall) -> str:
    if not overall.of:
        return "There is no geometric mean over the tables: none of the metrics is better one way."
    if overall.tables:
        return "There is no geometric mean over the tables: the baseline lacks them."
    lacking = f" (tables are lacking most in {some_names(overall.lacking)})" if overall.lacking else ""
    return f"There is no geometric mean over the tables: none of the {overall.of} is had by every system{lacking}."


_MORE_IS_BETTER = (
    "More is better, whatever the metric: a ratio of times is turned over. The interval is for these tables; others "
    "may turn out otherwise."
)


def _is_mixed(bases: Sequence[Basis | None]) -> bool:
    """Return whether some interval rests on more than the runs within one session."""
    return not set(bases) <= {"within-session", None}


def _marked(value: str, interval: str, basis: Basis | None, mixed: bool) -> tuple[str, str]:
    """Return value and interval; among others, an interval within one session is marked as that."""
    return value, f"{interval}, one session" if mixed and basis == "within-session" else interval


def _overall(overall: Overall, baseline: str) -> Table:
    mixed = _is_mixed([each.ratio_basis for each in overall.standings])

    def row(place: int) -> Row:
        each = overall.standings[place]
        ratio = ("1", "baseline") if each.ratio is None else _marked(*_ratio(each.ratio), each.ratio_basis, mixed)
        cells = (*ratio, _rank(each.rank))
        return Row(each.system, tuple(Entry(cell, number=True) for cell in cells))

    names = [each.system for each in overall.standings]
    groups, note = _shortened(names, baseline, row=row, first="best")
    columns = ("times as good", INTERVAL if mixed else f"{INTERVAL} within the session", "rank")
    had = f"{overall.tables} of {plural(overall.of, 'table')}, all that every system has"
    caption = f"Geometric mean over {had}, against {baseline}"
    notes = [note, f"Tables are lacking in {some_names(overall.lacking)}." if overall.lacking else ""]
    return Table(caption, "system", columns, groups, " ".join(filter(None, notes)))


def _test(table: SystemsTable, baseline: str) -> Table:
    scale = scale_for(table.metric.unit, [each.estimate.value for each in table.standings])
    unit = f", {unit_words(scale.unit)}" if scale.unit else ""
    mixed, among = (
        _is_mixed(bases)
        for bases in ([each.basis for each in table.standings], [each.ratio_basis for each in table.standings])
    )
    value, ratio = (INTERVAL if each else f"{INTERVAL} within the session" for each in (mixed, among))
    own = (f"{metric_title(table.primary.of)}{unit}", value, "ratio", ratio, "verdict", "rank", "sessions", "runs")
    counted = len({each.cpus for each in table.standings}) > 1
    costs = cost_columns(table)
    columns = (*own, *(("CPUs",) if counted else ()), *(each.head for each in costs))

    def row(place: int) -> Row:
        each = table.standings[place]
        own = (scale.bare(each.estimate.value), _ends(each.estimate, scale), each.basis, mixed)
        against = (*_ratio(each.ratio), each.ratio_basis, among) if each.ratio else ("", "", None, False)
        numbers = (*_marked(*own), *_marked(*against))
        cells = (*(Entry(cell, number=True) for cell in numbers), Entry(_verdict(each, table.metric, baseline)))
        sessions = f"{each.sessions}, recorded spread" if each.basis == "recorded-spread" else str(each.sessions)
        rest = (Entry(cell, number=True) for cell in (_rank(each.rank), sessions, str(each.estimate.n)))
        cpus = (Entry(listed([str(count) for count in each.cpus]), number=True),) if counted else ()
        return Row(each.system, (*cells, *rest, *cpus, *(column.cell(each) for column in costs)))

    names = [each.system for each in table.standings]
    first = "first" if table.metric.better == "neither" else "best"
    groups, note = _shortened(names, baseline, row=row, first=first)
    missing = f"Not measured in {some_names(table.missing)}." if table.missing else ""
    direction = {"higher": "more is better", "lower": "less is better"}.get(table.metric.better, "shown, never judged")
    about = f"{table.workload_title}, version {table.workload_version}"
    caption = f"{about}: {summary_of(table.primary)}, {direction}"
    notes = " ".join(filter(None, (note, missing, *(each.note for each in costs))))
    return Table(caption, "system", columns, groups, notes)


def _shortened(names: Sequence[str], baseline: str, *, row: RowMaker, first: str) -> tuple[tuple[RowGroup, ...], str]:
    """Return the rows of a table, and a note on those left out."""
    count = len(names)
    if count <= MOST_ROWS:
        return (RowGroup("", tuple(map(row, range(count)))),), ""
    at = names.index(baseline) if baseline in names else None
    own = [at] if at is not None and BEST <= at < count - LAST else []
    chosen = (
        (f"The {BEST} {first}", range(BEST)),
        ("The baseline", own),
        (f"The last {LAST}", range(count - LAST, count)),
    )
    groups = tuple(RowGroup(title, tuple(map(row, each))) for title, each in chosen if each)
    left = count - BEST - LAST - len(own)
    return groups, f"{left:,} of {count:,} systems are left out here; `--write FILE.csv` and `--json` have all of them."


def _refused(found: SystemsComparison) -> Iterator[tuple[str, Table]]:
    if found.refused:
        rows = [
            Row(
                each.experiment,
                (Entry(each.field), Entry(as_sentence(each.why, capital=None)), Entry(some_names(each.systems))),
            )
            for each in found.refused[:MOST_ROWS]
        ]
        columns = ("differs in", "why", "systems")
        yield "Not compared", _list_of("What could not be compared", columns, rows, len(found.refused))
    if found.broken:
        rows = [Row(each.name, (Entry(as_sentence(each.why, capital=None)),)) for each in found.broken[:MOST_ROWS]]
        yield "Not read", _list_of("Folders that could not be read", ("why",), rows, len(found.broken))


def _list_of(caption: str, columns: tuple[str, ...], rows: Sequence[Row], count: int) -> Table:
    left = count - len(rows)
    note = f"{left:,} more are left out here; `--json` has all of them." if left else ""
    return Table(caption, "experiment" if len(columns) > 1 else "folder", columns, (RowGroup("", tuple(rows)),), note)


def _verdict(standing: Standing, metric: Metric, baseline: str) -> str:
    if standing.system == baseline:
        return "baseline"
    words = {"same": "the same", "inconclusive": "no verdict", "not-measured": "not measured"}
    if standing.verdict in words or standing.ratio is None:
        return words.get(standing.verdict or "", "not measured")
    return direction_word(metric, standing.ratio.value)


def _rank(rank: tuple[int, int] | None) -> str:
    if rank is None:
        return "-"
    return f"{rank[0]:,}" if rank[0] == rank[1] else f"{rank[0]:,} to {rank[1]:,}"


def _ends(estimate: Estimate, scale: Scale) -> str:
    ends = estimate.interval
    if ends is None or ends.high > UNBOUNDED * abs(estimate.value):
        return "too few runs"
    return bracketed(scale.bare(ends.low), scale.bare(ends.high))


def _ratio(ratio: Estimate) -> tuple[str, str]:
    ends, value = ratio.interval, f"{_times(ratio.value)}{TIMES}"
    if ends is None or ends.high > UNBOUNDED * ratio.value:
        return value, "too few runs"
    return value, bracketed(_times(ends.low), _times(ends.high))


def _times(ratio: float) -> str:
    return times(ratio) if ratio < UNBOUNDED else significant(ratio)
