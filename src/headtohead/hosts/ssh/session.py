"""Our session on a host while a study measures: the lock, the owner of all runs there, and the host's clock."""

import json
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self

from headtohead.hosts.local import LocalProcess
from headtohead.hosts.paths import Owner
from headtohead.hosts.ssh.host import SshHost
from headtohead.hosts.ssh.known_before_start import ask_clock
from headtohead.hosts.ssh.probe_orders import end
from headtohead.hosts.supervise.heartbeat import LEASE_S, Heartbeat
from headtohead.model.errors import BusyError, HostError

EXCHANGES = 20
"""The shortest of some exchanges is hardly ever delayed: more of them add little."""


@dataclass(frozen=True)
class ClockOffset:
    """How far a host's monotonic clock is ahead of ours, in ns, and the most by which that may be wrong.

    The reading was taken between our request and its response, so the error is at most half of that time.
    """

    offset_ns: int
    uncertainty_ns: int
    exchanges: int


class Session:
    """The lock of a host, as a context manager; BusyError names the holder if there is one.

    Runs on the host belong to ``owner``: they are swept once this session has ended. ``harness_pids`` are the processes
    that serve our connection there.
    """

    def __init__(self, host: SshHost, *, study: str, since: str, user: str) -> None:
        """``study``, ``since`` (a time) and ``user`` (who measures, from where) are shown to the next caller."""
        self._host = host
        self._words = {"study": study, "since": since, "user": user, "lease_s": LEASE_S}
        self._process: LocalProcess | None = None
        self._heartbeat: Heartbeat | None = None
        self._talking = threading.Lock()
        self.owner = Owner(0, 0)
        self.harness_pids: tuple[int, ...] = ()

    def __enter__(self) -> Self:
        """Take the lock; refuse a host whose time of day is far off."""
        ask_clock(self._host.label, self._host.place)
        process = self._host.agent.begin("hold", self._words)
        try:
            answer = self._host.agent.response(process, "hold")
            _refuse_busy(self._host.label, answer["busy"])
        except BaseException:
            end(process)
            raise
        self._process = process
        self.owner = Owner(int(str(answer["pid"])), int(str(answer["start_ticks"])))
        pids = answer["harness_pids"]
        self.harness_pids = (self.owner.pid, *(pids if isinstance(pids, list) else ()))
        self._heartbeat = Heartbeat(self._write)
        self._heartbeat.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the lock up."""
        if self._heartbeat is not None:
            self._heartbeat.stop()
        if self._process is not None:
            end(self._process)
            self._process = None

    def clock_offset(self) -> ClockOffset:
        """Measure the offset of the host's monotonic clock over the control connection; takes some ms."""
        shortest_ns, offset_ns = None, 0
        for _ in range(EXCHANGES):
            before = time.monotonic_ns()
            there = int(str(self._ask("clock")["monotonic_ns"]))
            took_ns = time.monotonic_ns() - before
            if shortest_ns is None or took_ns < shortest_ns:
                shortest_ns, offset_ns = took_ns, there - (before + took_ns // 2)
        return ClockOffset(offset_ns, ((shortest_ns or 0) + 1) // 2, EXCHANGES)

    def _ask(self, do: str) -> Mapping[str, object]:
        process = self._process
        if process is None:
            raise HostError("The session is over", why="The lock was given up.", remedy="Run the study again.")
        with self._talking:
            process.write_line(json.dumps({"do": do}))
            return self._host.agent.response(process, do)

    def _write(self, line: str) -> None:
        process = self._process
        if process is not None:
            with self._talking:
                process.write_line(line)


def _refuse_busy(label: str, holder: object) -> None:
    if holder is None:
        return
    said: Mapping[str, object] = holder if isinstance(holder, dict) else {}
    who = f"{said.get('user', 'an unknown user')} (process {said.get('pid', 'unknown')} there)"
    raise BusyError(
        f"Another measurement is going on on the host {label}",
        why=f"{said.get('study', 'A study')} has been measured by {who} since {said.get('since', 'a moment ago')}.",
        remedy="Wait for it, or measure on other hosts.",
    )
