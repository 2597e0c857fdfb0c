"""What work costs: the price of a system over its work. Intervals are those of the work; a price is exact."""

from headtohead.analyze.statistics.estimate import over
from headtohead.model.analysis.cost import WorkPrice
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.external.prices import Tariff
from headtohead.model.quantity import Metric

MILLION = 1e6
HOUR_S = 3600.0
UNITS = {"1/s": 1.0, "B/s": 1e9}
"""From the unit of a rate to a unit of work: one of what it counts, or a GB (10^9 bytes)."""


def work_price(metric: Metric, primary: Estimate | None, *, tariff: Tariff) -> WorkPrice | None:
    """Return the price of a treatment's work by its primary metric; None if that is no rate, or there is no price."""
    unit = unit_of(metric)
    if unit is None or primary is None or tariff.per_hour is None:
        return None
    per_million = over(MILLION * unit * tariff.per_hour / HOUR_S, primary)
    once = over(unit * tariff.paid_once, primary) if tariff.paid_once is not None else None
    return WorkPrice(once, per_million, tariff.currency) if per_million else None


def unit_of(metric: Metric) -> float | None:
    """Return how much of a metric is a unit of work; None if it is no rate that is better higher.

    None too for the rate of one copy or client of several, which is not the whole machine's.
    """
    return UNITS.get(metric.unit) if metric.better == "higher" and metric.per is None else None
