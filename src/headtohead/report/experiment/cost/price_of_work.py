"""What a million units of work cost by the price of the system, as a sentence and a table."""

from collections.abc import Sequence

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.external.prices import HOURS_A_YEAR, Stated, Tariff
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.experiment.cost.given_and_missing_prices import PricedMachine, amount_entry, tariff_for
from headtohead.report.experiment.values.cells import NOTHING, estimate_entry, level_text
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.names import work_unit
from headtohead.report.text.numbers.prices import price_text, system_price_text, years_text
from headtohead.report.text.numbers.values_with_units import Scale, quantity


def price_sentence(result: ExperimentResult, stated: Stated, tariff: Tariff) -> str:
    """Return what a million units of each treatment's work cost; empty if nothing has a price."""
    own = [each for each in result.treatments if each.price]
    costs = [f"{each.label} {_full(each.price.per_million, tariff)}" for each in own if each.price]
    if not costs:
        return ""
    system = stated.system.price if stated.system else None
    by = f"by a system of {system_price_text(system)}" if system else "by the price of each machine"
    return f"A million {work_unit(result.metric)} cost, {by}: {'; '.join(costs)}."


def _full(estimate: Estimate, tariff: Tariff) -> str:
    entry = estimate_entry(estimate, Scale(1.0, tariff.currency))
    return f"{entry.text} {tariff.currency} {entry.small}".rstrip()


def _row(treatment: TreatmentResult, cells: tuple[Entry, ...], tariff: Tariff) -> Row:
    """Return a row for a treatment, with the number of the machine's CPUs that it had."""
    had = len(treatment.card.cpus) if treatment.card else 0
    return Row(treatment.label, cells, small=f"on {had} of {tariff.cpus} CPUs" if had and tariff.cpus else "")


def work_table(result: ExperimentResult, machines: Sequence[PricedMachine], tariff: Tariff) -> Table | None:
    """Return the price of the system divided by the work of each treatment."""
    money, unit = Scale(1.0, tariff.currency), work_unit(result.metric)
    priced = [(each, each.price) for each in arms_of(result) if each.price]
    if not priced:
        return None
    bought = any(price.per_rate for _, price in priced)
    rows = [
        _row(
            arm,
            (
                *((_bought(price.per_rate, money),) if bought else ()),
                estimate_entry(price.per_million, money),
            ),
            tariff_for(machines, arm),
        )
        for arm, price in priced
    ]
    rate = "GB/s" if unit == "GB" else f"/s of {unit}"
    columns = (
        *((f"Price for 1 {rate}, {tariff.currency}",) if bought else ()),
        f"A million {unit}, {tariff.currency}",
    )
    charged = " ".join(filter(None, map(_system_text, machines)))
    note = (
        f"{charged} The whole system is charged for, whatever CPUs a setup had, and taken to "
        "do this work all the time that is paid for. The intervals are those of the rates"
        f"{level_text(price.per_million for _, price in priced)}; a price is taken as exact."
    )
    caption = "By the price of the system; the interval below each number"
    return Table(caption, "Setup", columns, (RowGroup("", tuple(rows)),), note=note)


def _system_text(machine: PricedMachine) -> str:
    """Return the price of the system in a sentence, and the price of an hour."""
    price, tariff = machine.stated.system.price if machine.stated.system else None, machine.tariff
    who = f"The system {machine.name}" if machine.name else "The system"
    if price is None or tariff.per_hour is None:
        return ""
    hourly = f"{quantity(tariff.per_hour, tariff.currency)} an hour, used or not"
    if price.years is None:
        return f"{who} costs {system_price_text(price)}: {hourly}."
    over = f"{years_text(price.years)} of {HOURS_A_YEAR:,.0f} hours"
    return f"{who} costs {price_text(price.price)}, written off over {over}: {hourly}."


def _bought(estimate: Estimate | None, money: Scale) -> Entry:
    """Return the price of a rate; a machine that is rented next to others that were bought has none."""
    return NOTHING if estimate is None else amount_entry(estimate, money, priced=True)
