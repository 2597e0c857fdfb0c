"""Page one names the kind of query that makes most of a difference, and what the means are without it."""

from dataclasses import replace

import pytest

from headtohead.model.analysis.curves import QueryTime
from headtohead.model.analysis.estimates import Estimate
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.study.workload import DataSet
from headtohead.report.context import ExperimentContext, StudyContext
from headtohead.report.experiment.load.queries_and_data import queries_and_data
from headtohead.report.study.page_one.card.does_not_show import leaves_open
from headtohead.report.study.page_one.card.query_that_decides import in_mix, query_that_decides, query_to_look_at
from tests.report.sample import ANALYSIS, RECORDING

ONE = Case({"connections": 1})


def result(
    *kinds: tuple[str, float | None, float, float], verdict: str = "better", more: tuple[QueryTime, ...] = ()
) -> ExperimentResult:
    """Return an experiment whose two setups took these times, in ns, for kinds with these shares."""
    first = ANALYSIS.experiments[0]
    arms = [each for each in first.treatments if not each.floor]
    times = [
        tuple(QueryTime(name, ONE, Estimate(both[place], None, 6), share) for name, share, *both in kinds)
        for place in (0, 1)
    ]
    treatments = tuple(
        replace(each, queries=(*own, *extra)) for each, own, extra in zip(arms, times, (more, ()), strict=True)
    )
    comparisons = tuple(replace(each, verdict=verdict) for each in first.comparisons[:1])  # type: ignore[arg-type]
    return replace(first, treatments=treatments, comparisons=comparisons)


def test_a_database_s_queries_are_on_the_card_the_most_frequent_first() -> None:
    def setup(
        *kinds: tuple[str, float | None, float, float], asks: str = "sql/forum-v1", writes: float = 0.0
    ) -> ExperimentContext:
        first, *rest = RECORDING.plan.experiments
        setups = tuple(replace(each, settings={**each.settings, "write_share": writes}) for each in first.treatments)
        planned = replace(first, asks=asks, treatments=setups, data=DataSet("forum", 2.0, 1, "kept"))
        recording = replace(RECORDING, plan=replace(RECORDING.plan, experiments=(planned, *rest)))
        return ExperimentContext(StudyContext(ANALYSIS, recording), result(*kinds))

    def line(*kinds: tuple[str, float | None, float, float], asks: str = "sql/forum-v1", writes: float = 0.0) -> str:
        return queries_and_data(setup(*kinds, asks=asks, writes=writes))

    assert line(THREADS, *OTHERS) == "index 49 %, message 49 % and threads 2 %; none writes; data set forum at scale 2."
    assert "only read" not in line(THREADS, *OTHERS, writes=0.5)
    assert "; queries that write; " in leaves_open(setup(THREADS, *OTHERS))
    assert "queries that write" not in leaves_open(setup(THREADS, *OTHERS, writes=0.5))
    assert "queries that write" not in leaves_open(setup(THREADS, *OTHERS, asks="http/static-v1"))
    assert line(THREADS, *OTHERS, asks="http/static-v1") == ""
    assert line(("index", None, 1.0, 1.0), THREADS) == "", "shares were not counted"


THREADS = ("threads", 0.02, 2.61e6, 5.31e5)
OTHERS = (("index", 0.49, 48_000.0, 47_000.0), ("message", 0.49, 49_000.0, 48_600.0))


def test_one_kind_that_makes_most_of_the_difference_is_named_with_its_share_and_the_means_without_it() -> None:
    assert query_that_decides(result(*OTHERS, THREADS)) == (
        "With 1 connection, “threads” (2 % of the requests, 1 of 3 kinds) makes most of the difference in response "
        "time: 2.61 ms with apache-httpd and 531 µs with nginx; without it the mean is 48.5 µs and 47.8 µs (best "
        "estimates)."
    )
    swept = replace(result(*OTHERS, THREADS), sweep="connections")
    assert query_that_decides(swept).startswith("With 1 connection (the only level with times by kind), “threads” (2 %")


def test_what_to_do_about_that_kind_is_its_place_in_the_mix_and_a_look_at_how_the_loser_runs_it() -> None:
    found = result(*OTHERS, THREADS)
    assert in_mix(found) == " (“threads”, 2 % of them, makes most of the difference with 1 connection)"
    assert query_to_look_at(found) == "See how apache-httpd runs “threads”, and try your own mix."
    alike = result(*OTHERS, ("threads", 0.02, 6e4, 5e4))
    assert (in_mix(alike), query_to_look_at(alike)) == ("", "")
    none = replace(found, treatments=(), comparisons=())
    assert (in_mix(none), query_to_look_at(none), query_that_decides(none)) == ("", "", "")


@pytest.mark.parametrize(
    "unlike",
    [
        result(*OTHERS, ("threads", 0.02, 6e4, 5e4)),
        result(("index", 0.5, 2e5, 1e5), ("message", 0.5, 2e5, 1e5)),
        result(("index", 0.9, 2e5, 1e5), ("message", 0.1, 1e5, 1e5)),
        result(*OTHERS, THREADS, verdict="inconclusive"),
        result(*OTHERS, THREADS, verdict="worse"),
        result(*OTHERS, ("threads", None, 2.61e6, 5.31e5)),
        result(*OTHERS, THREADS, more=(QueryTime("more", ONE, Estimate(1.0, None, 6), 0.1),)),
        result(THREADS),
        result(),
    ],
    ids=[
        "small",
        "shared",
        "nearly all",
        "no answer",
        "quicker lost",
        "not counted",
        "not of both",
        "only one",
        "none",
    ],
)
def test_no_kind_is_named_where_none_makes_most_or_that_is_not_known(unlike: ExperimentResult) -> None:
    assert query_that_decides(unlike) == ""
