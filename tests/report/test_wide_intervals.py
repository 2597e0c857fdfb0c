"""Two runs that differ have intervals of many powers of ten: charts and tables stay readable, and say what is cut."""

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.analysis.results import Analysis
from headtohead.report.drawing.axes import RUNS_ON, Axis, clipped_ends
from headtohead.report.drawing.canvas import as_svg
from headtohead.report.drawing.chart_style import width_of
from headtohead.report.drawing.intervals import IntervalChart, Line
from tests.analyze.building import plan, recording, treatment
from tests.analyze.moving import moved, moving
from tests.report import machines, pages
from tests.report.sample import ANALYSIS, RECORDING

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

SVG = "{http://www.w3.org/2000/svg}"
TIMES = 1e12
LONG = re.compile(r"[+-][\d,.]{9,}")
"""A change of so many digits."""


def widened(estimate: Estimate) -> Estimate:
    return replace(estimate, interval=Interval(estimate.value / TIMES, estimate.value * TIMES, 0.999), n=2)


def far_off(analysis: Analysis) -> Analysis:
    """Return an analysis, each ratio and each value with an interval of 24 powers of ten."""
    results = (
        replace(
            each,
            comparisons=tuple(
                replace(
                    pair,
                    ratio=widened(pair.ratio) if pair.ratio else None,
                    exploratory=tuple(replace(one, ratio=widened(one.ratio)) for one in pair.exploratory),
                )
                for pair in each.comparisons
            ),
            treatments=tuple(
                replace(
                    arm,
                    primary=widened(arm.primary) if arm.primary else None,
                    cells=tuple(replace(cell, estimate=widened(cell.estimate)) for cell in arm.cells),
                )
                for arm in each.treatments
            ),
        )
        for each in analysis.experiments
    )
    return replace(analysis, experiments=tuple(results))


def test_changes_are_told_and_drawn_up_to_where_they_mean_something() -> None:
    page = pages.html(far_off(ANALYSIS), RECORDING).replace("\N{NO-BREAK SPACE}", " ")

    assert "over 10,000x" in page
    assert LONG.findall(page) == []
    assert RUNS_ON.strip() in page


def test_the_levels_of_a_sweep_keep_their_places_too() -> None:
    swept = moving(treatment("fio", driver_cpus=()), asks="batch/file-stream-v1")
    rates = {"read": (100e6, 190e6, 300e6, 310e6), "write": (50e6, 90e6, 120e6, 110e6)}
    kept = recording(moved(swept, {"fio": rates}), of=plan(swept))
    analysis = analyze(kept)

    near_by, far = pages.html(analysis, kept), pages.html(far_off(analysis), kept)

    said = "the vertical line through it its interval. It decides nothing."
    assert said in near_by
    assert f"{said}{RUNS_ON}" not in near_by
    assert f"{said}{RUNS_ON}" in far


def test_what_is_not_cut_is_not_said_to_be() -> None:
    assert RUNS_ON.strip() not in pages.html(ANALYSIS, RECORDING)


def test_the_staircase_keeps_its_steps_beside_an_interval_of_many_powers_of_ten() -> None:
    analysis, recording = machines.latency()
    (result,) = analysis.experiments
    (arm,) = result.treatments
    curves = tuple(
        replace(
            curve,
            points=tuple(
                replace(point, figures={name: widened(each) for name, each in point.figures.items()})
                for point in curve.points
            ),
        )
        for curve in arm.point_curves
    )
    wide = replace(analysis, experiments=(replace(result, treatments=(replace(arm, point_curves=curves),)),))

    page = pages.html(wide, recording).replace("\N{NO-BREAK SPACE}", " ")

    assert RUNS_ON.strip() in page
    assert all(f">{each} ns<" in page for each in ("1", "10", "100"))


def test_what_lies_near_is_left_as_it_is() -> None:
    assert clipped_ends([0.4, 5.0], [1.0, 2.0]) == [0.4, 5.0]
    assert clipped_ends([-99.99, 1e9], [-20.0, 50.0], origin=-100.0) == [-92.0, 1400.0]
    assert clipped_ends([-5.0, 5.0], [-1.0, 1.0]) == [-5.0, 5.0], "differences have no scale of their own"


def test_a_bar_that_runs_on_ends_at_the_edge_of_the_plot_and_touches_no_text() -> None:
    across = Axis(-10.0, 50.0, False, ())
    layout = IntervalChart((Line("a", "+10 %", low=-99.0, value=10.0, high=4_000.0),), across).lay_out(720)
    drawn, _ = as_svg(layout, salt="a")
    paths = ElementTree.fromstring(drawn).iter(f"{SVG}path")
    (bar,) = [each.attrib["d"] for each in paths if "stroke-width: 2.2" in each.get("style", "")]
    ends = [float(each) for each in re.findall(r"[ML] ([\d.]+)", bar)]
    assert ends == [pytest.approx(layout.frame.left), pytest.approx(layout.frame.right)]


def test_a_label_at_an_end_of_the_axis_is_not_cut_off_by_the_edge_of_the_picture() -> None:
    ticks = ((0.0, "-1,000 %"), (100.0, "+1,000 %"))
    long = "a label so long that it goes above its line, and leaves no margin of its own at either side"
    frame = IntervalChart((Line(long, value=10.0),), Axis(0.0, 100.0, False, ticks)).lay_out(360).frame
    half = width_of("+1,000 %") / 2
    assert frame.left - half >= 0
    assert frame.right + half <= 360
