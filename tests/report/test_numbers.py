"""The single formatter: three digits, units, no percent of percent, no minus zero."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.report.text.numbers import dates_and_durations
from headtohead.report.text.numbers.percents import percent, percent_decimals, share, signed_percent
from headtohead.report.text.numbers.ratios import changes
from headtohead.report.text.numbers.values_with_units import fact, quantity, significant

MOST_DIGITS = 3


def digits(text: str) -> str:
    """Return the significant digits of a number as printed; zeros that only hold a place do not count."""
    bare = re.sub(r"[^0-9.]", "", text)
    if "." in bare:
        return bare.replace(".", "").lstrip("0")
    return bare.strip("0")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (71003.4, "71,000"),
        (999.6, "1,000"),
        (1234567.0, "1,230,000"),
        (0.0123456, "0.0123"),
        (-2.5, "-2.50"),
        (5.0, "5.00"),
        (float("nan"), "not visible"),
    ],
)
def test_a_number_has_three_significant_digits(value: float, text: str) -> None:
    assert significant(value) == text


@given(st.floats(1e-9, 1e15))
def test_no_value_shows_more_than_three_significant_digits(value: float) -> None:
    assert len(digits(significant(value))) <= MOST_DIGITS


@given(st.floats(1e-6, 1e12), st.sampled_from(["ns", "s", "B", "B/s", "1/s", "Hz", "1", "J"]))
def test_a_value_with_a_unit_never_shows_an_exponent(value: float, unit: str) -> None:
    text = quantity(value, unit)
    assert not re.search(r"\de[+-]?\d", text)
    assert len(digits(text)) <= MOST_DIGITS


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (188000.0, "ns", "188 \u00b5s"),
        (1.25e9, "ns", "1.25 s"),
        (0.0021, "s", "2.10 ms"),
        (48_234_496.0, "B", "46.0 MiB"),
        (1.13e6, "B/s", "1.13 MB/s"),
        (2.6e9, "Hz", "2.60 GHz"),
        (71003.4, "1/s", "71,000 /s"),
        (2.3e9, "1/s", "2.30 billion/s"),
        (0.5, "1/s", "0.500 /s"),
        (0.0, "B/s", "0 B/s"),
        (2.5, "1", "2.50"),
        (2.5, "J", "2.50 J"),
        (None, "B", "not visible"),
    ],
)
def test_a_quantity_has_a_unit_that_suits_it(value: float | None, unit: str, text: str) -> None:
    assert quantity(value, unit) == text


@pytest.mark.parametrize(
    ("percents", "texts"),
    [
        ((168.2, 172.4, 176.1), ("168 %", "172 %", "176 %")),
        ((95.2, 97.1, 98.7), ("95 %", "97 %", "99 %")),
        ((15.2, 15.5, 15.8), ("15.2 %", "15.5 %", "15.8 %")),
        ((0.31, 0.84, 1.32), ("0.3 %", "0.8 %", "1.3 %")),
        ((4.0, 6.0), ("4.0 %", "6.0 %")),
        ((-4.0, 6.0), ("-4 %", "6 %")),
        ((2.0, 2.05), ("2.00 %", "2.05 %")),
        ((7.76, 12.3, 16.8), ("7.8 %", "12.3 %", "16.8 %")),
        ((20.9, 26.0), ("21 %", "26 %")),
        ((1172.0, 1180.0), ("1,172 %", "1,180 %")),
    ],
)
def test_percents_shown_together_have_the_decimals_that_their_spread_needs(
    percents: tuple[float, ...], texts: tuple[str, ...]
) -> None:
    places = percent_decimals(percents)
    assert tuple(percent(each, places) for each in percents) == texts


@given(st.lists(st.floats(-0.04, 0.04), min_size=1, max_size=3))
def test_nothing_prints_as_minus_zero(percents: list[float]) -> None:
    for each in percents:
        assert not percent(each, 0).startswith("-")
        assert signed_percent(each, 0) == "0 %"


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (Estimate(1.97, Interval(1.95, 1.99, 0.96), 6), ("+97 %", "[+95 %, +99 %]")),
        (Estimate(0.846, Interval(0.84, 0.853, 0.96), 6), ("-15.4 %", "[-16.0 %, -14.7 %]")),
        (Estimate(1.0, Interval(0.96, 1.06, 0.96), 6), ("0 %", "[-4 %, +6 %]")),
        (Estimate(0.877, Interval(0.832, 0.9224, 0.972), 6), ("-12.3 %", "[-16.8 %, -7.7 %]")),
        (Estimate(1.2, None, 1), ("+20 %", "")),
        (Estimate(0.004, Interval(0.002, 0.01, 0.999), 6), ("-99.6 %", "[-99.8 %, -99.0 %]")),
        (Estimate(0.0, Interval(0.0, 0.01, 0.999), 6), ("-100 %", "[-100 %, -99 %]")),
        (Estimate(42.09, Interval(30.76, 57.6, 0.95), 6), ("42.1x", "[30.7x, 57.6x]")),
        (Estimate(2.53, Interval(1e-28, 3e28, 0.999), 2), ("2.53x", "[under 0.0001x, over 10,000x]")),
    ],
)
def test_a_ratio_is_a_change_with_its_interval(ratio: Estimate, text: tuple[str, str]) -> None:
    assert changes(ratio) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.984, "98.4 %"), (0.9638, "96.4 %"), (0.0213, "2.1 %"), (0.000043, "0.0043 %"), (1.0, "100 %")],
)
def test_a_share_is_said_in_percent(value: float, text: str) -> None:
    assert share(value) == text


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (1048576, None, "1048576"),
        (True, None, "yes"),
        (8330301440, "B", "7.76 GiB"),
        (0.249, "%", "0.249 %"),
        ("unlimited", "B", "unlimited"),
        (1400, "B", "1,400 B"),
        (8192, "B", "8.00 KiB"),
        (None, "B", "not visible"),
    ],
)
def test_a_fact_is_shown_as_it_was_read(value: object, unit: str | None, text: str) -> None:
    assert fact(value, unit) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("stamp", "text"),
    [
        ("2026-11-20T10:02:11.250Z", "20 November 2026, 10:02 UTC"),
        ("2026-11-20T10:02:11+01:00", "20 November 2026, 10:02 +0100"),
        ("some day", "some day"),
        (None, "not visible"),
    ],
)
def test_a_date_comes_from_the_recording_alone(stamp: str | None, text: str) -> None:
    assert dates_and_durations.date(stamp) == text
