"""Two runs that differ have intervals of many powers of ten: charts and tables stay readable, and say what is cut."""

import re
from dataclasses import replace

from headtohead.model.analysis import Analysis, Estimate, Interval
from headtohead.report import html
from headtohead.report.axes import RUNS_ON, near
from tests.report import machines
from tests.report.sample import ANALYSIS, RECORDING

TIMES = 1e12
LONG = re.compile(r"[+-][\d,.]{9,}")
"""A change of so many digits."""


def widened(estimate: Estimate) -> Estimate:
    return replace(estimate, interval=Interval(estimate.value / TIMES, estimate.value * TIMES, 0.999), n=2)


def of_two_runs() -> Analysis:
    """Return the sample, each ratio and each treatment's value with an interval of 24 powers of ten."""
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
                replace(arm, primary=widened(arm.primary) if arm.primary else None) for arm in each.treatments
            ),
        )
        for each in ANALYSIS.experiments
    )
    return replace(ANALYSIS, experiments=tuple(results))


def test_changes_are_told_and_drawn_up_to_where_they_mean_something() -> None:
    page = html.render(of_two_runs(), RECORDING).replace("\N{NO-BREAK SPACE}", " ")

    assert "over +10,000 %" in page
    assert LONG.findall(page) == []
    assert RUNS_ON.strip() in page


def test_what_is_not_cut_is_not_said_to_be() -> None:
    assert RUNS_ON.strip() not in html.render(ANALYSIS, RECORDING)


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

    page = html.render(wide, recording).replace("\N{NO-BREAK SPACE}", " ")

    assert RUNS_ON.strip() in page
    assert all(f">{each} ns<" in page for each in ("1", "10", "100"))


def test_what_lies_near_is_left_as_it_is() -> None:
    assert near([0.4, 5.0], [1.0, 2.0]) == [0.4, 5.0]
    assert near([-99.99, 1e9], [-20.0, 50.0], origin=-100.0) == [-92.0, 1400.0]
    assert near([-5.0, 5.0], [-1.0, 1.0]) == [-5.0, 5.0], "differences have no scale of their own"
