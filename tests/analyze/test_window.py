import dataclasses
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.analyze.runs.monitor_columns import Columns, Window
from headtohead.analyze.runs.use_in_window import cpu_use, gauge, increase, mean_peak, steal_share
from headtohead.model.readings import Readings, Rows
from tests.analyze.building import readings, without

WHOLE = Window(2e9, 5e9)


def test_a_counter_is_interpolated_at_both_ends_of_the_window() -> None:
    table = Readings(("t_ns", "x"), ((0, 0), (10, 100), (20, 400)))
    assert increase(Columns(table), "x", window=Window(5, 15)) == pytest.approx(200)


@given(at=st.floats(2.0, 6.0))
def test_two_neighboring_windows_together_rise_as_the_window_over_both(at: float) -> None:
    columns = Columns(readings())
    parts = [Window(1e9, at * 1e9), Window(at * 1e9, 7e9)]
    sum_of_parts = sum(increase(columns, "busy_ns", window=each) or 0 for each in parts)
    assert sum_of_parts == pytest.approx(increase(columns, "busy_ns", window=Window(1e9, 7e9)))


def test_a_missing_column_is_none_and_never_zero() -> None:
    assert increase(Columns(readings()), "disk_read_bytes", window=WHOLE) is None


@pytest.mark.parametrize("rows", [(), Rows(array("d"), width=0)])
def test_an_empty_file_of_readings_as_a_full_disk_leaves_it_has_no_column(rows: Rows | tuple[()]) -> None:
    assert Columns(Readings((), rows)).of("t_ns") is None


def test_a_window_that_the_readings_do_not_cover_is_none() -> None:
    assert increase(Columns(readings(seconds=3)), "busy_ns", window=WHOLE) is None


def test_a_counter_that_went_back_says_nothing() -> None:
    table = Readings(("t_ns", "x"), ((0, 100), (10, 0)))
    assert increase(Columns(table), "x", window=Window(0, 10)) is None


def test_cells_without_a_value_are_bridged() -> None:
    table = Readings(("t_ns", "x"), ((0, 0), (10, None), (20, 20)))
    assert increase(Columns(table), "x", window=Window(5, 15)) == pytest.approx(10)


def test_foreign_cpu_is_busy_less_subject_driver_and_harness() -> None:
    use = cpu_use(Columns(readings(busy_ns=2.0)), window=WHOLE, driver=True)
    assert use.foreign == pytest.approx(3 * (2.0 - 0.99 - 0.70 - 0.005))
    assert use.subject == pytest.approx(3 * 0.99)


def test_foreign_cpu_is_what_all_tasks_used_where_they_are_told_apart_from_interrupts() -> None:
    columns = Columns(readings(busy_ns=2.0, tasks_cpu_ns=0.99 + 0.70 + 0.005 + 0.04))
    assert cpu_use(columns, window=WHOLE, driver=True).foreign == pytest.approx(3 * 0.04)
    plain = readings(busy_ns=2.0)
    unread = Readings((*plain.columns, "tasks_cpu_ns"), tuple((*row, None) for row in plain.rows))
    assert cpu_use(Columns(unread), window=WHOLE, driver=True).foreign == pytest.approx(3 * (2.0 - 1.695))


def test_threads_of_the_kernel_are_nobodys() -> None:
    columns = Columns(readings(busy_ns=2.5, tasks_cpu_ns=0.99 + 0.70 + 0.005 + 0.04 + 0.2, kernel_cpu_ns=0.2))
    assert cpu_use(columns, window=WHOLE, driver=True).foreign == pytest.approx(3 * 0.04)


def test_foreign_cpu_is_never_negative() -> None:
    assert cpu_use(Columns(readings(busy_ns=1.0)), window=WHOLE, driver=True).foreign == 0


def test_foreign_cpu_is_unknown_where_the_subject_could_not_be_read() -> None:
    use = cpu_use(Columns(without(readings(), "subject_cpu_ns")), window=WHOLE, driver=True)
    assert use.foreign is None
    assert use.driver is not None


def test_batch_work_needs_no_reading_of_a_driver() -> None:
    use = cpu_use(Columns(without(readings(busy_ns=1.2), "driver_cpu_ns")), window=WHOLE, driver=False)
    assert use.driver == 0
    assert use.foreign == pytest.approx(3 * (1.2 - 0.99 - 0.005))


def test_steal_is_that_of_the_cpus_in_use() -> None:
    columns = Columns(readings(cpu0_steal_ns=0.1, cpu1_steal_ns=0.0, cpu2_steal_ns=0.9))
    assert steal_share(columns, window=WHOLE, cpus=(0, 1)) == pytest.approx(0.05)


def test_steal_of_all_cpus_stands_in_where_they_are_not_told_apart() -> None:
    assert steal_share(Columns(readings(steal_ns=0.1)), window=WHOLE, cpus=(0, 1)) == pytest.approx(0.05)


def test_a_rate_has_its_mean_over_the_window_and_its_peak_between_two_readings() -> None:
    table = Readings(("t_ns", "disk_read_bytes"), ((0, 0), (1e9, 10), (2e9, 110), (3e9, 110)))
    told = mean_peak(Columns(table), "disk_read_bytes", windows=[Window(0, 3e9)])
    assert told.mean == pytest.approx(110 / 3)
    assert told.peak == pytest.approx(100)


def test_a_rate_of_a_missing_column_has_neither_mean_nor_peak() -> None:
    assert mean_peak(None, "disk_read_bytes", windows=[WHOLE]).mean is None
    assert mean_peak(Columns(readings()), "disk_read_bytes", windows=[WHOLE]).peak is None


def test_a_gauge_keeps_the_readings_inside_the_windows() -> None:
    table = dataclasses.replace(readings(), columns=("t_ns", "cpu0_hz"), rows=((1e9, 1.0), (3e9, 2.0), (9e9, 3.0)))
    assert gauge(Columns(table), "cpu0_hz", windows=[WHOLE]) == [2.0]
