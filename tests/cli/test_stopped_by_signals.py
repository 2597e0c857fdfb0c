import contextlib
import os
import signal
import sys
import time
import weakref

import pytest

from headtohead.cli.stopped_by_signals import ended_by_ctrl_c, stopped_by_signals
from headtohead.model.errors import HostError


class Removed:
    """What is removed."""


def interrupt_as_it_is_removed(number: int) -> None:
    """Send a signal while a callback of a weak reference runs: what is raised there, Python drops."""
    thing = Removed()
    watched = weakref.ref(thing, lambda _: os.kill(os.getpid(), number))
    del thing
    assert watched() is None


def drop_and_wait(number: int) -> None:
    """Drop an interrupt, and wait for it to come again: on a busy machine before anything else is done."""
    interrupt_as_it_is_removed(number)
    time.sleep(5)
    pytest.fail("the interrupt was lost")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupt_that_python_drops_comes_again(number: int, capfd: pytest.CaptureFixture[str]) -> None:
    with stopped_by_signals(), pytest.raises(KeyboardInterrupt):
        drop_and_wait(number)
    assert capfd.readouterr().err == ""


def test_ctrl_c_that_is_dropped_comes_again_in_any_command(
    capfd: pytest.CaptureFixture[str],
) -> None:
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background job
    asked = (signal.SIGINT, signal.SIGALRM)
    before, hook = [signal.getsignal(each) for each in asked], sys.unraisablehook
    try:
        with ended_by_ctrl_c(), pytest.raises(KeyboardInterrupt):
            drop_and_wait(signal.SIGINT)
        assert [signal.getsignal(each) for each in asked] == before
        assert sys.unraisablehook is hook
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    finally:
        signal.signal(signal.SIGINT, usual)
    assert capfd.readouterr().err == ""


def test_an_interrupt_that_comes_again_while_python_reports_the_first_comes_once_more(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    real, early = signal.setitimer, [True]

    def expired_at_once(which: int, seconds: float) -> tuple[float, float]:
        if early.pop() if early else False:
            signal.raise_signal(signal.SIGALRM)
            return (0.0, 0.0)
        return real(which, seconds)

    monkeypatch.setattr(signal, "setitimer", expired_at_once)
    with stopped_by_signals(), pytest.raises(KeyboardInterrupt):
        drop_and_wait(signal.SIGTERM)
    assert capfd.readouterr().err == ""
    assert not early


def fail_after_interrupt(error: Exception) -> None:
    """Be interrupted, drop that, and fail."""
    with stopped_by_signals():
        with contextlib.suppress(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
        raise error


def test_an_error_that_follows_an_interrupt_is_one() -> None:
    with pytest.raises(KeyboardInterrupt):
        fail_after_interrupt(TypeError("'str' object is not an instance of 'tuple'"))


def test_an_error_in_words_that_follows_an_interrupt_stays_one() -> None:
    with pytest.raises(HostError, match="Something stays"):
        fail_after_interrupt(HostError("Something stays", why="It could not be removed.", remedy="Remove it."))


def test_an_error_without_an_interrupt_stays_one() -> None:
    with pytest.raises(ZeroDivisionError), stopped_by_signals():
        raise ZeroDivisionError


def test_other_exceptions_that_are_dropped_are_still_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: shown.append(raised.exc_type))
    with stopped_by_signals():
        thing = Removed()
        watched = weakref.ref(thing, lambda _: 1 / 0)
        del thing
        assert watched() is None
    assert shown == [ZeroDivisionError]


def test_afterwards_handlers_and_timer_are_as_before() -> None:
    asked = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGALRM)
    before, hook = [signal.getsignal(each) for each in asked], sys.unraisablehook
    with pytest.raises(KeyboardInterrupt), stopped_by_signals():
        os.kill(os.getpid(), signal.SIGTERM)
    assert [signal.getsignal(each) for each in asked] == before
    assert sys.unraisablehook is hook
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
