"""The questions of shipped studies name the levels that are compared, whatever the machine."""

from dataclasses import replace
from types import SimpleNamespace
from typing import cast

import pytest

from headtohead.analyze.findings.input_of_findings import Whole
from headtohead.analyze.findings.study_design.levels_named_in_question import other_levels
from headtohead.cli.wiring import read_question
from headtohead.describe.home import find_home
from headtohead.model.plan import PlannedExperiment
from tests.plan.machines import machine

STUDIES = sorted(each.stem for each in find_home().studies.glob("*.toml") if not each.stem.endswith("-machines"))
"""Those that need no bench."""


def planned(study: str, *, cores: int) -> tuple[PlannedExperiment, ...]:
    home = find_home()
    return (
        read_question(home.studies / f"{study}.toml", home=home)
        .plan(replace(machine(cores=cores), memory_mib=8192))
        .experiments
    )


@pytest.mark.parametrize("cores", [2, 4, 8])
@pytest.mark.parametrize("study", STUDIES)
def test_no_question_names_other_levels_than_are_compared(study: str, cores: int) -> None:
    for each in planned(study, cores=cores):
        whole = cast("Whole", SimpleNamespace(experiment=each))
        assert [found.says for found in other_levels(whole)] == []


@pytest.mark.parametrize("cores", [2, 4, 8])
def test_a_second_cpu_is_compared_with_one_on_machines_of_more_too(cores: int) -> None:
    (rsa,) = [each for each in planned("first", cores=cores) if each.name == "rsa"]
    assert rsa.question == "What does a second CPU buy in RSA signing?"
    assert [each.levels["cpus"] for each in rsa.treatments] == [1, 2]
