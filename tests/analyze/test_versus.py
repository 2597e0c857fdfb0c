import dataclasses

import pytest

from headtohead.analyze.versus import compare_folders
from headtohead.model.host import Fact, HostFacts
from headtohead.model.record import Recording
from tests.analyze.building import blocks_of, experiment, plan, recording, steady, treatment


def folder(name: str, *, center: float = 1000.0, kernel: str = "6.1", same_test: str = "abc") -> Recording:
    chosen = experiment(same_test=same_test)
    runs = blocks_of({"apache": steady(center), "nginx": steady(center)[::-1]}, of=chosen)
    facts = HostFacts(name, (Fact("kernel", "release", kernel, None, "uname"),))
    return dataclasses.replace(recording(runs, of=plan(chosen), name=name), hosts=(facts,))


def test_treatments_of_equal_test_and_levels_are_paired_with_welch() -> None:
    told = compare_folders(folder("old"), folder("new", center=1200))
    assert [(each.treatment, each.verdict) for each in told.pairs] == [("apache", "better"), ("nginx", "better")]
    assert told.pairs[0].ratio is not None
    assert told.pairs[0].ratio.value == pytest.approx(1.2)
    assert told.pairs[0].ratio.interval is not None
    assert told.pairs[0].ratio.interval.confidence == pytest.approx(1 - 0.05 / 2)
    assert told.pairs[0].says == "not interleaved: this old and this new, on these days (2026-11-20 and 2026-11-20)"
    assert told.refused == ()


def test_another_test_is_refused_with_the_field_that_differs() -> None:
    other = folder("new", same_test="xyz")
    changed = dataclasses.replace(other.plan.experiments[0], workload_version=2)
    other = dataclasses.replace(other, plan=plan(changed))
    told = compare_folders(folder("old"), other)
    assert told.pairs == ()
    assert [(each.experiment, each.field) for each in told.refused] == [("static-page", "workload_version")]
    assert told.refused[0].why == "workload_version: 1 against 2."


def test_a_test_that_differs_in_files_only_is_refused_as_such() -> None:
    told = compare_folders(folder("old"), folder("new", same_test="xyz"))
    assert [each.field for each in told.refused] == ["same_test"]


def test_an_experiment_or_a_treatment_that_one_folder_lacks_is_refused() -> None:
    lone = experiment(treatments=(experiment().treatments[0], treatment("caddy")), comparisons=())
    runs = blocks_of({"apache": steady(1000), "caddy": steady(1000)}, of=lone)
    told = compare_folders(folder("old"), recording(runs, of=plan(lone), name="new"))
    assert [each.treatment for each in told.pairs] == ["apache"]
    assert [each.why.split(",")[0] for each in told.refused] == ["old has nginx", "new has caddy"]
    empty = recording([], of=plan(dataclasses.replace(experiment(), name="another")), name="empty")
    assert [each.field for each in compare_folders(folder("old"), empty).refused] == ["experiment", "experiment"]


def test_differing_host_facts_are_listed_as_intended_or_not() -> None:
    told = compare_folders(folder("old"), folder("new", kernel="6.12"), differ=("kernel",))
    assert [(each.name, each.a, each.b, each.intended) for each in told.facts] == [("release", "6.1", "6.12", True)]
    assert not compare_folders(folder("old"), folder("new", kernel="6.12")).facts[0].intended


def test_swapping_the_folders_inverts_the_ratio() -> None:
    old, new = folder("old"), folder("new", center=1050)
    there, back = compare_folders(old, new).pairs[0], compare_folders(new, old).pairs[0]
    assert there.ratio is not None
    assert back.ratio is not None
    assert back.ratio.value == pytest.approx(1 / there.ratio.value)
