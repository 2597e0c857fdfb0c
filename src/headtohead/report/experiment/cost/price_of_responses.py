"""The price of a million responses: the CPU that they took, and the bytes that were sent."""

from collections.abc import Sequence

from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.external.prices import Stated, Tariff
from headtohead.report.document import Row, RowGroup, Table
from headtohead.report.experiment.cost.given_and_missing_prices import PricedMachine, amount_entry, tariff_for
from headtohead.report.experiment.values.cells import NOTHING, level_text
from headtohead.report.experiment.values.rows_and_columns import arms_of
from headtohead.report.text.numbers.prices import price_text
from headtohead.report.text.numbers.values_with_units import Scale, quantity


def responses_table(result: ExperimentResult, stated: Stated, machines: Sequence[PricedMachine]) -> Table | None:
    """Return what a million answers cost in CPU time and in bytes sent, case by case."""
    arms = [each for each in arms_of(result) if each.answer_prices]
    if not arms:
        return None
    currency = next((each.tariff.currency for each in machines if each.tariff.currency), "")
    money = Scale(1.0, currency)
    groups = tuple(
        RowGroup(
            case.text.replace("=", " "),
            tuple(_answers_row(each, case, money, tariff_for(machines, each)) for each in arms),
        )
        for case in dict.fromkeys(each.case for arm in arms for each in arm.answer_prices)
    )
    searched = " at the highest load that held in each run" if any(each.searches for each in arms) else ""
    caption = f"A million responses{searched}, {currency}; the interval below each number"
    level = level_text(each.both or each.cpu or each.sent for arm in arms for each in arm.answer_prices)
    intervals = f" Intervals{level}." if level else ""
    note = f"{' '.join(map(_cpu_text, machines))} {_sent_text(stated)} Nothing else is in it.{intervals}"
    return Table(caption, "Setup", ("CPU time", "Bytes sent", "Both"), groups, note=note)


def _answers_row(treatment: TreatmentResult, case: Case, money: Scale, tariff: Tariff) -> Row:
    own = next((each for each in treatment.answer_prices if each.case == case), None)
    cpu, sent = tariff.per_cpu_hour is not None, tariff.per_gb_sent is not None
    if own is None:
        return Row(treatment.label, (NOTHING, NOTHING, NOTHING))
    cells = (
        amount_entry(own.cpu, money, priced=cpu),
        amount_entry(own.sent, money, priced=sent),
        amount_entry(own.both, money, priced=cpu and sent),
    )
    return Row(treatment.label, cells)


def _cpu_text(machine: PricedMachine) -> str:
    tariff, on = machine.tariff, f" on {machine.name}" if machine.name else ""
    if tariff.per_cpu_hour is None:
        return f"CPU time{on} has no price: none of the system was given, or its CPUs were not counted."
    return (
        f"CPU time{on}: what the program used for a response, at {quantity(tariff.per_cpu_hour, tariff.currency)} "
        f"a CPU-hour (the price of an hour of the system over its {tariff.cpus} CPUs), as if all that time were used."
    )


def _sent_text(stated: Stated) -> str:
    price = stated.prices.gb_sent if stated.prices else None
    if price is None:
        return "Bytes have no price: none of a GB sent was given."
    return (
        f"Bytes sent: what came over the wire for an answer, its head included, at {price_text(price)} for a GB of "
        f"10^9 bytes ({price.source}); bytes of other layers, and those that clients send, are not included."
    )
