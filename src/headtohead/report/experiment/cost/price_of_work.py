"""What work costs, in tables and sentences: by the price of the system, by CPU and bytes, and when compression pays.

Without a price there is no figure: one sentence names the missing prices and how to give them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

from headtohead.model.analysis.cost import BreakEven
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import Analysis, ExperimentResult, TreatmentResult
from headtohead.model.case import Case
from headtohead.model.external.prices import HOURS_A_YEAR, Stated, Tariff, tariff_of, tariff_on
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Blocks, Entry, Row, RowGroup, Table, with_heading
from headtohead.report.experiment.cost.energy import energy_table
from headtohead.report.experiment.values import NOTHING, estimate_entry, level_text
from headtohead.report.text.names import work_unit
from headtohead.report.text.numbers import NOT_VISIBLE, Scale, count, quantity
from headtohead.report.text.prices import price_text, system_price_text
from headtohead.report.text.wording import listed

MISSING = Entry("no price", number=True)
_S = Scale(1.0, "s")


def price_blocks(context: ExperimentContext) -> Blocks:
    """Yield the tables of what an experiment's work costs, each with its heading; nothing if nothing is known."""
    stated, machines = context.study.recording.stated, _machines(context)
    tariff = tariff_of(stated, context.study.recording.hosts)
    made = (
        ("What the work costs", _work_table(context.result, machines, tariff)),
        ("What a million answers cost", _answers_table(context.result, stated, machines)),
        ("Where compression pays", _break_even_table(context.result, stated, tariff)),
        ("Energy", energy_table(context.result, stated, tariff)),
    )
    for title, table in made:
        yield from with_heading(title, table)


@dataclass(frozen=True)
class _Machine:
    """A server of the bench, or the one machine: its name (empty for that), its prices, and the treatments on it."""

    name: str
    stated: Stated
    tariff: Tariff
    labels: frozenset[str]


def _machines(context: ExperimentContext) -> tuple[_Machine, ...]:
    recording, planned = context.study.recording, context.planned
    on: dict[str | None, set[str]] = {}
    for each in planned.treatments if planned else ():
        on.setdefault(each.server, set()).add(each.label)
    return tuple(
        _Machine(
            name or "",
            recording.stated.on(name),
            tariff_on(name, recording.stated, recording.hosts),
            frozenset(labels),
        )
        for name, labels in on.items()
    )


def _tariff(machines: Sequence[_Machine], treatment: TreatmentResult) -> Tariff:
    """Return the prices of the machine that a treatment ran on."""
    return next((each.tariff for each in machines if treatment.label in each.labels), Tariff())


def price_sentence(result: ExperimentResult, stated: Stated, tariff: Tariff) -> str:
    """Return what a million units of each treatment's work cost; empty if nothing has a price."""
    own = [each for each in result.treatments if each.price]
    costs = [f"{each.label} {_full(each.price.per_million, tariff)}" for each in own if each.price]
    if not costs:
        return ""
    system = stated.system.price if stated.system else None
    by = f"by a system of {system_price_text(system)}" if system else "by the price of each machine"
    return f"A million {work_unit(result.metric)} cost, {by}: {'; '.join(costs)}."


def missing_prices_sentence(analysis: Analysis) -> str:
    """Return one sentence on missing prices and how to give them; empty if none is missing."""
    systems, prices = analysis.stated.systems, analysis.stated.prices
    figures = {
        "the price of this system": bool(systems) and all(each.price is not None for each in systems),
        "the price of a GB sent": prices is not None and prices.gb_sent is not None,
        "the price of a kWh": prices is not None and prices.kwh is not None,
    }
    missing = [what for what, there in figures.items() if not there]
    if not missing:
        return ""
    none = len(missing) == len(figures)
    start = "No prices were given" if none else f"Not given: {listed(missing)}, so what needs it is not shown in money"
    return f"{start}: `headtohead report {quote(analysis.name)} --systems DIR --prices FILE`."


def _full(estimate: Estimate, tariff: Tariff) -> str:
    entry = estimate_entry(estimate, Scale(1.0, tariff.currency))
    return f"{entry.text} {tariff.currency} {entry.small}".rstrip()


def _arms(result: ExperimentResult) -> list[TreatmentResult]:
    return [each for each in result.treatments if not each.floor]


def _row(treatment: TreatmentResult, cells: tuple[Entry, ...], tariff: Tariff) -> Row:
    """Return a row for a treatment, with the number of the machine's CPUs that it had."""
    had = len(treatment.card.cpus) if treatment.card else 0
    return Row(treatment.label, cells, small=f"on {had} of {tariff.cpus} CPUs" if had and tariff.cpus else "")


def _work_table(result: ExperimentResult, machines: Sequence[_Machine], tariff: Tariff) -> Table | None:
    """Return the price of the system divided by the work of each treatment."""
    money, unit = Scale(1.0, tariff.currency), work_unit(result.metric)
    priced = [(each, each.price) for each in _arms(result) if each.price]
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
            _tariff(machines, arm),
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


def _system_text(machine: _Machine) -> str:
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


def years_text(years: float) -> str:
    """Return a number of years: ``4 years``, ``1 year``."""
    return f"{count(years)} year{'' if years == 1 else 's'}"


def _answers_table(result: ExperimentResult, stated: Stated, machines: Sequence[_Machine]) -> Table | None:
    """Return what a million answers cost in CPU time and in bytes sent, case by case."""
    arms = [each for each in _arms(result) if each.answer_prices]
    if not arms:
        return None
    currency = next((each.tariff.currency for each in machines if each.tariff.currency), "")
    money = Scale(1.0, currency)
    groups = tuple(
        RowGroup(
            case.text.replace("=", " "),
            tuple(_answers_row(each, case, money, _tariff(machines, each)) for each in arms),
        )
        for case in dict.fromkeys(each.case for arm in arms for each in arm.answer_prices)
    )
    searched = " at the highest load that held in each run" if any(each.searches for each in arms) else ""
    caption = f"A million answers{searched}, {currency}; the interval below each number"
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
        _amount(own.cpu, money, priced=cpu),
        _amount(own.sent, money, priced=sent),
        _amount(own.both, money, priced=cpu and sent),
    )
    return Row(treatment.label, cells)


def _cpu_text(machine: _Machine) -> str:
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


def _break_even_table(result: ExperimentResult, stated: Stated, tariff: Tariff) -> Table | None:
    """Return the price of a GB from which on compressing is cheaper than sending, for each pair of treatments."""
    if not result.break_evens:
        return None
    priced = any(each.price_per_gb for each in result.break_evens)
    groups = tuple(
        RowGroup(
            case.text.replace("=", " "),
            tuple(_break_even_row(each, tariff, priced=priced) for each in result.break_evens if each.case == case),
        )
        for case in dict.fromkeys(each.case for each in result.break_evens)
    )
    columns = (
        "CPU for each GB saved, s",
        *((f"Break-even price of a GB, {tariff.currency}", "At the price given") if priced else ()),
    )
    at_level = level_text(each.cpu_s_per_gb for each in result.break_evens)
    sent = stated.prices.gb_sent if stated.prices else None
    note = (
        "The CPU that compressing an answer takes, over the bytes that it saves, in each block; the interval is over "
        f"blocks{at_level}, and exploratory. A GB sent that costs more than this CPU is worth compressing."
        f"{f' The price given is {price_text(sent)}.' if sent and priced else ''} What clients do to unpack it, and "
        "whether they wait longer, is not included."
    )
    caption = "Compressing against sending plain; the interval below each number"
    return Table(caption, "Setup", columns, groups, note=note)


def _break_even_row(each: BreakEven, tariff: Tariff, *, priced: bool) -> Row:
    cells = [estimate_entry(each.cpu_s_per_gb, _S)]
    if priced:
        cells += [
            estimate_entry(each.price_per_gb, Scale(1.0, tariff.currency)),
            Entry(cheaper_text(each, tariff.per_gb_sent)),
        ]
    return Row(each.packed, tuple(cells), small=f"against {each.plain}")


def cheaper_text(each: BreakEven, per_gb_sent: float | None) -> str:
    """Return which of the two is cheaper at the price of a GB, if the interval decides it."""
    spent, price = each.cpu_s_per_gb, each.price_per_gb
    if spent is None or price is None:
        return "it saved no bytes, or they could not be read"
    if spent.interval and spent.interval.high <= 0:
        return "compressing is cheaper at any price: it takes no more CPU"
    if per_gb_sent is None:
        return "no price of a GB sent"
    if price.interval and per_gb_sent > price.interval.high:
        return "compressing is cheaper"
    if price.interval and per_gb_sent < price.interval.low:
        return "sending plain is cheaper"
    return "is not known"


def _bought(estimate: Estimate | None, money: Scale) -> Entry:
    """Return the price of a rate; a machine that is rented next to others that were bought has none."""
    return NOTHING if estimate is None else _amount(estimate, money, priced=True)


def _amount(estimate: Estimate | None, money: Scale, *, priced: bool) -> Entry:
    """Return an amount of money; without one, whether the price is missing or the amount to pay for was not visible."""
    if estimate is None:
        return Entry(NOT_VISIBLE, number=True) if priced else MISSING
    return estimate_entry(estimate, money)
