"""Which prices were not given, and how to give them."""

from shlex import quote

from headtohead.model.analysis.results import Analysis
from headtohead.report.text.wording import listed


def missing_prices_sentence(analysis: Analysis) -> str:
    """Return one sentence on missing prices and how to give them; empty if none is missing."""
    systems, prices = analysis.stated.systems, analysis.stated.prices
    figures = {
        "the price of this system": bool(systems) and all(each.price is not None for each in systems),
        "the price of a GB sent": prices is not None and prices.gb_sent is not None,
        "the price of a kWh": prices is not None and prices.kwh is not None,
    }
    missing = [what for what, there in figures.items() if not there]
    if not missing:
        return ""
    none = len(missing) == len(figures)
    start = "No prices were given" if none else f"Not given: {listed(missing)}, so what needs it is not shown in money"
    return f"{start}: `headtohead report {quote(analysis.name)} --systems DIR --prices FILE`."
