import dataclasses
import math
import statistics
from collections.abc import Sequence

import pytest

from headtohead.analyze.findings.between_runs.variation_and_outliers import Groups, clearest
from headtohead.analyze.statistics.between_runs.two_groups import two_groups
from headtohead.analyze.study import analyze
from headtohead.model.analysis.card import MeanPeak
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.case import Case
from headtohead.model.record import Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import (
    batch_experiment,
    blocks_of,
    experiment,
    load_record,
    plan,
    readings,
    recorded,
    recording,
    run,
    steady,
    treatment,
)

CLEAR = {"apache": steady(1000), "nginx": steady(1130)}


def result(runs: list[Recorded]) -> ExperimentResult:
    return analyze(recording(runs)).experiments[0]


def found(runs: list[Recorded]) -> list[str]:
    return [each.id for each in result(runs).findings]


def test_the_same_recording_gives_the_same_analysis_whatever_the_order_of_its_runs() -> None:
    runs = blocks_of(CLEAR)
    assert analyze(recording(runs)) == analyze(recording(runs[::-1]))


def test_treatments_come_in_the_order_of_the_plan_with_their_runs_counted() -> None:
    told = result(blocks_of(CLEAR, statuses={("nginx", 9): "invalid", ("nginx", 10): "failed"})).treatments
    assert [each.label for each in told] == ["apache", "nginx"]
    assert (told[1].runs_valid, told[1].runs_invalid, told[1].runs_failed) == (8, 1, 1)
    assert (told[0].title, told[1].title) == ("apache", "nginx web server")


def test_cells_hold_every_metric_with_its_interval_the_primary_first() -> None:
    cells = result(blocks_of(CLEAR)).treatments[0].cells
    assert [each.metric for each in cells] == [
        "overall",
        "goodput_per_s",
        "response_time_p99_ns",
        "subject_memory_peak_bytes",
    ]
    assert cells[0].estimate.value == pytest.approx(1000, rel=0.01)
    assert cells[0].estimate.interval is not None


def test_the_card_says_what_ran_and_what_it_used() -> None:
    card = result(blocks_of(CLEAR)).treatments[1].card
    assert card is not None
    assert card.versions == {"nginx": "1.0"}
    assert card.subject_cpus_busy == pytest.approx(0.99)
    assert card.driver_cpus_busy == pytest.approx(0.70)
    assert card.subject_memory_peak_bytes == 10_000_000
    assert card.typical_error is not None
    assert card.typical_error < 0.01
    assert card.disk_read_bytes_per_s == MeanPeak(None, None)
    assert card.threads is None


def test_the_card_s_rates_are_those_of_the_measured_time() -> None:
    busy = [dataclasses.replace(each, readings=readings(loopback_bytes=5e6)) for each in blocks_of(CLEAR)]
    card = result(busy).treatments[0].card
    assert card is not None
    assert card.loopback_bytes_per_s.mean == pytest.approx(5e6)
    assert card.loopback_bytes_per_s.peak == pytest.approx(5e6)


def test_the_loop_is_told_in_words() -> None:
    chosen = experiment(
        cases=({"connections": 10}, {"connections": 100}), load=Load("closed", {"connections": (10, 100)}, {})
    )
    card = analyze(recording(blocks_of(CLEAR, of=chosen), of=plan(chosen))).experiments[0].treatments[0].card
    assert card is not None
    assert card.loop == "closed loop, 10 and 100 connections, keep-alive, loopback, co-located"


def test_the_users_of_each_connection_are_told_with_http_2() -> None:
    load = Load("closed", {"connections": (10,)}, {"streams_per_connection": 4})
    chosen = experiment(cases=({"connections": 10},), load=load)
    treatments = tuple(dataclasses.replace(each, settings={"http_version": "2"}) for each in chosen.treatments)
    chosen = dataclasses.replace(chosen, treatments=treatments)
    card = analyze(recording(blocks_of(CLEAR, of=chosen), of=plan(chosen))).experiments[0].treatments[0].card
    assert card is not None
    assert card.loop == (
        "closed loop, 10 connections, 4 requests at once on each, HTTP/2, keep-alive, loopback, co-located"
    )


def test_batch_work_has_no_driver_on_its_card() -> None:
    chosen = batch_experiment()
    runs = blocks_of({"cpus=1": steady(100), "cpus=2": steady(195)}, of=chosen)
    told = analyze(recording(runs, of=plan(chosen))).experiments[0]
    card = told.treatments[0].card
    assert card is not None
    assert card.driver_cpus_busy is None
    assert card.loop.startswith("batch work")
    assert told.comparisons[0].scaling is not None
    assert told.comparisons[0].scaling.gain == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(
    ("rates", "usage", "quota", "resource"),
    [
        ({"subject_cpu_ns": 0.99}, {}, None, "cpu"),
        ({"subject_cpu_ns": 0.60, "driver_cpu_ns": 0.99}, {}, None, "driver"),
        ({"subject_cpu_ns": 0.60}, {}, None, "unknown"),
        ({"subject_cpu_ns": 0.50}, {"throttled_periods": 20.0}, 0.5, "cpu-quota"),
        ({"subject_cpu_ns": 0.50, "busy_ns": 1.5}, {}, None, "environment"),
    ],
)
def test_what_limited_a_treatment_is_the_first_line_of_the_list_that_holds(
    rates: dict[str, float], usage: dict[str, float], quota: float | None, resource: str
) -> None:
    chosen = experiment(treatments=tuple(treatment(each, cpu_quota=quota) for each in ("apache", "nginx")))
    runs = [
        dataclasses.replace(each, run=dataclasses.replace(each.run, usage=usage), readings=readings(**rates))
        for each in blocks_of(CLEAR)
    ]
    limits = analyze(recording(runs, of=plan(chosen))).experiments[0].treatments[0].limits
    assert [each.resource for each in limits] == [resource]


@pytest.mark.parametrize(
    ("copies", "used_cpus", "resource"),
    [(1, 0.99, "parallelism"), (1, 0.6, "unknown"), (2, 1.99, "cpu"), (2, 1.5, "unknown")],
)
def test_copies_that_are_fewer_than_the_cpus_limit_themselves(copies: int, used_cpus: float, resource: str) -> None:
    levels = {"subject": "c-kernels", "copies": copies}
    arms = tuple(treatment(each, levels=levels, cpus=(0, 1), driver_cpus=()) for each in ("cpus=1", "cpus=2"))
    chosen = batch_experiment(treatments=arms)
    runs = blocks_of({"cpus=1": steady(100), "cpus=2": steady(195)}, of=chosen)
    used = readings(subject_cpu_ns=used_cpus, driver_cpu_ns=0.0)
    told = analyze(recording([dataclasses.replace(each, readings=used) for each in runs], of=plan(chosen)))
    (limit,) = told.experiments[0].treatments[0].limits
    assert limit.resource == resource
    if resource == "parallelism":
        assert limit.subject_cpus == pytest.approx(0.99)
        assert (limit.subject_cpus_allotted, limit.at_once) == (2, 1)


def test_a_quiet_experiment_has_no_findings() -> None:
    assert found(blocks_of(CLEAR)) == []


def test_many_invalid_runs_are_a_doubt() -> None:
    runs = blocks_of(CLEAR, statuses={("nginx", block): "invalid" for block in range(1, 6)})
    told = result(runs).findings
    assert [each.id for each in told] == ["lopsided", "many-invalid"]
    assert told[1].evidence["most_often"] == "foreign-cpu"


def test_what_a_run_leaves_for_the_next_is_a_doubt() -> None:
    first = ["apache", "nginx"] * 3
    apache = [1000.0 if each == "apache" else 970.0 for each in first]
    nginx = [1000.0 if each == "nginx" else 970.0 for each in first]
    values = {"apache": apache, "nginx": [x * (1 + 0.0005 * i) for i, x in enumerate(nginx)]}
    told = result(blocks_of(values, first=first)).findings
    assert "position-effect" in [each.id for each in told]


def test_a_machine_that_becomes_slower_is_a_note_and_changes_no_verdict() -> None:
    slower = [1 - 0.01 * block for block in range(10)]
    values = {label: [x * y for x, y in zip(each, slower, strict=True)] for label, each in CLEAR.items()}
    told = result(blocks_of(values))
    assert "drift" in [each.id for each in told.findings]
    assert told.comparisons[0].verdict == "better"


def test_an_outlier_is_flagged_and_kept() -> None:
    values = {"apache": CLEAR["apache"], "nginx": [*CLEAR["nginx"][:3], 900.0, *CLEAR["nginx"][4:]]}
    told = result(blocks_of(values))
    (far,) = [each for each in told.findings if each.id == "outlier"]
    assert far.evidence["away_share"] == pytest.approx(900 / statistics.median(values["nginx"]) - 1, abs=0.01)
    assert far.evidence["side"] == "below"
    assert 900.0 in told.treatments[1].points


def test_the_few_runs_of_another_speed_are_all_outliers() -> None:
    """They are those that the doubt about two groups counts: 3 of 10 here."""
    speeds = (1.0, 1.02, 1.27, 1.04, 1.0, 0.98, 1.26, 1.25, 1.03, 0.99)
    values = {"apache": [1000 * each for each in speeds], "nginx": steady(1000, step=0.02)}
    told = result(blocks_of(values))
    (far,) = [each for each in told.findings if each.id == "outlier"]
    (varies,) = [each for each in told.findings if "runs_above" in each.evidence]
    assert far.evidence["runs"] == varies.evidence["runs_above"]
    assert far.evidence["side"] == "above"
    assert len(str(far.evidence["runs"]).split(", ")) == 3
    assert told.comparisons[0].without_outliers is not None
    assert told.comparisons[0].without_outliers.n == 7
    half = {"apache": [1000.0, 1300.0] * 5, "nginx": steady(1000, step=0.02)}
    assert not [each for each in result(blocks_of(half)).findings if each.id == "outlier"], (
        "neither half is the odd one"
    )


def test_runs_that_differ_much_are_a_doubt() -> None:
    values = {"apache": steady(1000, step=0.04), "nginx": steady(2000)}
    told = result(blocks_of(values)).findings
    assert [(each.id, each.evidence["treatment"]) for each in told] == [("typical-error", "apache")]


def advice_on(values: Sequence[float], *, stolen: Sequence[float] = (0.0,)) -> tuple[str, str]:
    """Return what is said and advised of a setup with these values, whose runs lose so many CPUs to the hypervisor."""
    runs = [
        dataclasses.replace(each, readings=readings(steal_ns=stolen[each.run.block % len(stolen)]))
        for each in blocks_of({"apache": values, "nginx": steady(3000, blocks=len(values))})
    ]
    (finding,) = (each for each in result(runs).findings if each.id == "typical-error")
    return finding.says, finding.advice


def test_the_advice_on_runs_that_vary_fits_what_the_runs_show() -> None:
    spread = [900.0, 1000.0, 1060.0, 1100.0, 960.0, 1030.0]
    says, advice = advice_on(spread)
    assert says == "apache: runs vary by 7.1 % (doubtful above 5 %)."
    assert advice == (
        "For narrower intervals, plan more blocks (raise the last of `looks` in `study.toml`); stolen CPU time and "
        "other programs do not explain the spread."
    )
    _, advice = advice_on(spread, stolen=(0.0, 0.1))
    assert advice.startswith(
        "For narrower intervals, measure on a quieter machine: stolen CPU time and other programs vary"
    )
    says, advice = advice_on([1000.0, 1500.0, 1010.0, 1520.0, 990.0, 1480.0])
    assert says == "apache: runs vary by 22 % (doubtful above 5 %): 3 of 6 runs are 50 % above the others."
    for few in ([1000.0, 1500.0, 1010.0, 1520.0, 990.0, 1005.0], [1500.0, 1000.0, 1510.0, 1020.0, 1490.0, 1505.0]):
        said, _ = advice_on(few)
        assert said.endswith("(doubtful above 5 %): 2 of 6 runs are a group of their own."), "a note has how far"
    assert advice.startswith("Compare the files of runs 4, 8, 12 of apache with those of its others (`runs/`), as it")
    _, advice = advice_on([1500.0, 1520.0, 1480.0, 1000.0, 990.0, 1010.0])
    assert advice.startswith("Look at what changed between runs 5 and 8 of apache: those before differ from")
    for more, text in ((0, "most clearly of 8 cases"), (3, "clearest of 4 such cases")):
        assert clearest(Groups("apache", Case({"kernel": "fft"}), (1,), (2,), 6, 0.5, more, 8)) == f" ({text})"
    assert clearest(Groups("apache", Case({"kernel": "fft"}), (1,), (2,), 6, 0.5)) == "", "there is one"
    values = {"apache": [1000.0, 1500.0, 1010.0, 1520.0, 990.0, 1480.0], "nginx": steady(3000, blocks=6)}
    groups = [each.evidence.get("runs_above") for each in result(blocks_of(values)).findings]
    assert [each for each in groups if each] == ["4, 8, 12"], "what page one names"


@pytest.mark.parametrize(
    ("values", "upper"),
    [
        ([1.0, 1.5, 1.01, 1.52], [1, 3]),
        ([1.0, 1.1, 1.2, 1.3, 1.5], []),  # no gap is twice as wide as both groups
        ([1.0, 1.001, 1.1, 1.101], []),  # apart, and by less than a fifth
        ([1.0, 1.01, 1.02, 1.5], []),  # one run alone is no group
        ([1.0, 1.5], []),
    ],
)
def test_two_groups_are_clearly_apart_and_have_two_runs_each(values: list[float], upper: list[int]) -> None:
    assert sorted(two_groups({key: math.log(each) for key, each in enumerate(values)})) == upper


def test_a_mean_of_the_disk_holds_what_one_of_the_runs_wrote() -> None:
    runs = [
        dataclasses.replace(each, readings=readings(disk_written_bytes=6e6 if each.run.block == 1 else 0.0))
        for each in blocks_of(CLEAR)
    ]
    apache = result(runs).treatments[0]
    card = apache.card
    assert card is not None
    assert card.disk_written_bytes_per_s.mean == pytest.approx(6e6 / 6), "of the runs up to the check that decided"
    assert card.disk_written_bytes_per_s.peak == pytest.approx(6e6)


def test_doubts_of_single_runs_are_gathered_into_one() -> None:
    busy = [dataclasses.replace(each, readings=readings(driver_cpu_ns=0.85)) for each in blocks_of(CLEAR)]
    told = [each for each in result(busy).findings if each.id == "driver-busy"]
    assert [(each.evidence["treatment"], each.evidence["runs"]) for each in told] == [("apache", 6), ("nginx", 6)]
    assert ", in 6 of 6 runs: " in told[0].says, "all alike"
    unlike = [
        dataclasses.replace(each, readings=readings(driver_cpu_ns=0.85 + each.run.block / 1000))
        for each in blocks_of(CLEAR)
    ]
    (first, *_) = [each for each in result(unlike).findings if each.id == "driver-busy"]
    assert ", in 6 of 6 runs, at worst: " in first.says


def test_a_program_that_changed_between_runs_is_a_doubt() -> None:
    runs = blocks_of(CLEAR)
    runs[0] = dataclasses.replace(runs[0], run=dataclasses.replace(runs[0].run, versions={"apache": "2.0"}))
    assert "versions-differ" in found(runs)


def test_a_time_limit_that_cut_the_looks_is_noted() -> None:
    noisy = {"apache": steady(1000, step=0.015, blocks=6), "nginx": steady(1010, step=0.018, blocks=6)[::-1]}
    ended = dataclasses.replace(recording(blocks_of(noisy)), stopped={"static-page": "out-of-time"})
    told = analyze(ended).experiments[0]
    assert (told.stopped, told.finished) == ("out-of-time", True)
    assert "looks-cut" in [each.id for each in told.findings]


def test_a_shared_drivers_share_is_the_most_of_any_run() -> None:
    apart = treatment("nginx", cpus=(0,), driver_cpus=(1,))
    shared = experiment(share_driver=True, treatments=(treatment("apache", driver_cpus=(0,)), apart))
    runs = [
        dataclasses.replace(each, readings=readings(driver_cpu_ns=0.0396 if each.run.block == 2 else 0.0297))
        for each in blocks_of(CLEAR)
    ]
    apache, nginx = analyze(recording(runs, of=plan(shared))).experiments[0].treatments
    assert apache.card is not None
    assert apache.card.driver_of_subject_share == pytest.approx(0.04)
    assert nginx.card is not None
    assert nginx.card.driver_of_subject_share is None


def test_a_run_without_readings_is_analyzed_as_far_as_it_goes() -> None:
    bare = [Recorded(each.run, each.records, None) for each in blocks_of(CLEAR)]
    told = result(bare)
    assert told.comparisons[0].verdict == "better"
    assert told.treatments[0].limits[0].resource == "unknown"
    assert "unwatched" in [each.id for each in told.findings]


def test_runs_of_another_experiment_do_not_mix_in() -> None:
    stranger = recorded(run("nginx", number=50, experiment="other"), records=[load_record(1.0)])
    assert result([*blocks_of(CLEAR), stranger]) == result(blocks_of(CLEAR))


def test_left_out_and_title_come_from_the_plan() -> None:
    told = analyze(recording(blocks_of(CLEAR)))
    assert (told.title, told.name, told.began) == ("A study", "2026-11-20-first", "2026-11-20T10:00:08.000Z")


def test_limits_come_in_the_order_of_the_plan_s_cases() -> None:
    chosen = experiment(cases=tuple({"connections": each} for each in (1, 2, 10)))
    told = analyze(recording(blocks_of(CLEAR, of=chosen), of=plan(chosen))).experiments[0].treatments[0].limits
    assert [each.case.text for each in told] == ["connections=1", "connections=2", "connections=10"]
