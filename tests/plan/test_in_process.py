from dataclasses import replace

import pytest

from headtohead.model.errors import LimitedError
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import Client, Range, SubjectFactor
from headtohead.model.study.workload import DataSet, Load
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, plan, planned, subject
from tests.plan.test_identity import identity

TWO = machine(cores=2)
FOUR = machine(cores=4)
MARIADB = subject("mariadb")
SQLITE = replace(subject("sqlite"), start=None, client=Client(("h2h-load", "sql")))
DUCKDB = replace(SQLITE, name="duckdb", title="DuckDB")
SHARE = SubjectFactor("write_share", Range(0, 0.5), 0, state="fresh")
DATA = DataSet("forum", 1, 1, "kept")


def writing(*shares: float, data: DataSet | None = DATA) -> Experiment:
    asked = experiment(factor("cpus", 1), factor("write_share", *shares), subjects=[MARIADB], compare="write_share")
    return replace(asked, workload=replace(asked.workload, data=data, factors={"write_share": SHARE}))


def test_what_works_in_process_has_no_driver_and_all_the_cpus() -> None:
    one = planned(experiment(factor("cpus", 1, "all"), subjects=[SQLITE], compare="cpus"), machine=TWO)
    assert [(each.cpus, each.driver_cpus) for each in one.treatments] == [((0,), ()), ((0, 1), ())]
    assert all(each.in_process for each in one.treatments)


def test_beside_a_server_all_is_what_the_driver_leaves() -> None:
    one = planned(experiment(factor("cpus", "half", "all"), subjects=[MARIADB, SQLITE]), machine=FOUR)
    by_subject = {each.subject: each for each in one.treatments if each.levels["cpus"] == 2}
    assert by_subject["mariadb"].driver_cpus == (2, 3)
    assert by_subject["sqlite"].driver_cpus == ()
    assert (by_subject["mariadb"].poll, by_subject["sqlite"].poll) == ("busy", None)
    assert by_subject["sqlite"].cpus == by_subject["mariadb"].cpus == (0, 1)
    assert [each.in_process for each in by_subject.values()] == [False, True]


def test_without_the_factor_all_subjects_of_an_experiment_have_as_many_cpus() -> None:
    alone = planned(experiment(subjects=[SQLITE, DUCKDB]), machine=FOUR)
    beside = planned(experiment(subjects=[MARIADB, SQLITE]), machine=FOUR)
    assert {len(each.cpus) for each in alone.treatments} == {4}
    assert {len(each.cpus) for each in beside.treatments} == {3}


def test_where_no_cpu_is_left_for_a_driver_what_works_in_process_stays() -> None:
    asked = experiment(factor("cpus", 2), subjects=[MARIADB, SQLITE, DUCKDB])
    with pytest.raises(LimitedError, match="no CPU left for the driver"):
        plan(asked, machine=TWO)
    left = plan(replace(asked, optional=True), machine=TWO)
    assert [each.treatment for each in left.left_out] == ["mariadb"]
    assert [each.label for each in left.experiments[0].treatments] == ["sqlite", "duckdb"]
    assert [(each.baseline, each.other) for each in left.experiments[0].comparisons] == [("sqlite", "duckdb")]


def test_every_run_walks_every_query_at_every_number_of_connections() -> None:
    mining = Load("closed", {"connections": (1, 2), "query": ("q2", "q3")}, {"requests": 3}, warm_up_s=1, measure_s=5)
    one = planned(experiment(subjects=[SQLITE], compare=None, load=mining), machine=TWO)
    assert one.cases == tuple({"connections": count, "query": name} for count in (1, 2) for name in ("q2", "q3"))
    assert one.run_s["sqlite"] == pytest.approx(1 + 4 * (0.35 + 1 + 5))
    assert one.notes == ("A case ends after 3 requests; the length of the study takes it that they last 5 s.",)


def test_runs_that_write_start_on_copies_of_their_own() -> None:
    one = planned(writing(0, 0.02), machine=TWO)
    assert [each.fresh for each in one.treatments] == [False, True]
    assert one.notes == (
        "Every run of mariadb write_share=0.02 starts on a copy of the data of its own; "
        "the length of the study is without the copying.",
    )
    always = planned(writing(0, 0.02, data=replace(DATA, state="fresh")), machine=TWO)
    assert [each.fresh for each in always.treatments] == [True, True]
    assert always.notes[0].startswith("Every run starts on")
    assert not any(each.fresh for each in planned(writing(0, 0.02, data=None), machine=TWO).treatments)


def test_a_limit_of_memory_is_a_level_that_the_machine_may_lack() -> None:
    asked = experiment(factor("cpus", 1), factor("memory_mib", 512, 1024), subjects=[MARIADB], compare="memory_mib")
    assert [each.label for each in planned(asked, machine=TWO).treatments] == [
        "mariadb memory_mib=512",
        "mariadb memory_mib=1024",
    ]
    lacking = replace(TWO, lacks={"memory_mib": "no control group"})
    with pytest.raises(LimitedError, match="the factor memory_mib cannot be given"):
        plan(asked, machine=lacking)


def test_the_query_that_is_asked_and_where_its_data_must_be_make_another_test() -> None:
    sweep = Load("closed", {"connections": (1, 2)}, {}, warm_up_s=1, measure_s=5)
    loads = (
        sweep,
        replace(sweep, settings={"in_memory": True}),
        replace(sweep, settings={"query": "q2"}),
        replace(sweep, cases={**sweep.cases, "query": ("q2",)}),
    )
    assert len({identity(experiment(subjects=[SQLITE], load=load)) for load in loads}) == len(loads)
