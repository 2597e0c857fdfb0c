"""The facts of machines in tables: every fact with its source, and the noise passport."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from headtohead.model.machine.host import Fact, HostFacts
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.text.numbers.values_with_units import fact
from headtohead.report.text.wording import capital, plural

PASSPORT = "passport"


_ABBREVIATED = {"cpu": "CPU", "numa": "NUMA"}


def group_title(group: str) -> str:
    """Return the title of a group of facts."""
    return _ABBREVIATED.get(group, capital(group))


def fact_tables(host: HostFacts) -> tuple[Table, ...]:
    """Return a table for each group of a host's facts, in reading order; the noise passport is not among them."""
    groups = {name: facts for name, facts in _groups(host).items() if name != PASSPORT}
    notes = {"numa": _two_totals(host)}
    return tuple(replace(_table(group_title(name), facts), note=notes.get(name, "")) for name, facts in groups.items())


def fact_counts(host: HostFacts) -> tuple[str, ...]:
    """Return for each of these tables how many facts it has, and how many of them are not visible."""
    groups = [facts for name, facts in _groups(host).items() if name != PASSPORT]
    hidden = [sum(each.value is None for each in facts) for facts in groups]
    return tuple(
        f"{plural(len(facts), 'fact')}{f', {unseen} not visible' if unseen else ''}"
        for facts, unseen in zip(groups, hidden, strict=True)
    )


def _two_totals(host: HostFacts) -> str:
    """Return that the kernel's two counts of memory differ, if they do by more than ``_TOTALS_DIFFER``."""
    sizes = [(each.group, each.name, float(each.value)) for each in host.facts if isinstance(each.value, int | float)]
    nodes = sum(size for group, name, size in sizes if group == "numa" and name.endswith(" memory"))
    total = sum(size for group, name, size in sizes if (group, name) == ("memory", "total"))
    if not nodes or not total or abs(nodes / total - 1) <= _TOTALS_DIFFER:
        return ""
    return (
        f"The kernel counts memory twice: {fact(total, 'B')} in all (MemTotal, as at the head of the page), and "
        f"{fact(nodes, 'B')} that its nodes can hand out now. The two counters differ on this machine."
    )


_TOTALS_DIFFER = 0.02


def passport_table(host: HostFacts) -> Table | None:
    """Return a host's noise passport; None if it has none."""
    facts = _groups(host).get(PASSPORT)
    return _table("Noise passport", facts) if facts else None


def _groups(host: HostFacts) -> dict[str, list[Fact]]:
    groups: dict[str, list[Fact]] = {}
    for each in host.facts:
        groups.setdefault(each.group, []).append(each)
    return groups


def _table(caption: str, facts: list[Fact]) -> Table:
    return Table(caption, "Fact", ("Value", "Source"), (RowGroup("", fact_rows(facts)),), headed=True)


def fact_rows(facts: Iterable[Fact], *, grouped: bool = False) -> tuple[Row, ...]:
    """Return a row for each fact; those of a group that are not visible for the same reason share one.

    ``grouped`` is whether rows name the group as well: ``Memory: DIMM type``.
    """
    alike: dict[tuple[str, ...], list[Fact]] = {}
    for each in facts:
        seen = each.value is not None
        key = (each.group, each.name, str(each.value)) if seen else (each.group, "", _why_not(each))
        alike.setdefault(key, []).append(each)
    return tuple(_row(each, grouped=grouped) for each in alike.values())


def _row(alike: Sequence[Fact], *, grouped: bool) -> Row:
    first = alike[0]
    names = ", ".join(each.name for each in alike)
    small = _why_not(first) if first.value is None else ""
    sources = ", ".join(dict.fromkeys(each.source for each in alike))
    head = f"{group_title(first.group)}: {names}" if grouped else names
    return Row(head, (Entry(fact(first.value, first.unit), small), Entry(sources)))


def _why_not(each: Fact) -> str:
    return each.why_not or "no reason was recorded"
