"""Let apt finish what it has begun: a signal that would end us in the middle is noted, and counts afterwards."""

import contextlib
import signal
import threading
from collections.abc import Iterator

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def interrupts_noted() -> Iterator[list[int]]:
    """Note the signals that come inside, and raise KeyboardInterrupt at the end if there were any.

    Killed in the middle, apt would leave packages half installed, and services enabled. A terminal sends
    Ctrl-C to apt as well, which then ends in order.
    """
    noted = list[int]()
    if threading.current_thread() is not threading.main_thread():
        yield noted
        return
    before = {each: signal.signal(each, lambda number, _: noted.append(number)) for each in ENDS}
    try:
        yield noted
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        if noted:
            raise KeyboardInterrupt
