"""Curves and matrices of batch records: over runs, point by point; absent where nothing was told; limited in size."""

import pytest

from headtohead.analyze.breakdown.batch_curves_and_matrices import MOST_A_SIDE, MOST_POINTS, matrices, point_curves
from headtohead.analyze.breakdown.figures_not_obtained import not_obtained
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.record import BatchRecord, Recorded
from tests.analyze.building import experiment, recorded, run

SMALL: Case = Case({"level": "staircase", "pages": "small"})
HUGE: Case = Case({"level": "staircase", "pages": "huge"})
ASKED = experiment(cases=(SMALL, HUGE))
WHOLE = experiment(cases=())


def told(case: Case, metrics: dict[str, float], *, why_not: str = "") -> BatchRecord:
    return BatchRecord(case, 1, "loads", 1, "right", metrics, why_not=why_not)


def runs(*records: tuple[BatchRecord, ...]) -> list[Recorded]:
    return [recorded(run(block=number), records=each) for number, each in enumerate(records, start=1)]


def test_points_of_equal_number_are_one_point_over_the_runs() -> None:
    made = runs(
        (told(SMALL, {"point_00_size_bytes": 4096, "point_00_load_ns": 1, "point_01_load_ns": 5, "load_ns": 9}),),
        (told(SMALL, {"point_00_size_bytes": 4096, "point_00_load_ns": 4}),),
    )

    (curve,) = point_curves(ASKED, made)

    assert curve.case.text == "level=staircase,pages=small"
    assert [each.number for each in curve.points] == [0, 1]
    first, second = curve.points
    assert first.figures["load_ns"].value == pytest.approx(2)
    assert (first.figures["load_ns"].n, second.figures["load_ns"].n) == (2, 1)
    assert first.figures["load_ns"].interval is not None
    assert second.figures["load_ns"].interval is None
    assert "size_bytes" not in second.figures


def test_a_case_without_points_has_no_curve_and_a_run_without_the_case_leaves_none_of_zero() -> None:
    made = runs((told(SMALL, {"point_00_load_ns": 3}),), (told(HUGE, {}, why_not="no huge pages"),))

    (curve,) = point_curves(ASKED, made)

    assert curve.points[0].figures["load_ns"].value == 3
    assert curve.points[0].figures["load_ns"].n == 1


def test_a_curve_of_a_stranger_with_too_many_points_is_left_out() -> None:
    few = {f"point_{number:02}_load_ns": 1.0 for number in range(MOST_POINTS)}
    many = {f"point_{number:02}_load_ns": 1.0 for number in range(MOST_POINTS + 1)}

    assert len(point_curves(WHOLE, runs((told(WHOLE_RUN, few),)))[0].points) == MOST_POINTS
    assert point_curves(WHOLE, runs((told(WHOLE_RUN, many),))) == ()


def test_cells_become_a_matrix_with_gaps_where_no_run_told_one() -> None:
    made = runs(
        (told(WHOLE_RUN, {"one_way_0_1_ns": 40, "one_way_0_2_ns": 90, "one_way_1_2_ns": 90, "one_way_ns": 90}),),
        (told(WHOLE_RUN, {"one_way_0_1_ns": 160, "node_bandwidth_0_0_bytes_per_s": 5e9}),),
    )

    one_way, bandwidth = matrices(WHOLE, made)

    assert (one_way.name, one_way.unit, one_way.n) == ("one_way", "ns", 2)
    assert (one_way.rows, one_way.columns) == ((0, 1), (1, 2))
    assert one_way.values[0] == pytest.approx((80, 90))
    assert one_way.values[1][0] is None
    assert one_way.values[1][1] == pytest.approx(90)
    assert (bandwidth.name, bandwidth.unit) == ("node_bandwidth", "B/s")
    assert bandwidth.values[0] == pytest.approx((5e9,))


def test_a_matrix_that_no_machine_has_is_left_out() -> None:
    wide = {f"one_way_0_{column}_ns": 1.0 for column in range(MOST_A_SIDE + 1)}

    assert matrices(WHOLE, runs((told(WHOLE_RUN, wide),))) == ()
    assert matrices(WHOLE, runs((told(WHOLE_RUN, {"one_way_0_1_ns": 0.0, "point_00_1_2_ns": 1.0}),))) == ()


def test_what_was_not_obtained_is_counted_with_its_reason() -> None:
    made = runs(*[(told(HUGE, {}, why_not="no huge pages"), told(SMALL, {"load_latency_ns": 1}))] * 3)

    (absent,) = not_obtained(ASKED, made)

    assert (absent.case, absent.why, absent.runs) == (Case.parse("level=staircase,pages=huge"), "no huge pages", 3)
