"""The chart that answers a question: bars from zero where there is a winner, intervals where these are the answer."""

import math
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from headtohead.model.analysis.comparison import Verdict
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Figure, every_block
from headtohead.report.drawing.axes import Axis, level_axis, time_axis, value_axis
from headtohead.report.drawing.bars import Bar, BarChart
from headtohead.report.drawing.chart import Chart, same_on_both
from headtohead.report.drawing.chart_style import MARKERS, color_of, marker_of
from headtohead.report.drawing.distributions import Distributions
from headtohead.report.drawing.intervals import MOST_POINTS, IntervalChart, Line, thinned
from headtohead.report.drawing.lines import Plot
from headtohead.report.drawing.page_svg import SERIES
from headtohead.report.drawing.run_strip import Strip
from headtohead.report.experiment.change_charts import change_figure
from headtohead.report.experiment.charts.answer import answer_chart
from headtohead.report.experiment.charts.bars import value_bars
from headtohead.report.text.numbers.values_with_units import Scale
from tests.report import rising
from tests.report.pages import section
from tests.report.sample import ANALYSIS, RECORDING

SVG = "{http://www.w3.org/2000/svg}"
BARS = BarChart(
    (
        Bar("nginx", 50_000.0, 48_000.0, 52_000.0, "50,000 /s", title="nginx: 50,000 /s [48,000, 52,000], 9 runs"),
        Bar("Apache", 10_000.0, text="10,000 /s", series=1, title="Apache: 10,000 /s"),
        Bar("limit (noop)", 100_000.0, text="100,000 /s", series=2, limit=True),
    )
)


def chart(drawable: BarChart = BARS) -> Chart:
    return same_on_both(drawable, name="c1v", title="Requests per second", description="nginx and Apache")


def context(verdict: Verdict = "better") -> ExperimentContext:
    """Return the first experiment of the sample, every comparison with this verdict."""
    every = StudyContext(ANALYSIS, RECORDING).experiments
    found = next(each for each in every if each.result.comparisons and not each.result.suite)
    return with_verdicts(found, verdict)


def widths(svg: str) -> dict[str, float]:
    """Return how wide the bar of each title is, in px."""
    found = {}
    for path in ElementTree.fromstring(svg).iter(f"{SVG}path"):
        title = path.find(f"{SVG}title")
        if title is not None:
            xs = [float(x) for x in re.findall(r"[ML] (-?[\d.]+)", path.attrib["d"])]
            found[str(title.text)] = max(xs) - min(xs)
    return found


def test_bars_begin_at_zero_so_their_lengths_are_as_their_values() -> None:
    nginx, apache = widths(chart().wide).values()
    assert nginx / apache == pytest.approx(5.0, rel=1e-3)


def test_every_value_is_written_and_its_bar_has_a_title() -> None:
    texts = [each.text for each in ElementTree.fromstring(chart().wide).iter(f"{SVG}text")]
    assert {"50,000 /s", "10,000 /s", "100,000 /s", "limit (noop)"} <= set(texts)
    assert "nginx: 50,000 /s [48,000, 52,000], 9 runs" in widths(chart().wide)


def test_a_chart_is_the_same_whatever_was_drawn_before_it() -> None:
    first = chart().wide
    assert answer_chart(context(), prefix="c9") is not None
    assert chart().wide == first


def test_a_chart_of_its_own_needs_no_page() -> None:
    alone = chart().svg()
    assert alone.startswith("<?xml")
    assert "var(--" not in alone
    root = ElementTree.fromstring(alone)
    assert float(root.attrib["width"]) == 720
    assert chart().png().startswith(b"\x89PNG\r\n")


def test_a_chart_of_its_own_has_its_title_above_and_what_it_shows_and_its_source_below() -> None:
    plain, alone = chart(), ElementTree.fromstring(chart().svg("From zero. " * 30, "A study; a machine; a day"))
    texts = [str(each.text) for each in alone.iter(f"{SVG}text")]
    assert plain.title[:1].upper() + plain.title[1:] in texts
    assert "A study; a machine; a day" in texts
    assert sum("From zero." in each for each in texts) > 1, "a long text has several lines"
    assert float(alone.attrib["height"]) > float(ElementTree.fromstring(plain.svg()).attrib["height"])
    assert alone.attrib["font-family"]
    assert any(each.get("fill") == "#ffffff" for each in alone.iter(f"{SVG}rect"))
    assert len(chart().png("From zero.", "A study")) > len(chart().png())


def test_a_winner_is_shown_by_bars_of_values() -> None:
    drawn = answer_chart(context("better"), prefix="c1a")
    assert drawn is not None
    assert "with intervals at 95 %" in drawn.caption
    assert isinstance(drawn.drawing, Chart)
    assert isinstance(drawn.drawing.on_wide, BarChart)


@pytest.mark.parametrize("verdict", ["same", "inconclusive"])
def test_where_nothing_is_decided_the_intervals_are_shown_with_the_margin(verdict: Verdict) -> None:
    drawn = answer_chart(context(verdict), prefix="c1a")
    assert drawn is not None
    assert "Shaded: too small to matter (3 %)." in drawn.caption
    assert "Bar: the interval (95 %). " in drawn.caption


def test_a_narrow_axis_of_changes_has_more_than_its_zero() -> None:
    line = Line("fft", low=-35.0, value=-5.0, high=27.0)
    drawn = change_figure(context("same"), [line], prefix="c1a", title="fft", caption="")
    assert isinstance(drawn.drawing, Chart)
    narrow = drawn.drawing.on_narrow
    assert isinstance(narrow, IntervalChart)
    assert [text for _, text in narrow.axis.ticks] == ["-20 %", "0 %", "+20 %"]


def test_bars_of_unlike_levels_have_each_in_the_caption() -> None:
    (copies,) = [each for each in StudyContext(ANALYSIS, RECORDING).experiments if each.result.name == "kernel-sweep"]
    for each in (False, True):
        result = replace(copies.result, suite="kernel" if each else "")
        drawn = answer_chart(with_verdicts(replace(copies, result=result), "inconclusive"), prefix="c1a")
        assert drawn is not None
        assert ("(95 %; 99.6 % for each kernel)" in drawn.caption) is each, drawn.caption


def test_the_deciding_interval_of_a_suite_is_called_by_all_its_cases() -> None:
    (copies,) = [each for each in StudyContext(ANALYSIS, RECORDING).experiments if each.result.name == "kernel-sweep"]
    suite = replace(copies, result=replace(copies.result, suite="kernel"))
    drawn = answer_chart(with_verdicts(suite, "same"), prefix="c1a")
    assert drawn is not None
    assert "all 8" in drawn.wide


def test_the_limit_of_the_harness_is_no_bar_and_comes_last() -> None:
    (found,) = [each for each in StudyContext(ANALYSIS, RECORDING).experiments if has_floor(each)]
    drawn = answer_chart(with_verdicts(found, "better"), prefix="c1a")
    assert drawn is not None
    assert "Dashed: a server that does no work (noop)." in drawn.caption
    bars = bars_of(drawn)
    assert [each.limit for each in bars] == [*([False] * (len(bars) - 1)), True]


def has_floor(found: ExperimentContext) -> bool:
    return any(each.floor and each.primary for each in found.result.treatments)


def with_verdicts(found: ExperimentContext, verdict: Verdict) -> ExperimentContext:
    comparisons = tuple(replace(each, verdict=verdict) for each in found.result.comparisons)
    return replace(found, result=replace(found.result, comparisons=comparisons))


def bars_of(drawn: Figure) -> list[Bar]:
    assert isinstance(drawn.drawing, Chart)
    assert isinstance(drawn.drawing.on_wide, BarChart)
    return [each for each in drawn.drawing.on_wide.bars if each.value is not None]


def test_an_interval_far_beyond_the_values_leaves_the_bars_their_length_and_the_caption_reports_it() -> None:
    shown = context("better")
    one, *others = shown.result.treatments
    assert one.primary is not None
    endless = replace(one, primary=Estimate(one.primary.value, Interval(0.0, 1e12, 0.95), 2))
    drawn = value_bars(replace(shown, result=replace(shown.result, treatments=(endless, *others))), prefix="c1a")
    assert drawn is not None
    assert "runs on beyond the edge" in drawn.caption
    assert max(each.high or 0.0 for each in bars_of(drawn)) < 1e9


def numbers_in(drawn: object) -> Iterator[tuple[str, int]]:
    """Yield each treatment that a chart names, with the number that gives it color and mark."""
    match drawn:
        case BarChart(bars=bars):
            yield from ((each.label, each.series) for each in bars if each.value is not None and not each.limit)
        case Plot(series=series):
            yield from (
                (each.label, place if each.number is None else each.number) for place, each in enumerate(series)
            )
        case Distributions(curves=curves):
            yield from ((each.label, each.number) for each in curves)
        case Strip(names=names):
            yield from names


def test_a_treatment_has_one_color_in_every_chart_of_its_question() -> None:
    kinds = set[type]()
    studies = [(ANALYSIS, RECORDING), (rising.ANALYSIS, rising.RECORDING)]
    for study, each in [(one, each) for one in studies for each in StudyContext(*one).experiments]:
        found: dict[str, set[int]] = {}
        blocks = every_block([*section(*study, each.result.name, pictures=True).blocks])
        drawn = [one.drawing.on_wide for one in blocks if isinstance(one, Figure) and isinstance(one.drawing, Chart)]
        kinds |= {type(one) for one in drawn}
        for label, number in (pair for one in drawn for pair in numbers_in(one)):
            found.setdefault(label, set()).add(number)
        labels = {one.label for one in each.result.treatments}
        assert all(len(numbers) == 1 for label, numbers in found.items() if label in labels), found
    assert {BarChart, Plot, Distributions, Strip} <= kinds
    assert len(SERIES) == len(set(SERIES))


def test_no_two_of_many_treatments_look_alike() -> None:
    many = range(len(SERIES) * len(MARKERS))
    assert len({(color_of(each), marker_of(each)) for each in many}) == len(many)


def answered(shown: ExperimentContext) -> Figure:
    drawn = answer_chart(shown, prefix="c1a")
    assert drawn is not None
    return drawn


def test_what_was_not_measured_has_no_chart() -> None:
    shown = context()
    nothing = tuple(replace(each, primary=None) for each in shown.result.treatments)
    empty = replace(shown, result=replace(shown.result, treatments=nothing, comparisons=()))
    assert answer_chart(empty, prefix="c1a") is None


def test_very_many_points_are_thinned_by_rank_and_keep_both_ends() -> None:
    points = [float((7 * number) % 1000) for number in range(1000)]
    shown = thinned(points)
    assert len(shown) == MOST_POINTS
    assert {min(points), max(points)} <= {points[number] for number in shown}


@pytest.mark.parametrize("reach", [[1.0, 99.0], [5.0, 5.0], [0.0, 7.0]])
def test_values_within_two_powers_of_ten_have_an_axis_from_zero(reach: list[float]) -> None:
    assert not value_axis(reach, Scale(1.0, ""), most=5).logarithmic
    assert not time_axis(reach, most=5).logarithmic


@pytest.mark.parametrize("greatest", [101.0, 350.0, 1e4, 3e7, 1e12])
@pytest.mark.parametrize("most", [3, 5])
def test_a_logarithmic_axis_has_at_least_three_labeled_ticks(greatest: float, most: int) -> None:
    axis = value_axis([1.3, 1.3 * greatest], Scale(1.0, ""), most=most)
    assert axis.logarithmic
    assert len(axis.ticks) >= 3
    assert all(axis.low <= value <= axis.high for value, _ in axis.ticks)


def test_levels_that_are_close_share_a_linear_axis_and_labels_keep_apart() -> None:
    axis = level_axis([1, 2, 4, 8, 64], below="CPUs", most=4)
    assert not axis.logarithmic
    places = [value for value, _ in axis.ticks]
    assert all(later - former >= 63 / 8 for former, later in pairwise(places))
    assert places[0] == 1
    assert places[-1] == 64
    assert math.isclose(axis.low, 1 - 0.05 * 63)


def test_labels_of_ticks_are_left_out_where_they_have_no_room_side_by_side() -> None:
    ticks = tuple((float(each), f"{each} %") for each in range(-70, 1, 10))
    lines = (Line("connections 50", value=-25.0, text="x"),)
    chart = same_on_both(IntervalChart(lines, Axis(-75.0, 5.0, False, ticks)), name="t", title="one", description="one")

    def shown(picture: str) -> list[str]:
        return [text for _, text in ticks if f">{text}<" in picture]

    assert shown(chart.wide) == [text for _, text in ticks]
    assert "0 %" in shown(chart.narrow), "the end at which changes begin"
    assert 3 <= len(shown(chart.narrow)) < len(ticks)
