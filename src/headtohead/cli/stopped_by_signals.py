"""End a study on TERM and HUP as on Ctrl-C, and any command by Ctrl-C, whatever a library makes of it.

A library in C may drop what is raised in the middle of it, and fail by that with an error of its own: an error that
follows an interrupt counts as one. Python itself drops what is raised while it removes an object (the callback of a
weak reference, ``__del__``), and only prints it: an interrupt that is dropped so comes again a moment later.
"""

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from types import FrameType

from headtohead.model.errors import HeadToHeadError

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AGAIN_S = 0.01
IN_WORDS = (HeadToHeadError, OSError)
"""Errors that are printed in words, also after an interrupt: one may say what could not be removed."""


@contextlib.contextmanager
def ended_by_ctrl_c() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` on Ctrl-C until it is not dropped, and for an error that follows it."""
    noted = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal noted
        noted = True
        raise KeyboardInterrupt

    if usual := signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, interrupt)
    try:
        with _coming_again(interrupt) if usual else contextlib.nullcontext():
            yield
    except IN_WORDS:
        raise
    except Exception as error:
        if noted or isinstance(error.__cause__, KeyboardInterrupt):
            raise KeyboardInterrupt from error
        raise
    finally:
        if usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` on the first of the signals; a second one does not disturb the cleanup."""
    interrupted = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        nonlocal interrupted
        interrupted = True
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {each: signal.signal(each, interrupt) for each in SIGNALS}
    affinity = os.sched_getaffinity(0)
    try:
        with _coming_again(interrupt):
            yield
    except IN_WORDS:
        raise
    except Exception as error:
        if interrupted:
            raise KeyboardInterrupt from error
        raise
    finally:
        os.sched_setaffinity(0, affinity)
        for each, handler in before.items():
            signal.signal(each, handler)


@contextlib.contextmanager
def _coming_again(interrupt: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """Let an interrupt that is dropped come again after ``AGAIN_S``."""
    timed = False

    def again(raised: "sys.UnraisableHookArgs") -> None:
        nonlocal timed
        if issubclass(raised.exc_type, KeyboardInterrupt):
            timed = True
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        else:
            hook_before(raised)

    def alarm(number: int, frame: FrameType | None) -> None:
        callers = [each.f_code for each, _ in traceback.walk_stack(frame)] if frame else []
        if again.__code__ in callers:  # what is raised there, Python drops too
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        else:
            interrupt(number, frame)

    hook_before, sys.unraisablehook = sys.unraisablehook, again
    alarm_before = signal.signal(signal.SIGALRM, alarm)
    try:
        yield
    finally:
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, alarm_before)
        sys.unraisablehook = hook_before
