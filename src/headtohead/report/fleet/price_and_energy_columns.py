"""Cost and energy of the work of several systems, next to their values, from prices and power that people gave."""

from collections.abc import Callable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class CostColumn:
    """A column of price or energy: its head, the note on it, and what makes the cell of a system."""

    head: str
    note: str
    cell: Callable[[Standing], Entry]


def cost_columns(table: SystemsTable) -> tuple[CostColumn, ...]:
    """Return the columns of price and energy of a table; none if neither is known."""
    columns: list[CostColumn] = []
    if any(each.price for each in table.standings):
        columns.append(CostColumn(f"price of a million {work_unit(table.metric)}", PRICED, _price))
    if any(each.joules for each in table.standings):
        columns.append(CostColumn("energy a unit", POWERED, _joules))
    return tuple(columns)


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
