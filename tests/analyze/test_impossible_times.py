"""Values that take longer than there was time were not measured: reports raise that as a doubt."""

from dataclasses import replace

from headtohead.analyze.study import analyze
from headtohead.model.finding import Finding, Severity
from headtohead.model.record import LoadRecord, Recorded
from headtohead.store.proof.possible_values import impossible
from tests.analyze.building import plan, recording
from tests.analyze.sweeps import SECOND, engine, sweeping, walked

PLANNED = sweeping(engine("mariadb"), engine("postgresql"))
RATES = {"mariadb": (2e3, 2e3, 3e3, 3e3, 3e3, 3e3, 3e3), "postgresql": (2e3, 2e3, 3e3, 4e3, 4e3, 4e3, 4e3)}
RUNS = walked(PLANNED, RATES)


def doubts(runs: list[Recorded]) -> list[Finding]:
    (result,) = analyze(recording(runs, of=plan(PLANNED))).experiments
    return [each for each in result.findings if each.id == "more-than-passed"]


def lasting(each: Recorded, seconds: int) -> Recorded:
    *before, last = each.run.phases
    return replace(each, run=replace(each.run, phases=(*before, replace(last, to_ns=seconds * SECOND))))


def test_cases_that_take_longer_than_their_run_are_a_doubt() -> None:
    assert doubts(RUNS) == []
    (found,) = doubts([lasting(each, 7) if each.run.block == 2 else each for each in RUNS])
    assert found.severity is Severity.DOUBT
    assert found.says == (
        "In 2 of 12 runs the cases take longer than the run lasted: in run 3, 7 cases take 21 s, and it lasted 7 s. "
        "Such values were not measured."
    )


def test_cases_shorter_than_planned_are_held_to_what_was_planned_unless_they_end_after_some_requests() -> None:
    def short(each: Recorded) -> Recorded:
        loads = (record for record in each.records if isinstance(record, LoadRecord))
        brief = (replace(one, elapsed_ns=SECOND // 2, to_ns=one.from_ns + SECOND // 2) for one in loads)
        return replace(lasting(each, 7), records=tuple(brief))

    runs = [short(each) for each in RUNS]
    assert len(doubts(runs)) == 1
    load = replace(PLANNED.load, settings={"requests": 1000})
    (result,) = analyze(recording(runs, of=plan(replace(PLANNED, load=load)))).experiments
    assert "more-than-passed" not in [each.id for each in result.findings]


def test_two_cases_of_a_load_generator_cannot_be_measured_at_once() -> None:
    first, *_ = RUNS
    values = [
        replace(each, values={**each.values, "goodput_per_s": each.right / 3})
        for each in first.records
        if isinstance(each, LoadRecord)
    ]
    good = replace(first, records=tuple(values))
    assert impossible(good) == ""
    one, two, *others = values
    moved = replace(two, from_ns=one.from_ns + SECOND, to_ns=one.from_ns + 4 * SECOND)
    assert impossible(replace(good, records=(one, moved, *others))) == (
        "measured connections=2 from 3000000000 ns, before connections=1 ended at 5000000000 ns"
    )
