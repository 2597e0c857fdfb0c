"""What a plan keeps for the checklist: names that are left out of a suite, settings that are not at their default."""

from dataclasses import replace

import pytest

from headtohead.model.plan import PlannedExperiment
from headtohead.model.quantity import Scalar, Summary
from headtohead.model.study.study import Factor, Level
from headtohead.model.study.workload import Load
from tests.plan.machines import machine
from tests.plan.studies import OVERALL, experiment, factor, planned, subject

NAMES = ("fft", "lu", "triad")


def asking(*names: str, primary: Summary = OVERALL) -> PlannedExperiment:
    """Return the plan of some of three kernels."""
    whole = Load("batch", {"kernel": NAMES, "copies": ("all", 1)}, {"seconds": 1})
    asked = experiment(factor("cpus", 1, 2), subjects=[subject("a", batch=True)], compare="cpus", load=whole)
    part = replace(whole, cases={"kernel": names, "copies": (1,)})
    return planned(replace(asked, load=part, primary=primary, summaries=(primary,)), machine=machine())


def test_a_part_of_a_suite_is_noted_before_anything_runs() -> None:
    one = asking("fft", "triad")
    assert one.declared == {"kernel": NAMES}
    assert one.not_asked == {"kernel": ("lu",)}
    assert one.notes[-1] == "kernel: 2 of the 3 that the workload declares; a mean over a choice has no verdict."


@pytest.mark.parametrize("primary", [OVERALL, Summary("one", OVERALL.of, "geometric-mean", {"kernel": ("fft", "lu")})])
def test_all_of_it_or_a_summary_that_names_its_cases_is_whole(primary: Summary) -> None:
    asked = NAMES if primary is OVERALL else ("fft", "lu")
    one = asking(*asked, primary=primary)
    assert one.not_asked == {}
    assert not any("declares" in each for each in one.notes)


@pytest.mark.parametrize(("sets", "changed"), [({}, ()), ({"threads": 256}, ()), ({"threads": 8}, ("threads",))])
def test_what_a_level_sets_beside_its_default_is_kept(sets: dict[str, Scalar], changed: tuple[str, ...]) -> None:
    asked = experiment(subjects=[subject("a"), subject("b")])
    levels = (Level("a", "a", sets), Level("b", "b", {}))
    one = planned(replace(asked, factors=(Factor("subject", levels),)), machine=machine())
    assert [each.changed for each in one.treatments] == [changed, ()]
