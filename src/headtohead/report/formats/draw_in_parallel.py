"""The charts of a page, drawn before it is written: many of them by several processes, side by side."""

import os
from collections.abc import Mapping

from headtohead.model.parallel_work import side_by_side
from headtohead.report.document import Document
from headtohead.report.drawing.chart import Chart
from headtohead.report.formats.chart_files import charts

MANY = 50
"""Fewer charts are drawn here: they take less than two seconds."""
Svgs = tuple[str, str]
"""A chart for wide and for narrow screens."""


def drawn(page: Document, *, cpus: int | None = None) -> Mapping[str, Svgs]:
    """Return the charts of a page by name, if there are many; otherwise none, as each is drawn where it is shown.

    ``cpus`` is the number of processes, by default that of the CPUs that we may use.
    """
    every = [chart for _, chart, _ in charts(page)]
    if len(every) < MANY or (cpus or len(os.sched_getaffinity(0))) < 2:
        return {}
    import matplotlib.figure  # noqa: F401, PLC0415  once, before the others begin

    return {each.name: svgs for each, svgs in zip(every, side_by_side(_svgs, every, cpus=cpus), strict=True)}


def _svgs(chart: Chart) -> Svgs:
    return chart.wide, chart.narrow
