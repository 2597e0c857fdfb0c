"""Doubts of loads of queries: wrong answers, data that were not in memory, engines that are their own driver."""

import dataclasses

import pytest

from headtohead.analyze.findings import Judgment, judge
from headtohead.analyze.samples.values_from_records import values_of
from headtohead.analyze.study import analyze
from headtohead.model.analysis.card import Card
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN
from headtohead.model.finding import Severity
from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Metric
from headtohead.model.record import LoadRecord, Recorded, Setting
from headtohead.model.study.workload import Load
from tests.analyze.building import GOODPUT, blocks_of, experiment, load_record, plan, readings, recorded, recording, run
from tests.analyze.building import treatment as arm

CLOSED = Load("closed", {}, {"connections": 10}, warm_up_s=1, measure_s=3)
IN_MEMORY = Load("closed", {}, {"connections": 10, "in_memory": True}, warm_up_s=1, measure_s=3)
ASKED = experiment(asks="sql/forum-v1", load=CLOSED)
ALONE = experiment(
    asks="sql/forum-v1",
    load=CLOSED,
    treatments=(arm("apache"), arm("nginx", in_process=True, driver_cpus=(), cpus=(0, 1))),
)


def judged(record: LoadRecord, of: PlannedExperiment = ASKED) -> Judgment:
    return judge(recorded(records=[record]), of)


def doubts(judgment: Judgment) -> list[str]:
    return [each.id for each in judgment.findings if each.severity is Severity.DOUBT]


def counted(**counters: float) -> LoadRecord:
    return dataclasses.replace(load_record(), counters=counters)


@pytest.mark.parametrize("kind", ["error-answer", "wrong-rows", "wrong-checksum"])
def test_one_wrong_answer_of_a_database_makes_its_run_invalid(kind: str) -> None:
    judgment = judged(dataclasses.replace(load_record(), errors={kind: 1}))
    assert judgment.status == "invalid"
    assert judgment.reasons == (f"wrong-answer: 1 wrong response ({kind.replace('-', ' ')}) (limit 0)",)


def test_pages_that_were_not_in_memory_are_a_doubt_above_one_percent() -> None:
    judgment = judged(counted(buffer_requests=10_000.0, buffer_reads=300.0))
    assert (judgment.status, doubts(judgment)) == ("valid", ["not-in-memory"])
    assert "3.0 % of the requested pages" in judgment.findings[0].says
    assert doubts(judged(counted(buffer_requests=10_000.0, buffer_reads=100.0))) == []


def test_where_memory_was_asked_for_such_a_run_is_invalid() -> None:
    of = dataclasses.replace(ASKED, load=IN_MEMORY)
    judgment = judged(counted(buffer_requests=10_000.0, buffer_reads=101.0), of)
    assert judgment.status == "invalid"
    assert judgment.reasons[0].startswith("not-in-memory: 1.0 % of the requested pages were not in the engine's memory")
    assert judged(counted(buffer_requests=10_000.0, buffer_reads=99.0), of).status == "valid"


def test_an_engine_that_does_not_count_leaves_a_doubt_where_memory_was_asked_for() -> None:
    assert doubts(judged(load_record())) == []
    assert doubts(judged(load_record(), dataclasses.replace(ASKED, load=IN_MEMORY))) == ["memory-untold"]


def test_what_the_disk_read_tells_of_an_engine_that_does_not_count() -> None:
    def of(read_bytes_per_s: float, load: Load = IN_MEMORY) -> Judgment:
        monitors = readings(disk_read_bytes=read_bytes_per_s)
        return judge(recorded(records=[load_record()], monitors=monitors), dataclasses.replace(ASKED, load=load))

    assert of(0.0).findings == ()
    assert of(300e3).findings == ()  # others may have read so little
    sent = load_record().sent
    assert (
        of(sent * 4096 * 0.02 / 3).reasons[0].startswith("not-in-memory: 2.0 % of the requested pages were read from")
    )
    assert doubts(of(sent * 4096 * 0.02 / 3, CLOSED)) == ["not-in-memory"]


def test_rows_in_the_kernel_s_cache_are_seen_though_the_engine_counts_keys_alone() -> None:
    keys = counted(buffer_requests=1000.0, buffer_reads=0.0)
    much = readings(disk_read_bytes=1e9)
    judgment = judge(recorded(records=[keys], monitors=much), dataclasses.replace(ASKED, load=IN_MEMORY))
    assert judgment.reasons[0].endswith(
        ": more pages than are known to have been requested were read from the disk (limit 1.0 %)"
    )


def test_an_engine_that_read_nothing_had_all_in_memory() -> None:
    of = dataclasses.replace(ASKED, load=IN_MEMORY)
    assert judged(counted(buffer_requests=0.0, buffer_reads=0.0), of).findings == ()


def test_rows_and_reads_become_metrics_and_what_nobody_counted_does_not() -> None:
    named = [Metric(name, name, "1", "neither", None, "load") for name in ("rows_per_s", "buffer_read_share")]
    of = experiment(metrics={each.name: each for each in (GOODPUT, *named)})
    record = counted(buffer_requests=200.0, buffer_reads=1.0)
    record = dataclasses.replace(record, values={**record.values, "rows": 90_000.0})
    values = values_of(of, recorded(records=[record]))
    assert values[Key(WHOLE_RUN, "rows_per_s")] == pytest.approx(30_000)
    assert values[Key(WHOLE_RUN, "buffer_read_share")] == pytest.approx(0.005)
    assert values_of(of, recorded()).keys() & {("", "rows_per_s"), ("", "buffer_read_share")} == set()


def in_process(record: LoadRecord, **rates: float) -> Recorded:
    """Return a run whose driver is the subject: its readings have no driver to speak of."""
    busy = {"driver_cpu_ns": 0.0, "subject_cpu_ns": 1.9} | rates
    return recorded(run(in_process=True), records=[record], monitors=readings(**busy))


def test_an_engine_that_is_its_own_driver_is_not_held_to_the_rules_of_drivers() -> None:
    record = load_record(errors={"descriptors": 1}, loop="open")
    values = {**record.values, "driver_delay_s": 2.0, "driver_cpu_s": 5.7, "send_lag_p99_ns": 5e6, "rate_error": 0.2}
    record = dataclasses.replace(record, values=values)
    assert judge(in_process(record), ALONE).findings == ()
    assert judge(recorded(records=[record]), ASKED).status == "invalid"


def test_what_is_no_matter_of_the_driver_holds_in_process_too() -> None:
    assert judge(in_process(load_record(), busy_ns=2.5), ALONE).reasons[0].startswith("foreign-cpu")
    wrong = dataclasses.replace(load_record(), errors={"wrong-rows": 3})
    assert judge(in_process(wrong), ALONE).status == "invalid"


def test_what_the_client_does_in_process_counts_as_the_subject_s() -> None:
    judgment = judge(in_process(load_record()), ALONE)
    assert judgment.cpu_use.driver == 0
    assert judgment.cpu_use.subject == pytest.approx(1.9 * 3)


def card_of(runs: list[Recorded], of: PlannedExperiment = ALONE) -> Card:
    card = analyze(recording(runs, of=plan(of))).experiments[0].treatments[1].card
    assert card is not None
    return card


def changed(each: Recorded, **changes: object) -> Recorded:
    return dataclasses.replace(each, run=dataclasses.replace(each.run, **changes))  # type: ignore[arg-type]


def test_the_card_of_such_an_engine_says_so_and_has_no_driver() -> None:
    runs = blocks_of({"apache": [1000.0] * 6, "nginx": [1100.0] * 6}, of=ALONE)
    card = card_of([changed(each, in_process=each.run.label == "nginx") for each in runs])
    assert card.in_process
    assert card.loop == "closed loop, 10 connections, in process"
    assert (card.driver_cpus_busy, card.driver_memory_peak_bytes) == (None, None)


def test_the_card_holds_the_load_time_and_all_that_was_in_force_what_differs_first() -> None:
    told = (Setting("port", "4001"), Setting("buffer", "2G", "128M"), Setting("cache", "OFF", "OFF"))
    runs = [
        dataclasses.replace(
            changed(each, prepared={"nginx": {"load_s": 41.5, "made_at": "2026-11-20T09:00:00Z"}}),
            configuration=(dataclasses.replace(told[0], value=f"400{each.run.block}"), *told[1:]),
        )
        for each in blocks_of({"apache": [1000.0] * 6, "nginx": [1100.0] * 6}, of=ASKED)
    ]
    card = card_of(runs, ASKED)
    assert card.load_s == {"nginx": 41.5}
    assert card.configuration == (told[1], Setting("port", "4001; 4002; ..."), told[2])
    assert not card.in_process
