"""What work costs: a system's price over its work, CPU and bytes of a million responses.

Intervals are those of the measurements; a price is treated as exact.
"""

from collections.abc import Sequence

from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import AnswerCost, answer_cost, cases_of
from headtohead.analyze.statistics.estimate import geometric
from headtohead.model.analysis.cost import AnswerPrice, WorkPrice
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.external.prices import Tariff
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import Recorded

MILLION = 1e6
HOUR_S = 3600.0
UNITS = {"1/s": 1.0, "B/s": 1e9}
"""From the unit of a rate to a unit of work: one of what it counts, or a GB (10^9 bytes)."""
PAGES = "http/"
"""Interfaces whose responses are pages, which go to users outside."""


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


def over(amount: float, estimate: Estimate) -> Estimate | None:
    """Return an amount over an estimate, with the interval inverted; None if that reaches 0."""
    ends = estimate.interval
    if min(estimate.value, ends.low if ends else estimate.value) <= 0:
        return None
    turned = Interval(amount / ends.high, amount / ends.low, ends.confidence) if ends else None
    return Estimate(amount / estimate.value, turned, estimate.n)


def scaled(estimate: Estimate | None, factor: float | None) -> Estimate | None:
    """Return an estimate times a factor of at least 0; None if either is None."""
    if estimate is None or factor is None:
        return None
    ends = estimate.interval
    interval = Interval(ends.low * factor, ends.high * factor, ends.confidence) if ends else None
    return Estimate(estimate.value * factor, interval, estimate.n)


def answer_prices(
    experiment: PlannedExperiment, runs: Sequence[Recorded], *, tariff: Tariff
) -> tuple[AnswerPrice, ...]:
    """Return the price of a million responses in each case, over valid runs; empty if they are no pages.

    CPU and bytes of one run belong together, so they are added in each run before the mean.
    """
    if not experiment.asks.startswith(PAGES) or (tariff.per_cpu_hour is None and tariff.per_gb_sent is None):
        return ()
    prices = []
    for case in cases_of(experiment):
        found = [_paid_for(each, tariff) for run in runs if (each := answer_cost(experiment, case, run)) is not None]
        both = [cpu + sent for cpu, sent in found if cpu is not None and sent is not None]
        cpu = geometric([each for each, _ in found if each is not None])
        sent = geometric([each for _, each in found if each is not None])
        prices.append(AnswerPrice(case, cpu, sent, geometric(both)))
    return tuple(each for each in prices if each.cpu or each.sent)


def _paid_for(each: AnswerCost, tariff: Tariff) -> tuple[float | None, float | None]:
    """Return the price of the CPU and of the bytes of a million responses; None if not read, or without a price."""
    cpu = sent = None
    if each.cpu_ns is not None and tariff.per_cpu_hour is not None:
        cpu = MILLION * each.cpu_ns / 1e9 * tariff.per_cpu_hour / HOUR_S
    if each.sent_bytes is not None and tariff.per_gb_sent is not None:
        sent = MILLION * each.sent_bytes / 1e9 * tariff.per_gb_sent
    return cpu, sent
