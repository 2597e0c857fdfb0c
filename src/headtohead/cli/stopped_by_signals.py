"""End a study on TERM and HUP as on Ctrl-C."""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
AGAIN_S = 0.01


@contextlib.contextmanager
def stopped_by_signals() -> Iterator[None]:
    """Raise ``KeyboardInterrupt`` once, on the first of the signals; a second one does not disturb the cleanup.

    Python drops what is raised while it removes an object (the callback of a weak reference, ``__del__``), and only
    prints it. An interrupt that is dropped so comes again a moment later.
    """
    timed = False

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise KeyboardInterrupt

    def again(raised: "sys.UnraisableHookArgs") -> None:
        nonlocal timed
        if issubclass(raised.exc_type, KeyboardInterrupt):
            timed = True
            signal.setitimer(signal.ITIMER_REAL, AGAIN_S)
        else:
            hook_before(raised)

    hook_before, sys.unraisablehook = sys.unraisablehook, again
    before = {each: signal.signal(each, interrupt) for each in (*SIGNALS, signal.SIGALRM)}
    affinity = os.sched_getaffinity(0)
    try:
        yield
    finally:
        os.sched_setaffinity(0, affinity)
        if timed:
            signal.setitimer(signal.ITIMER_REAL, 0)
        for each, handler in before.items():
            signal.signal(each, handler)
        sys.unraisablehook = hook_before
