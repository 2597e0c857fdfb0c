"""The lines below an answer on page one: response time, why, how sure, what it cost, what it leaves open, what next."""

from collections.abc import Callable

from headtohead.report.context import ExperimentContext
from headtohead.report.experiment.configuration import configured_line
from headtohead.report.experiment.external.published_figures import where_printed
from headtohead.report.experiment.load.queries_and_data import queries_and_data
from headtohead.report.experiment.suite.kernel_that_decides import kernel_that_decides
from headtohead.report.study.page_one.card.closed_loop_of_same_work import closed_loop
from headtohead.report.study.page_one.card.cpus_and_processes import cpus_line, processes
from headtohead.report.study.page_one.card.does_not_show import leaves_open
from headtohead.report.study.page_one.card.how_sure import sure
from headtohead.report.study.page_one.card.hypothesis import afterwards
from headtohead.report.study.page_one.card.memory_and_price import memory, price
from headtohead.report.study.page_one.card.outliers_trends_and_repeats import outliers, repeats, steps
from headtohead.report.study.page_one.card.response_times import response_times
from headtohead.report.study.page_one.card.values_and_order_by_level import (
    also_measured,
    capacities_of_runs,
    crossings,
    each_case,
    kept_up,
    measured,
    measured_levels_left_out,
    more_of_it,
    overload,
)
from headtohead.report.study.page_one.card.why import why_line
from headtohead.report.study.page_one.next_step import next_step
from headtohead.report.study.total_of_copies import cpus_of_copies, together_line


def card_lines(context: ExperimentContext) -> tuple[tuple[str, str], ...]:
    """Return the lines below an answer, each a term and a sentence; terms without a sentence are left out."""
    return tuple((term, text) for term, line in _LINES if (text := line(context)))


_LINES: tuple[tuple[str, Callable[[ExperimentContext], str]], ...] = (
    ("Measured", measured),
    ("Each case", each_case),
    ("Searches", capacities_of_runs),
    ("Closed loop", closed_loop),
    ("Overload", overload),
    ("Loads", kept_up),
    ("Scaling", more_of_it),
    ("Together", together_line),
    ("Largest change", kernel_that_decides),
    ("Hypothesis", afterwards),
    ("Also measured", also_measured),
    ("Response time", response_times),
    ("Crossover", crossings),
    ("Left out", measured_levels_left_out),
    ("CPUs", cpus_line),
    ("CPUs", cpus_of_copies),
    ("Configured", configured_line),
    ("Queries", queries_and_data),
    ("Processes", processes),
    ("Why", why_line),
    ("Peak memory", memory),
    ("Price", price),
    ("How sure", sure),
    ("Outliers", outliers),
    ("Over time", steps),
    ("Repeats", repeats),
    ("Does not show", leaves_open),
    ("As printed", where_printed),
    ("Next", next_step),
)
