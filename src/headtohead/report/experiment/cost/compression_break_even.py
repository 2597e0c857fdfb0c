"""Where compression pays: the price of a GB from which on compressing is cheaper than sending."""

from headtohead.model.analysis.cost import BreakEven
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.external.prices import Stated, Tariff
from headtohead.report.document import Entry, Row, RowGroup, Table
from headtohead.report.experiment.values.cells import estimate_entry, level_text
from headtohead.report.text.numbers.prices import price_text
from headtohead.report.text.numbers.values_with_units import Scale

_S = Scale(1.0, "s")


def break_even_table(result: ExperimentResult, stated: Stated, tariff: Tariff) -> Table | None:
    """Return the price of a GB from which on compressing is cheaper than sending, for each pair of treatments."""
    if not result.break_evens:
        return None
    priced = any(each.price_per_gb for each in result.break_evens)
    groups = tuple(
        RowGroup(
            case.text.replace("=", " "),
            tuple(_break_even_row(each, tariff, priced=priced) for each in result.break_evens if each.case == case),
        )
        for case in dict.fromkeys(each.case for each in result.break_evens)
    )
    columns = (
        "CPU for each GB saved, s",
        *((f"Break-even price of a GB, {tariff.currency}", "At the price given") if priced else ()),
    )
    at_level = level_text(each.cpu_s_per_gb for each in result.break_evens)
    sent = stated.prices.gb_sent if stated.prices else None
    note = (
        "The CPU that compressing an answer takes, over the bytes that it saves, in each block; the interval is over "
        f"blocks{at_level}, and exploratory. A GB sent that costs more than this CPU is worth compressing."
        f"{f' The price given is {price_text(sent)}.' if sent and priced else ''} What clients do to unpack it, and "
        "whether they wait longer, is not included."
    )
    caption = "Compressing against sending plain; the interval below each number"
    return Table(caption, "Setup", columns, groups, note=note)


def _break_even_row(each: BreakEven, tariff: Tariff, *, priced: bool) -> Row:
    cells = [estimate_entry(each.cpu_s_per_gb, _S)]
    if priced:
        cells += [
            estimate_entry(each.price_per_gb, Scale(1.0, tariff.currency)),
            Entry(cheaper_text(each, tariff.per_gb_sent)),
        ]
    return Row(each.packed, tuple(cells), small=f"against {each.plain}")


def cheaper_text(each: BreakEven, per_gb_sent: float | None) -> str:
    """Return which of the two is cheaper at the price of a GB, if the interval decides it."""
    spent, price = each.cpu_s_per_gb, each.price_per_gb
    if spent is None or price is None:
        return "it saved no bytes, or they could not be read"
    if spent.interval and spent.interval.high <= 0:
        return "compressing is cheaper at any price: it takes no more CPU"
    if per_gb_sent is None:
        return "no price of a GB sent"
    if price.interval and per_gb_sent > price.interval.high:
        return "compressing is cheaper"
    if price.interval and per_gb_sent < price.interval.low:
        return "sending plain is cheaper"
    return "is not known"
