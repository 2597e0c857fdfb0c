"""What the report makes of memory: a made-up machine of two sockets, every shape that its records may have."""

from dataclasses import replace

import pytest

from headtohead.model.analysis.results import Analysis
from headtohead.model.machine.host import HostFacts
from headtohead.model.record import Recording
from headtohead.report.drawing.heat_map import MOST_A_SIDE, blocks
from headtohead.report.experiment.memory_speed.charts import size_axis
from tests.report import machines, pages


def text(made: tuple[Analysis, Recording]) -> str:
    return pages.markdown(*made)


def test_the_staircase_is_drawn_with_its_levels_and_the_caches_that_the_host_shows() -> None:
    page = pages.html(*machines.latency())

    assert "The latency staircase" in page
    assert page.count("L1 48 KiB") >= 2
    assert "L1 32 KiB" not in page
    assert "L1 1.5, L2 4.01, DRAM 110 ns" in page


def test_a_level_that_is_absent_has_its_reason_and_no_figure() -> None:
    page = text(machines.latency())

    assert "| level L3, pages small | there is no level L3 to choose sizes by" in page
    assert "| L1, small pages | 1.50 ns" in page
    assert "| L3, small pages" not in page


def test_a_reason_of_a_stranger_is_text_and_never_markup() -> None:
    made = machines.latency(why="<script>alert(1)</script>")

    assert "<script>alert" not in pages.html(*made)
    assert "<script>alert" not in text(made)


def test_every_point_stands_in_the_text_with_its_size() -> None:
    page = text(machines.latency())

    assert "| 0 | 4 KiB |" in page
    assert "| 72 | 1 GiB |" in page


@pytest.mark.parametrize(("partial", "said"), [(True, "partial curve to 30.1 GB/s"), (False, "| yes |")])
def test_latency_beside_traffic_says_how_far_its_curve_goes(partial: bool, said: str) -> None:
    made = machines.loaded(partial=partial)

    assert said in text(made)
    drawn = pages.html(*made).replace("\N{NO-BREAK SPACE}", " ")
    assert ("Partial curves: reads alone to 40.1 GB/s" in drawn) == partial


def test_pairs_of_cpus_are_told_in_both_directions_and_drawn() -> None:
    made = machines.core_to_core()

    line = next(each for each in text(made).splitlines() if each.startswith("| 15 |"))
    assert line.split("|")[2:-1] == [" 110 "] * 8 + [" 35.1 "] * 7 + [" \N{EN DASH} "]
    assert "faint is little, strong is much" in pages.html(*made)


def test_two_cpus_are_one_pair_and_the_report_says_so() -> None:
    page = text(machines.core_to_core(2))

    assert "| CPU | to CPU 0 | to CPU 1 |" in page
    assert "Two CPUs are one pair" in page
    assert "faint is little" not in pages.html(*machines.core_to_core(2))


def test_many_cpus_are_told_by_the_range_of_each_and_drawn_by_blocks() -> None:
    made = machines.core_to_core(64)

    assert "| CPU | least | in the middle | most |" in text(made)
    assert blocks([[1.0] * 256] * 256)[0] == 256 // MOST_A_SIDE
    assert len(pages.html(*made)) < 1_000_000


@pytest.mark.parametrize(("count", "alone"), [(1, True), (2, False)])
def test_one_memory_node_is_said_plainly(count: int, alone: bool) -> None:
    page = text(machines.nodes(count))

    assert ("One memory node" in page) == alone
    assert ("memory of node 1" in page) != alone


def test_the_share_of_the_theoretical_bandwidth_is_told_or_why_not() -> None:
    analysis, recording = machines.bandwidth()

    assert "| 40.1 GB/s" in text((analysis, recording))
    assert "80.2 %" in text((analysis, recording))
    hidden = replace(machines.FACTS[-1], value=None, why_not="only root may read the firmware's tables")
    blind = replace(recording, hosts=(HostFacts("made up", (hidden,)),))
    assert "not visible (only root may read the firmware's tables)" in text((analysis, blind))
    assert "80.2 %" not in text((analysis, blind))


def test_an_axis_of_sizes_has_few_ticks_that_are_whole() -> None:
    sizes = [4096.0, float(1 << 30)]

    assert [name for _, name in size_axis(sizes, most=4).ticks] == ["4 KiB", "256 KiB", "16 MiB", "1 GiB"]
    assert len(size_axis(sizes, most=9).ticks) == 10
    assert size_axis([4096.0], most=4).ticks == ((4096.0, "4 KiB"),)
