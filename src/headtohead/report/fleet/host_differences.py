"""The systems and how they differ: host facts side by side, or the number of systems with each value."""

from collections import Counter
from collections.abc import Iterator, Sequence

from headtohead.model.analysis.systems import FactDifference, System, SystemsComparison
from headtohead.model.quantity import Scalar
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.fleet.price_and_energy_columns import price_of
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, fact
from headtohead.report.text.wording import plural

SIDE_BY_SIDE = 4
"""Up to this number systems have a column each; of more the table counts the systems with each value."""
VALUES = 3
"""Of more values than this only the most frequent are listed."""
MOST_FACTS = 200
MOST_LETTERS = 160
"""Longer values, such as a kernel's command line, are cut; hosts.json has them whole."""


def systems_table(found: SystemsComparison, *, most: int) -> Table:
    """Return the systems with their main facts; of more than ``most``, how many systems have each value."""
    systems = found.systems
    columns: tuple[str, ...] = ("CPU", "CPUs", "memory", "kernel", "distribution", "day")
    known = [_known(each) for each in systems]
    if any(each.price for each in systems):
        columns = (*columns, "price, as given")
        known = [(*values, price_of(each) or "not given") for values, each in zip(known, systems, strict=True)]
    if len(systems) <= most:
        rows = tuple(Row(each.name, tuple(map(Entry, values))) for each, values in zip(systems, known, strict=True))
        return Table("The systems compared", "system", columns, (RowGroup("", rows),))
    by_column = zip(columns, zip(*known, strict=True), strict=True)
    rows = tuple(Row(head, (Entry(tally(values, None)),)) for head, values in by_column)
    caption = f"The {len(systems):,} systems compared: values, and how many have them"
    return Table(caption, "fact", ("values (systems)",), (RowGroup("", rows),))


def differing_tables(found: SystemsComparison) -> Iterator[tuple[str, Table]]:
    """Yield titles and tables of host facts that differ: first those not meant to, as they may be the real cause."""
    for intended, head in ((False, "not meant to differ"), (True, "meant to differ")):
        chosen = [each for each in found.facts if each.intended is intended]
        if chosen:
            title = f"{plural(len(chosen), 'host fact')} {head}"
            yield title, _facts(chosen, found.systems, caption=f"Facts of the hosts {head}")


def tally(values: Sequence[Scalar | None], unit: str | None) -> str:
    """Return the values and the number of systems with each; of many numbers only the range.

    >>> tally(["6.1", "6.1", "6.12"], None), tally([1, 2, 3, 4, 5, None], None)
    ('6.1 (2), 6.12 (1)', '5 values from 1 to 5, not visible (1)')
    """
    counts = Counter(values)
    hidden = counts.pop(None, 0)
    unseen = f", {NOT_VISIBLE} ({hidden:,})" if hidden else ""
    numbers = [each for each in counts if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(counts) > VALUES + 1 and len(numbers) == len(counts):
        return f"{len(counts):,} values from {fact(min(numbers), unit)} to {fact(max(numbers), unit)}{unseen}"
    often = counts.most_common(None if len(counts) <= VALUES + 1 else VALUES)
    rest = len(counts) - len(often)
    others = f" and {plural(rest, 'other value')}" if rest else ""
    common = ", ".join(f"{_short(fact(value, unit))} ({count:,})" for value, count in often)
    return f"{common}{others}{unseen}".removeprefix(", ")


def _facts(chosen: Sequence[FactDifference], systems: Sequence[System], *, caption: str) -> Table:
    beside = len(systems) <= SIDE_BY_SIDE
    columns = tuple(each.name for each in systems) if beside else ("values (systems)",)
    rows = tuple(Row(f"{each.group}: {each.name}", tuple(_cells(each, beside=beside))) for each in chosen[:MOST_FACTS])
    left = len(chosen) - len(rows)
    note = f"{left:,} more are left out here; `--json` has all of them." if left else ""
    return Table(caption, "fact", columns, (RowGroup("", rows),), note)


def _cells(each: FactDifference, *, beside: bool) -> Iterator[Entry]:
    if beside:
        yield from (Entry(_short(fact(value, each.unit))) for value in each.values)
    else:
        yield Entry(tally(each.values, each.unit))


def _known(system: System) -> tuple[str, ...]:
    facts = ((system.cpu, None), (system.cpus, None), (system.memory_bytes, "B"), (system.kernel, None))
    texts = [_short(fact(value, unit)) for value, unit in facts]
    return (*texts, _short(fact(system.distribution, None)), system.day or "not known")


def _short(text: str) -> str:
    return text if len(text) <= MOST_LETTERS else f"{text[: MOST_LETTERS - 3]}..."
