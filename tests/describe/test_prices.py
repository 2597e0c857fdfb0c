"""What people write of machines and prices: read right, or refused with the thing, the cause and the remedy."""

import re

import pytest

from headtohead.describe.external.prices import check_one_currency, fitting, misfit, prices_in, system_in
from headtohead.describe.home import Home, find_home
from headtohead.describe.toml.position import Place
from headtohead.model.errors import WordsError
from headtohead.model.external.prices import Power, Price, Prices, System, SystemPrice
from headtohead.model.machine.host import Fact, HostFacts

SYSTEM_TOML = """
format  = 1
title   = "Lab server 2"
chassis = "2U"
memory_limit_gib = 1.5
[fits.cpu]
threads = 2
model   = "A CPU"
[price]
amount   = 4200
currency = "EUR"
date     = "2026-11-01"
source   = "an offer"
years    = 4
[power]
idle_w = 80
load_w = 210.5
by     = "A. Person"
date   = "2026-11-02"
how    = "meter at the wall"
"""
PRICES_TOML = """
format   = 1
currency = "EUR"
gb_sent  = { amount = 0.05, date = "2026-11-01", source = "a list" }
kwh      = { amount = 0.31, date = "2026-11-02", source = "a bill" }
"""
OFFER = Price(4200.0, "EUR", "2026-11-01", "an offer")
HERE = HostFacts(
    "local",
    (
        Fact("cpu", "threads", 2, None, "made up"),
        Fact("cpu", "model", "A CPU", None, "made up"),
        Fact("cpu", "family", "26", None, "made up"),
        Fact("memory", "ECC", None, None, "made up", "nobody says"),
    ),
)
PLACE = Place("systems/lab.toml")


@pytest.fixture(scope="module")
def home() -> Home:
    return find_home()


def system(text: str, home: Home) -> System:
    return system_in(text.encode(), home=home, place=PLACE)


def test_a_system_is_read_with_its_price_and_power(home: Home) -> None:
    found = system(SYSTEM_TOML, home)
    assert found.title == "Lab server 2"
    assert found.fits == {"cpu": {"threads": 2, "model": "A CPU"}}
    assert found.price == SystemPrice(OFFER, "once", 4.0, "")
    assert found.power == Power(80.0, 210.5, "A. Person", "2026-11-02", "meter at the wall")
    assert (found.chassis, found.cooling, found.memory_limit_bytes) == ("2U", "", 1_610_612_736)


def test_prices_are_read_in_their_currency(home: Home) -> None:
    found = prices_in(PRICES_TOML.encode(), home=home, place=Place("prices.toml"))
    assert found == Prices(Price(0.05, "EUR", "2026-11-01", "a list"), Price(0.31, "EUR", "2026-11-02", "a bill"))


@pytest.mark.parametrize(
    ("before", "after", "what", "remedy"),
    [
        ("amount   = 4200", "amount   = 0", "price.amount: 0 is not allowed", "For example amount = 4200."),
        ('"EUR"', '"euro"', 'price.currency: "euro" is not allowed', 'For example currency = "EUR".'),
        ('"2026-11-01"', '"2026-02-30"', 'price, date: "2026-02-30" is not a date', 'For example "2026-11-20".'),
        ('"2026-11-01"', '"1.11.2026"', "price.date", 'For example date = "2026-11-20".'),
        ('"2026-11-01"', "2026-11-01", "price.date: 2026-11-01 is a date or a time", "Write a text or a number."),
        ("years    = 4", "", 'price: "years" is missing', 'Write years = 4, or per = "month"'),
        ("years    = 4", 'years = 4\nper = "hour"', "price: years does not go with per", "Remove years"),
        ("idle_w = 80\nload_w = 210.5", "", "power: no power", "Write at least one of them"),
        ("idle_w = 80", "idle_w = 300", "power: idle_w is above load_w", "Change one of them."),
        ("chassis", "chasis", 'unknown key "chasis"', 'Did you mean "chassis"?'),
        ('[fits.cpu]\nthreads = 2\nmodel   = "A CPU"\n', "", '"fits" is missing', "Write fits"),
        ('source   = "an offer"', "", 'price: "source" is missing', "Write source"),
        ("format  = 1", "format = 2", "format: 2 is unknown", "For example format = 1."),
        ("[price]", "[price", "not TOML", "Correct the file at that place."),
    ],
)
def test_a_wrong_system_is_refused(before: str, after: str, what: str, remedy: str, home: Home) -> None:
    assert SYSTEM_TOML.count(before) == 1
    with pytest.raises(WordsError) as refused:
        system(SYSTEM_TOML.replace(before, after), home)
    assert refused.value.what.startswith("systems/lab.toml")
    assert what in refused.value.what
    assert remedy in refused.value.remedy
    assert refused.value.why


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('format = 1\ncurrency = "EUR"', "no price"),
        ('format = 1\nkwh = { amount = 1, date = "2026-11-01", source = "a" }', '"currency" is missing'),
        (PRICES_TOML.replace("0.05", "-0.05"), "gb_sent.amount: -0.05 is not allowed"),
        (PRICES_TOML.replace("2026-11-02", "2026-11-31"), "is not a date"),
    ],
)
def test_wrong_prices_are_refused(text: str, what: str, home: Home) -> None:
    with pytest.raises(WordsError) as refused:
        prices_in(text.encode(), home=home, place=Place("prices.toml"))
    assert what in refused.value.what
    assert refused.value.remedy


def test_the_files_that_the_how_to_shows_can_be_read(home: Home) -> None:
    page = (home.root / "docs" / "how-to" / "give-prices.md").read_text("utf-8")
    machine, prices = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert system_in(machine.encode(), home=home, place=PLACE).power is not None
    assert prices_in(prices.encode(), home=home, place=Place("prices.toml")).kwh is not None


def test_two_currencies_are_refused_and_both_files_named(home: Home) -> None:
    places = (PLACE, Place("prices.toml"))
    prices = prices_in(PRICES_TOML.replace('"EUR"', '"USD"').encode(), home=home, place=places[1])
    with pytest.raises(WordsError) as refused:
        check_one_currency(system(SYSTEM_TOML, home), prices, places=places)
    assert refused.value.what == 'prices.toml, currency: "USD" does not match "EUR"'
    assert refused.value.why.startswith("systems/lab.toml")
    check_one_currency(None, prices, places=places)
    check_one_currency(system(SYSTEM_TOML, home), None, places=places)


@pytest.mark.parametrize(
    ("fits", "why"),
    [
        ({"cpu": {"threads": 2, "family": 26}}, ""),
        ({"cpu": {"threads": 4}}, "cpu: threads is 2 here, not 4"),
        ({"cpu": {"sockets": 1}}, "no fact cpu: sockets was read"),
        ({"memory": {"ECC": "Multi-bit ECC"}}, "memory: ECC is not visible here"),
    ],
)
def test_a_file_is_about_a_machine_whose_facts_are_all_as_it_says(
    fits: dict[str, dict[str, str | int]], why: str
) -> None:
    assert misfit(System("A", fits), (HERE,)) == why


def test_the_one_file_that_fits_is_taken_and_two_are_refused() -> None:
    ours, theirs = System("A", {"cpu": {"threads": 2}}), System("B", {"cpu": {"threads": 4}})
    told = [(Place("systems/b.toml"), theirs), (Place("systems/a.toml"), ours)]
    assert fitting(told, (HERE,)) == 1
    assert fitting(told[:1], (HERE,)) is None
    with pytest.raises(WordsError, match="more than one file fits") as refused:
        fitting([*told, (Place("systems/c.toml"), ours)], (HERE,))
    assert "systems/a.toml" in refused.value.why
    assert "systems/c.toml" in refused.value.what
