"""Cases that a subject says it does not do: told, and never taken for a value."""

from dataclasses import replace

from headtohead.analyze.samples.values_from_records import measurements
from headtohead.analyze.study import analyze
from headtohead.model.analysis.estimates import Key
from headtohead.model.case import WHOLE_RUN, Case
from headtohead.model.finding import Severity
from headtohead.model.quantity import Summary
from headtohead.model.record import RefusedRecord
from headtohead.model.study.workload import Load
from tests.analyze import building as b

LARGE: Case = Case({"key": "rsa2048"})
CURVE: Case = Case({"key": "ed25519"})
PEAK = Summary("signs_per_s", "operations_per_s", "max", {"key": ("rsa2048",)})
OF_ALL = Summary("all_per_s", "operations_per_s", "geometric-mean", {})
EXPERIMENT = b.batch_experiment(
    cases=(LARGE, CURVE),
    load=Load("batch", {"key": ("rsa2048", "ed25519")}, {}),
    primary=PEAK,
    summaries=(PEAK, OF_ALL),
)
RUNS = [
    replace(each, records=(each.records[0], RefusedRecord(CURVE, "it gives no such key")))
    if each.run.label == "cpus=2"
    else each
    for each in b.blocks_of({"cpus=1": b.steady(1000), "cpus=2": b.steady(2000)}, of=EXPERIMENT)
]


def test_a_refused_case_has_no_value_and_no_summary_that_needs_it() -> None:
    lines = measurements(b.plan(EXPERIMENT), RUNS)
    of_two = {(each.case, each.metric) for each in lines if each.treatment == "cpus=2"}
    assert of_two == {(Case.parse("key=rsa2048"), "operations_per_s"), (WHOLE_RUN, "signs_per_s")}
    assert Key(WHOLE_RUN, "all_per_s") in {(each.case, each.metric) for each in lines if each.treatment == "cpus=1"}


def test_a_refused_case_is_told_once_with_its_reason_and_the_rest_is_decided() -> None:
    result = analyze(b.recording(RUNS, of=b.plan(EXPERIMENT))).experiments[0]
    told = [each for each in result.findings if each.id == "refused"]
    assert [each.says for each in told] == ["cpus=2 refused key=ed25519. Its reason: it gives no such key."]
    assert told[0].severity is Severity.NOTE
    assert result.comparisons[0].verdict == "better"
