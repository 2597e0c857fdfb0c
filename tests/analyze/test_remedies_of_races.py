"""Doubts of a race have remedies that its one line takes: there is no study to edit."""

from dataclasses import replace

import pytest

from headtohead.analyze.findings.replace_advice_by_race_options import with_remedies_of_races
from headtohead.analyze.study import analyze
from headtohead.model import rules
from headtohead.model.finding import Finding, Severity
from tests.report.sample import RECORDING

SERVERS, PROGRAMS = ("--serve", "a @port@", "--serve", "b @port@"), ("--batch", "a", "--batch", "b")
OF_A_STUDY = ("study.toml", "subject.toml", "measure_s", "warm_up_s", "within_min", "looks")


def doubt(name: str, advice: str = "Edit study.toml.") -> Finding:
    return Finding(name, Severity.DOUBT, "A doubt.", advice, {})


@pytest.mark.parametrize(
    ("name", "option"),
    [
        (rules.FOREIGN_CPU.id, "`--wait`"),
        (rules.NOT_QUIET.id, "`--wait`"),
        (rules.MANY_INVALID.id, "`--wait`"),
        (rules.DRIVER_BUSY.id, "`--connections`"),
        (rules.TOO_SHORT.id, "`--measure 10s`"),
        (rules.NOT_SETTLED.id, "`--measure 10s`"),
        (rules.UNSATURATED.id, "`--connections 50`"),
        ("looks-cut", "`--budget`"),
        ("other-cpus", "`--cpus 1`"),
        ("not-restarted", "`--serve`"),
        ("version-unknown", "`--save`"),
    ],
)
def test_a_doubt_names_an_option(name: str, option: str) -> None:
    (found,) = with_remedies_of_races([doubt(name)], SERVERS)
    assert option in found.advice


def test_advice_that_follows_from_the_runs_keeps_its_figures() -> None:
    given = (
        doubt(
            "spread",
            "For narrower intervals, plan more blocks (raise the last of `looks` in `study.toml`), "
            "or measure on a quieter machine.",
        ),
        doubt("time-better-spent", "measure_s = 5.1 in place of 3 would show as much in about 70 % of the time."),
    )
    spread, time = with_remedies_of_races(given, SERVERS)
    assert spread.advice == (
        "For narrower intervals, keep the race as a study (`--save`) with more blocks, or let the race wait for quiet "
        "(`--wait`)."
    )
    assert time.advice.startswith("`--measure 5.1s` in place of 3 would show")


@pytest.mark.parametrize("name", [rules.FOREIGN_CPU.id, rules.MANY_INVALID.id, "spread"])
def test_who_waited_for_quiet_is_not_advised_to(name: str) -> None:
    given = [doubt(name, "Add blocks, or measure on a quieter machine.")]
    (found,) = with_remedies_of_races(given, (*SERVERS, "--wait"))
    assert "--wait" not in found.advice
    assert found.advice.endswith(".")


def test_programs_have_no_users() -> None:
    (found,) = with_remedies_of_races([doubt(rules.UNSATURATED.id, "Generic.")], PROGRAMS)
    assert found.advice == "Generic."


def test_an_analysis_of_a_race_names_no_word_of_a_study() -> None:
    of_study, of_race = (analyze(replace(RECORDING, race=each)) for each in (None, SERVERS))
    advice = [each.advice for one in of_race.experiments for each in one.findings]
    assert not [each for each in advice if any(word in each for word in OF_A_STUDY)]
    assert any(any(word in each.advice for word in OF_A_STUDY) for one in of_study.experiments for each in one.findings)
