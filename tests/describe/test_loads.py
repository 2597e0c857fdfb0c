import tomllib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.describe.home import Home
from headtohead.describe.study.study import read_study
from headtohead.describe.toml.position import Place
from headtohead.describe.workload.loads import loop_of, merged, read_load
from headtohead.model.errors import WordsError
from headtohead.model.study.study import Experiment
from headtohead.model.study.workload import Load
from tests.wrong_studies.right import RIGHT_LOADS

HERE = Place("workload.toml")
ASKS = "http/forum-v1"
SESSIONS: Mapping[str, Any] = tomllib.loads(
    'loop = "sessions"\ncalls = 5\nthink_s = 1\nrate_per_s = [10, 20]\nwarm_up_s = 2\nmeasure_s = 4\ntimeout_s = 3'
)
CLOSED: Mapping[str, Any] = tomllib.loads("connections = [10, 100]\nrequests = 1000\nmeasure_s = 3")
SEARCHING: Mapping[str, Any] = {
    **SESSIONS,
    "rate_per_s": "search",
    "objective": {"response_time_p99_ns": 200_000_000},
}


def load(workload: Mapping[str, Any], study: Mapping[str, Any] | None = None, *, asks: str = ASKS) -> Load:
    """Return the load of a study on top of a workload's."""
    table = merged(workload, study or {}, asks=asks, place=HERE)
    return read_load(table, asks=asks, place=HERE)


def board(text: str, home: Home) -> Experiment:
    path = home.studies / "study.toml"
    path.write_text(text, "utf-8")
    return read_study(path, home).experiments[0]


def test_users_wait_where_nobody_says_another_loop() -> None:
    assert loop_of(ASKS, {}) == "closed"
    assert loop_of("batch/rsa-v1", {}) == "batch"
    assert loop_of(ASKS, {"loop": "open"}) == "open"


def test_a_closed_loop_has_a_case_for_each_number_of_users() -> None:
    assert load(CLOSED).cases == {"connections": (10, 100)}
    one = load({"connections": 7, "calls": 2, "think_s": 0.5, "requests": 100, "measure_s": 3})
    assert one.cases == {"connections": (7,)}
    assert one.settings == {"calls": 2, "think_s": 0.5, "requests": 100}


def test_a_study_chooses_how_its_driver_waits_and_the_test_stays_the_same() -> None:
    assert load(CLOSED).poll is None
    for changed in ({"poll": "sleep"}, {"poll": "sleep", "loop": "open", "rate_per_s": 5, "measure_s": 1}):
        asleep = load(CLOSED, changed)
        assert asleep.poll == "sleep"
        assert asleep == replace(load(CLOSED, {**changed, "poll": "busy"}), poll="sleep")
        assert "poll" not in {**asleep.settings, **asleep.cases}


def test_a_ladder_has_a_case_for_each_rate_and_one_rate_is_a_case_too() -> None:
    assert load(SESSIONS).cases == {"rate_per_s": (10, 20)}
    opened = load({"loop": "open", "rate_per_s": 12.5, "measure_s": 1})
    assert opened.cases == {"rate_per_s": (12.5,)}
    assert not opened.searches


def test_what_arrivals_leave_out_is_filled_in_so_that_equal_loads_are_equal() -> None:
    short = load({"loop": "open", "rate_per_s": 5, "measure_s": 1})
    assert short.settings == {"arrivals": "poisson", "connections": 1000}
    told = {"loop": "open", "rate_per_s": 5, "measure_s": 1, "arrivals": "poisson", "connections": 1000}
    assert load(told) == short
    assert load({**SESSIONS, "think_s": 0}).settings == {"arrivals": "poisson", "connections": 1000, "calls": 5}


def test_a_search_has_one_case_an_objective_and_short_trials() -> None:
    searching = load({word: value for word, value in SEARCHING.items() if word != "measure_s"})
    assert searching.searches
    assert searching.cases == {}
    assert searching.measure_s == 2
    assert searching.objective == {"response_time_p99_ns": 2e8, "error_share": 0.005}
    assert searching.settings["rate_per_s"] == "search"


def test_a_study_that_searches_does_not_measure_each_trial_as_long_as_a_case() -> None:
    study = {"rate_per_s": "search", "objective": {"response_time_p50_ns": 1e6, "error_share": 0}}
    assert load(SESSIONS, study).measure_s == 2
    assert load(SESSIONS, {**study, "measure_s": 6}).measure_s == 6
    assert load(SEARCHING).measure_s == 4, "the workload's own trials are as long as it says"
    assert load(SESSIONS, study).objective["error_share"] == 0


def test_a_study_that_gives_rates_needs_no_objective_of_its_workload() -> None:
    ladder = load(SEARCHING, {"rate_per_s": [5, 6]})
    assert ladder.objective == {}
    assert ladder.cases == {"rate_per_s": (5, 6)}
    with pytest.raises(WordsError, match="an objective without a search"):
        load(SEARCHING, {"rate_per_s": 5, "objective": {"response_time_p99_ns": 1}})


def test_a_study_that_says_how_long_is_not_stopped_by_a_number_of_requests() -> None:
    assert load(CLOSED).settings == {"requests": 1000}
    assert load(CLOSED, {"measure_s": 5}).settings == {}
    assert load(CLOSED, {"measure_s": 5, "requests": 200}).settings == {"requests": 200}


@given(
    loop=st.sampled_from(["closed", "open"]),
    times=st.dictionaries(st.sampled_from(["warm_up_s", "timeout_s"]), st.floats(0.1, 100)),
)
def test_a_study_that_sets_another_loop_keeps_only_the_times(loop: str, times: Mapping[str, float]) -> None:
    varied = "connections" if loop == "closed" else "rate_per_s"
    changed = load(SESSIONS, {"loop": loop, varied: [3, 4], **times})
    assert changed.loop == loop
    assert changed.cases == {varied: (3, 4)}
    assert not {"calls", "think_s"} & changed.settings.keys()
    assert (changed.warm_up_s, changed.measure_s, changed.timeout_s) == (
        times.get("warm_up_s", 2),
        4,
        times.get("timeout_s", 3),
    )


def test_a_search_is_decided_on_the_capacity_unless_it_is_told_otherwise(home: Home) -> None:
    found = board(RIGHT_LOADS, home)
    assert (found.primary.name, found.primary.of) == ("capacity_per_s", "capacity_per_s")
    assert [each.name for each in found.summaries] == ["capacity_per_s", "memory", "overload_goodput_share"]
    assert {each.name: each.by for each in found.summaries}["overload_goodput_share"] == "min"
    assert found.metrics.keys() == {"capacity_per_s", "overload_goodput_share", "subject_memory_peak_bytes"}
    worst = board(RIGHT_LOADS.replace("looks    = [6]", 'primary = "overload_goodput_share"\nlooks = [6]', 1), home)
    assert (worst.primary.name, worst.primary.by) == ("overload_goodput_share", "min")


def test_a_search_is_decided_on_the_workload_s_first_summary_where_it_can_be_had(home: Home) -> None:
    path = home.workloads / "board-index" / "workload.toml"
    path.write_text(path.read_text("utf-8").replace('goodput = { of = "goodput_per_s", by = "max" }\n', ""), "utf-8")
    assert board(RIGHT_LOADS, home).primary.name == "memory"


def test_a_limit_counts_against_the_shortest_timeout_in_force(home: Home) -> None:
    seven = RIGHT_LOADS.replace("200_000_000", "7_000_000_000")
    with pytest.raises(WordsError, match="the limit is not below the timeout"):
        board(seven, home)
    only_gzip = seven.replace('gzip    = ["off", "on"]', 'gzip    = ["on"]')
    assert board(only_gzip, home).load.objective["response_time_p99_ns"] == 7e9
