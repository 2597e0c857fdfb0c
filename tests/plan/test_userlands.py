"""Userlands as levels: each is a treatment, and one that the machine lacks leaves the experiment out or is an error."""

from dataclasses import replace

import pytest

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import lacked
from headtohead.model.study.study import Experiment
from headtohead.model.study.subject import SubjectFactor
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, planned, subject

TWO = machine(cores=2)
NOT_MADE = replace(TWO, lacks={lacked("userland", "debian-13", "nginx"): "it was not made"})


def asked(*, optional: bool = False) -> Experiment:
    levels = factor("userland", "host", "debian-13")
    return replace(experiment(levels, subjects=[subject("nginx")], compare="userland"), optional=optional)


def test_each_userland_is_a_treatment() -> None:
    one = planned(asked(), machine=TWO)
    assert [each.label for each in one.treatments] == ["nginx userland=host", "nginx userland=debian-13"]


def test_a_userland_that_is_lacking_is_named() -> None:
    with pytest.raises(LimitedError, match="userland=debian-13 cannot be given") as refused:
        planned(asked(), machine=NOT_MADE)
    assert refused.value.why == "It was not made."


def test_a_userland_of_another_subject_is_not_missed() -> None:
    other = replace(TWO, lacks={lacked("userland", "debian-13", "apache-httpd"): "it was not made"})
    assert len(planned(asked(), machine=other).treatments) == 2


def test_what_is_compiled_here_runs_in_no_userland() -> None:
    compiled = SubjectFactor("build", ("distribution", "native"), "distribution")
    one = replace(subject("nginx"), factors={"build": compiled})
    asked = experiment(
        factor("userland", "host", "debian-13"), factor("build", "native"), subjects=[one], compare="userland"
    )
    with pytest.raises(LimitedError, match="a native build in a userland"):
        planned(asked, machine=TWO)
