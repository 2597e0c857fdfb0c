"""What the work of each of several systems costs, and its energy, by the given price and power."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from headtohead.analyze.breakdown.cost.price_of_work import unit_of, work_price
from headtohead.analyze.statistics.estimate import over
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.systems import Standing, System
from headtohead.model.external.prices import Power, tariff_by
from headtohead.model.quantity import Metric


def with_worth(standings: Iterable[Standing], metric: Metric, systems: Mapping[str, System]) -> tuple[Standing, ...]:
    """Return standings with the price and the energy of their work, if known.

    The given power was not measured during this work, so the energy is right only as far as the work is similar.
    """
    if not any(each.price or each.power for each in systems.values()):
        return tuple(standings)
    return tuple(_with_worth(each, metric, systems[each.system]) for each in standings)


def _with_worth(standing: Standing, metric: Metric, system: System) -> Standing:
    if system.price is None and system.power is None:
        return standing
    price = work_price(metric, standing.estimate, tariff=tariff_by(system.price)) if system.price else None
    return replace(standing, price=price, joules=_joules(metric, standing.estimate, system.power))


def _joules(metric: Metric, estimate: Estimate, power: Power | None) -> Estimate | None:
    unit = unit_of(metric)
    return over(unit * power.load_w, estimate) if unit is not None and power and power.load_w is not None else None
