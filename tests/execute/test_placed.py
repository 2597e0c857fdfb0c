"""Runs whose subject is placed, and takes memory from nodes, on a machine that is not there."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.model.machine.host import Cpu, Machine, Node
from tests.execute.laboratory import (
    Laboratory,
    fake_affinity,
    one_experiment,
    tiny_home,
    tiny_page,
    tiny_program,
)

NODES = (Node(0, has_memory=True, distances={0: 10, 1: 21}), Node(1, has_memory=True, distances={0: 21, 1: 10}))
SIBLINGS = Machine(
    "local",
    tuple(Cpu(index, index // 4, index // 4, index // 2 * 2, index // 4 * 4, 3) for index in range(8)),
    root=True,
    nodes=NODES,
)
FACTORS = """placement = ["siblings", "same-cache"]
numa = ["remote"]
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laboratory]:
    fake_affinity(monkeypatch)
    text = one_experiment("tiny", "board", factors=FACTORS, load="connections = [1]").replace(
        "cpus = [1]", "cpus = [2]"
    )
    made = Laboratory(text, tmp_path, home=tiny_home(tmp_path), pages=tiny_page, machine=SIBLINGS)
    made.script.program = tiny_program
    made.study_context.environment = replace(made.study_context.environment, topology=lambda _: SIBLINGS.cpus)
    with made.study_context:
        yield made.prepared()


def test_a_subject_is_started_where_it_was_placed_and_read_back_there(place: Laboratory) -> None:
    for number, run in enumerate(place.plan.experiments[0].runs[:2], start=1):
        found = place.run(number)
        group = place.host.supervises[-1].groups["subject"]
        near = run.treatment.endswith("siblings")
        assert group["cpus"] == ([0, 1] if near else [0, 2])
        assert group["memory_policy"] == {"kind": "bind", "nodes": [1]}
        assert found.run.read_back["placement"] == ("siblings" if near else "same-cache")
        assert found.run.read_back["memory_policy"] == "bind:1"
        assert found.run.status == "valid", found.run.reasons


def test_a_core_that_lost_its_sibling_since_the_plan_makes_the_run_invalid(place: Laboratory) -> None:
    alone = tuple(replace(each, core=each.index) for each in SIBLINGS.cpus)
    place.study_context.environment = replace(place.study_context.environment, topology=lambda _: alone)
    runs = place.plan.experiments[0].runs
    found = place.run(1 + [each.treatment.endswith("siblings") for each in runs].index(True))
    assert found.run.read_back["placement"] is None
    assert any("asked for CPUs placed as siblings" in each for each in found.run.reasons)
    assert found.run.status == "invalid"


def test_a_mapping_of_another_policy_makes_the_run_invalid(place: Laboratory) -> None:
    place.script.answer = lambda asked, answer: (
        {**answer, "memory_policies": ["bind:1", "default"]} if asked["do"] == "read_back" else answer
    )
    found = place.run()
    assert any("mappings of its processes have default" in each for each in found.run.reasons)
    assert found.run.status == "invalid"
