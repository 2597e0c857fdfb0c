"""What a finding forbids: no verdict on what it is about, nothing beside it that says who is ahead, and no more."""

import dataclasses

import pytest

from headtohead.analyze.study import analyze
from headtohead.analyze.verdicts.forbidden_verdicts import without_forbidden
from headtohead.model.analysis.cost import BreakEven
from headtohead.model.case import WHOLE_RUN
from headtohead.model.finding import Severity
from headtohead.model.plan import Comparison
from tests.analyze.building import ALPHA, blocks_of, experiment, steady, treatment
from tests.analyze.seeding import folder, of_label, suite, with_run
from tests.analyze.seeds import other_pages
from tests.analyze.suites import KERNELS
from tests.analyze.sweeps import engine, sweeping, walked


def test_what_is_about_one_treatment_spares_the_others() -> None:
    labels = ("apache", "nginx", "caddy")
    pairs = tuple(Comparison("subject", "apache", other, {}, ALPHA) for other in labels[1:])
    of = experiment(treatments=tuple(treatment(each) for each in labels), comparisons=pairs)
    runs = blocks_of({"apache": steady(1000), "nginx": steady(2000), "caddy": steady(1500)}, of=of)
    runs = of_label(runs, "caddy", lambda each: with_run(each, versions={"caddy": "2.0-debug"}))
    told = analyze(folder(runs, of)).experiments[0].comparisons
    assert [(each.other, each.verdict) for each in told] == [("nginx", "better"), ("caddy", "inconclusive")]


def test_who_overtakes_whom_and_what_cpus_brought_are_withheld_with_the_verdict() -> None:
    of = sweeping(engine("mariadb"), engine("postgresql"))
    rates = {"mariadb": (200.0, 300, 400, 500, 510, 505, 500), "postgresql": (100.0, 200, 390, 600, 700, 710, 700)}
    runs = walked(of, rates)
    told = analyze(folder(runs, of)).experiments[0]
    assert told.overtakings != ()
    assert told.crossings != ()
    cpus = {"mariadb": (0,), "postgresql": (1,)}
    moved = [with_run(each, read_back={"cpus": cpus[each.run.label]}) for each in runs]
    withheld = analyze(folder(moved, of)).experiments[0]
    assert (withheld.overtakings, withheld.crossings) == ((), ())


def test_a_suite_of_which_a_part_was_measured_has_no_headline() -> None:
    assert analyze(suite([1.5] * 10)).experiments[0].suites != ()
    assert analyze(suite([1.5] * 10, asked=KERNELS[:8])).experiments[0].suites == ()


def test_ratios_stay_as_they_were_seen() -> None:
    kept, withheld = (analyze(other_pages(guilty)).experiments[0].comparisons[0] for guilty in (False, True))
    assert (kept.ratio, kept.blocks) == (withheld.ratio, withheld.blocks)


def test_a_finding_does_not_name_who_is_ahead_where_the_verdict_may_not() -> None:
    factors = [1.5] * 7 + [0.5] + [1.5] * 2
    whole, part = (analyze(suite(factors, asked=each)).experiments[0].findings for each in (KERNELS, KERNELS[:8]))
    assert "worse-elsewhere" in [each.id for each in whole]
    assert [each.id for each in part if each.severity is not Severity.NOTE] == ["subset"]


@pytest.mark.parametrize("guilty", [True, False])
def test_from_which_price_on_one_pays_is_withheld_too(guilty: bool) -> None:
    pays = BreakEven(WHOLE_RUN, "apache", "nginx", None, None)
    told = dataclasses.replace(analyze(other_pages(guilty)).experiments[0], break_evens=(pays,))
    assert without_forbidden(told).break_evens == (() if guilty else (pays,))
