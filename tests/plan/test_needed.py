from dataclasses import replace

import pytest

from headtohead.model.errors import LimitedError
from headtohead.model.study.study import Experiment, Factor, Level
from headtohead.model.study.subject import Subject, SubjectFactor
from tests.plan.machines import machine
from tests.plan.studies import experiment, factor, plan, planned, subject

TWO = machine(cores=2)
ONE = factor("cpus", 1)
DATABASE = SubjectFactor("database", ("h2", "mariadb", "postgresql"), "h2")
ENGINE = SubjectFactor("engine", ("InnoDB", "MyISAM"), "InnoDB")
FORUM = replace(subject("forum"), factors={"database": DATABASE}, needs={"database": "sql/forum-v1"})
MARIADB = replace(subject("mariadb", warm_up_s=4), factors={"engine": ENGINE})
POSTGRESQL = replace(subject("postgresql"), factors={})


def needing(*databases: str, needed: tuple[Subject, ...] = (MARIADB, POSTGRESQL)) -> Experiment:
    asked = experiment(ONE, factor("database", *databases), subjects=[FORUM], compare="database")
    return replace(asked, needed={each.name: each for each in needed if each.name in databases})


def test_a_treatment_holds_what_its_subject_needs_with_its_defaults() -> None:
    one = planned(needing("h2", "mariadb", "postgresql"), machine=TWO)
    assert [each.parts for each in one.treatments] == [{}, {"mariadb": {"engine": "InnoDB"}}, {"postgresql": {}}]
    assert [each.settings for each in one.treatments] == [
        {"database": "h2"},
        {"database": "mariadb"},
        {"database": "postgresql"},
    ]
    assert {each.cpus for each in one.treatments} == {(0,)}, "what is needed runs on the subject's CPUs"


def test_a_level_of_the_subject_may_name_what_it_needs() -> None:
    levels = (Level("forum", "over h2", {}), Level("forum", "over mariadb", {"database": "mariadb"}))
    asked = experiment(ONE, subjects=[FORUM])
    asked = replace(asked, factors=(Factor("subject", levels), ONE), needed={"mariadb": MARIADB})
    assert [list(each.parts) for each in planned(asked, machine=TWO).treatments] == [[], ["mariadb"]]


def test_what_is_needed_takes_time_to_start_and_to_warm_up() -> None:
    one = planned(needing("h2", "mariadb"), machine=TWO)
    assert one.load.warm_up_s == 4
    inside, beside = (one.run_s[each.label] for each in one.treatments)
    assert beside == pytest.approx(inside + 3)


def test_what_is_needed_has_its_title_in_the_plan() -> None:
    assert plan(needing("h2", "mariadb"), machine=TWO).titles == {"forum": "Forum", "mariadb": "Mariadb"}


def test_a_database_that_is_not_installed_leaves_out_only_its_treatment() -> None:
    lacking = replace(TWO, missing={"mariadb": ("mariadb-server-core",)})
    asked = needing("h2", "mariadb", "postgresql")
    with pytest.raises(LimitedError, match="the subject mariadb is not installed"):
        plan(asked, machine=lacking)
    left = plan(replace(asked, optional=True), machine=lacking)
    assert [each.treatment for each in left.left_out] == ["forum database=mariadb"]
    assert [each.label for each in left.experiments[0].treatments] == ["forum database=h2", "forum database=postgresql"]
