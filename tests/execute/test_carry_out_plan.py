"""Walking the plan, with a scripted clock and runs that take no time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import pytest

from headtohead.analyze.samples.complete_blocks_and_dropped_treatments import dropped, permanent
from headtohead.execute.carry_out_plan import Session, StoppingRules, Watcher
from headtohead.model.plan import NO_TIME, Plan, PlannedExperiment, PlannedRun
from headtohead.model.record import Recorded, Status
from tests.small import RUN_S, experiment, plan, recorded


class Silent:
    """Follows a session and says nothing."""

    def began(self, experiment: PlannedExperiment, look: int, *, runs_done: int, runs_to_look: int) -> None: ...
    def making(self, experiment: PlannedExperiment, planned: PlannedRun, *, attempt: int) -> None: ...
    def made(self, experiment: PlannedExperiment, recorded: Recorded) -> None: ...

    def ended(self, experiment: PlannedExperiment, why: str, *, runs: Sequence[Recorded]) -> None:
        assert {each.run.experiment for each in runs} <= {experiment.name}, f"{why}: not its own runs"


@dataclass
class Machine:
    """Makes runs on a scripted clock; ``status`` says how each ends."""

    status: Callable[[str, PlannedRun, int], Status] = lambda *_: "valid"
    now_s: float = 0.0
    made: list[tuple[str, int, str, int]] = field(default_factory=list)

    def make(self, planned_in: PlannedExperiment, planned: PlannedRun, attempt: int, number: int) -> Recorded:
        self.now_s += RUN_S
        self.made.append((planned_in.name, planned.block, planned.treatment, attempt))
        status = self.status(planned_in.name, planned, attempt)
        return recorded(planned_in.name, planned, status=status, attempt=attempt, number=number)

    def walk(
        self, plan: Plan, *, decided: bool = False, runs: Sequence[Recorded] = (), watcher: Watcher | None = None
    ) -> tuple[Session, dict[str, str]]:
        session = Session(
            plan,
            self.make,
            StoppingRules(lambda *_: decided, dropped, permanent),
            watcher or Silent(),
            lambda: self.now_s,
            runs=list(runs),
        )
        return session, dict(session.walk())


class Counts(Silent):
    """Notes how many runs are made, and how many there are, to each interim analysis."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, int]] = []

    def began(self, experiment: PlannedExperiment, look: int, *, runs_done: int, runs_to_look: int) -> None:
        super().began(experiment, look, runs_done=runs_done, runs_to_look=runs_to_look)
        self.seen.append((look, runs_done, runs_to_look))


def test_a_resumed_experiment_counts_no_run_behind_the_analysis_that_it_goes_to() -> None:
    of, counts = plan(experiment("a", looks=(2, 4))), Counts()
    session, _ = Machine().walk(of)
    Machine().walk(of, runs=session.runs, watcher=counts)
    assert counts.seen == [(2, 4, 4), (4, 8, 8)]


def test_every_experiment_reaches_its_first_look_before_any_goes_on() -> None:
    machine = Machine()

    machine.walk(plan(experiment("a"), experiment("b")))

    names = [(name, block) for name, block, arm, _ in machine.made if arm == "A"]
    assert names == [(n, b) for blocks in ((1, 2), (3, 4)) for n in ("a", "b") for b in blocks]


def test_an_experiment_that_is_decided_makes_no_more_blocks() -> None:
    machine = Machine()

    _, stopped = machine.walk(plan(experiment("a")), decided=True)

    assert stopped == {"a": "decided"}
    assert {block for _, block, _, _ in machine.made} == {1, 2}


def test_a_time_limit_cuts_precision_and_never_a_question() -> None:
    machine = Machine()

    _, stopped = machine.walk(plan(experiment("a"), experiment("b"), within_min=1.5))

    assert stopped == {"a": "out-of-time", "b": "out-of-time"}
    assert {(name, block) for name, block, _, _ in machine.made} == {(n, b) for n in "ab" for b in (1, 2)}


def test_experiments_without_time_end_as_they_did_and_only_the_others_go_on() -> None:
    of = plan(experiment("a"), experiment("b", looks=(2,)), experiment("c"))
    session, _ = Machine().walk(replace(of, within_min=0.0))
    whole, *others = of.experiments
    machine = Machine()

    chosen = replace(of, experiments=(whole, *(replace(each, within_min=0.0) for each in others)))
    _, stopped = machine.walk(chosen, runs=session.runs)

    assert stopped == {"a": "last-look", "b": "last-look", "c": "out-of-time"}
    assert {(name, block) for name, block, _, _ in machine.made} == {("a", 3), ("a", 4)}


def test_a_look_that_cannot_be_reached_in_time_is_not_begun() -> None:
    machine = Machine()

    machine.walk(plan(experiment("a"), experiment("b"), within_min=2.5))

    assert {block for name, block, _, _ in machine.made if name == "a"} == {1, 2, 3, 4}
    assert {block for name, block, _, _ in machine.made if name == "b"} == {1, 2}


def test_a_run_that_is_not_valid_is_made_again_once_at_the_end_of_its_block() -> None:
    machine = Machine(status=lambda _, planned, n: "invalid" if (planned.treatment, n) == ("A", 1) else "valid")

    machine.walk(plan(experiment("a", looks=(2,))))

    assert machine.made == [("a", b, arm, n) for b in (1, 2) for arm, n in (("A", 1), ("B", 1), ("A", 2))]


@dataclass
class PlainMachine(Machine):
    """A machine whose A never compresses."""

    def make(self, planned_in: PlannedExperiment, planned: PlannedRun, attempt: int, number: int) -> Recorded:
        made = super().make(planned_in, planned, attempt, number)
        plain = ("not-compressed: all answers were plain though gzip was asked for",)
        return replace(made, run=replace(made.run, status="invalid", reasons=plain)) if made.run.label == "A" else made


def test_what_no_repetition_mends_ends_the_experiment_with_its_first_block() -> None:
    machine = PlainMachine()

    _, stopped = machine.walk(plan(experiment("a")))

    assert machine.made == [("a", 1, "A", 1), ("a", 1, "B", 1)]
    assert stopped == {"a": "nothing-to-compare"}


def test_what_had_nothing_to_compare_is_not_called_out_of_time_if_another_goes_on_alone() -> None:
    of = plan(replace(experiment("a", looks=(2, 4)), within_min=NO_TIME), experiment("b", looks=(2,)))
    first, _ = PlainMachine().walk(plan(experiment("a", looks=(2, 4))))
    _, stopped = Machine().walk(of, runs=first.runs)
    assert stopped == {"a": "nothing-to-compare", "b": "last-look"}


def excluded(*blocks: int, attempts: Sequence[int] = (1, 2)) -> Callable[[str, PlannedRun, int], Status]:
    """Return the rules of a machine on which A is excluded at these attempts of these blocks."""

    def status(_: str, planned: PlannedRun, attempt: int) -> Status:
        return "invalid" if planned.treatment == "A" and planned.block in blocks and attempt in attempts else "valid"

    return status


REPLACED = [("A", 1), ("B", 1), ("A", 2), ("A", 3), ("B", 3)]


def test_a_block_that_was_excluded_twice_is_replaced_as_a_whole_before_its_look() -> None:
    machine = Machine(status=excluded(1, 4))

    machine.walk(plan(experiment("a")))

    blocks = [block for _, block, _, _ in machine.made]
    assert blocks == [1, 1, 1, 2, 2, 1, 1, 3, 3, 4, 4, 4, 4, 4]
    assert [(arm, n) for _, block, arm, n in machine.made if block == 1] == REPLACED


def test_replacing_ends_at_the_first_block_that_is_excluded_again() -> None:
    machine = Machine(status=excluded(1, 2, attempts=(1, 2, 3)))

    machine.walk(plan(experiment("a", looks=(2,))))

    assert {(block, n) for _, block, _, n in machine.made if n == 3} == {(1, 3)}


def test_a_block_is_replaced_only_while_time_allows() -> None:
    machine = Machine(status=excluded(1))

    machine.walk(plan(experiment("a", looks=(2,)), within_min=1.0))

    assert {n for _, _, _, n in machine.made} == {1, 2}


def test_a_run_that_failed_twice_is_no_noise_and_is_not_replaced() -> None:
    machine = Machine(
        status=lambda _, planned, __: "failed" if (planned.treatment, planned.block) == ("A", 1) else "valid"
    )

    machine.walk(plan(experiment("a", looks=(2,))))

    assert {n for _, _, _, n in machine.made} == {1, 2}


def test_a_replacement_that_was_begun_is_finished_though_the_time_is_over() -> None:
    first, _ = Machine(status=excluded(1)).walk(plan(experiment("a", looks=(2,))))
    machine = Machine(status=excluded(1))

    second, _ = machine.walk(plan(experiment("a", looks=(2,)), within_min=1.0), runs=first.runs[:6])

    assert [each.run.attempt for each in second.runs[:6]] == [1, 1, 2, 1, 1, 3]
    assert [(each.run.block, each.run.attempt) for each in second.runs[6:]] == [(1, 3)]


@pytest.mark.parametrize("kept", range(8))
def test_an_interrupted_replacement_is_resumed(kept: int) -> None:
    first, _ = Machine(status=excluded(1)).walk(plan(experiment("a", looks=(2,))))
    machine = Machine(status=excluded(1))

    second, _ = machine.walk(plan(experiment("a", looks=(2,))), runs=first.runs[:kept])

    assert len(first.runs) == 7
    assert [(each.run.block, each.run.label, each.run.attempt) for each in second.runs] == [
        (each.run.block, each.run.label, each.run.attempt) for each in first.runs
    ]


def test_a_treatment_that_fails_in_two_blocks_running_is_dropped() -> None:
    machine = Machine(status=lambda _, planned, __: "failed" if planned.treatment == "B" else "valid")

    machine.walk(plan(experiment("a", looks=(4,))))

    assert {block for _, block, arm, _ in machine.made if arm == "B"} == {1, 2}
    assert {block for _, block, arm, _ in machine.made if arm == "A"} == {1, 2, 3, 4}


def test_a_search_may_begin_where_the_valid_runs_of_its_treatment_ended() -> None:
    machine = Machine(status=lambda _, planned, __: "invalid" if planned.block == 1 else "valid")

    session, _ = machine.walk(plan(experiment("a"), experiment("b")))

    found = session.valid(session.plan.experiments[0], "A")
    assert {(each.run.experiment, each.run.label, each.run.block) for each in found} == {
        ("a", "A", b) for b in (2, 3, 4)
    }


@pytest.mark.parametrize("kept", range(9))
def test_a_session_that_goes_on_makes_only_what_is_missing(kept: int) -> None:
    whole = Machine()
    first, _ = whole.walk(plan(experiment("a")))
    machine = Machine()

    second, stopped = machine.walk(plan(experiment("a")), runs=first.runs[:kept])

    made = [(each.run.block, each.run.place, each.run.attempt) for each in second.runs]
    assert sorted(made) == sorted({(b, p, 1) for b in (1, 2, 3, 4) for p in (1, 2)})
    assert len({each.run.run for each in second.runs}) == len(second.runs) == 8
    assert stopped == {"a": "last-look"}
    assert len(machine.made) == 8 - kept
