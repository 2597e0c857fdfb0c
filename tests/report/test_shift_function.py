"""The table of where along the response times two treatments differ."""

from collections.abc import Mapping
from dataclasses import replace

from headtohead.analyze.verdicts.shift_function import with_one_interval
from headtohead.model.analysis.comparison import Exploratory, Shift
from headtohead.model.analysis.estimates import Estimate, Interval
from headtohead.model.case import Case
from headtohead.report.document import Table
from headtohead.report.experiment.shift_function import shift_table
from headtohead.report.experiment.values.cells import NOTHING
from tests.report import pages
from tests.report.rising import ANALYSIS, RECORDING
from tests.report.sample import ANALYSIS as SAMPLE
from tests.report.searched import RESULT

LIGHT, HEAVY = Case({"connections": 1}), Case({"connections": 64})


def table(ratios: Mapping[tuple[Case, str], tuple[float, float, float]]) -> Table | None:
    shifts = tuple(
        Shift(case, quantile, Estimate(value, Interval(low, high, 0.99), 6))
        for (case, quantile), (low, value, high) in ratios.items()
    )
    pair = replace(RESULT.comparisons[0], other="nginx", baseline="apache", shifts=shifts, alpha=0.028)
    result = replace(RESULT, comparisons=(pair,))
    return shift_table(replace(pages.experiment(ANALYSIS, RECORDING), result=result))


def test_a_quantile_that_is_a_metric_as_well_has_one_interval_the_wider_of_two() -> None:
    p99, narrow, wide = "response_time_p99_ns", Interval(0.0132, 0.0543, 0.9986), Interval(0.0125, 0.0577, 0.999)
    for own, other in ((narrow, wide), (wide, narrow)):
        shifted = [Shift(HEAVY, each, Estimate(0.027, own, 6)) for each in ("p90", "p99")]
        explored = [Exploratory(case, p99, Estimate(0.027, other, 6), 0.03) for case in (LIGHT, HEAVY)]
        metrics, tenths = with_one_interval(explored, shifted)
        assert [each.ratio.interval for each in metrics] == [other, wide]
        assert [each.ratio.interval for each in tenths] == [own, wide]
    told = [
        ({(each.case, each.metric): each.ratio for each in pair.exploratory}, pair.shifts)
        for result in SAMPLE.experiments
        for pair in result.comparisons
    ]
    keys = [(known, (each.case, f"response_time_{each.quantile}_ns"), each.ratio) for known, of in told for each in of]
    both = [(known[key], ratio) for known, key, ratio in keys if key in known]
    assert both
    assert all(one == other for one, other in both), "in a whole analysis"


def test_the_lightest_and_the_heaviest_case_stand_beside_each_other() -> None:
    made = table({(LIGHT, "p50"): (0.7, 0.8, 0.9), (HEAVY, "p50"): (0.9, 1.0, 1.1), (HEAVY, "p99"): (1.1, 1.2, 1.3)})

    assert made is not None
    assert made.columns == ("connections 1", "connections 64")
    (group,) = made.groups
    assert group.title == "nginx against apache"
    assert [(row.head, [f"{cell.text} {cell.small}".strip() for cell in row.cells]) for row in group.rows] == [
        ("p50", ["-20 % [-30 %, -10 %]", "0 % [-10 %, +10 %]"]),
        ("p99", [NOTHING.text, "+20 % [+10 %, +30 %]"]),
    ]


def test_what_is_sooner_and_what_is_later_is_said_in_words() -> None:
    made = table(
        {
            (LIGHT, "p10"): (0.7, 0.8, 0.9),
            (LIGHT, "p20"): (0.7, 0.8, 0.9),
            (LIGHT, "p90"): (0.9, 1.0, 1.1),
            (LIGHT, "p99"): (1.1, 1.2, 1.3),
        }
    )
    assert made is not None
    assert made.note.startswith("nginx is faster at p10 to p20 and slower at p99 than apache (connections 1).")
    assert made.note.endswith("hold together, at 97.2 %.")


def test_nothing_is_said_where_nothing_surely_differs() -> None:
    made = table({(LIGHT, "p50"): (0.9, 1.0, 1.1)})
    assert made is not None
    assert "than apache" not in made.note


def test_without_times_there_is_no_table() -> None:
    assert table({}) is None
