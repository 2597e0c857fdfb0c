"""The price of a million responses: their CPU and their bytes, each at its price."""

from collections.abc import Sequence

from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import AnswerCost, answer_cost, cases_of
from headtohead.analyze.breakdown.cost.price_of_work import HOUR_S, MILLION
from headtohead.analyze.statistics.estimate import geometric
from headtohead.model.analysis.cost import AnswerPrice
from headtohead.model.external.prices import Tariff
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import Recorded

PAGES = "http/"
"""Interfaces whose responses are pages, which go to users outside."""


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
