"""Held against the reference machine: what is held, what is not and why, and the arithmetic of it."""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from headtohead.analyze.references.compare_with_reference_machine import incomparable
from headtohead.analyze.study import analyze
from headtohead.model.analysis.results import ExperimentResult
from headtohead.model.analysis.suite import ReferenceMachine
from headtohead.model.case import Case
from headtohead.model.plan import PlannedExperiment
from headtohead.model.record import BatchRecord, Recorded
from headtohead.model.study.workload import Load
from tests.analyze.building import ALPHA, OPERATIONS, experiment, plan, treatment
from tests.analyze.suites import KERNELS, folder, reference_of, result, scaled, suiting, swept
from tests.analyze.test_suite_mean import FACTORS, RATES

OLD = scaled(RATES, 0.5)
HERE = {"gcc": RATES, "clang": scaled(RATES, FACTORS)}


def reference(
    of: PlannedExperiment | None = None, *, blocks: int = 5, name: str = "2025-03-01-old"
) -> ReferenceMachine:
    chosen = of or suiting()
    labels = [each.label for each in chosen.treatments]
    old = dict(zip(KERNELS, OLD, strict=True))
    first = [old.get(str(case["kernel"]), 1.0) for case in chosen.cases]
    rates = dict.fromkeys(labels, scaled(first, 3.0)) | {labels[0]: first}
    return reference_of(folder(chosen, swept(chosen, rates, blocks=blocks), name=name))


def held(of: ReferenceMachine) -> ExperimentResult:
    return result(HERE, of=suiting(), reference=of)


def test_every_treatment_is_held_against_the_first_one_of_the_reference_machine() -> None:
    found = held(reference())
    told = [each for each in found.suites if each.reference]
    assert [(each.treatment, each.against) for each in told] == [("gcc", "gcc"), ("clang", "gcc")]
    assert told[0].ratio.value == pytest.approx(2.0, rel=0.01)
    assert told[1].ratio.value == pytest.approx(2.0 * stats.gmean(FACTORS), rel=0.01)
    assert found.notes == ()


def test_a_floor_is_no_yardstick() -> None:
    other = suiting(treatment("noop", floor=True), treatment("icc"), comparisons=())
    yardstick = held(reference(other)).yardstick
    assert yardstick is not None
    assert yardstick.treatment == "icc"


def test_the_yardstick_says_which_machine_it_is_and_what_its_own_values_were() -> None:
    yardstick = held(reference()).yardstick
    assert yardstick is not None
    told = yardstick.reference
    assert (told.name, told.machine, told.day) == ("2025-03-01-old", "A processor", "2025-03-01")
    assert told.measurements_sha256 == "0" * 64
    values = {each.case.text: each.estimate for each in yardstick.cells}
    assert set(values) == {"", *(f"kernel={each}" for each in KERNELS)}
    assert values["kernel=fft"].value == pytest.approx(1000.0, rel=0.01)
    assert values["kernel=fft"].n == 5


def mean_log(of: Recorded) -> float:
    told = [each for each in of.records if isinstance(each, BatchRecord)]
    return float(np.mean([math.log(each.work / each.elapsed_ns) for each in told]))


def test_its_interval_is_welchs_on_the_logarithms_of_the_runs_means() -> None:
    of = suiting()
    ours, theirs = swept(of, HERE, blocks=6, step=0.01), swept(of, {"gcc": OLD, "clang": OLD}, blocks=4, step=0.02)
    found = analyze(folder(of, ours), reference_of(folder(of, theirs))).experiments[0].suites[1]
    means = [[mean_log(each) for each in runs if each.run.label == "gcc"] for runs in (ours, theirs)]
    level = 1 - ALPHA[0] / 2
    ends = stats.ttest_ind(*means, equal_var=False).confidence_interval(level)
    assert found.ratio.interval is not None
    assert found.ratio.interval.confidence == pytest.approx(level)
    assert (found.ratio.interval.low, found.ratio.interval.high) == pytest.approx(
        (math.exp(ends.low), math.exp(ends.high))
    )


def test_other_treatments_subjects_names_and_comparisons_do_not_part_two_machines() -> None:
    other = suiting(treatment("icc"), treatment("tcc"), name="cpu", question="?", compare="compiler", same_test="else")
    yardstick = held(reference(other)).yardstick
    assert yardstick is not None
    assert yardstick.treatment == "icc"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"workload_version": 2}, "workload version: 2 there, 1 here"),
        ({"load": Load("batch", {"kernel": KERNELS}, {"seconds": 0.5})}, "seconds: 0.5 there, 1.5 here"),
        ({"kernels": (*KERNELS, "chess")}, "other cases: 11 there, 10 here"),
        ({"metrics": {OPERATIONS.name: dataclasses.replace(OPERATIONS, per="copies")}}, "or is another figure"),
        ({"same_test": "another"}, "the files of the workload or of its data differ"),
    ],
)
def test_what_was_asked_otherwise_is_not_held_against_and_a_note_says_why(changes: dict[str, Any], why: str) -> None:
    other = reference(suiting(**changes))
    found = held(other)
    assert found.yardstick is None
    assert not any(each.reference for each in found.suites)
    (note,) = found.notes
    assert note.startswith("Not held against the reference machine 2025-03-01-old: ")
    assert why in note
    assert why in (incomparable(plan(suiting()), other) or "")


def test_a_workload_that_the_reference_was_never_asked_is_passed_over() -> None:
    other = reference(suiting(workload="program-sweep"))
    found = held(other)
    assert (found.yardstick, found.notes) == (None, ())
    assert "it measured no kernel-sweep" in (incomparable(plan(suiting()), other) or "")


def test_two_valid_runs_are_the_least_that_a_reference_needs() -> None:
    assert held(reference(blocks=2)).yardstick is not None
    (note,) = held(reference(blocks=1)).notes
    assert "fewer than two valid runs of gcc" in note


def test_invalid_runs_of_the_reference_count_for_nothing() -> None:
    whole = reference()
    lines = [dataclasses.replace(each, status="invalid") if each.block == 3 else each for each in whole.measurements]
    lines = [dataclasses.replace(each, value=1.0) if each.block == 3 else each for each in lines]
    yardstick = held(dataclasses.replace(whole, measurements=tuple(lines))).yardstick
    assert yardstick is not None
    assert {each.estimate.n for each in yardstick.cells} == {4}
    assert min(each.estimate.value for each in yardstick.cells) > 20


def test_a_run_of_the_reference_without_one_kernel_counts_for_nothing() -> None:
    whole = reference()
    lines = [each for each in whole.measurements if (each.block, each.case) != (2, Case.parse("kernel=fft"))]
    yardstick = held(dataclasses.replace(whole, measurements=tuple(lines))).yardstick
    assert yardstick is not None
    assert {each.estimate.n for each in yardstick.cells} == {4}


def test_results_that_the_reference_machine_was_made_of_are_held_against_nothing_and_a_note_says_so() -> None:
    of = suiting()
    runs = swept(of, HERE)
    own = reference_of(folder(of, runs, name="2026-11-20-reference-machine"))
    found = analyze(folder(of, runs), own).experiments[0]
    assert found.yardstick is None
    assert [each.reference for each in found.suites] == [False]
    assert found.notes == (
        "The reference machine 2026-11-20-reference-machine was made of this very study: these results are its own.",
    )


def test_values_as_files_hold_them_are_its_own_and_the_same_study_measured_again_is_not() -> None:
    of = suiting()
    own = reference_of(folder(of, swept(of, HERE)))
    written = [dataclasses.replace(each, value=float(f"{each.value:.9g}")) for each in own.measurements]
    kept = dataclasses.replace(own, measurements=tuple(written))
    assert analyze(folder(of, swept(of, HERE)), kept).experiments[0].yardstick is None
    again = analyze(folder(of, swept(of, HERE, step=0.0021)), kept).experiments[0]
    assert again.yardstick is not None
    assert again.suites[1].ratio.value == pytest.approx(1.0, rel=0.01)


def test_a_ratio_of_ratios_against_the_reference_is_the_one_against_the_baseline() -> None:
    own, first, second = held(reference()).suites
    assert second.ratio.value / first.ratio.value == pytest.approx(own.ratio.value)


def test_what_is_no_suite_is_held_against_nothing_and_says_nothing() -> None:
    plain = result(HERE, of=suiting(primary=dataclasses.replace(suiting().primary, by="mean")), reference=reference())
    assert (plain.yardstick, plain.suites, plain.notes) == (None, (), ())
    assert incomparable(plan(experiment()), reference()) is not None


def test_one_experiment_that_can_be_held_is_enough() -> None:
    other = suiting(name="other", workload="program-sweep")
    assert incomparable(plan(suiting(), other), reference()) is None


def test_without_a_reference_nothing_is_said_of_one() -> None:
    found = result(HERE)
    assert found.yardstick is None
    assert [each.reference for each in found.suites] == [False]
    assert found.notes == ()
