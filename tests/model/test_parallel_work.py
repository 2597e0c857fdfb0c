"""Work shared out over processes: the results of one, in order; what another fails to return is computed here."""

import os
import signal
import time
from collections.abc import Callable

import pytest

from headtohead.model.parallel_work import PIPE_BYTES, side_by_side

HERE = os.getpid()
ITEMS = range(20)
LONG_S = 0.05
"""Of one item here: so the others, whose items are short, get most of them."""


def all_ended(processes: list[int]) -> bool:
    """Whether each was ended and waited for: it is no child of ours any more."""
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
    return True


def elsewhere(happens: Callable[[], object]) -> Callable[[int], int]:
    """Return a function to square numbers; in another process that happens to its third."""
    there: list[int] = []

    def squared(number: int) -> int:
        if os.getpid() == HERE:
            time.sleep(LONG_S)
        else:
            there.append(number)
            if len(there) == 3:
                happens()
        return number**2

    return squared


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failed() -> None:
    raise RuntimeError


def test_results_are_in_order_and_computed_by_several(forked: list[int]) -> None:
    def by_whom(item: int) -> tuple[int, int]:
        time.sleep(LONG_S)
        return item, os.getpid()

    found = list(side_by_side(by_whom, ITEMS, cpus=3))

    assert [item for item, _ in found] == list(ITEMS)
    assert {process for _, process in found} == {HERE, *forked}
    assert len(forked) == 2
    assert all_ended(forked)


def test_a_process_that_has_more_to_do_gets_fewer_items() -> None:
    def by_whom(_: int) -> int:
        if os.getpid() == HERE:
            time.sleep(LONG_S)
        return os.getpid()

    found = list(side_by_side(by_whom, ITEMS, cpus=2))
    assert found[0] == HERE
    assert 0 < found.count(HERE) < len(ITEMS) / 2


def test_who_requests_slowly_holds_no_one_up(forked: list[int]) -> None:
    """The other process goes on while the results so far are used."""

    def by_whom(item: int) -> tuple[int, int]:
        return item, os.getpid()

    found = []
    for each in side_by_side(by_whom, ITEMS, cpus=2):
        time.sleep(LONG_S)
        found.append(each)
    assert [item for item, _ in found] == list(ITEMS)
    assert [process for _, process in found].count(HERE) < len(ITEMS) / 2
    assert all_ended(forked)


@pytest.mark.parametrize("happens", [killed, failed])
def test_what_another_process_has_not_computed_is_computed_here(
    forked: list[int], happens: Callable[[], object]
) -> None:
    for cpus in (2, 3, 4):
        assert list(side_by_side(elsewhere(happens), ITEMS, cpus=cpus)) == [each**2 for each in ITEMS]
    assert all_ended(forked)


def test_a_result_cut_off_is_computed_here(forked: list[int]) -> None:
    def cut_off(number: int) -> bytes:
        if os.getpid() == HERE:
            time.sleep(LONG_S)
        elif number > 1:
            signal.signal(signal.SIGALRM, lambda *_: killed())
            signal.setitimer(signal.ITIMER_REAL, 0.02)
        return bytes(2 * PIPE_BYTES)

    work = side_by_side(cut_off, ITEMS, cpus=2)
    assert {len(each) for each in work} == {2 * PIPE_BYTES}
    assert all_ended(forked)


@pytest.mark.parametrize("cpus", [1, 2, 3])
def test_an_error_is_raised_here(forked: list[int], cpus: int) -> None:
    with pytest.raises(ZeroDivisionError):
        list(side_by_side(lambda item: 1 // (item - 13), ITEMS, cpus=cpus))
    assert all_ended(forked)


def test_an_error_is_raised_when_its_item_is_due() -> None:
    """Also if this process met it before, while it waited for an earlier item of another one."""

    def failing(item: int) -> int:
        if os.getpid() != HERE:
            time.sleep(LONG_S)
        return 1 // (item - 3)

    results = side_by_side(failing, range(6), cpus=2)
    assert [next(results) for _ in range(3)] == [-1, -1, -1]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_nothing_and_one_thing_need_no_other_process(forked: list[int]) -> None:
    assert list(side_by_side(str, [], cpus=3)) == []
    assert list(side_by_side(str, [1], cpus=3)) == ["1"]
    assert forked == []


def test_an_interrupted_computation_leaves_no_process(forked: list[int]) -> None:
    def interrupted_here(_: int) -> None:
        if os.getpid() == HERE:
            raise KeyboardInterrupt
        signal.pause()

    with pytest.raises(KeyboardInterrupt):
        list(side_by_side(interrupted_here, ITEMS, cpus=3))
    assert len(forked) == 2
    assert all_ended(forked)
