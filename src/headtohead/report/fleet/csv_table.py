"""Many systems compared, as one CSV table that programs read."""

import csv
import io
from collections.abc import Iterator, Mapping

from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.systems import Standing, SystemsComparison, SystemsTable
from headtohead.model.harmless_text import FORMULA

COLUMNS = (
    "system", "experiment", "treatment", "summary", "metric", "unit", "better", "runs", "value", "low", "high",
    "confidence", "ratio", "ratio_low", "ratio_high", "ratio_confidence", "verdict", "first_rank", "last_rank",
    "sessions", "basis", "ratio_basis",
    "million_price", "million_price_low", "million_price_high", "currency", "unit_j", "unit_j_low", "unit_j_high",
    "cpus",
)  # fmt: skip
NOTHING = ",,,"
"""Four empty cells."""
NOT_GIVEN = ",,,,,,"
"""Seven empty cells: price and energy that were not given."""


def systems_csv(found: SystemsComparison) -> str:
    """Return a line for each test and system, and one for each system's geometric mean over tests; nothing is left out.

    A test that was not measured has a line without figures. Numbers have nine significant digits. The lines of the
    geometric mean have no experiment; their ratio is above 1 if the system is better.
    """
    names = {each.name: quoted(each.name) for each in found.systems}
    lines = [",".join(COLUMNS)]
    for table in found.tables:
        lines.extend(_lines(table, names))
    for each in found.overall.standings:
        ratio = f"{_figures(each.ratio)},,{_rank(each.rank)},,,{each.ratio_basis or ''},{NOT_GIVEN},"
        lines.append(f"{names[each.system]},,,geometric-mean,,1,higher,,{NOTHING},{ratio}")
    return "\n".join(lines) + "\n"


def quoted(*cells: str) -> str:
    """Return cells as a line of a table holds them, without the line's end.

    A spreadsheet takes a cell that begins with ``=`` for a formula and computes it: a stranger's is made a text.

    >>> print(quoted("a, b", "c", "=1+1"))
    "a, b",c,'=1+1
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="").writerow(f"'{each}" if each.startswith(FORMULA) else each for each in cells)
    return text.getvalue()


def _lines(table: SystemsTable, names: Mapping[str, str]) -> Iterator[str]:
    metric = table.metric
    head = quoted(table.experiment, table.treatment, table.primary.name, metric.name, metric.unit, metric.better)
    for each in table.standings:
        figures = f"{each.estimate.n},{_figures(each.estimate)},{_figures(each.ratio)}"
        judged = (
            f"{each.verdict or 'baseline'},{_rank(each.rank)},{each.sessions},{each.basis},{each.ratio_basis or ''}"
        )
        yield f"{names[each.system]},{head},{figures},{judged},{_worth(each)},{' '.join(map(str, each.cpus))}"
    for name in table.missing:
        yield f"{names[name]},{head},,{NOTHING},{NOTHING},not-measured,,,,,,{NOT_GIVEN},"


def _rank(rank: tuple[int, int] | None) -> str:
    return f"{rank[0]},{rank[1]}" if rank else ","


def _worth(standing: Standing) -> str:
    """Return the price of a million units of work with its currency, then the energy of one, with their intervals."""
    price, joules = standing.price, standing.joules
    if price is None and joules is None:
        return NOT_GIVEN
    return f"{_ends(price.per_million if price else None)},{price.currency if price else ''},{_ends(joules)}"


def _ends(estimate: Estimate | None) -> str:
    """Return value and both ends of the interval; empty cells if there is none."""
    if estimate is None:
        return ",,"
    ends = estimate.interval
    return f"{estimate.value:.9g},{ends.low:.9g},{ends.high:.9g}" if ends else f"{estimate.value:.9g},,"


def _figures(estimate: Estimate | None) -> str:
    """Return value, both ends of the interval and its confidence; empty cells if there is none."""
    interval = estimate.interval if estimate else None
    return f"{_ends(estimate)},{f'{interval.confidence:.9g}' if interval else ''}"
