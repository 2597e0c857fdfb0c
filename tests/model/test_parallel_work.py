"""Work shared out over processes: the results of one, in order; what another fails to return is computed here."""

import os
import signal
from collections.abc import Callable

import pytest

from headtohead.model.parallel_work import PIPE_BYTES, side_by_side

HERE = os.getpid()
ITEMS = range(20)


def all_ended(processes: list[int]) -> bool:
    """Whether each was ended and waited for: it is no child of ours any more."""
    for process in processes:
        with pytest.raises(ChildProcessError):
            os.waitpid(process, os.WNOHANG)
    return True


def elsewhere(happens: Callable[[], object]) -> Callable[[int], int]:
    """Return a function to square numbers; in another process that happens to 13."""

    def squared(number: int) -> int:
        if number == 13 and os.getpid() != HERE:
            happens()
        return number**2

    return squared


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def failed() -> None:
    raise RuntimeError


def test_results_are_in_order_and_computed_by_several(forked: list[int]) -> None:
    found = list(side_by_side(lambda item: (item, os.getpid()), ITEMS, cpus=3))

    assert [item for item, _ in found] == list(ITEMS)
    assert {process for _, process in found} == {HERE, *forked}
    assert len(forked) == 2
    assert all_ended(forked)


def test_every_process_gets_its_part_of_every_second_item() -> None:
    found = list(side_by_side(lambda _: os.getpid(), ITEMS, cpus=2))
    assert 0 < found[::2].count(HERE) < len(found[::2])


@pytest.mark.parametrize("happens", [killed, failed])
def test_what_another_process_has_not_computed_is_computed_here(
    forked: list[int], happens: Callable[[], object]
) -> None:
    for cpus in (2, 3, 4):
        assert list(side_by_side(elsewhere(happens), ITEMS, cpus=cpus)) == [each**2 for each in ITEMS]
    assert all_ended(forked)


def test_a_result_cut_off_is_computed_here(forked: list[int]) -> None:
    def cut_off(number: int) -> bytes:
        if os.getpid() != HERE and number == 13:
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            signal.signal(signal.SIGALRM, lambda *_: killed())
        return bytes(2 * PIPE_BYTES)

    work = side_by_side(cut_off, ITEMS, cpus=2)
    assert {len(each) for each in work} == {2 * PIPE_BYTES}
    assert all_ended(forked)


def test_an_error_is_raised_here(forked: list[int]) -> None:
    with pytest.raises(ZeroDivisionError):
        list(side_by_side(lambda item: 1 // (item - 13), ITEMS, cpus=2))
    assert all_ended(forked)


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
