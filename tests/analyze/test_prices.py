"""What work costs: arithmetic by hand, intervals carried through, and no figure where a price is missing."""

from dataclasses import replace

import pytest

from headtohead.analyze.breakdown.cost.price_of_work import work_price
from headtohead.analyze.statistics.estimate import over, scaled
from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import ExperimentResult, TreatmentResult
from headtohead.model.external.prices import Price, Stated, SystemPrice, Tariff, tariff_of
from headtohead.model.machine.host import HostFacts
from headtohead.model.plan import Comparison
from headtohead.model.quantity import Metric
from tests.analyze.building import ALPHA, GOODPUT, P99, PER_COPY, experiment, plan, recording, treatment
from tests.analyze.pricing import BOUGHT, DAY, HOST, PACKED, PLAIN, PRICES, STATED, SYSTEM, asked, board

BYTES = Metric("bytes_per_s", "bytes", "B/s", "higher", ("faster", "slower"), "batch", work="bytes")
TARIFF = tariff_of(STATED, (HOST,))
RATE = Estimate(1000.0, Interval(900.0, 1200.0, 0.95), 6)


def result(stated: Stated = STATED) -> ExperimentResult:
    return analyze(board(stated)).experiments[0]


def arm(label: str, stated: Stated = STATED) -> TreatmentResult:
    return next(each for each in result(stated).treatments if each.label == label)


def test_an_hour_of_what_was_bought_is_its_price_over_the_hours_of_its_years() -> None:
    assert tariff_of(STATED, (HOST,)) == Tariff("EUR", 8766.0, 1.0, 2, 0.5, 0.05, 0.36)
    assert replace(BOUGHT, years=4.0).per_hour == pytest.approx(0.25)


def test_an_hour_of_what_is_rented_costs_its_share_of_a_month_and_nothing_was_paid_once() -> None:
    price = Price(73.05, "EUR", DAY, "a list")
    assert SystemPrice(price, "month", None, "").per_hour == pytest.approx(0.1)
    assert SystemPrice(price, "hour", None, "").per_hour == 73.05
    rented = replace(SYSTEM, price=SystemPrice(price, "hour", None, ""))
    assert tariff_of(Stated(rented), (HOST,)).paid_once is None
    found = work_price(GOODPUT, RATE, tariff=tariff_of(Stated(rented), (HOST,)))
    assert found is not None
    assert found.per_rate is None


def test_a_million_answers_cost_the_time_they_take_and_the_interval_turns_round() -> None:
    found = work_price(GOODPUT, RATE, tariff=TARIFF)
    assert found is not None
    assert found.per_million.value == pytest.approx(1 / 3.6)  # 1000 s of 3600 at 1 EUR
    assert found.per_million.n == 6
    ends = found.per_million.interval
    assert ends is not None
    assert (ends.low, ends.high) == pytest.approx((1 / 4.32, 1 / 3.24))
    assert ends.confidence == 0.95
    assert found.per_rate is not None
    assert found.per_rate.value == pytest.approx(8.766)


def test_bytes_are_counted_in_gigabytes() -> None:
    found = work_price(BYTES, Estimate(2e9, None, 1), tariff=TARIFF)
    assert found is not None
    assert found.per_million.value == pytest.approx(500_000 / 3600)  # a million GB at 2 GB/s
    assert found.per_rate is not None
    assert found.per_rate.value == pytest.approx(4383)


def test_what_is_no_rate_has_no_price_and_neither_has_one_that_may_be_zero() -> None:
    assert work_price(P99, RATE, tariff=TARIFF) is None
    assert work_price(GOODPUT, None, tariff=TARIFF) is None
    assert work_price(GOODPUT, Estimate(5.0, Interval(-1.0, 11.0, 0.95), 3), tariff=TARIFF) is None
    assert over(10.0, Estimate(2.0, Interval(1.0, 4.0, 0.9), 3)) == Estimate(5.0, Interval(2.5, 10.0, 0.9), 3)
    assert scaled(Estimate(2.0, Interval(1.0, 4.0, 0.9), 3), 3.0) == Estimate(6.0, Interval(3.0, 12.0, 0.9), 3)


def test_the_rate_of_one_copy_of_several_has_no_price_as_the_machine_did_more() -> None:
    assert work_price(PER_COPY, RATE, tariff=TARIFF) is None


def test_the_harness_s_own_limit_has_no_price() -> None:
    of = experiment(treatments=(treatment("plain"), treatment("noop", floor=True)), comparisons=())
    runs = asked({"plain": PLAIN, "noop": PLAIN}, of=of)
    found = analyze(replace(recording(runs, of=plan(of)), hosts=(HOST,), stated=STATED)).experiments[0]
    assert [each.price is None for each in found.treatments] == [False, True]


def test_a_million_answers_cost_their_cpu_time_and_their_bytes() -> None:
    (plain,), (packed,) = arm("plain").answer_prices, arm("packed").answer_prices
    # 500 s of CPU at 0.5 EUR an hour and 19 GB at 0.05 EUR; 800 s and 4 GB
    assert [each.value for each in (plain.cpu, plain.sent, plain.both) if each] == [
        pytest.approx(250 / 3600),
        pytest.approx(0.95),
        pytest.approx(250 / 3600 + 0.95),
    ]
    assert [each.value for each in (packed.cpu, packed.sent, packed.both) if each] == [
        pytest.approx(400 / 3600),
        pytest.approx(0.2),
        pytest.approx(400 / 3600 + 0.2),
    ]


def test_compressing_pays_from_the_price_on_that_its_cpu_costs_for_each_gigabyte_saved() -> None:
    (found,) = result().break_evens
    assert (found.plain, found.packed) == ("plain", "packed")
    assert found.cpu_s_per_gb is not None
    assert found.cpu_s_per_gb.value == pytest.approx(0.3e-3 / 15_000 * 1e9)  # 20 s a GB
    assert found.price_per_gb is not None
    assert found.price_per_gb.value == pytest.approx(20 * 0.5 / 3600)


def test_the_interval_of_the_break_even_is_over_blocks_and_carried_to_the_price() -> None:
    # Both use 0.08 CPU more in every second block: 0.08 ms more an answer plain, 0.1 ms packed; so 20 and 21.33 s a GB.
    (found,) = analyze(board(step=0.08)).experiments[0].break_evens
    spent, price = found.cpu_s_per_gb, found.price_per_gb
    assert spent is not None
    assert price is not None
    assert spent.n == 6
    assert spent.value == pytest.approx((20 * 64 / 3) ** 0.5)
    assert spent.interval is not None
    assert price.interval is not None
    # log(64/60) apart: their spread is half of that times the root of 6/5, t(5) is 2.5706
    half = 2.5706 * 0.06453852 / 2 * (6 / 5) ** 0.5 / 6**0.5
    assert spent.interval.high / spent.value == pytest.approx(2.718281828**half, rel=1e-4)
    assert price.interval.low == pytest.approx(spent.interval.low * 0.5 / 3600)


def test_without_prices_the_exchange_of_cpu_for_bytes_is_told_all_the_same() -> None:
    (found,) = result(Stated()).break_evens
    assert found.cpu_s_per_gb is not None
    assert found.cpu_s_per_gb.value == pytest.approx(20)
    assert found.price_per_gb is None


def test_what_saves_no_bytes_has_no_break_even() -> None:
    runs = asked({"plain": PLAIN, "packed": (*PACKED[:2], PLAIN[2])})
    (found,) = analyze(replace(board(), runs=tuple(runs))).experiments[0].break_evens
    assert found.cpu_s_per_gb is None
    assert found.price_per_gb is None


def test_only_treatments_that_differ_in_compression_alone_are_paired() -> None:
    arms = tuple(
        treatment(f"{name} {gzip}", levels={"subject": name, "gzip": gzip}) for name in "ab" for gzip in ("off", "on")
    )
    of = experiment(treatments=arms, comparisons=(Comparison("subject", "a off", "b off", {"gzip": "off"}, ALPHA),))
    runs = asked({each.label: PLAIN if each.label.endswith("off") else PACKED for each in arms}, of=of)
    found = analyze(recording(runs, of=plan(of))).experiments[0].break_evens
    assert [(each.plain, each.packed) for each in found] == [("a off", "a on"), ("b off", "b on")]


def test_where_nothing_was_given_there_is_no_figure() -> None:
    for each in result(Stated()).treatments:
        assert (each.price, each.answer_prices, each.energy) == (None, (), ())
    assert analyze(board(Stated())).tariff == Tariff(cpus=2)


def test_each_price_stands_for_itself() -> None:
    (sent_alone,) = arm("plain", Stated(None, PRICES)).answer_prices
    assert (sent_alone.cpu, sent_alone.both) == (None, None)
    assert sent_alone.sent is not None
    assert arm("plain", Stated(None, PRICES)).price is None
    (cpu_alone,) = arm("plain", Stated(SYSTEM, None)).answer_prices
    assert (cpu_alone.sent, cpu_alone.both) == (None, None)
    assert cpu_alone.cpu is not None


def test_cpu_time_has_no_price_where_nobody_counted_the_cpus() -> None:
    blind = replace(board(), hosts=(HostFacts("local", ()),))
    found = analyze(blind).experiments[0].treatments[0]
    assert [each.cpu for each in found.answer_prices] == [None]
    assert found.price is not None
