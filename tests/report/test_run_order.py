"""The run-order strip: every run in time, and what happened to it."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest

from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import Recorded, Repeat
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.document import Figure
from headtohead.report.drawing.axes import Axis
from headtohead.report.drawing.chart import Chart, same_on_both
from headtohead.report.drawing.run_strip import Mark, Strip
from headtohead.report.experiment.charts.run_order import MOST_MARKS, draw_order
from headtohead.report.experiment.runs.runs_table import run_points, runs_table
from tests.report.sample import ANALYSIS, RECORDING

pytestmark = pytest.mark.usefixtures("charts_drawn_once")

SVG = "{http://www.w3.org/2000/svg}"
FIRST = StudyContext(ANALYSIS, RECORDING).experiments[0]


def changed(*, runs: tuple[Recorded, ...] | None = None, result: ExperimentResult | None = None) -> ExperimentContext:
    """Return the first experiment with other runs or another result."""
    others = tuple(each for each in RECORDING.runs if each.run.experiment != FIRST.result.name)
    recording = replace(RECORDING, runs=(*others, *(FIRST.runs if runs is None else runs)))
    return ExperimentContext(StudyContext(ANALYSIS, recording), result or FIRST.result)


def drawn(context: ExperimentContext = FIRST) -> Figure:
    (found,) = draw_order(context, prefix="c1")
    return found


def strip(context: ExperimentContext = FIRST) -> Strip:
    drawing = drawn(context).drawing
    assert isinstance(drawing, Chart)
    assert isinstance(drawing.on_wide, Strip)
    return drawing.on_wide


def titles(svg: str) -> list[str]:
    every = ElementTree.fromstring(svg).iter(f"{SVG}use")
    return [str(title.text) for each in every if (title := each.find(f"{SVG}title")) is not None]


def test_every_run_is_a_mark_in_the_order_of_time_with_its_own_title() -> None:
    marks = strip().marks
    assert [each.at for each in marks] == sorted(each.at for each in marks)
    assert len(titles(drawn().wide)) == len(marks) == len(FIRST.runs)
    run = FIRST.runs[0].run
    told = next(each for each in titles(drawn().wide) if each.startswith(f"run {run.run}, {run.label};"))
    assert "from the median" in told
    assert "CPU used by other processes 0.04 s; steal 0 s" in told


def test_half_of_a_treatments_runs_are_on_either_side_of_its_median() -> None:
    for series in {each.series for each in strip().marks}:
        away = [each.away for each in strip().marks if each.series == series and each.away is not None]
        assert sum(each > 0 for each in away) == sum(each < 0 for each in away)


def test_a_discarded_run_is_a_cross_with_its_reason_and_the_caption_counts_it() -> None:
    (lost,) = [each for each in strip().marks if each.discarded]
    assert lost.away is None
    assert "invalid: foreign CPU 0.31 in connections=100 (limit 0.10)" in lost.title
    assert "Cross: discarded (1 run)" in drawn().caption


def test_a_repeated_case_has_a_ring_and_its_cause() -> None:
    assert "Ring" not in drawn().caption
    first, *others = FIRST.runs
    again = (Repeat(first.records[0].case, ("foreign-cpu: other processes used 0.4 CPU in connections=10",)),)
    context = changed(runs=(replace(first, run=replace(first.run, repeats=again)), *others))
    (ringed,) = [each for each in strip(context).marks if each.repeated]
    assert ringed.title.endswith("a part measured again: other processes used 0.4 CPU with 10 connections")
    assert (
        f"Ring: a part of the run was measured again (1 run: run {first.run.run}, other processes used 0.4 CPU with 10 "
        "connections)." in drawn(context).caption
    )
    many = tuple(replace(each, run=replace(each.run, repeats=again)) for each in FIRST.runs)
    assert " more in the table of every run)." in drawn(changed(runs=many)).caption


def test_a_run_far_from_the_others_is_named_in_the_chart_and_in_the_caption() -> None:
    run = FIRST.runs[1].run
    far = Finding("outlier", Severity.NOTE, "far", "look", {"runs": str(run.run), "treatment": run.label})
    context = changed(result=replace(FIRST.result, findings=(far,)))
    (noted,) = strip(context).noted
    assert noted.note.startswith(f"run {run.run}: ")
    assert noted.note in drawn(context).wide
    assert f"Far from the others and kept: {noted.note}" in drawn(context).caption


def test_a_thousand_runs_are_thinned_and_those_that_matter_remain() -> None:
    first, *others = FIRST.runs
    many = tuple(replace(first, run=replace(first.run, run=1000 + number, block=number)) for number in range(1000))
    arm = next(each for each in FIRST.result.treatments if each.label == first.run.label)
    rest = [each for each in others if each.run.label != first.run.label or each.run.status != "valid"]
    points = tuple(1e4 + number for number in range(len(many)))
    arms = tuple(replace(each, points=points) if each is arm else each for each in FIRST.result.treatments)
    context = changed(runs=(*many, *rest), result=replace(FIRST.result, treatments=arms))
    shown = strip(context).marks
    assert len(shown) <= MOST_MARKS + 1
    assert any(each.discarded for each in shown)
    assert f"of {len(many) + len(rest):,} runs are drawn" in drawn(context).caption


def test_runs_without_a_readable_time_draw_no_strip() -> None:
    lost = tuple(replace(each, run=replace(each.run, started_at="yesterday")) for each in FIRST.runs)
    assert draw_order(changed(runs=lost), prefix="c1") == ()


def test_a_note_covers_no_other_mark() -> None:
    across, up = Axis(0.0, 10.0, False, ()), Axis(-5.0, 5.0, False, ((0.0, "0 %"),))
    neighbors = (Mark(1.6, 0.0, 0, "b"), Mark(2.2, 0.0, 0, "c"))
    marks = (Mark(1.0, 0.0, 0, "a", note="run 7: -20 %"), *neighbors)
    chart = same_on_both(Strip(marks, (("one", 0),), across, up, "t"), name="s", title="t", description="d")
    root = ElementTree.fromstring(chart.narrow)
    note = next(each for each in root.iter(f"{SVG}text") if each.text == "run 7: -20 %")
    height = float(note.attrib.get("y") or note.attrib["transform"].split()[-1].rstrip(")"))
    heights = {float(each.attrib["y"]) for each in root.iter(f"{SVG}use") if float(each.attrib["y"]) > 40}
    assert all(abs(height - other) > 8 for other in heights)


def test_a_note_at_the_lowest_mark_covers_no_label_of_the_axis() -> None:
    across, up = Axis(0.0, 10.0, False, ((1.5, "one and a half"),)), Axis(-5.0, 5.0, False, ((0.0, "0 %"),))
    neighbors = tuple(Mark(1.0 + step, -5.0 + rise, 0, "b") for step in (0.6, 1.2, -0.6) for rise in (0.0, 0.9))
    marks = (Mark(1.0, -5.0, 0, "a", note="run 7: -20 %"), *neighbors)
    chart = same_on_both(Strip(marks, (("one", 0),), across, up, "t"), name="s", title="t", description="d")
    texts = {each.text: each for each in ElementTree.fromstring(chart.narrow).iter(f"{SVG}text")}
    note, label = (
        float(each.attrib.get("y") or each.attrib["transform"].split()[-1].rstrip(")"))
        for each in (texts["run 7: -20 %"], texts["one and a half"])
    )
    assert note < label - 10


OLD = tuple(each for each in FIRST.runs if each.run.block == FIRST.runs[0].run.block and each.run.status == "valid")
LAST = max(each.run.run for each in RECORDING.runs)
AGAIN = tuple(replace(each, run=replace(each.run, run=LAST + place, attempt=3)) for place, each in enumerate(OLD, 1))


def test_a_run_of_a_block_that_was_repeated_names_the_run_in_its_place_and_all_others_keep_their_values() -> None:
    context = changed(runs=(*FIRST.runs, *AGAIN))

    points, before = run_points(context.result, context.runs), run_points(FIRST.result, FIRST.runs)
    assert set(points) == set(before) - {each.run.run for each in OLD} | {each.run.run for each in AGAIN}
    shown, table = titles(drawn(context).wide), str(runs_table(context.result, context.runs))
    for old, new in zip(OLD, AGAIN, strict=True):
        assert points[new.run.run] == before[old.run.run]
        (title,) = (each for each in shown if each.startswith(f"run {old.run.run}, "))
        assert f"replaced by run {new.run.run}, as its block was repeated" in title
        assert f"replaced by run {new.run.run}, as its block was repeated" in table


def test_a_repeated_block_with_a_run_that_is_not_valid_replaces_nothing() -> None:
    spoiled = replace(AGAIN[-1], run=replace(AGAIN[-1].run, status="invalid", reasons=("foreign-cpu: 0.5 CPU",)))
    context = changed(runs=(*FIRST.runs, *AGAIN[:-1], spoiled))

    assert run_points(context.result, context.runs) == run_points(FIRST.result, FIRST.runs)
    why = "not counted, as not all of the repeated block is valid"
    for each in AGAIN[:-1]:
        (title,) = (shown for shown in titles(drawn(context).wide) if shown.startswith(f"run {each.run.run}, "))
        assert why in title
    assert str(runs_table(context.result, context.runs)).count(why) == len(AGAIN) - 1


def taking(*seconds: float) -> ExperimentContext:
    """Return the first experiment with the CPU time that other programs used in its first runs."""
    runs = list(FIRST.runs)
    for place, each in enumerate(seconds):
        of = runs[place].run
        runs[place] = replace(runs[place], run=replace(of, cpu_s=replace(of.cpu_s, foreign=each, steal=0.5)))
    return changed(runs=tuple(runs))


def test_a_burst_of_other_programs_is_a_bar_below_the_run_that_had_it() -> None:
    found = drawn(taking(0.1, 2.5))
    second = FIRST.runs[1].run.run
    assert f"up to 3 s of CPU time (run {second})." in found.caption
    assert ">taken<" in found.wide
    bars = {each.title.partition(",")[0]: each.taken_s for each in strip(taking(0.1, 2.5)).marks}
    assert bars[f"run {second}"] == pytest.approx(3.0)


def test_where_nothing_was_taken_there_are_no_bars() -> None:
    quiet = [replace(each.run, cpu_s=replace(each.run.cpu_s, foreign=0.04, steal=None)) for each in FIRST.runs]
    calm = changed(runs=tuple(replace(each, run=run) for each, run in zip(FIRST.runs, quiet, strict=True)))
    assert strip(calm).most_taken_s == 0
    assert "Bars below" not in drawn(calm).caption
    assert ">taken<" not in drawn(calm).wide
