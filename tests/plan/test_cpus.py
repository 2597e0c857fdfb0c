import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.plan.cpus import DriverNeed, allot, cores, least_of_driver, most, need_of_driver
from tests.plan.machines import machine
from tests.plan.studies import SERVED, WORKED, experiment, subject

ONE = DriverNeed(1)
needs = st.builds(DriverNeed, st.integers(1, 8), st.booleans())
machines = st.builds(machine, nodes=st.integers(1, 3), cores=st.integers(1, 4), siblings=st.integers(1, 2))


@given(on=machines, count=st.integers(1, 24), need=needs)
def test_no_cpu_of_the_driver_is_the_subjects_or_its_sibling(on: Machine, count: int, need: DriverNeed) -> None:
    try:
        subject, driver = allot(on, count, driver=need)
    except LimitedError:
        assert count > most(on, driver=need.cpus if need.exactly else 1)
        return
    core = {cpu.index: (cpu.package, cpu.core) for cpu in on.cpus}
    assert len(subject) == count
    assert len(driver) == need.cpus if need.exactly else driver
    assert not {core[each] for each in subject} & {core[each] for each in driver}


@given(on=machines, count=st.integers(1, 24))
def test_a_subject_takes_whole_cores_before_it_begins_another(on: Machine, count: int) -> None:
    if count > len(on.cpus):
        with pytest.raises(LimitedError, match="for the subject"):
            allot(on, count)
        return
    subject, driver = allot(on, count)
    assert driver == ()
    touched = [core for core in cores(on) if set(core) & set(subject)]
    assert sum(not set(core) <= set(subject) for core in touched) <= 1
    assert tuple(touched) == cores(on)[: len(touched)]


@given(on=machines)
def test_as_many_cpus_as_there_are_at_most_can_be_had(on: Machine) -> None:
    assert most(on, driver=0) == len(on.cpus)
    if most(on, driver=1):
        assert len(allot(on, most(on, driver=1), driver=ONE)[0]) == most(on, driver=1)


def test_cores_go_in_order_of_node_and_core_with_their_siblings() -> None:
    assert cores(machine(nodes=2, cores=2, siblings=2)) == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert allot(machine(nodes=1, cores=2, siblings=2), 1, driver=ONE) == ((0,), (1, 3))


def test_two_siblings_leave_no_core_for_the_driver() -> None:
    with pytest.raises(LimitedError, match="no CPU left for the driver") as raised:
        allot(machine(cores=1, siblings=2), 1, driver=ONE)
    assert raised.value.exit_code == 2


def test_a_driver_takes_whole_cores_until_it_has_what_it_needs_and_no_more() -> None:
    on = machine(nodes=1, cores=4, siblings=2)
    assert allot(on, 2, driver=DriverNeed(3)) == ((0, 4), (1, 2, 5, 6))
    assert allot(on, 2, driver=DriverNeed(sys.maxsize)) == ((0, 4), (1, 2, 3, 5, 6, 7))


def test_a_number_of_cpus_for_the_driver_is_that_number_or_an_error() -> None:
    on = machine(nodes=1, cores=4, siblings=2)
    assert allot(on, 2, driver=DriverNeed(3, exactly=True)) == ((0, 4), (1, 2, 5))
    with pytest.raises(LimitedError, match="too few CPUs left for the driver") as raised:
        allot(on, 4, driver=DriverNeed(5, exactly=True))
    assert "4 CPUs are left, driver_cpus = 5." in raised.value.why


def test_the_subject_can_have_what_a_number_of_cpus_for_the_driver_leaves() -> None:
    on = machine(cores=4)
    assert [most(on, driver=cpus) for cpus in (0, 1, 3, 5)] == [4, 3, 1, 0]
    assert most(machine(cores=4, siblings=2), driver=3) == 4


def test_a_driver_needs_as_many_cpus_as_the_subject_has_but_no_more_than_connections() -> None:
    asked = experiment(subjects=[subject("apache")])
    assert [need_of_driver(asked, cpus).cpus for cpus in (1, 2, 64, 200)] == [1, 2, 64, 100]
    opened = replace(asked, load=replace(SERVED, loop="open", settings={"rate_per_s": 1000}, cases={}))
    assert need_of_driver(opened, 64).cpus == 64
    few = replace(asked, load=replace(opened.load, settings={"connections": 3}))
    assert need_of_driver(few, 64).cpus == 3


def test_a_study_may_give_the_driver_a_number_of_cpus_or_the_rest() -> None:
    asked = experiment(subjects=[subject("apache")])
    assert (least_of_driver(asked), need_of_driver(asked, 2)) == (1, DriverNeed(2))
    given = replace(asked, driver_cpus=3)
    assert (least_of_driver(given), need_of_driver(given, 1)) == (3, DriverNeed(3, exactly=True))
    rest = replace(asked, driver_cpus="rest")
    assert (least_of_driver(rest), need_of_driver(rest, 1)) == (1, DriverNeed(sys.maxsize))
    assert least_of_driver(experiment(subjects=[subject("work", batch=True)], load=WORKED)) == 0
