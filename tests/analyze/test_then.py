import dataclasses
from collections.abc import Mapping

import pytest

from headtohead.analyze.study import analyze
from headtohead.model.analysis.printed import Then
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.external.published import Alike, Figure, Published
from headtohead.model.quantity import Scalar
from tests.analyze.building import GOODPUT, plan, recording
from tests.analyze.sweeps import CONNECTIONS, engine, sweeping, walked

RATES = {"myisam": [100.0 * each for each in range(1, 8)], "innodb": [90.0 * each for each in range(1, 8)]}
ALIKE = Alike(
    workload="forum-read",
    of="goodput_per_s",
    level="connections=@level@",
    levels={},
    where={},
    benchmarks=("mysql",),
    metric="queries_per_second",
    times=1.0,
    caveat="Another forum.",
)


def figure(system: str, level: str, value: float, **changes: str) -> Figure:
    plain = Figure("a-2005", "mysql", system, "connections", level, "queries_per_second", value, "higher", "")
    return dataclasses.replace(plain, **changes)  # type: ignore[arg-type]


PRINTED = (figure("Xeon", "1", 243), figure("Xeon", "50", 333), figure("Opteron", "50", 366))


def published(*figures: Figure, alike: Alike = ALIKE) -> Published:
    return Published({"a-2005": "A magazine, 2005"}, figures or PRINTED, (alike,))


def result(told: Published | None, *, workload: str = "forum-read") -> ExperimentResult:
    of = dataclasses.replace(sweeping(engine("myisam"), engine("innodb")), workload=workload)
    return analyze(recording(walked(of, RATES), of=plan(of)), None, told).experiments[0]


def only(told: Published) -> Then:
    (found,) = result(told).then
    return found


def test_what_was_printed_stands_at_its_levels_beside_what_was_measured() -> None:
    found = only(published())
    assert (found.source, found.benchmark, found.metric) == ("A magazine, 2005", "mysql", GOODPUT.name)
    assert (found.level_kind, found.levels) == ("connections", ("1", "50"))
    assert [(each.system, each.values) for each in found.printed] == [("Xeon", (243, 333)), ("Opteron", (None, 366))]
    at = [CONNECTIONS.index(int(level)) for level in found.levels]
    for row in found.now:
        values = [each.value for each in row.estimates if each]
        assert values == pytest.approx([RATES[row.treatment][place] for place in at], rel=0.01)
        assert all(each.interval for each in row.estimates if each)


def test_printed_values_are_told_in_our_unit() -> None:
    found = only(published(alike=dataclasses.replace(ALIKE, times=1000.0)))
    assert found.printed[0].values == (243_000, 333_000)


def test_a_level_that_the_experiment_does_not_have_is_left_out() -> None:
    found = only(published(*PRINTED, figure("Xeon", "7", 300)))
    assert found.levels == ("1", "50")


def test_a_system_that_has_none_of_the_levels_is_left_out() -> None:
    found = only(published(*PRINTED, figure("Itanium", "7", 300)))
    assert [each.system for each in found.printed] == ["Xeon", "Opteron"]


def test_where_the_article_names_no_level_the_best_case_stands_beside_it() -> None:
    found = only(published(figure("Xeon", "", 300), alike=dataclasses.replace(ALIKE, level="")))
    assert found.levels == ("",)
    best = found.now[0].estimates[0]
    assert best is not None
    assert best.value == pytest.approx(max(RATES["myisam"]), rel=0.01)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"workload": "rsa"}, PRINTED),
        ({"of": "response_time_p99_ns"}, PRINTED),
        ({"where": {"query": "thread"}}, PRINTED),
        ({"metric": "signs_per_second"}, PRINTED),
        ({}, (figure("Xeon", "7", 300),)),
    ],
)
def test_nothing_is_set_beside_what_is_not_alike(changes: Mapping[str, Scalar], told: tuple[Figure, ...]) -> None:
    alike = dataclasses.replace(ALIKE, **changes)  # type: ignore[arg-type]
    assert result(published(*told, alike=alike)).then == ()


def test_without_printed_figures_there_is_no_then() -> None:
    assert result(None).then == ()


def test_what_another_program_does_is_not_called_the_counterpart_of_a_printed_figure() -> None:
    of_myisam = dataclasses.replace(ALIKE, program={"subject": "myisam"})
    found = only(published(alike=of_myisam))
    assert {each.treatment: each.counterpart for each in found.now} == {"myisam": True, "innodb": False}
    of_none = dataclasses.replace(ALIKE, program={"subject": "db2"})
    assert not any(each.counterpart for each in only(published(alike=of_none)).now)
    assert all(each.counterpart for each in only(published()).now)
