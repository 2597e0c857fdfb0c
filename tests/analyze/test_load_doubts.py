"""Doubts of loads with a schedule: was the driver on time, was the pool large enough, was compression there at all?"""

import dataclasses
from typing import Any

import pytest

from headtohead.analyze.findings import Judgment, judge
from headtohead.analyze.runs.driver_schedule import driver_late
from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import dropped, permanent
from headtohead.analyze.study import analyze
from headtohead.model.case import Case
from headtohead.model.finding import Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric, Summary
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.bucket import LOAD, OBJECTIVE
from tests.analyze.building import experiment, load_record, plan, readings, recorded, recording, run, treatment

OPEN = Load("open", {}, {"rate_per_s": 1000}, warm_up_s=1, measure_s=3)


def told(**values: float) -> LoadRecord:
    return dataclasses.replace(load_record(loop="open"), values={"goodput_per_s": 1000.0, **values})


def judged(record: LoadRecord, of: PlannedExperiment | None = None) -> Judgment:
    quiet = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3)
    return judge(recorded(records=[record], monitors=quiet), of or experiment(load=OPEN))


def doubts(judgment: Judgment) -> list[str]:
    return [each.id for each in judgment.findings if each.severity is Severity.DOUBT]


def test_a_driver_on_time_is_no_matter() -> None:
    judgment = judged(told(send_lag_p99_ns=4e4, rate_error=0.0002, response_time_p50_ns=2e5, queued=0.0))
    assert (judgment.status, judgment.findings) == ("valid", ())


def test_requests_a_millisecond_late_limit_the_client() -> None:
    judgment = judged(told(send_lag_p99_ns=1.2e6))
    assert judgment.status == "invalid"
    assert judgment.reasons == ("client-limited: 99 of 100 requests left up to 1.2 ms late (limit 1 ms)",)


@pytest.mark.parametrize(
    ("allowed_ns", "lag_ns", "reasons"),
    [
        (50e6, 2.4e6, ()),
        (50e6, 2.6e6, ("client-limited: 99 of 100 requests left up to 2.6 ms late (limit 2.5 ms)",)),
        (10e6, 0.9e6, ()),
        (10e6, 1.2e6, ("client-limited: 99 of 100 requests left up to 1.2 ms late (limit 1 ms)",)),
    ],
)
def test_in_a_search_the_driver_may_be_late_by_a_twentieth_of_the_time_allowed(
    allowed_ns: float, lag_ns: float, reasons: tuple[str, ...]
) -> None:
    searching = dataclasses.replace(LOAD, objective={"response_time_p99_ns": allowed_ns, "error_share": 0.01})
    assert searching.searches
    judgment = judged(told(send_lag_p99_ns=lag_ns, response_time_p50_ns=1e8), experiment(load=searching))
    assert judgment.reasons == reasons
    assert driver_late(told(send_lag_p99_ns=lag_ns), searching) == bool(reasons)


def test_users_of_a_closed_loop_have_no_schedule_to_be_late_for() -> None:
    assert judged(dataclasses.replace(told(send_lag_p99_ns=1.2e6), loop="closed")).status == "valid"


def test_a_rate_missed_by_more_than_half_a_percent_limits_the_client() -> None:
    assert judged(told(rate_error=0.006)).reasons[0].startswith("client-limited: the load generator missed")
    assert judged(told(rate_error=0.004)).status == "valid"


def test_lateness_that_colors_the_response_time_is_a_doubt() -> None:
    assert doubts(judged(told(send_lag_p99_ns=2e5, response_time_p50_ns=1e6))) == ["send-lag"]
    assert doubts(judged(told(send_lag_p99_ns=2e5, response_time_p50_ns=1e7))) == []


def test_lateness_is_told_as_a_share_or_a_multiple_with_its_time() -> None:
    (some,) = judged(told(send_lag_p99_ns=2e5, response_time_p50_ns=1e6)).findings
    assert some.says == "1 of 100 requests left more than 200 µs late, 20 % of the median response time"
    (much,) = judged(told(send_lag_p99_ns=7.42e5, response_time_p50_ns=1e5)).findings
    assert much.says == "1 of 100 requests left more than 742 µs late, 7.4 times the median response time"
    searching = dataclasses.replace(LOAD, objective={"response_time_p99_ns": 5e7, "error_share": 0.01})
    found = judged(told(send_lag_p99_ns=2.497e6, response_time_p50_ns=1e5), experiment(load=searching)).findings
    (long,) = [each.says for each in found if each.id == "send-lag"]
    assert long.startswith("1 of 100 requests left more than 2.50 ms late, 25.0 times the median response time")


def test_lateness_in_a_search_is_doubted_alike_and_has_its_share_of_the_time_allowed_too() -> None:
    late = told(send_lag_p99_ns=5e5, response_time_p50_ns=1e5)
    of = experiment(load=dataclasses.replace(OPEN, objective={"response_time_p99_ns": 50e6, "error_share": 0.01}))
    (finding,) = judged(late, of).findings
    assert finding.severity is Severity.DOUBT
    assert finding.says.endswith("5.0 times the median response time and 1.0 % of the response time allowed")
    of_errors = experiment(load=dataclasses.replace(OPEN, objective={"error_share": 0.01}))
    (finding,) = judged(late, of_errors).findings
    assert finding.says.endswith("5.0 times the median response time")


def test_a_pool_that_ran_out_is_a_doubt() -> None:
    judgment = judged(told(queued=50.0, scheduled=1000.0))
    assert judgment.status == "valid"
    assert doubts(judgment) == ["queued"]


def test_a_full_listen_queue_is_a_doubt_with_its_number_and_the_slowest_response() -> None:
    record = told(response_time_max_ns=1.8e9)
    full = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3, listen_overflows=9.0)
    (finding,) = judge(recorded(records=[record], monitors=full), experiment(load=OPEN)).findings
    assert finding.severity is Severity.DOUBT
    assert finding.says == (
        "a listen queue was full 27 times or more: such a connection waits 0.2 s and longer; the slowest response took "
        "1.8 s"
    )
    short = dataclasses.replace(full, rows=full.rows[: len(full.rows) // 2 + 2])
    found = judge(recorded(records=[record], monitors=short), experiment(load=OPEN)).findings
    (half,) = [each for each in found if each.id == "listen-queue"]
    assert "times or more" in half.says, "the counter is read once a second, so its readings may end early"
    empty = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3, listen_overflows=0.0)
    assert judge(recorded(records=[record], monitors=empty), experiment(load=OPEN)).findings == ()


def test_books_that_do_not_fit_little_s_law_are_a_doubt() -> None:
    elapsed_ns = told().elapsed_ns
    assert doubts(judged(told(littles_law_error=0.07, response_time_max_ns=0.01 * elapsed_ns))) == ["littles-law"]
    assert doubts(judged(told(littles_law_error=0.05, response_time_max_ns=0.01 * elapsed_ns))) == []


def test_slow_requests_at_the_ends_of_the_measured_time_explain_their_share_of_it() -> None:
    slow = told(littles_law_error=0.24, response_time_mean_ns=1e6, response_time_max_ns=0.2 * told().elapsed_ns)
    assert doubts(judged(slow)) == []
    assert doubts(judged(dataclasses.replace(slow, values={**slow.values, "littles_law_error": 0.26}))) != []


def test_a_time_that_a_few_requests_ended_is_not_held_against_littles_law() -> None:
    counted = experiment(load=Load("closed", {}, {"requests": 3}, warm_up_s=1, measure_s=3))
    off = told(littles_law_error=36.0, response_time_max_ns=1e6)
    assert doubts(judged(off, counted)) == ["littles-law"]
    assert doubts(judged(dataclasses.replace(off, sent=3), counted)) == []


def test_a_body_that_does_not_inflate_is_a_wrong_answer() -> None:
    record = dataclasses.replace(told(), errors={"not-inflated": 2})
    assert judged(record).reasons[0].startswith("wrong-answer: 2 wrong responses (not inflated)")


def with_gzip(**settings: Any) -> PlannedExperiment:  # noqa: ANN401
    one = treatment("nginx", levels={"subject": "nginx", "gzip": "on"}, settings=settings)
    return experiment(load=OPEN, treatments=(treatment("apache"), one))


@pytest.mark.parametrize(
    ("plain", "status", "noticed"),
    [(100_000.0, "invalid", []), (20_000.0, "valid", ["not-compressed"]), (500.0, "valid", []), (0.0, "valid", [])],
)
def test_plain_answers_to_gzip_are_no_measurement_of_it(plain: float, status: str, noticed: list[str]) -> None:
    judgment = judged(told(plain_answers=plain), with_gzip())
    assert (judgment.status, doubts(judgment)) == (status, noticed)


def test_a_subject_told_not_to_compress_may_answer_plainly() -> None:
    assert judged(told(plain_answers=100_000.0), with_gzip(compress="off")).findings == ()


def plain_run(of: PlannedExperiment, *, plain: float) -> Recorded:
    """Return a run of nginx as the rules judge it, with this number of plain responses of 100,000."""
    quiet = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3)
    made = recorded(run("nginx"), records=[told(plain_answers=plain)], monitors=quiet)
    judgment = judge(made, of)
    return dataclasses.replace(
        made, run=dataclasses.replace(made.run, status=judgment.status, reasons=judgment.reasons)
    )


@pytest.mark.parametrize(
    ("settings", "named"), [({"compress": "on"}, ", with its setting compress = on"), ({}, "")], ids=["set", "unset"]
)
def test_plain_responses_alone_end_a_setup_at_its_first_run_and_name_the_setting_of_the_server(
    settings: dict[str, str], named: str
) -> None:
    of, why = with_gzip(**settings), f"all responses were plain although gzip was requested{named}"
    lost = plain_run(of, plain=100_000.0)

    assert permanent(lost) == why
    assert dropped(of, [lost]) == {"nginx": 1}, "its first run ends it, and none is repeated"

    other = recorded(run("apache", number=2, place=2), records=[told()])
    (comparison,) = analyze(recording([lost, other], of=plan(of))).experiments[0].comparisons
    assert (comparison.verdict, comparison.because) == ("not-measured", f"nginx was dropped: {why}")

    some = plain_run(of, plain=20_000.0)
    assert (permanent(some), dropped(of, [some])) == ("", {}), "some were compressed: the server does it"


def past(errors: dict[str, int] | None = None, **values: float) -> LoadRecord:
    case = Case({"overload_percent": 200, "rate_per_s": 2000.0})
    return dataclasses.replace(told(**values), case=case, errors=errors or {})


def in_search(record: LoadRecord) -> Judgment:
    held = dataclasses.replace(
        told(scheduled=2000.0, late=0.0), case=Case({"trial": 1, "rate_per_s": 1000.0}), elapsed_ns=2 * 10**9
    )
    quiet = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3)
    return judge(recorded(records=[held, record], monitors=quiet), experiment(load=LOAD))


def test_past_the_capacity_timeouts_and_queues_are_the_point() -> None:
    judgment = in_search(past({"timeout": 500, "refused": 20, "unfinished": 300}, queued=900.0, scheduled=4000.0))
    assert (judgment.status, doubts(judgment)) == ("valid", [])


def test_past_the_capacity_a_wrong_answer_still_is_one() -> None:
    assert in_search(past({"wrong-body": 1})).reasons[0].startswith("wrong-answer: 1 ")


def test_past_the_capacity_a_late_driver_is_a_doubt_and_its_point_is_left_out() -> None:
    judgment = in_search(past(send_lag_p99_ns=11e6, rate_error=0.2))
    assert judgment.status == "valid"
    assert doubts(judgment) == ["client-limited", "client-limited"]


def test_an_overload_at_which_the_objective_held_doubts_the_capacity() -> None:
    good = past(scheduled=2000.0, late=0.0, goodput_per_s=1000.0, response_time_p99_ns=1e6)
    held = dataclasses.replace(good, sent=2000, right=2000, elapsed_ns=2 * 10**9)
    (finding,) = [each for each in in_search(held).findings if each.id == "held-past-capacity"]
    assert finding.severity is Severity.DOUBT
    assert finding.says.startswith("offered 200 % of the capacity that was found, it kept up too: it may carry more")
    late = dataclasses.replace(held, values={**held.values, "late": 100.0})
    assert "held-past-capacity" not in doubts(in_search(late))


CAPACITY = Metric("capacity_per_s", "capacity", "1/s", "higher", ("carries more", "carries less"), "search")
CARRIES = Summary("capacity_per_s", "capacity_per_s", "geometric-mean", {})
SEARCHES = experiment(load=LOAD, primary=CARRIES, summaries=(CARRIES,), metrics={CAPACITY.name: CAPACITY})


def search_runs(label: str, capacity_per_s: float, *, passed: int, place: int) -> list[Recorded]:
    """Return six runs whose searches found about that; in some of them twice as much held too."""
    runs = []
    for block in range(1, 7):
        rate = capacity_per_s * (1 + 0.002 * (block * place % 4))
        held = dataclasses.replace(
            told(scheduled=2 * rate, late=0.0, goodput_per_s=rate),
            case=Case({"trial": 1, "rate_per_s": rate}),
            elapsed_ns=2 * 10**9,
        )
        over = told(
            scheduled=4 * rate,
            late=0.0 if block <= passed else 3 * rate,
            goodput_per_s=2 * rate if block <= passed else rate,
        )
        over = dataclasses.replace(
            over, case=Case({"overload_percent": 200, "rate_per_s": 2 * rate}), elapsed_ns=2 * 10**9
        )
        quiet = readings(subject_cpu_ns=0.5, driver_cpu_ns=0.3)
        made = run(label, number=2 * block + place, block=block, place=place)
        runs.append(recorded(made, records=[held, over], monitors=quiet))
    return runs


@pytest.mark.parametrize(("passed", "forbidden"), [(3, False), (4, True)])
def test_a_capacity_that_most_runs_passed_forbids_a_verdict_on_it(passed: int, *, forbidden: bool) -> None:
    runs = search_runs("apache", 1000.0, passed=0, place=1) + search_runs("nginx", 1500.0, passed=passed, place=2)
    (result,) = analyze(recording(runs, of=plan(SEARCHES))).experiments
    (finding,) = [each for each in result.findings if each.id == "held-past-capacity"]
    (comparison,) = result.comparisons
    assert comparison.ratio is not None
    assert comparison.ratio.value == pytest.approx(1.5, rel=0.01)
    if forbidden:
        assert (finding.severity, finding.of) == (Severity.INVALID, ("nginx",))
        says = "The capacity found for nginx is too low: in 4 of 6 runs it kept up with more, up to 200 % of it."
        assert (finding.says, comparison.because) == (says, says)
        assert comparison.verdict == "inconclusive"
    else:
        assert (finding.severity, finding.of) == (Severity.DOUBT, ())
        assert comparison.verdict == "better"


def test_a_search_in_which_nothing_held_says_so() -> None:
    late = dataclasses.replace(
        told(scheduled=2000.0, late=2000.0), case=Case({"trial": 1, "rate_per_s": 1000.0}), elapsed_ns=2 * 10**9
    )
    judgment = judge(recorded(records=[late]), experiment(load=LOAD))
    assert "nothing-held" in doubts(judgment)


def test_a_search_whose_outcomes_do_not_follow_the_rate_says_where() -> None:
    outcomes = ((800.0, 2000.0), (820.0, 2000.0), (950.0, 0.0), (700.0, 0.0))
    records = [
        dataclasses.replace(
            told(scheduled=2000.0, late=late, goodput_per_s=1000.0),
            case=Case({"trial": number, "rate_per_s": rate}),
            elapsed_ns=2 * 10**9,
        )
        for number, (rate, late) in enumerate(outcomes, start=1)
    ]
    judgment = judge(recorded(records=records), experiment(load=dataclasses.replace(LOAD, objective=OBJECTIVE)))
    assert "unstable-region" in doubts(judgment)
