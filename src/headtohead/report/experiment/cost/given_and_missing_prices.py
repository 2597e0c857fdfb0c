"""The prices given for the machines of an experiment, amounts of money in tables, and which prices are missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import Analysis, TreatmentResult
from headtohead.model.external.prices import Stated, Tariff, tariff_on
from headtohead.report.context import ExperimentContext
from headtohead.report.document import Entry
from headtohead.report.experiment.values.cells import estimate_entry
from headtohead.report.text.numbers.values_with_units import NOT_VISIBLE, Scale
from headtohead.report.text.wording import listed

MISSING = Entry("no price", number=True)


@dataclass(frozen=True)
class PricedMachine:
    """A server of the bench, or the one machine: its name (empty for that), its prices, and the treatments on it."""

    name: str
    stated: Stated
    tariff: Tariff
    labels: frozenset[str]


def machines_of(context: ExperimentContext) -> tuple[PricedMachine, ...]:
    """Return the machines that treatments ran on: the servers of a bench, or the one machine."""
    recording, planned = context.study.recording, context.planned
    on: dict[str | None, set[str]] = {}
    for each in planned.treatments if planned else ():
        on.setdefault(each.server, set()).add(each.label)
    return tuple(
        PricedMachine(
            name or "",
            recording.stated.on(name),
            tariff_on(name, recording.stated, recording.hosts),
            frozenset(labels),
        )
        for name, labels in on.items()
    )


def tariff_for(machines: Sequence[PricedMachine], treatment: TreatmentResult) -> Tariff:
    """Return the prices of the machine that a treatment ran on."""
    return next((each.tariff for each in machines if treatment.label in each.labels), Tariff())


def amount_entry(estimate: Estimate | None, money: Scale, *, priced: bool) -> Entry:
    """Return an amount of money; without one, whether the price is missing or the amount to pay for was not visible."""
    if estimate is None:
        return Entry(NOT_VISIBLE, number=True) if priced else MISSING
    return estimate_entry(estimate, money)


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
