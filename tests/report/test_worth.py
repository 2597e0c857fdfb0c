"""Price and energy of several systems beside their values: by what people gave of each, and of nobody else."""

import csv
import dataclasses
import io

import pytest

from headtohead.analyze.fleet.compare_systems import compare_systems
from headtohead.model.analysis.systems import SystemsComparison
from headtohead.model.external.prices import Power, Price, SystemPrice
from headtohead.report.fleet.csv_table import systems_csv
from headtohead.report.terminal.compared_systems import render_systems
from tests.analyze.fleet import system

DAY = "2026-11-01"
HOURLY = SystemPrice(Price(3.6, "EUR", DAY, "an offer"), "hour", None, "")
"""0.001 EUR a second: at 100 answers a second a million take 10,000 s, and cost 10 EUR."""
METER = Power(idle_w=80.0, load_w=200.0, by="A. Person", date=DAY, how="a meter")
STEADY = [99.0, 100.0, 101.0, 99.0, 100.0, 101.0]


def compared() -> SystemsComparison:
    """Return a system with price and power, one twice as fast and twice as dear, and one of which nothing was given."""
    plain = [system(name, [factor * each for each in STEADY]) for name, factor in (("a", 1), ("b", 2), ("c", 3))]
    dear = dataclasses.replace(HOURLY, price=dataclasses.replace(HOURLY.price, amount=14.4))
    return compare_systems(
        [dataclasses.replace(plain[0], price=HOURLY, power=METER), dataclasses.replace(plain[1], price=dear), plain[2]],
        0,
    )


def test_what_a_million_units_cost_and_one_takes_is_price_and_power_over_the_value() -> None:
    told = {each.system: each for each in compared().tables[0].standings}
    first, second, third = (told[name] for name in "abc")
    assert first.price is not None
    assert first.price.per_million.value == pytest.approx(10.0, rel=1e-3)
    assert first.joules is not None
    assert first.joules.value == pytest.approx(2.0, rel=1e-3)
    ends, own = first.price.per_million.interval, first.estimate.interval
    assert ends is not None
    assert own is not None
    assert (ends.low, ends.high) == pytest.approx((1000 / own.high, 1000 / own.low))
    assert second.price is not None
    assert second.price.per_million.value == pytest.approx(20.0, rel=1e-3)
    assert (second.joules, third.price, third.joules) == (None, None, None)


def test_the_page_shows_them_and_says_what_was_not_given() -> None:
    text = render_systems(compared(), width=200)
    for words in ("3.6 EUR (1 November 2026) an hour", "10.0 EUR", "20.0 EUR", "2.00 J", "not given", "no currency is"):
        assert words in text


def test_without_any_price_or_power_nothing_is_said_of_them() -> None:
    bare = compare_systems([system("a", STEADY), system("b", STEADY)], 0)
    text = render_systems(bare, width=200)
    assert "price" not in text
    assert "nergy" not in text


def test_the_table_has_them_and_empty_cells_where_nobody_gave_them() -> None:
    lines = {
        each["system"]: each for each in csv.DictReader(io.StringIO(systems_csv(compared()))) if each["experiment"]
    }
    assert [lines["a"][name] for name in ("million_price", "currency", "unit_j")] == ["10.0003334", "EUR", "2.00006667"]
    assert [lines["b"][name] for name in ("currency", "unit_j", "unit_j_low")] == ["EUR", "", ""]
    assert [lines["c"][name] for name in ("million_price", "million_price_low", "currency", "unit_j_high")] == [""] * 4
    assert None not in lines["a"]
