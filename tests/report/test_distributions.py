"""The distributions of response times: what is drawn of each setup and case, and what is said of it."""

from collections.abc import Mapping
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from headtohead.model.record import CaseTimes
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Figure
from headtohead.report.drawing.chart import Chart
from headtohead.report.drawing.chart_style import FLOOR
from headtohead.report.drawing.distributions import Distributions
from headtohead.report.experiment.charts.distributions import draw_distributions
from headtohead.report.text.numbers.values_with_units import quantity
from tests.report.sample import ANALYSIS, RECORDING

SVG = "{http://www.w3.org/2000/svg}"
FIRST, BATCH, *_ = StudyContext(ANALYSIS, RECORDING).experiments


def changed(times: Mapping[int, tuple[CaseTimes, ...]]) -> ExperimentContext:
    """Return the first experiment with other times of these runs, and none of the others."""
    runs = tuple(replace(each, times=times.get(each.run.run, ())) for each in RECORDING.runs)
    return StudyContext(ANALYSIS, replace(RECORDING, runs=runs)).experiments[0]


def drawn(context: ExperimentContext = FIRST) -> tuple[Figure, ...]:
    return draw_distributions(context, prefix="c1")


def on_wide(figure: Figure) -> Distributions:
    assert isinstance(figure.drawing, Chart)
    assert isinstance(figure.drawing.on_wide, Distributions)
    return figure.drawing.on_wide


def test_each_case_has_a_chart_with_a_line_for_each_setup_in_its_own_color() -> None:
    figures = drawn()
    assert len(figures) == len(FIRST.cases()) == 2
    for figure in figures:
        treatments = FIRST.result.treatments
        assert [each.number for each in on_wide(figure).curves] == [*range(len(treatments) - 1), FLOOR]
        assert next(each.label for each in on_wide(figure).curves) == treatments[0].label
        assert on_wide(figure).curves[-1].label == f"limit ({treatments[-1].label})"


def test_a_percentile_is_the_number_of_the_tables_with_its_interval() -> None:
    (figure, _), case = drawn(), FIRST.cases()[0]
    for curve, treatment in zip(on_wide(figure).curves, FIRST.result.treatments, strict=True):
        cell = FIRST.cell(treatment, case=case, metric="response_time_p99_ns")
        assert cell is not None
        (mark,) = [each for each in curve.marks if each.share == 0.01]
        assert mark.time_ns == cell.estimate.value
        assert mark.time_ns == pytest.approx({share: time for time, share in curve.line}[0.01])
        assert f"{treatment.label}, p99: {quantity(mark.time_ns, 'ns')}, interval " in mark.title
        assert mark.title.endswith(f"{cell.estimate.n} runs")


def test_the_band_is_from_the_lowest_to_the_highest_run() -> None:
    curve = on_wide(drawn()[0]).curves[0]
    own = [each for each in FIRST.runs if each.run.label == curve.label and each.run.status == "valid"]
    halves = [dict(each.times[0].beyond)[0.5] for each in own]
    assert (min(halves), 0.5) in curve.lowest
    assert (max(halves), 0.5) in curve.highest
    assert min(halves) < max(halves)


def test_each_percentile_can_be_pointed_at_and_shares_are_named() -> None:
    root = ElementTree.fromstring(drawn()[0].wide)
    titles = [title.text for each in root.iter(f"{SVG}use") if (title := each.find(f"{SVG}title")) is not None]
    assert [each for each in titles if each and each.startswith("nginx, p50: ")]
    texts = ["".join(each.itertext()) for each in root.iter(f"{SVG}text")]
    assert {"half (p50)", "10 % (p90)", "1 % (p99)"} <= set(texts)


def test_times_over_more_than_two_powers_of_ten_have_a_logarithmic_axis_and_the_caption_tells() -> None:
    case = FIRST.cases()[0]
    runs = [each for each in FIRST.runs if each.run.status == "valid"][:2]
    assert "logarithmic" not in drawn()[0].caption
    for most, logarithmic in ((90.0, False), (110.0, True)):
        beyond = ((0.5, 1e6), (0.1, most * 1e6))
        found = drawn(changed({each.run.run: (CaseTimes(case, 1000, beyond),) for each in runs}))[0]
        assert on_wide(found).logarithmic is logarithmic
        assert ("The axis of times is logarithmic." in found.caption) is logarithmic


def test_a_line_ends_where_one_run_has_too_few_responses() -> None:
    case = FIRST.cases()[0]
    label = FIRST.runs[0].run.label
    one, other = [each for each in FIRST.runs if each.run.label == label and each.run.status == "valid"][:2]
    long, short = ((0.5, 1e6), (0.1, 2e6), (0.01, 9e6)), ((0.5, 4e6), (0.1, 8e6))
    times = {one.run.run: (CaseTimes(case, 10_000, long),), other.run.run: (CaseTimes(case, 1000, short),)}
    (curve,) = on_wide(drawn(changed(times))[0]).curves
    assert [share for _, share in curve.line] == [0.5, 0.1]
    assert [time for time, _ in curve.line] == pytest.approx([2e6, 4e6])


def test_nothing_is_drawn_without_histograms() -> None:
    assert drawn(changed({})) == ()
    assert draw_distributions(BATCH, prefix="c2") == ()
