"""Prices as text, as people gave them."""

from headtohead.model.external.prices import Price, SystemPrice
from headtohead.report.text.numbers.dates_and_durations import day
from headtohead.report.text.numbers.values_with_units import as_printed, count


def price_text(price: Price) -> str:
    """Return a price as it was given, with its day: ``4,200 EUR (1 November 2026)``."""
    return f"{as_printed(price.amount)} {price.currency} ({day(price.date)})"


def system_price_text(price: SystemPrice) -> str:
    """Return the price of a system as it was given: ``4,200 EUR (1 November 2026)``, with its period if any."""
    return f"{price_text(price.price)}{_EVERY[price.per]}"


_EVERY = {"once": "", "month": " a month", "hour": " an hour"}


def years_text(years: float) -> str:
    """Return a number of years: ``4 years``, ``1 year``."""
    return f"{count(years)} year{'' if years == 1 else 's'}"
