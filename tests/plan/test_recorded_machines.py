"""Which CPUs are planned on machines as recorded, with cores of two threads, two packages and two nodes."""

from pathlib import Path

import pytest

from headtohead.cli.wiring import read_question
from headtohead.describe.home import find_home
from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.machine.resources import read_machine
from headtohead.model.machine.host import Machine
from headtohead.model.plan import Plan, Treatment
from headtohead.model.study.study import Factor
from tests.hosts.recorded_trees import unpack
from tests.plan.studies import SERVED, WORKED, experiment, factor, planned, subject

NGINX, OPENSSL = subject("nginx"), subject("openssl", batch=True)
FIRST = (0, 1, 2, 3, 4, 5, 6, 7)
BY_TURNS = "two-sockets-by-turns"
"""2 x 4 x 2, numbered as many vendors do: even CPUs are of node 0, and n + 8 is the second thread of n."""


def recorded(name: str, folder: Path, *, cpus: int) -> Machine:
    return read_machine((), host=FakeHost(), tree=unpack(name, folder), allowed=range(cpus))


def treatments(folder: Path, *factors: Factor, served: bool) -> tuple[Treatment, ...]:
    tested, load = (NGINX, SERVED) if served else (OPENSSL, WORKED)
    asked = experiment(*factors, subjects=[tested], compare=factors[-1].name, load=load)
    return planned(asked, machine=recorded(BY_TURNS, folder, cpus=16)).treatments


def test_cpus_that_we_may_not_run_on_are_apart_unless_they_share_a_core(tmp_path: Path) -> None:
    machine = read_machine((), host=FakeHost(), tree=unpack(BY_TURNS, tmp_path), allowed=range(4))
    asked = experiment(factor("cpus", 1, 2), subjects=[NGINX], compare="cpus", load=SERVED)
    for each in planned(asked, machine=machine).treatments:
        used = {*each.cpus, *each.driver_cpus}
        assert used <= set(range(4))
        assert each.apart == tuple(sorted({*range(16)} - used - {cpu + 8 for cpu in used}))


@pytest.mark.parametrize(
    ("factors", "cpus"),
    [
        ([factor("cpus", 1, 2, 4, 8)], [(0,), (0, 2), (0, 2, 4, 6), FIRST]),
        ([factor("cpus", "half", "all")], [(0, 2, 4, 6), FIRST]),
        ([factor("cpus", "doubling")], [(0,), (0, 2), (0, 2, 4, 6), FIRST]),
        ([factor("smt", "on"), factor("cpus", 1, "all")], [(0, 8), tuple(range(16))]),
        ([factor("cpus", 2), factor("smt", "off", "on")], [(0, 2), (0, 2, 8, 10)]),
        ([factor("smt", "off", "on")], [FIRST, tuple(range(16))]),
        ([factor("cpus", 2), factor("placement", "siblings", "same-cache", "spread")], [(0, 8), (0, 2), (0, 1)]),
        (
            [factor("cpus", 4), factor("placement", "siblings", "same-package", "spread")],
            [(0, 2, 8, 10), (0, 2, 4, 6), (0, 1, 2, 3)],
        ),
    ],
)
def test_a_batch_program_has_these_cpus(tmp_path: Path, factors: list[Factor], cpus: list[tuple[int, ...]]) -> None:
    assert [each.cpus for each in treatments(tmp_path, *factors, served=False)] == cpus


@pytest.mark.parametrize(
    ("factors", "cpus", "of_driver"),
    [
        ([factor("cpus", 1, 2)], [(0,), (0, 2)], [(2, 10), (4, 12)]),
        ([factor("cpus", "half", "all")], [(0, 2, 4), (0, 1, 2, 3, 4, 6)], [(1, 6, 9, 14), (5, 7, 13, 15)]),
        (
            [factor("cpus", "doubling")],
            [(0,), (0, 2), (0, 2, 4, 6), (0, 1, 2, 3, 4, 5, 6)],
            [(2, 10), (4, 12), (1, 3, 9, 11), (7, 15)],
        ),
        (
            [factor("smt", "off", "on")],
            [(0, 1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14)],
            [(7, 15), (7, 15)],
        ),
    ],
)
def test_a_server_has_these_cpus_and_its_driver_those(
    tmp_path: Path, factors: list[Factor], cpus: list[tuple[int, ...]], of_driver: list[tuple[int, ...]]
) -> None:
    found = treatments(tmp_path, *factors, served=True)
    assert [each.cpus for each in found] == cpus
    assert [each.driver_cpus for each in found] == of_driver


def test_memory_of_a_server_on_one_node_comes_from_where_the_level_says(tmp_path: Path) -> None:
    levels = factor("numa", "interleave", "default", "local", "remote")
    found = treatments(tmp_path, factor("cpus", 2), levels, served=True)
    assert [each.memory and (each.memory.kind, each.memory.nodes) for each in found] == [
        ("interleave", (0, 1)),
        None,
        ("bind", (0,)),
        ("bind", (1,)),
    ]


def plan_of(study: str, on: Machine) -> Plan:
    home = find_home()
    return read_question(home.studies / f"{study}.toml", home=home).plan(on)


@pytest.mark.parametrize(
    ("study", "experiment", "reason"),
    [
        ("aces-2003", "numa", "The machine has one NUMA node."),
        ("linux-magazine-2003", "node", "The machine has one NUMA node."),
        ("anandtech-2005", "dual-core", "This machine has one kind of placement for 2 CPUs"),
        ("anandtech-2005", "hyper-threading", "No core that may be used has a second thread."),
    ],
)
def test_on_a_machine_of_one_node_and_one_thread_a_core_it_is_left_out_with_the_reason(
    tmp_path: Path, study: str, experiment: str, reason: str
) -> None:
    plan = plan_of(study, recorded("one-node", tmp_path, cpus=4))
    (left,) = [each for each in plan.left_out if each.experiment == experiment]
    assert left.treatment is None
    assert reason in left.reason


def test_databases_are_asked_on_two_packages_and_on_two_cores_of_one(tmp_path: Path) -> None:
    plan = plan_of("anandtech-2005", recorded(BY_TURNS, tmp_path, cpus=16))
    (asked,) = [each for each in plan.experiments if each.name == "dual-core"]
    assert {(each.levels["placement"], each.cpus) for each in asked.treatments} == {
        ("spread", (0, 1)),
        ("same-package", (0, 2)),
    }
