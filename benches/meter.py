"""What a program costs: its CPU time, and what else used the CPUs meanwhile."""

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from headtohead.model.rules import FOREIGN_CPU, GATE

TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class BenchError(Exception):
    """A bench cannot go on; the text says what, why and what to do."""


@dataclass(frozen=True)
class Spent:
    """What a program that has ended said and used."""

    output: str
    """Its standard output."""
    cpu_s: float
    """Its CPU time, user and system, its children's included."""
    wall_s: float
    foreign_cpus: float
    """CPU that neither it nor the servers named used, in CPUs, time stolen by the hypervisor included."""
    waited: bool
    """Whether the gate gave up waiting for quiet."""

    @property
    def quiet(self) -> bool:
        """Whether the measurement was disturbed by nobody."""
        return self.foreign_cpus <= FOREIGN_CPU.limit and not self.waited


@contextmanager
def pinned(cpu: int) -> Iterator[None]:
    """Let what is started inside run on this CPU only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {cpu})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def busy_s() -> float:
    """Return the time that all CPUs have been busy or stolen since boot, in seconds."""
    fields = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()
    user, nice, system, _idle, _iowait, irq, softirq, steal = (int(field) for field in fields[1:9])
    return (user + nice + system + irq + softirq + steal) / TICKS_PER_S


def stolen_s() -> float:
    """Return the time that the hypervisor has taken from all CPUs since boot, in seconds."""
    return int(Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[8]) / TICKS_PER_S


def used_s(pids: Sequence[int]) -> float:
    """Return the CPU time that these processes and those of their children that have ended have used, in seconds."""
    ticks = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        ticks += sum(int(each) for each in fields[11:15])
    return ticks / TICKS_PER_S


def wait_for_quiet(within_s: float = GATE.within_s) -> bool:
    """Wait until the machine is quiet; False when it did not become so in time."""
    until = time.monotonic() + within_s
    while time.monotonic() < until:
        before, began = busy_s(), time.monotonic()
        time.sleep(GATE.for_s)
        if (busy_s() - before) / (time.monotonic() - began) < GATE.below_cpus:
            return True
    return False


@dataclass(frozen=True)
class Bench:
    """Where and beside whom programs are measured."""

    servers: tuple[int, ...]
    """The processes whose CPU time is no stranger's."""
    cpu: int = 1
    gate_s: float = GATE.within_s
    """How long quiet is waited for."""
    inside: Callable[[], AbstractContextManager[None]] = nullcontext
    """Entered while the program is started, which inherits what that changes."""
    settles_s: float = 0.0
    """How long after a client has gone the servers' processes that served it take to end."""

    def measure(self, argv: Sequence[str], *, within_s: float) -> Spent:
        """Run a program once, as ``measure`` does."""
        return measure(argv, bench=self, within_s=within_s)


def measure(argv: Sequence[str], *, bench: Bench, within_s: float) -> Spent:
    """Run a program on one CPU, once the machine is quiet, and return what it said and used.

    Raises ``BenchError`` when it fails or is not done within ``within_s``; it is then ended.
    """
    waited = not wait_for_quiet(bench.gate_s)
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as errors:
        busy, server, began = busy_s(), used_s(bench.servers), time.monotonic()
        with bench.inside(), pinned(bench.cpu):
            child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=out, stderr=errors)
        alarm = threading.Timer(within_s, child.kill)
        alarm.start()
        try:
            _, status, usage = os.wait4(child.pid, 0)
        except BaseException:
            child.kill()
            child.wait()
            raise
        finally:
            alarm.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
        wall_s = time.monotonic() - began
        cpu_s = usage.ru_utime + usage.ru_stime
        time.sleep(bench.settles_s)
        foreign_s = busy_s() - busy - cpu_s - (used_s(bench.servers) - server)
        out.seek(0)
        errors.seek(0)
        if child.returncode != 0:
            said = errors.read().decode(errors="replace").strip()[-500:]
            raise BenchError(f"{argv[0]} ended with {child.returncode} after {wall_s:.1f} s: {said}. Run it by hand.")
        text = out.read().decode(errors="replace")
    return Spent(text, cpu_s, wall_s, max(0.0, foreign_s / wall_s), waited)
