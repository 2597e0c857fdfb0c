"""The sign of life that supervise gets while a run goes on: without it, supervise ends the run."""

import contextlib
import threading
from collections.abc import Callable

from headtohead.model.errors import HostError

LEASE_S = 30.0
"""Supervise ends its run after this time without a line: the client is frozen, or the network between them is down."""
BEATS = 6
"""The number of beats within a lease: several may be late or lost."""
ENDED_WITHIN_S = 5.0


class Heartbeat:
    """A thread that writes an empty line every few seconds, until it is stopped."""

    def __init__(self, write_line: Callable[[str], None], *, every_s: float = LEASE_S / BEATS) -> None:
        """``write_line`` may be called by several threads at a time; a HostError of it ends the beats."""
        self._write_line = write_line
        self._every_s = every_s
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._beat, name="heartbeat", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Write no more lines; stopping twice is not an error."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(ENDED_WITHIN_S)

    def _beat(self) -> None:
        # The other end has gone: the next request to it reports that.
        with contextlib.suppress(HostError):
            while not self._stopped.wait(self._every_s):
                self._write_line("")
