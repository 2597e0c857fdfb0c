"""Answers that must be right before a run is measured, and subjects that die: each cause is named."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts.fake.script import Launch, Outcome, load_outcome
from headtohead.model.case import Case
from tests.execute.laboratory import Laboratory, fake_affinity, one_experiment, tiny_home, tiny_page, tiny_program

TEXT = one_experiment("tiny-sql", "SUBJECT", load="connections = [1, 10]")
Make = Callable[[str], Laboratory]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    fake_affinity(monkeypatch)
    made: list[Laboratory] = []

    def laboratory(subject: str = "store") -> Laboratory:
        text = TEXT.replace("SUBJECT", subject)
        made.append(Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page))
        made[-1].script.program = tiny_program
        return made[-1]

    yield laboratory
    for each in made:
        each.study_context.__exit__(None, None, None)


def wrong(launch: Launch, kind: str, *, count: int = 3, stderr: str = "") -> Outcome:
    """Return what a load program does some of whose answers are wrong."""
    outcome = load_outcome(launch, rate_per_s=1_000.0)
    record = json.loads(outcome.stdout)
    told = {**record, "right": record["right"] - count, "errors": {kind: count}}
    return replace(outcome, stdout=json.dumps(told) + "\n", stderr=stderr)


def test_twenty_answers_are_asked_for_and_all_are_compared(make: Make) -> None:
    place = make("store").prepared()
    found = place.run()

    assert found.run.status == "valid", found.run.reasons
    names = [json.loads(each.option("--case") or "")["check"] for each in place.checks()]
    assert names == ["thread", "count", "thread", "count"]
    assert [each.option("--requests") for each in place.checks()] == ["20", "1", "20", "1"]
    for each in place.checks():
        assert (each.group, each.option("--connections"), each.option("--warm-up")) == ("driver", "1", "0ms")
        assert each.option("--hlog") is None
    phases = [phase.name for phase in found.run.phases]
    assert phases == ["copy", "start", "warm", "check", "gate", "measure", "gate", "measure", "check", "stop"]


def test_subjects_work_once_before_the_first_case_and_nothing_of_that_is_kept(make: Make) -> None:
    place = make("store")
    settled(place, 60.0)
    found = place.prepared().run()

    assert found.run.status == "valid", found.run.reasons
    phases = [phase.name for phase in found.run.phases]
    assert phases[:7] == ["copy", "start", "warm", "check", "settle", "gate", "measure"]
    (load,) = [each for each in place.launches() if each.name.startswith("settle.")]
    assert (load.option("--connections"), load.option("--duration")) == ("10", "60000ms"), "the most users of a case"
    assert (load.option("--hlog"), load.option("--rate"), load.group) == (None, None, "driver")
    assert [each.case.text for each in found.records] == ["connections=1", "connections=10"]


def test_a_subject_settles_under_the_requests_of_all_cases_in_turn(make: Make) -> None:
    place = make("store")
    (planned,) = place.plan.experiments
    cases = tuple(Case({"query": name, "connections": 4}) for name in ("thread", "count"))
    runs = tuple(replace(each, cases=cases) for each in planned.runs)
    of = replace(planned, cases=cases, runs=runs, load=replace(planned.load, settle_s=60.0))
    place.plan = replace(place.plan, experiments=(of,))
    found = place.prepared().run()

    assert found.run.status == "valid", found.run.reasons
    loads = [each for each in place.launches() if each.name.startswith("settle.")]
    assert [json.loads(each.option("--case") or "")["query"] for each in loads] == ["thread", "count"]
    assert [(each.option("--connections"), each.option("--duration")) for each in loads] == [("4", "30000ms")] * 2


def test_an_engine_in_process_does_not_settle_as_each_load_program_is_another(make: Make) -> None:
    place = make("inside")
    settled(place, 60.0)
    found = place.prepared().run()

    assert found.run.status == "valid", found.run.reasons
    assert "settle" not in [phase.name for phase in found.run.phases]


def test_a_subject_that_answers_nothing_while_it_settles_fails_the_run(make: Make) -> None:
    place = make("store")
    settled(place, 60.0)
    place.prepared()

    def refuses(launch: Launch) -> Outcome:
        if not launch.name.startswith("settle."):
            return tiny_program(launch)
        right = json.loads(load_outcome(launch, rate_per_s=1_000.0).stdout)["right"]
        return wrong(launch, "refused", count=right)

    place.script.program = refuses
    found = place.run()

    assert found.run.status == "failed"
    assert (
        "store had no correct response while it settled: It worked for 60 s under a load of 10 users"
        in (found.run.reasons[0])
    )


def test_a_load_that_compares_every_answer_is_not_asked_again_at_its_end(make: Make) -> None:
    place = make("store")
    experiment = place.study_context.study.experiments[0]
    queries = tuple(replace(each, expect=replace(each.expect, sample=1.0)) for each in experiment.workload.queries)
    workload = replace(experiment.workload, queries=queries)
    place.study_context.study = replace(
        place.study_context.study, experiments=(replace(experiment, workload=workload),)
    )
    found = place.prepared().run()

    assert [phase.name for phase in found.run.phases].count("check") == 1


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (
            "wrong-rows",
            "thread gave another number of rows in 3 of 20 answers, where what thread.messages says is right",
        ),
        ("wrong-checksum", "thread gave other rows in 3 of 20 answers, where what thread.checksum says is right"),
        ("error-answer", "thread gave an error in 3 of 20 answers"),
        ("timeout", "thread gave timeout in 3 of 20 answers"),
    ],
)
@pytest.mark.parametrize("subject", ["store", "inside"])
def test_a_wrong_answer_before_the_load_fails_the_run_with_its_cause(
    make: Make, subject: str, kind: str, says: str
) -> None:
    place = make(subject).prepared()

    def lies(launch: Launch) -> Outcome:
        lied = launch.name.startswith("check.") and "thread" in (launch.option("--case") or "")
        return wrong(launch, kind, stderr="49 rows where 50 are right\n") if lied else tiny_program(launch)

    place.script.program = lies
    found = place.run()

    assert found.run.status == "failed"
    assert f"{subject} answers wrongly" in found.run.reasons[0]
    assert says in found.run.reasons[0]
    assert "49 rows where 50 are right" in found.run.reasons[0]
    assert found.records == ()
    assert place.loads() == []


def test_a_wrong_row_under_load_makes_the_run_invalid_and_its_copy_is_thrown_away(make: Make) -> None:
    place = make("store").prepared()
    place.script.program = lambda launch: (
        wrong(launch, "wrong-checksum") if launch.name.startswith("walk-") else tiny_program(launch)
    )
    found = place.run()
    (working,) = place.study_context.copies.made.values()
    (working / "table").write_text("half a row")
    place.script.program = tiny_program
    again = place.run(2)

    assert found.run.status == "invalid"
    assert all(each.startswith("wrong-answer: ") for each in found.run.reasons), found.run.reasons
    assert again.run.status == "valid"
    assert (working / "table").read_text() == "rows"


def test_a_server_has_the_processes_that_it_had_under_load(make: Make) -> None:
    place = make("store").prepared()
    at_work: list[str] = []

    def program(launch: Launch) -> Outcome:
        at_work[:] = [launch.name] if launch.group == "driver" else at_work
        return tiny_program(launch)

    def answer(asked: Mapping[str, object], answer: Mapping[str, object]) -> Mapping[str, object]:
        if asked["do"] == "wait" and answer["exited"]:
            at_work.clear()
        many = 57 if at_work and at_work[0].startswith("walk-2") else 7
        return {**answer, "processes": many} if asked["do"] in ("usage", "read_back") else answer

    place.script.program, place.script.answer = program, answer
    found = place.run()

    assert found.run.status == "valid", found.run.reasons
    assert found.run.usage["processes"] == 57


def dies(place: Laboratory, when: str, *, memory: bool = False) -> None:
    """Let the server be killed once a program of that name has begun; the load generator goes on and finds nobody."""

    def program(launch: Launch) -> Outcome:
        if launch.name.startswith(when):
            (*_, last) = (each for each in place.host.supervises if "subject" in each.programs)
            store = last.programs["subject"]
            store.to_ns, store.outcome = launch.at_ns, replace(store.outcome, code=None, signal="KILL")
            return wrong(launch, "refused")
        return tiny_program(launch)

    place.script.program = program
    if memory:
        place.script.answer = lambda asked, answer: {**answer, "oom_kills": 1} if asked["do"] == "usage" else answer


def settled(place: Laboratory, settle_s: float) -> None:
    """Let every subject of the place work for so long before the first case."""
    (planned,) = place.plan.experiments
    place.plan = replace(place.plan, experiments=(replace(planned, load=replace(planned.load, settle_s=settle_s)),))


@pytest.mark.parametrize("when", ["check.", "settle", "walk-1", "walk-2"])
def test_a_server_that_is_killed_in_mid_run_is_said_to_be(make: Make, when: str) -> None:
    place = make("store")
    settled(place, 1.0)
    place.prepared()
    dies(place, when)

    found = place.run()

    assert found.run.status == "failed"
    assert "store ended in mid-run: It ended by the signal KILL" in found.run.reasons[0]
    assert list(place.study_context.copies.in_order()) == []


def test_a_server_that_the_kernel_killed_for_memory_is_said_to_be(make: Make) -> None:
    place = make("store").prepared()
    dies(place, "walk-1", memory=True)

    assert "as the kernel killed it for memory" in place.run().run.reasons[0]


def test_a_load_generator_that_fails_says_why_where_the_server_lives(make: Make) -> None:
    place = make("store").prepared()
    place.script.program = lambda launch: (
        Outcome(takes_s=0.1, stderr="h2h-load: access denied for user root\n", code=1)
        if launch.name.startswith("check.")
        else tiny_program(launch)
    )

    assert "access denied for user root" in place.run().run.reasons[0]


@pytest.mark.parametrize(
    ("program", "said", "says"),
    [
        ("store-show", "no tab\n", "line 1 is not name, value and default"),
        ("store-show", "a\t1\t1\na\t2\t1\n", "line 2 names a again"),
        ("store-show", "a\t\x1b[31m\t\n", "line 1 holds a control character"),
        ("store-show", "a\t1\n" * 300_000, "larger than 1024 KiB"),
        ("store-count", "buffer_reads\tmany\n", "could not convert"),
        ("store-count", "buffer_reads\tinf\n", "not a finite number"),
        ("store-count", "Buffer reads\t1\n", "not a new name, a tab and a number"),
    ],
)
def test_what_a_subject_tells_of_itself_is_checked(make: Make, program: str, said: str, says: str) -> None:
    place = make("store").prepared()
    place.script.program = lambda launch: (
        Outcome(takes_s=0.1, stdout=said) if launch.argv[0] == program else tiny_program(launch)
    )

    found = place.run()

    assert found.run.status == "failed"
    assert "cannot be used" in found.run.reasons[0]
    assert says in found.run.reasons[0]


def test_a_client_in_process_that_runs_elsewhere_makes_the_run_invalid(make: Make) -> None:
    place = make("inside").prepared()
    place.script.answer = lambda asked, answer: {**answer, "cpus": [0, 1]} if asked["do"] == "read_back" else answer

    found = place.run()

    assert found.run.status == "invalid"
    assert found.run.reasons[0].startswith("read-back: ")


def test_a_client_in_process_that_ends_as_it_is_looked_at_leaves_it_to_the_next_one(make: Make) -> None:
    place = make("inside").prepared()
    asked: list[str] = []

    def answer(request: Mapping[str, object], answer: Mapping[str, object]) -> Mapping[str, object]:
        asked.append(str(request["do"]))
        # The first one ended after it was found alive, and before it was read back.
        if asked[-1] == "read_back" and asked.count("read_back") == 1:
            return {**answer, "processes": 0, "cpus": [], "uids": []}
        return {"alive": False, "code": 0} if asked[-2:] == ["read_back", "alive"] else answer

    place.script.answer = answer

    found = place.run()

    assert found.run.status == "valid", found.run.reasons
    assert found.run.read_back["cpus"] == (0,)
    assert asked.count("read_back") == 2


def test_a_client_in_process_that_cannot_start_is_a_failed_run(make: Make) -> None:
    place = make("inside").prepared()
    place.script.program = lambda launch: (
        Outcome(takes_s=0.01, stderr="h2h-load: table is no database\n", code=1)
        if launch.argv[0] == "h2h-load"
        else tiny_program(launch)
    )

    found = place.run()

    assert found.run.status == "failed"
    assert "table is no database" in found.run.reasons[0]
