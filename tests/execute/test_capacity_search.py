"""A run that is a search for the capacity, on a machine that is not there and gives so many answers a second."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.execute.context.study_context import NextTrial
from headtohead.execute.run.capacity_search import AGAIN, MOST_TRIALS, trial_text
from headtohead.hosts.fake.script import Launch, Outcome, load_outcome
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment, Treatment
from headtohead.model.record import LoadRecord, Recorded
from headtohead.model.study.trials import Trial
from tests.execute.laboratory import Laboratory, fake_affinity, tiny_home, tiny_page, tiny_program

SEARCH = """format = 1
title = "On a fake machine"
seed = 1

[[experiment]]
name = "tiny"
question = "How much?"
workload = "tiny"
looks = [6]

[experiment.factors]
subject = [{ name = "board", label = "A" }, { name = "board", label = "B" }]
cpus = [1]

[experiment.load]
loop = "sessions"
calls = 5
rate_per_s = "search"
measure_s = 2
objective = { response_time_p99_ns = 200_000_000, response_time_p50_ns = 500_000, error_share = 0.005 }
"""
CAPACITY_PER_S = 1_000.0


class Capacity(Laboratory):
    """A laboratory whose server answers so many requests a second; ``tried`` holds what progress was told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(SEARCH, folder, home=tiny_home(folder), pages=tiny_page)
        self.script.program = self.program
        self.tried: list[str] = []
        self.study_context.show_trial = self.tried.append

    def program(self, launch: Launch) -> Outcome:
        """Load at the server's capacity; all else as the tiny home's programs."""
        return load_outcome(launch, rate_per_s=CAPACITY_PER_S) if "http" in launch.argv else tiny_program(launch)

    def follow(self, trials: Sequence[Trial]) -> None:
        """Let the search make these trials instead of its own."""

        def next_trial(
            _: PlannedExperiment, __: Treatment, records: Sequence[LoadRecord], ___: Sequence[Recorded]
        ) -> Trial | None:
            return trials[len(records)] if len(records) < len(trials) else None

        self.judge_by(next_trial)

    def judge_by(self, next_trial: NextTrial) -> None:
        """Let another function choose the trials."""
        self.study_context.rules = replace(self.study_context.rules, next_trial=next_trial)


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Capacity]:
    fake_affinity(monkeypatch)
    place = Capacity(tmp_path)
    with place.study_context:
        place.prepared()
        yield place


def rate(number: int, per_s: float, *, drains: bool = True) -> Trial:
    return Trial(Case({"trial": number, "rate_per_s": per_s}), "sessions", 0.5, 2.0, drains=drains)


PROBE = Trial(Case({"trial": 1, "connections": 16}), "closed", 1.0, 2.0, drains=True)


def test_a_search_walks_trials_until_the_capacity_is_known_and_then_past_it(laboratory: Capacity) -> None:
    found = laboratory.run()

    assert found.run.status == "valid", found.run.reasons
    cases = [each.case for each in found.records]
    assert cases[0] == {"trial": 1, "connections": 16}
    assert [each.get("overload_percent") for each in cases[-4:]] == [110, 125, 150, 200]
    assert len(cases) < 20
    names = [phase.name for phase in found.run.phases]
    assert names == ["start", "check", *["gate", "measure"] * len(cases), "check", "stop"]
    measured = [phase.case for phase in found.run.phases if phase.name == "measure"]
    assert measured == cases


def test_a_trial_asks_as_its_loop_does_and_the_probe_as_its_users_would(laboratory: Capacity) -> None:
    laboratory.follow([PROBE, rate(2, 100.0), rate(3, 400.0, drains=False)])
    laboratory.run()

    probe, second, third = laboratory.loads()
    assert (probe.option("--connections"), probe.option("--rate"), probe.option("--calls")) == ("16", None, "5")
    assert (second.option("--connections"), second.option("--rate"), second.option("--calls")) == ("1000", "100", "5")
    assert (second.option("--warm-up"), second.option("--duration")) == ("500ms", "2000ms")
    assert ("--no-drain" in second.argv, "--no-drain" in third.argv) == (False, True)
    assert {each.option("--late-after") for each in (probe, second, third)} == {"0.5ms"}
    assert json.loads(third.option("--case") or "") == {"trial": 3, "rate_per_s": 400.0}


def test_a_subject_settles_once_before_the_first_trial_and_no_trial_is_of_that(laboratory: Capacity) -> None:
    (planned,) = laboratory.plan.experiments
    settles = replace(planned, load=replace(planned.load, settle_s=60.0))
    laboratory.plan = replace(laboratory.plan, experiments=(settles,))
    laboratory.follow([PROBE, rate(2, 100.0)])
    found = laboratory.run()

    assert found.run.status == "valid", found.run.reasons
    (load,) = [each for each in laboratory.launches() if each.name.startswith("settle.")]
    assert (load.option("--connections"), load.option("--duration"), load.option("--rate")) == ("16", "60000ms", None)
    assert [each.case for each in found.records] == [PROBE.case, rate(2, 100.0).case]
    assert [phase.name for phase in found.run.phases][:4] == ["start", "check", "settle", "gate"]


def test_progress_shows_what_is_tried(laboratory: Capacity) -> None:
    laboratory.follow(
        [PROBE, rate(2, 812.5), Trial(Case({"overload_percent": 125, "rate_per_s": 1e4}), "open", 0, 2, False)]
    )
    laboratory.run()

    assert laboratory.tried == [
        "trial 1: 16 connections",
        "trial 2: 812 sessions/s",
        "at 125 % of the capacity: 10,000 requests/s",
    ]
    assert trial_text(PROBE) == "trial 1: 16 connections"


def test_a_struck_trial_is_made_again_at_once_and_the_next_rests_on_that(laboratory: Capacity) -> None:
    walked: list[str] = []
    seen: list[list[float | None]] = []

    def kept_from_its_cpu_once(launch: Launch) -> Outcome:
        outcome = laboratory.program(launch)
        if "http" not in launch.argv:
            return outcome
        walked.append(launch.option("--case") or "")
        delay_s = 1.9 if len(walked) == 2 else 0.0
        return replace(outcome, stdout=json.dumps({**json.loads(outcome.stdout), "driver_delay_s": delay_s}) + "\n")

    def notes(
        _: PlannedExperiment, __: Treatment, records: Sequence[LoadRecord], ___: Sequence[Recorded]
    ) -> Trial | None:
        seen.append([each.values["driver_delay_s"] for each in records])
        return [PROBE, rate(2, 100.0), rate(3, 120.0), None][len(records)]

    laboratory.script.program = kept_from_its_cpu_once
    laboratory.judge_by(notes)
    found = laboratory.run()

    assert found.run.status == "valid", found.run.reasons
    assert [json.loads(each)["trial"] for each in walked] == [1, 2, 2, 3]
    assert seen == [[], [0.0], [0.0, 0.0], [0.0, 0.0, 0.0]]
    kept = laboratory.layout.run(1) / "logs" / "walked-again.jsonl"
    assert [json.loads(each)["driver_delay_s"] for each in kept.read_text().splitlines()] == [1.9]
    assert [phase.name for phase in found.run.phases].count("measure-replaced") == 1


def test_a_trial_that_stays_struck_makes_the_run_invalid(laboratory: Capacity) -> None:
    def always_kept_from_its_cpu(launch: Launch) -> Outcome:
        outcome = laboratory.program(launch)
        if "http" not in launch.argv:
            return outcome
        return replace(outcome, stdout=json.dumps({**json.loads(outcome.stdout), "driver_delay_s": 1.9}) + "\n")

    laboratory.script.program = always_kept_from_its_cpu
    laboratory.follow([PROBE, rate(2, 100.0)])
    found = laboratory.run()

    assert found.run.status == "invalid"
    assert any(each.startswith("client-limited") for each in found.run.reasons)
    assert len(laboratory.loads()) == 2 * (1 + AGAIN)


def test_a_load_past_the_capacity_that_stays_struck_is_left_out(laboratory: Capacity) -> None:
    def kept_from_its_cpu_past_the_capacity(launch: Launch) -> Outcome:
        outcome = laboratory.program(launch)
        if '"overload_percent": 125' not in (launch.option("--case") or ""):
            return outcome
        return replace(outcome, stdout=json.dumps({**json.loads(outcome.stdout), "driver_delay_s": 1.9}) + "\n")

    over = [
        Trial(Case({"overload_percent": each, "rate_per_s": 1e4 + each}), "sessions", 0, 2, drains=False)
        for each in (110, 125, 150)
    ]
    laboratory.script.program = kept_from_its_cpu_past_the_capacity
    laboratory.follow([PROBE, rate(2, 100.0), *over])
    found = laboratory.run()

    assert found.run.status == "valid", found.run.reasons
    assert [each.case.get("overload_percent") for each in found.records] == [None, None, 110, 150]
    assert len(laboratory.loads()) == 5 + AGAIN
    measured = [phase.case for phase in found.run.phases if phase.name == "measure"]
    assert [each.get("overload_percent") for each in measured if each is not None] == [None, None, 110, 150]
    kept = laboratory.layout.run(1) / "logs" / "walked-again.jsonl"
    assert len(kept.read_text(encoding="utf-8").splitlines()) == 1 + AGAIN


def test_each_trial_begins_on_a_subject_that_is_idle(laboratory: Capacity) -> None:
    laboratory.script.program = busy_for_a_while(laboratory.program, s=2.0)
    laboratory.follow([PROBE])
    found = laboratory.run()

    (gate,) = found.run.gates
    assert float(gate["subject_cpus"]) < 0.05
    assert 1.5 < float(gate["waited_s"]) < 4.0


def test_a_subject_that_never_becomes_idle_is_measured_anyway(laboratory: Capacity) -> None:
    laboratory.script.program = busy_for_a_while(laboratory.program, s=None)
    laboratory.follow([PROBE])
    found = laboratory.run()

    (gate,) = found.run.gates
    assert float(gate["subject_cpus"]) > 0.8
    assert 15.0 <= float(gate["waited_s"]) < 16.0


def busy_for_a_while(program: Callable[[Launch], Outcome], *, s: float | None) -> Callable[[Launch], Outcome]:
    """Let the board's readiness leave a program behind that works for some time, as a backlog would."""

    def busy(launch: Launch) -> Outcome:
        return Outcome(cpus_busy=0.9, takes_s=s) if launch.name == "subject" else program(launch)

    return busy


def test_a_search_that_never_ends_is_a_failed_run(laboratory: Capacity) -> None:
    def endless(
        _: PlannedExperiment, __: Treatment, records: Sequence[LoadRecord], ___: Sequence[Recorded]
    ) -> Trial | None:
        return rate(1 + len(records), 100.0)

    laboratory.judge_by(endless)
    found = laboratory.run()

    assert found.run.status == "failed"
    assert "did not end" in found.run.reasons[0]
    assert len(found.records) == MOST_TRIALS


def test_a_search_is_told_of_the_earlier_runs_of_its_treatment(laboratory: Capacity) -> None:
    told: list[int] = []

    def notes(
        _: PlannedExperiment, __: Treatment, records: Sequence[LoadRecord], earlier: Sequence[Recorded]
    ) -> Trial | None:
        told.append(len(earlier))
        return PROBE if not records else None

    laboratory.judge_by(notes)
    first = laboratory.run(1)
    laboratory.run(2, earlier=(first,))

    assert told == [0, 0, 1, 1]
