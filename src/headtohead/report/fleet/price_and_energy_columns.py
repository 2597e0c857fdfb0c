"""Cost and energy of the work of several systems, next to their values, from prices and power that people gave."""

from collections.abc import Callable, Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.systems import Standing, System, SystemsTable
from headtohead.report.document import Entry
from headtohead.report.text.names import work_unit
from headtohead.report.text.numbers.prices import system_price_text
from headtohead.report.text.numbers.values_with_units import bracketed, quantity, scale_for

NOT_GIVEN = Entry("not given", number=True)

PRICED = (
    "A price of work is that of the system, as its system.toml gives it, over its value: the whole system is charged "
    "for, used or not, and no currency is changed into another."
)
POWERED = (
    "Energy is the power of the whole machine under load, as its system.toml gives it, over its value: it was not read "
    "while this work was done."
)


def price_of(system: System) -> str:
    """Return the price of a system as it was given; empty if none was."""
    return system_price_text(system.price) if system.price else ""


def cost_columns(table: SystemsTable) -> tuple[str, ...]:
    """Return the column heads of price and energy in a table; empty if neither is known."""
    unit = work_unit(table.metric)
    return tuple(head.format(unit=unit) for head, _, _ in _chosen(table.standings))


def cost_cells(table: SystemsTable, standing: Standing) -> tuple[Entry, ...]:
    """Return the cells of a system in these columns."""
    return tuple(cell(standing) for _, _, cell in _chosen(table.standings))


def cost_notes(table: SystemsTable) -> tuple[str, ...]:
    """Return the notes on these columns, a sentence each."""
    return tuple(note for _, note, _ in _chosen(table.standings))


def _chosen(standings: Sequence[Standing]) -> list[tuple[str, str, Callable[[Standing], Entry]]]:
    chosen: list[tuple[str, str, Callable[[Standing], Entry]]] = []
    if any(each.price for each in standings):
        chosen.append(("price of a million {unit}", PRICED, _price))
    if any(each.joules for each in standings):
        chosen.append(("energy a unit", POWERED, _joules))
    return chosen


def _price(standing: Standing) -> Entry:
    price = standing.price
    return _entry(price.per_million, price.currency) if price else NOT_GIVEN


def _joules(standing: Standing) -> Entry:
    return _entry(standing.joules, "J") if standing.joules else NOT_GIVEN


def _entry(estimate: Estimate, unit: str) -> Entry:
    ends = estimate.interval
    scale = scale_for(unit, [estimate.value])
    small = bracketed(scale.bare(ends.low), scale.bare(ends.high)) if ends else ""
    return Entry(quantity(estimate.value, unit), small, number=True)
