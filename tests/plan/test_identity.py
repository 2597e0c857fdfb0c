from dataclasses import replace

from headtohead.model.study.study import Experiment
from headtohead.model.study.workload import Load
from headtohead.plan.identity import same_test
from tests.plan.studies import SERVED, experiment, factor, subject

ASKED = experiment(factor("cpus", 1), subjects=[subject("apache"), subject("nginx")])


def identity(one: Experiment, *, workload: str = "w", data: str | None = "d") -> str:
    return same_test(one, workload_sha256=workload, data_sha256=data)


def test_the_subject_and_the_number_of_blocks_do_not_make_another_test() -> None:
    other = experiment(factor("cpus", 2), subjects=[subject("lighttpd")])
    assert identity(ASKED) == identity(replace(other, looks=(6,), name="two", question="What?", matters=1.1))


def test_workload_data_load_cases_compare_and_metric_do() -> None:
    longer = replace(SERVED, measure_s=5)
    other_cases = Load("closed", {"connections": (10, 50)}, {}, warm_up_s=1, measure_s=3)
    lower = {name: replace(metric, better="lower") for name, metric in ASKED.metrics.items()}
    made = [
        identity(ASKED),
        identity(ASKED, workload="x"),
        identity(ASKED, data="x"),
        identity(ASKED, data=None),
        identity(replace(ASKED, load=longer)),
        identity(replace(ASKED, load=other_cases)),
        identity(replace(ASKED, load=replace(SERVED, settle_s=60.0))),
        identity(replace(ASKED, compare="cpus")),
        identity(replace(ASKED, workload=replace(ASKED.workload, version=2))),
        identity(replace(ASKED, metrics=lower)),
    ]
    assert len(set(made)) == len(made)


def test_a_time_to_settle_is_the_same_whether_the_study_or_a_subject_sets_it() -> None:
    java = experiment(factor("cpus", 1), subjects=[subject("apache"), replace(subject("nginx"), settle_s=60.0)])
    assert identity(java) == identity(replace(ASKED, load=replace(SERVED, settle_s=60.0))) != identity(ASKED)
    assert identity(replace(java, load=replace(SERVED, settle_s=0.0))) == identity(ASKED)
