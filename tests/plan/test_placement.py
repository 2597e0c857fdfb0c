from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.machine.resources import read_machine
from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Cpu, Machine, Node
from headtohead.model.machine.topology import PLACEMENTS, MemoryFrom, is_placed, shares_of
from headtohead.model.plan import LeftOut
from headtohead.plan.placement import memory_from, place
from tests.hosts.recorded_trees import unpack
from tests.plan.machines import machine
from tests.plan.studies import WORKED, experiment, factor, plan, planned, subject

OPENSSL, NGINX = subject("openssl", batch=True), subject("nginx")
TWO, FOUR = factor("cpus", 2), factor("cpus", 4)


def recorded(name: str, folder: Path, *, cpus: int) -> Machine:
    return read_machine((), host=FakeHost(), tree=unpack(name, folder), allowed=range(cpus))


def given_or_why(on: Machine, count: int) -> dict[str, tuple[int, ...] | str]:
    told: dict[str, tuple[int, ...] | str] = {}
    for level in PLACEMENTS:
        try:
            told[level] = place(on, count, level)
        except LimitedError as error:
            told[level] = error.why
    return told


def test_on_two_sockets_with_four_nodes_every_level_gives_other_cpus(tmp_path: Path) -> None:
    on = recorded("two-sockets-four-nodes", tmp_path, cpus=16)
    assert given_or_why(on, 2) == {"siblings": (0, 8), "same-cache": (0, 1), "same-package": (0, 2), "spread": (0, 4)}
    assert given_or_why(on, 4) == {
        "siblings": (0, 1, 8, 9),
        "same-cache": "No last-level cache has that many cores that may be used: 2 at most.",
        "same-package": (0, 1, 2, 3),
        "spread": (0, 2, 4, 6),
    }


def test_on_one_socket_with_two_caches_same_package_and_spread_come_to_the_same(tmp_path: Path) -> None:
    on = recorded("one-socket-two-caches", tmp_path, cpus=8)
    assert given_or_why(on, 2) == {"siblings": (0, 1), "same-cache": (0, 2), "same-package": (0, 4), "spread": (0, 4)}
    assert place(on, 4, "siblings") == (0, 1, 2, 3)


def test_without_second_threads_there_are_no_siblings(tmp_path: Path) -> None:
    told = given_or_why(recorded("four-sockets-in-a-ring", tmp_path, cpus=8), 2)
    assert told["siblings"] == "No core that may be used has a second thread."
    assert (told["same-cache"], told["same-package"], told["spread"]) == ((0, 1), (0, 1), (0, 2))


def test_where_all_levels_come_to_one_none_is_given() -> None:
    cpus = tuple(Cpu(index, 0, 0, index, 0, 3) for index in range(2))
    told = given_or_why(Machine("m", cpus, root=True), 2)
    one_kind = "This machine has one kind of placement for 2 CPUs: every other level gives the same, or none."
    assert (told["same-cache"], told["same-package"]) == (one_kind, one_kind)
    assert "nothing to spread over" in told["spread"]


@pytest.mark.parametrize(
    ("count", "why"),
    [
        (1, "A core has 2 threads, and 1 is not a multiple of that."),
        (3, "A core has 2 threads, and 3 is not a multiple of that."),
        (6, "The machine has 2 cores of 2 threads."),
    ],
)
def test_siblings_are_whole_cores(count: int, why: str) -> None:
    assert given_or_why(machine(cores=2, siblings=2), count)["siblings"] == why


def test_one_cpu_is_neither_near_nor_far_and_one_thread_a_core_needs_as_many_cores(tmp_path: Path) -> None:
    on = recorded("one-socket-two-caches", tmp_path, cpus=8)
    assert "One CPU alone" in given_or_why(on, 1)["spread"]
    assert "the machine has 4 cores" in given_or_why(on, 5)["same-package"]


def test_a_cache_that_is_not_shown_is_not_guessed() -> None:
    assert given_or_why(machine(cores=4, siblings=2), 2)["same-cache"] == (
        "This machine does not show which CPUs share a cache."
    )


@given(nodes=st.integers(1, 3), cores=st.integers(1, 4), siblings=st.integers(1, 2), count=st.integers(1, 12))
def test_what_is_given_is_what_the_level_says(nodes: int, cores: int, siblings: int, count: int) -> None:
    on = machine(nodes=nodes, cores=cores, siblings=siblings)
    on = replace(on, cpus=tuple(replace(each, cache=each.node, cache_level=3) for each in on.cpus))
    for level in PLACEMENTS:
        try:
            given_cpus = place(on, count, level)
        except LimitedError:
            continue
        assert len(given_cpus) == count
        assert is_placed(level, shares_of(given_cpus, machine=on.cpus))


def test_the_driver_gets_a_core_of_which_the_subject_has_no_cpu(tmp_path: Path) -> None:
    on = recorded("two-sockets-four-nodes", tmp_path, cpus=16)
    one = planned(experiment(TWO, factor("placement", *PLACEMENTS), subjects=[NGINX], compare="placement"), machine=on)
    assert [(each.label, each.cpus, each.driver_cpus) for each in one.treatments] == [
        ("nginx placement=siblings", (0, 8), (1, 9)),
        ("nginx placement=same-cache", (0, 1), (2, 10)),
        ("nginx placement=same-package", (0, 2), (1, 9)),
        ("nginx placement=spread", (0, 4), (1, 9)),
    ]
    siblings, *_, spread = (each.shares for each in one.treatments)
    assert siblings is not None
    assert spread is not None
    assert (siblings.cores, siblings.threads, siblings.caches, siblings.cache_level) == (1, 2, 1, 3)
    assert (spread.cores, spread.packages, spread.nodes, spread.caches) == (2, 2, (0, 2), 2)


def test_two_levels_of_the_same_cpus_are_refused_or_left_out_where_optional(tmp_path: Path) -> None:
    on = recorded("one-socket-two-caches", tmp_path, cpus=8)
    asked = experiment(TWO, factor("placement", *PLACEMENTS), subjects=[OPENSSL], compare="placement", load=WORKED)
    with pytest.raises(LimitedError, match='placement = "spread" for 2 CPUs cannot be given') as raised:
        plan(asked, machine=on)
    assert raised.value.why.startswith('They would be CPUs 0, 4, as for placement = "same-package"')
    left = plan(replace(asked, optional=True), machine=on)
    assert [each.label for each in left.experiments[0].treatments][-1] == "openssl placement=same-package"
    (spread,) = left.left_out
    assert (spread.treatment, spread.reason.startswith('Placement = "spread" for 2 CPUs')) == (
        "openssl placement=spread",
        True,
    )


def test_an_optional_experiment_is_left_out_whole_where_there_is_one_kind_of_place() -> None:
    asked = experiment(
        TWO, factor("placement", "siblings", "spread"), subjects=[OPENSSL], compare="placement", load=WORKED
    )
    (left,) = plan(replace(asked, optional=True), machine=machine(cores=2)).left_out
    assert isinstance(left, LeftOut)
    assert left.treatment is None
    assert "No core that may be used has a second thread." in left.reason


@pytest.mark.parametrize(
    ("numa", "memory"),
    [
        ("default", None),
        ("local", MemoryFrom("bind", (0,))),
        ("interleave", MemoryFrom("interleave", (0, 1, 2, 3))),
        ("remote", MemoryFrom("bind", (2,))),
    ],
)
def test_memory_comes_from_its_own_node_from_all_in_turn_or_from_the_farthest(
    numa: str, memory: MemoryFrom | None, tmp_path: Path
) -> None:
    on = recorded("four-sockets-in-a-ring", tmp_path, cpus=8)
    asked = experiment(TWO, factor("numa", numa), subjects=[OPENSSL], compare=None, load=WORKED)
    assert planned(asked, machine=on).treatments[0].memory == memory


def test_cpus_of_two_nodes_have_no_node_of_their_own(tmp_path: Path) -> None:
    on = recorded("four-sockets-in-a-ring", tmp_path, cpus=8)
    assert memory_from(on, (0, 2), "interleave").nodes == (0, 1, 2, 3)
    for numa in ("local", "remote"):
        with pytest.raises(LimitedError, match="cannot be given") as raised:
            memory_from(on, (0, 2), numa)
        assert "nodes 0 and 1" in raised.value.why


def test_a_node_without_memory_gives_none() -> None:
    nodes = (Node(0, has_memory=False), Node(1, has_memory=True), Node(2, has_memory=True))
    on = Machine("m", (Cpu(0, 0, 0, 0), Cpu(1, 1, 1, 1)), root=True, nodes=nodes)
    with pytest.raises(LimitedError) as raised:
        memory_from(on, (0,), "local")
    assert "Node 0" in raised.value.why
    assert memory_from(on, (0,), "remote") == MemoryFrom("bind", (1,))
    assert memory_from(on, (1,), "remote") == MemoryFrom("bind", (2,))


def test_without_the_factors_nothing_is_placed_and_memory_is_left_to_the_kernel(tmp_path: Path) -> None:
    on = recorded("two-sockets-four-nodes", tmp_path, cpus=16)
    one = planned(experiment(FOUR, subjects=[OPENSSL], compare=None, load=WORKED), machine=on).treatments[0]
    assert (one.cpus, one.memory) == ((0, 1, 2, 3), None)
