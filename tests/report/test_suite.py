"""What the report says of a geometric mean over kernels: every one of them, both intervals, the tail by name."""

import dataclasses
import re
from collections.abc import Sequence

import pytest
from syrupy.assertion import SnapshotAssertion

from headtohead.analyze.statistics import mean_skew_and_tail_of_cases
from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Interval
from headtohead.model.analysis.results import Analysis
from headtohead.model.record import Recording
from headtohead.report.context import StudyContext
from headtohead.report.document import Figure, Section, Table
from headtohead.report.experiment.suite import sentences
from headtohead.report.experiment.suite.chart import ratio_axis
from headtohead.report.experiment.suite.kernel_that_decides import kernel_that_decides, unsure
from headtohead.report.terminal import summary
from headtohead.report.text.differences import difference
from tests.analyze.building import treatment
from tests.analyze.suites import KERNELS, Rates, folder, reference_of, scaled, suiting, swept
from tests.analyze.test_clock import CLOCKED
from tests.analyze.test_suite_mean import FACTORS, ONE_FAR, RATES
from tests.report import pages

HERE = {"gcc": RATES, "clang": scaled(RATES, ONE_FAR)}
OLD = {"gcc": scaled(RATES, [0.5 * each for each in FACTORS]), "clang": RATES}


def study(rates: Rates = HERE, *, blocks: int = 6, clocked: bool = False) -> Recording:
    of = suiting()
    return folder(of, swept(of, rates, blocks=blocks, step=0.006, monitors=CLOCKED if clocked else None))


def reported(recording: Recording, *, held: bool = True) -> Analysis:
    old = dataclasses.replace(study(OLD), name="2025-03-01-old")
    return analyze(recording, reference_of(old) if held else None)


def section(recording: Recording, *, held: bool = True) -> Section:
    return pages.section(reported(recording, held=held), recording)


def charts(recording: Recording, *, held: bool = True) -> list[Figure]:
    return pages.figures(pages.section(reported(recording, held=held), recording, pictures=True))


def each_kernel(recording: Recording, *, held: bool = True) -> Table:
    return pages.table(section(recording, held=held), "Each kernel")


def told(recording: Recording, *, held: bool = True) -> list[str]:
    return pages.sentences(section(recording, held=held), "Each kernel")


def test_the_section_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    recording = study(clocked=True)
    text = pages.markdown(reported(recording), recording)
    (found,) = re.findall(r"### Each kernel\n.*?(?=\n### )", text, re.DOTALL)
    assert found == snapshot


def test_the_terminal_is_as_reviewed(snapshot: SnapshotAssertion) -> None:
    assert summary.render(reported(study()), study()) == snapshot


def test_every_kernel_stands_in_a_row_with_all_its_ratios_and_values() -> None:
    table = each_kernel(study(clocked=True))
    rows = table.groups[0].rows
    assert {each.head for each in rows} == set(KERNELS)
    assert table.columns == (
        "clang against gcc",
        "gcc against the reference machine",
        "clang against the reference machine",
        "gcc",
        "clang",
        "gcc, per GHz",
        "clang, per GHz",
        "reference machine, gcc",
    )
    assert all(len(each.cells) == len(table.columns) for group in table.groups for each in group.rows)
    assert all(cell.text not in ("", "\u2013") for each in rows for cell in each.cells)


def test_rows_go_by_effect_and_name_the_best_the_worst_and_the_tail() -> None:
    rows = each_kernel(study()).groups[0].rows
    assert (rows[0].head, rows[-1].head) == ("triad", "lu")
    assert rows[0].cells[0].small.endswith("best, tail")
    assert rows[-1].cells[0].small.endswith("worst")
    assert [each.head for each in rows if "tail" in each.cells[0].small] == ["triad"]


def test_the_cases_do_not_stand_twice() -> None:
    assert [each.title for each in pages.table(section(study()), "The numbers").groups] == [
        "The primary summary, on which the verdict rests"
    ]


def test_one_chart_is_of_the_comparisons_and_one_of_the_reference_machine() -> None:
    ours, theirs = (each for each in charts(study()) if "kernels like these" in each.caption)
    assert "its baseline" in ours.caption
    assert "clang against gcc: triad" in ours.caption
    assert "the reference machine" in theirs.caption
    for chart in (ours, theirs):
        for picture in (chart.wide, chart.narrow):
            assert "for kernels like these" in picture
    assert "10 kernels" in ours.wide


def test_without_a_reference_no_machine_is_named() -> None:
    assert not any("reference" in each for each in told(study(), held=False))
    assert len([each for each in charts(study(), held=False) if "Each circle is one kernel" in each.caption]) == 1


def test_a_machine_that_does_not_show_its_clock_is_said_so_once() -> None:
    said = " ".join(told(study()))
    assert said.count("clock") == 2
    assert "Work per clock is not shown" in said
    assert "Work per clock is not shown" not in " ".join(told(study(clocked=True)))


def test_of_one_block_it_says_that_there_is_no_interval() -> None:
    said = " ".join(told(study(blocks=1)))
    assert "of one block, so that there is no interval" in said


def test_one_treatment_alone_has_its_values_and_what_they_come_to() -> None:
    of = suiting(treatment("gcc"))
    recording = folder(of, swept(of, {"gcc": RATES}))
    table = each_kernel(recording, held=False)
    assert table.columns == ("gcc",)
    assert [each.head for each in table.groups[0].rows] == sorted(KERNELS)
    assert [each.head for each in table.groups[1].rows] == ["geometric mean"]
    assert not any("these kernels" in each for each in told(recording, held=False))


def test_no_skew_is_claimed_from_eight_noisy_estimates_and_the_tail_is_a_hypothesis() -> None:
    text = " ".join(told(study()))
    assert "skew" not in text
    assert "chosen afterwards, so that is a hypothesis" in text
    assert "skewness" not in [row.head for group in each_kernel(study()).groups for row in group.rows]


def test_the_kernel_that_makes_most_of_the_change_is_named_with_the_mean_of_the_others() -> None:
    def line(factors: Sequence[float]) -> str:
        recording = study({"gcc": RATES, "clang": scaled(RATES, list(factors))})
        (context,) = StudyContext(reported(recording, held=False), recording).experiments
        return kernel_that_decides(context)

    even = [1.001, 0.999] * (len(KERNELS) // 2)
    assert re.fullmatch(
        r"\S+ \(best estimate -1\d\.?\d* %\); the mean of the other 9 is [+-]0\.\d+ %\.", line([0.85, *even[1:]])
    )
    assert line([0.9] * len(KERNELS)) == "", "all alike"
    assert line(even) == "", "no change"
    assert unsure(Interval(0.63, 1.09, 0.998)) == ", not sure: -37 % to +9 %"
    assert unsure(Interval(0.63, 0.99, 0.998)) == unsure(None) == ""


def test_the_answer_names_the_kernel_that_makes_most_of_a_mean_over_many() -> None:
    def says(factors: Sequence[float]) -> str:
        recording = study({"gcc": RATES, "clang": scaled(RATES, list(factors))})
        (result,) = reported(recording, held=False).experiments
        (comparison,) = result.comparisons
        return difference(comparison, result)

    many = len(KERNELS)
    one = says([0.85, *[0.999] * (many - 1)])
    assert re.search(rf"\(interval .*\), on average over {many} \S+, perhaps mostly {re.escape(KERNELS[0])}$", one)
    assert "mostly" not in says([0.9] * many)


def test_names_of_kernels_are_text_and_no_markup() -> None:
    names = (*KERNELS[:-1], "<script>alert(1)</script>")
    of = suiting(kernels=names)
    recording = folder(of, swept(of, HERE))
    page = pages.html(analyze(recording), recording)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_report_names_the_rule_of_the_tail_that_the_analysis_has() -> None:
    assert sentences.TAIL == mean_skew_and_tail_of_cases.TAIL


@pytest.mark.parametrize(
    ("reach", "ticks", "logarithmic"),
    [
        ([0.97, 1.03], ["-2 %", "0 %", "+2 %"], False),
        ([0.5, 1.1], ["-40 %", "-20 %", "0 %"], False),
        ([0.67, 2.4], ["0\u00d7", "1\u00d7", "2\u00d7"], False),
        ([0.4, 8.0], ["0\u00d7", "2\u00d7", "4\u00d7", "6\u00d7", "8\u00d7"], False),
        ([0.001, 300.0], ["0.001\u00d7", "0.01\u00d7", "0.1\u00d7", "1\u00d7", "10\u00d7", "100\u00d7"], True),
        ([1.0, 1.0], ["0 %"], False),
    ],
)
def test_an_axis_of_ratios_has_percent_where_they_are_close_then_factors_and_is_logarithmic_above_two_powers_of_ten(
    reach: list[float], ticks: list[str], *, logarithmic: bool
) -> None:
    axis = ratio_axis(reach, ends=("", ""), most=4)
    assert [label for _, label in axis.ticks] == ticks
    assert axis.low < min(reach)
    assert axis.high > max(reach)
    assert axis.logarithmic == logarithmic
