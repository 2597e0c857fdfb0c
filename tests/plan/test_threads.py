"""A number of CPUs counts cores: one thread of each, or all of them where the study says so."""

from dataclasses import replace
from pathlib import Path

import pytest

from headtohead.hosts.fake.host import FakeHost
from headtohead.hosts.machine.resources import read_machine
from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.model.study.study import Factor
from tests.hosts.recorded_trees import unpack
from tests.plan.machines import machine
from tests.plan.studies import SERVED, WORKED, experiment, factor, plan, planned, subject

NGINX = subject("nginx")
OPENSSL = subject("openssl", batch=True)
EIGHT = machine(nodes=2, cores=4, siblings=2)
"""Two nodes of four cores of two threads: CPUs 0 to 7 are first threads, 8 to 15 their siblings."""


def cpus_of(
    *factors: Factor, on: Machine = EIGHT, served: bool = False, compare: str = "cpus"
) -> list[tuple[int, ...]]:
    tested = NGINX if served else OPENSSL
    one = experiment(*factors, subjects=[tested], compare=compare, load=SERVED if served else WORKED)
    return [each.cpus for each in planned(one, machine=on).treatments]


def test_two_cpus_are_two_cores_and_not_the_threads_of_one() -> None:
    assert cpus_of(factor("cpus", 1, 2, 8)) == [(0,), (0, 1), tuple(range(8))]


def test_half_and_all_are_cores_in_two_to_one() -> None:
    assert cpus_of(factor("cpus", "half", "all")) == [(0, 1, 2, 3), tuple(range(8))]


def test_beside_a_driver_half_and_all_are_in_two_to_one_too() -> None:
    one = planned(experiment(factor("cpus", "half", "all"), subjects=[NGINX], compare="cpus"), machine=EIGHT)
    assert [each.cpus for each in one.treatments] == [(0, 1, 2), tuple(range(6))]
    assert not {8, 9, 10, 11, 12, 13} & set(one.treatments[1].driver_cpus)


def test_a_word_alone_is_all_that_the_driver_leaves() -> None:
    assert cpus_of(factor("cpus", 1, "all"), served=True) == [(0,), tuple(range(7))]


def test_doubling_doubles_cores() -> None:
    assert [len(each) for each in cpus_of(factor("cpus", "doubling"), served=True)] == [1, 2, 4, 7]


def test_smt_compares_the_same_cores_with_one_and_all_of_their_threads() -> None:
    off, on = cpus_of(factor("cpus", 2), factor("smt", "off", "on"), compare="smt")
    assert (off, on) == ((0, 1), (0, 1, 8, 9))


def test_smt_without_a_number_is_of_all_cores() -> None:
    off, on = cpus_of(factor("smt", "off", "on"), compare="smt")
    assert (off, on) == (tuple(range(8)), tuple(range(16)))


def test_the_driver_never_has_a_thread_of_a_core_of_the_subject() -> None:
    one = planned(experiment(factor("smt", "off", "on"), subjects=[NGINX], compare="smt"), machine=EIGHT)
    off, on = one.treatments
    assert (off.cpus, on.cpus) == (tuple(range(7)), (*range(7), *range(8, 15)))
    assert off.driver_cpus == on.driver_cpus == (7, 15)


def test_the_plan_notes_that_second_threads_are_idle_where_there_are_some() -> None:
    one = planned(experiment(factor("cpus", 1, 2), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=EIGHT)
    assert any("cpus counts cores here" in each for each in one.notes)
    plain = machine(cores=4)
    two = planned(experiment(factor("cpus", 1, 2), subjects=[OPENSSL], compare="cpus", load=WORKED), machine=plain)
    assert not two.notes


def test_more_cores_than_there_are_name_the_threads() -> None:
    with pytest.raises(LimitedError) as raised:
        cpus_of(factor("cpus", 1, 12))
    assert raised.value.why == "cpus counts cores, and the machine has 8, with 16 threads."


def test_one_thread_against_all_is_refused_or_left_out_where_there_is_one() -> None:
    plain = machine(cores=4)
    with pytest.raises(LimitedError, match='smt = "on" cannot be given'):
        cpus_of(factor("smt", "off", "on"), on=plain, compare="smt")
    compared = experiment(factor("smt", "off", "on"), subjects=[OPENSSL], compare="smt", load=WORKED)
    (left,) = plan(replace(compared, optional=True), machine=plain).left_out
    assert "No core that may be used has a second thread." in left.reason


def test_every_thread_of_a_machine_without_second_threads_is_one_of_each_core() -> None:
    assert cpus_of(factor("cpus", 1, "all"), factor("smt", "on"), on=machine(cores=4)) == [(0,), (0, 1, 2, 3)]


def test_a_recorded_machine_of_two_packages_has_its_cores_counted(tmp_path: Path) -> None:
    on = read_machine((), host=FakeHost(), tree=unpack("two-sockets-four-nodes", tmp_path), allowed=range(16))
    cores = {(each.package, each.core): each for each in on.cpus}
    one, both = cpus_of(factor("cpus", 2), factor("smt", "off", "on"), on=on, compare="smt")
    of = {each.index: (each.package, each.core) for each in on.cpus}
    assert len(cores) == 8
    assert len({of[each] for each in one}) == len(one) == 2
    assert {of[each] for each in both} == {of[each] for each in one}
    assert len(both) == 4
