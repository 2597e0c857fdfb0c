"""Which cases of a run are walked again when a rule struck them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from headtohead.execute.context.run_context import RunContext
from headtohead.execute.run.walk_cases_repeat_excluded import AGAIN_ALONE, walk
from headtohead.model.case import WHOLE_RUN, Case

CASES: tuple[Case, ...] = (Case({"kernel": "fft"}), Case({"kernel": "daxpy"}), Case({"kernel": "n-body"}))


class Judged:
    """A run of which each case is struck so many times, as a rule would; it is its own diary."""

    def __init__(self, struck: dict[str, int], *, wrong: Sequence[str] = ()) -> None:
        self.struck, self.wrong = struck, wrong
        self.walked: list[list[str]] = []
        self.forgotten: list[Case] = []
        self.kept: list[dict[str, Any]] = []
        self.repeats: list[tuple[str, ...]] = []

    @property
    def log(self) -> "Judged":
        return self

    @contextmanager
    def phase(self, *_: object) -> Iterator[None]:
        yield

    def keep(self, documents: list[dict[str, Any]]) -> None:
        self.kept += documents

    def forget(self, case: Case) -> None:
        self.forgotten.append(case)

    def all_correct(self, *cases: Case) -> bool:
        return not any(case["kernel"] in self.wrong for case in cases)

    def repeat(self, case: Case, reasons: Sequence[str]) -> None:
        self.repeats += [(str(case["kernel"]), *reasons)]

    def excluded_by(self, *cases: Case) -> tuple[str, ...]:
        times = [sum(case["kernel"] in each for each in self.walked) for case in cases]
        still = [str(case["kernel"]) for case, done in zip(cases, times, strict=True) if done <= self._times(case)]
        return tuple(f"foreign-cpu: in {name}" for name in still)

    def _times(self, case: Case) -> int:
        return self.struck.get(str(case["kernel"]), 0)

    def go(self, *, stamped: bool) -> None:
        def once(_named: Case, walked: Sequence[Case], _name: str) -> list[dict[str, Any]]:
            self.walked.append([str(each["kernel"]) for each in walked])
            return [{"case": each.text, **({"from_ns": 1, "to_ns": 2} if stamped else {})} for each in walked]

        walk(cast("RunContext", self), [(WHOLE_RUN, CASES)], once, gate=lambda _: None)


def test_of_a_program_that_stamps_its_cases_the_struck_ones_alone_are_walked_again() -> None:
    judged = Judged({"daxpy": 2, "n-body": 1})

    judged.go(stamped=True)

    assert judged.walked == [["fft", "daxpy", "n-body"], ["daxpy", "n-body"], ["daxpy"]]
    assert judged.forgotten == []
    daxpy, n_body = ("daxpy", "foreign-cpu: in daxpy"), ("n-body", "foreign-cpu: in n-body")
    assert judged.repeats == [daxpy, n_body, daxpy]


def test_a_case_that_stays_struck_ends_the_walking() -> None:
    judged = Judged({"daxpy": 99})

    judged.go(stamped=True)

    assert judged.walked[1:] == [["daxpy"]] * AGAIN_ALONE


def test_a_wrong_answer_of_such_a_program_is_not_walked_away() -> None:
    judged = Judged({"daxpy": 99, "fft": 1}, wrong=["daxpy"])

    judged.go(stamped=True)

    assert judged.walked[1:] == [["fft"]]


def test_the_only_start_of_a_program_that_stamps_nothing_is_not_made_again() -> None:
    judged = Judged({"daxpy": 1})

    judged.go(stamped=False)

    assert judged.walked == [["fft", "daxpy", "n-body"]]
