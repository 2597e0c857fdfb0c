"""Every folder of subjects and workloads has a partner and a README that states its limits."""

from pathlib import Path

import pytest

from headtohead.describe.subject import subjects
from tests.contract.bench import each_once, pairs
from tests.contract.homes import HOME

PAIRS = pairs(HOME)
NEVER_ALONE = "sql/"
"""Interfaces without a driver: a subject that serves only these is measured as what others need."""

FOLDERS = sorted(each for room in (HOME.subjects, HOME.workloads) for each in room.iterdir() if each.name != "shared")


def test_every_folder_is_found_with_a_partner() -> None:
    there = subjects.read_all(HOME)
    works = {path.parent.name for path in HOME.workloads.glob("*/workload.toml")}
    needed = {name for each in PAIRS for name in (part.name for part in each.needed.values())}

    assert {each.subject.name for each in PAIRS} | needed == set(there)
    assert {each.workload.name for each in PAIRS} == works
    for name in needed - {each.subject.name for each in PAIRS}:
        assert all(interface.startswith(NEVER_ALONE) for interface in there[name].serves)


def test_the_contract_tests_leave_out_no_workload_and_no_choice() -> None:
    tested = each_once(PAIRS)

    for chosen in (lambda each: each.workload.name, lambda each: tuple(each.levels.items())):
        assert {(each.subject.name, chosen(each)) for each in tested} == {
            (each.subject.name, chosen(each)) for each in PAIRS
        }
    assert len(set(map(str, tested))) == len(tested) < len(PAIRS)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_its_readme_states_what_it_stresses_what_it_does_not_and_what_could_fool(folder: Path) -> None:
    text = (folder / "README.md").read_text()

    for heading in ("What it stresses", "What it does not", "What could fool you"):
        assert f"## {heading}" in text
