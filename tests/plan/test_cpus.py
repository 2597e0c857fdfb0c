import pytest
from hypothesis import given
from hypothesis import strategies as st

from headtohead.model.errors import LimitedError
from headtohead.model.machine.host import Machine
from headtohead.plan.cpus import allot, cores, most
from tests.plan.machines import machine

machines = st.builds(machine, nodes=st.integers(1, 3), cores=st.integers(1, 4), siblings=st.integers(1, 2))


@given(on=machines, count=st.integers(1, 24))
def test_no_cpu_of_the_driver_is_the_subjects_or_its_sibling(on: Machine, count: int) -> None:
    try:
        subject, driver = allot(on, count, driver=True)
    except LimitedError:
        assert count > most(on, driver=True)
        return
    core = {cpu.index: (cpu.package, cpu.core) for cpu in on.cpus}
    assert len(subject) == count
    assert driver
    assert not {core[each] for each in subject} & {core[each] for each in driver}


@given(on=machines, count=st.integers(1, 24))
def test_a_subject_takes_whole_cores_before_it_begins_another(on: Machine, count: int) -> None:
    if count > len(on.cpus):
        with pytest.raises(LimitedError, match="for the subject"):
            allot(on, count, driver=False)
        return
    subject, driver = allot(on, count, driver=False)
    assert driver == ()
    touched = [core for core in cores(on) if set(core) & set(subject)]
    assert sum(not set(core) <= set(subject) for core in touched) <= 1
    assert tuple(touched) == cores(on)[: len(touched)]


@given(on=machines)
def test_as_many_cpus_as_there_are_at_most_can_be_had(on: Machine) -> None:
    assert most(on, driver=False) == len(on.cpus)
    if most(on, driver=True):
        assert len(allot(on, most(on, driver=True), driver=True)[0]) == most(on, driver=True)


def test_cores_go_in_order_of_node_and_core_with_their_siblings() -> None:
    assert cores(machine(nodes=2, cores=2, siblings=2)) == ((0, 4), (1, 5), (2, 6), (3, 7))
    assert allot(machine(nodes=1, cores=2, siblings=2), 1, driver=True) == ((0,), (1, 3))


def test_two_siblings_leave_no_core_for_the_driver() -> None:
    with pytest.raises(LimitedError, match="no CPU left for the driver") as raised:
        allot(machine(cores=1, siblings=2), 1, driver=True)
    assert raised.value.exit_code == 2
