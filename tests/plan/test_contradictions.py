"""Whether a plan can be what its study expands to: the error that its comparisons spend."""

from dataclasses import replace

import pytest

from headtohead.model.plan import Plan
from headtohead.model.study.figures import ExperimentFigures, StudyFigures
from headtohead.plan.contradictions import contradictions
from headtohead.plan.looks import alpha_per_look
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, plan, subject

LOOKS = (6, 10, 16, 24)
HERE = plan(
    replace(
        experiment(factor("cpus", 1), subjects=[subject("apache"), subject("nginx"), subject("caddy")]), looks=LOOKS
    ),
    machine=machine(cores=4),
)
FIGURES = StudyFigures(
    HERE.title,
    HERE.seed,
    HERE.within_min,
    (ExperimentFigures("one-1", LOOKS, 1.03, None, share_driver=False, compare="subject", primary=None),),
)


def spending(*levels: float) -> Plan:
    """Return the plan with these levels, shared by its two comparisons."""
    one = HERE.experiments[0]
    assert len(one.comparisons) == 2
    changed = tuple(replace(each, alpha=tuple(level / 2 for level in levels)) for each in one.comparisons)
    return replace(HERE, experiments=(replace(one, comparisons=changed),))


@pytest.mark.parametrize("levels", [alpha_per_look(LOOKS), (0.0158,) * 4])
def test_the_levels_of_this_version_and_of_earlier_ones_follow_from_a_study(levels: tuple[float, ...]) -> None:
    assert list(contradictions(spending(*levels), FIGURES)) == []


@pytest.mark.parametrize("levels", [(0.05,) * 4, (0.0158,) * 3, (0.0158, 0.0158, 0.0158, 0.0238), (0.0238,) * 4])
def test_other_levels_contradict_it(levels: tuple[float, ...]) -> None:
    told = [says for _, says in contradictions(spending(*levels), FIGURES)]
    assert len(told) == 2
    assert all("where 0.295 %, 0.595 %, 0.95 %, 1.19 % follow" in each for each in told)
