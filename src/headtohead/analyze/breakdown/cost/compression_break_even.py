"""Where compression pays: the CPU that it costs over the bytes that it saves."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from headtohead.analyze.breakdown.cost.cpu_and_bytes_per_response import AnswerCost, answer_cost, cases_of
from headtohead.analyze.breakdown.cost.price_of_work import HOUR_S
from headtohead.analyze.samples.valid_values import Samples
from headtohead.analyze.statistics.estimate import geometric, scaled
from headtohead.model.analysis.cost import BreakEven
from headtohead.model.case import Case
from headtohead.model.external.prices import COMPRESSES, Tariff
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.quantity import Scalar, scalar_text

OFF = "off"


def break_evens(samples: Samples, *, tariffs: Callable[[str | None], Tariff]) -> tuple[BreakEven, ...]:
    """Return where compression pays, for each pair of treatments that differ in it alone, in each case.

    ``tariffs`` returns the prices by the label of a server; both treatments of a pair are on the same.
    """
    return tuple(
        _break_even(samples, pair, case, tariff=tariffs(pair.plain.server))
        for pair in _pairs(samples.experiment)
        for case in cases_of(samples.experiment)
        if any(_both(samples, pair, case))
    )


@dataclass(frozen=True)
class _Pair:
    plain: Treatment
    packed: Treatment


def _pairs(experiment: PlannedExperiment) -> Iterator[_Pair]:
    """Yield the treatments that compress, each with the one that does not, all other levels equal."""
    for factor in COMPRESSES:
        plain = [each for each in experiment.treatments if _level(each, factor) == OFF]
        packed = [each for each in experiment.treatments if _level(each, factor) not in (OFF, None)]
        for each in packed:
            for one in plain:
                if _others(one, factor) == _others(each, factor):
                    yield _Pair(one, each)


def _level(treatment: Treatment, factor: str) -> str | None:
    return scalar_text(treatment.levels[factor]) if factor in treatment.levels else None


def _others(treatment: Treatment, factor: str) -> dict[str, Scalar]:
    return {name: level for name, level in treatment.levels.items() if name != factor}


def _both(samples: Samples, pair: _Pair, case: Case) -> Iterator[tuple[AnswerCost, AnswerCost]]:
    """Yield what a response cost in the plain and in the packed run of each block in which both count."""
    plain, packed = (samples.counted.get(each.label, {}) for each in (pair.plain, pair.packed))
    for block in plain:
        if block in packed:
            both = [answer_cost(samples.experiment, case, each[block]) for each in (plain, packed)]
            if both[0] is not None and both[1] is not None:
                yield both[0], both[1]


def _break_even(samples: Samples, pair: _Pair, case: Case, *, tariff: Tariff) -> BreakEven:
    trades = [each for both in _both(samples, pair, case) if (each := _traded(*both)) is not None]
    saves = all(saved > 0 for _, saved in trades)
    found = geometric([paid / saved for paid, saved in trades]) if saves else None  # ns a byte are s a GB
    each_s = tariff.per_cpu_hour / HOUR_S if tariff.per_cpu_hour is not None else None
    return BreakEven(case, pair.plain.label, pair.packed.label, found, scaled(found, each_s))


def _traded(plain: AnswerCost, packed: AnswerCost) -> tuple[float, float] | None:
    """Return the CPU (ns) for compressing a response, and the bytes saved; None if one was not read."""
    if plain.cpu_ns is None or packed.cpu_ns is None or plain.sent_bytes is None or packed.sent_bytes is None:
        return None
    return packed.cpu_ns - plain.cpu_ns, plain.sent_bytes - packed.sent_bytes
