"""What our control connections to the machines of a rig take while a load runs: bytes at the desk, CPU on each machine.

Only they cross the network of the desk: requests go from drivers to servers.
"""

import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from benches.meter import BenchError
from benches.on_rig import SERVERS, apart, write_content
from benches.stand import folder
from headtohead.hosts import paths, processes
from tests.end_to_end.command import environment
from tests.rig.build import Rig, rig
from tests.rig.machine import Machine

CPU_LIMIT, KBIT_LIMIT = 0.01, 100.0
EVERY_S = 0.25
EDGES = 2
"""Samples at either end of a load that are left out: it begins and ends between two."""
OURS = ("sshd", "h2h-probe")
LOAD = "h2h-load"


@dataclass(frozen=True)
class Sample:
    """One look: when, the bytes so far at the desk, the CPU time of each of our processes, and whether a load runs."""

    at_ns: int
    bytes: int
    cpu_ns: Mapping[tuple[str, int], int]
    loaded: bool


@dataclass(frozen=True)
class Control:
    """Means while a load ran: on all connections together, and of one CPU on each machine, supervise included."""

    seconds: float
    kbit_per_s: float
    cpus: Mapping[str, float]


def control_while_loaded(study: str) -> Control:
    """Carry out a study on a rig of two servers and two drivers, and look at the control connections meanwhile."""
    with folder() as made, rig(servers=2, drivers=2, cpus=apart(SERVERS, 2)) as lab:
        write_content(made, None)
        (made / "study.toml").write_text(study)
        words = ("-m", "tests.end_to_end.hurried", "run", made / "study.toml", "--bench", lab.bench_file)
        argv = lab.python(*words, "--results", made / "out")
        with subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=environment()) as process:
            samples = list(_samples(lab, process))
        if process.returncode != 0:
            raise BenchError(f"the study failed with status {process.returncode}; its errors are above.")
    return _means(samples, tuple(lab.machines))


def _samples(lab: Rig, process: "subprocess.Popen[bytes]") -> Iterator[Sample]:
    while process.poll() is None:
        names = {name: _names(machine) for name, machine in lab.machines.items()}
        cpu_ns = {
            (name, pid): _cpu_ns(pid) for name, of in names.items() for pid, each in of.items() if each.startswith(OURS)
        }
        loaded = all(LOAD in of.values() for name, of in names.items() if name.startswith("driver"))
        yield Sample(time.monotonic_ns(), _bytes(lab.desk.pid), cpu_ns, loaded)
        time.sleep(EVERY_S)


def _means(samples: list[Sample], machines: tuple[str, ...]) -> Control:
    seconds, count, cpu_ns = 0.0, 0, Counter[str]()
    for place in range(EDGES, len(samples) - EDGES):
        if not all(each.loaded for each in samples[place - EDGES : place + EDGES + 1]):
            continue
        before, now = samples[place - 1], samples[place]
        seconds += (now.at_ns - before.at_ns) / 1e9
        count += now.bytes - before.bytes
        for (name, pid), used in now.cpu_ns.items():
            cpu_ns[name] += used - before.cpu_ns.get((name, pid), used)
    if seconds < 1:
        raise BenchError("no load was seen to run.")
    return Control(seconds, 8 * count / 1000 / seconds, {name: cpu_ns[name] / 1e9 / seconds for name in machines})


def _names(machine: Machine) -> Mapping[int, str]:
    return {pid: processes.name_of(pid, paths.PROC) for pid in machine.members()}


def _cpu_ns(pid: int) -> int:
    """Return the CPU time of a process's threads so far, 0 if it has ended."""
    try:
        threads = list((paths.PROC / str(pid) / "task").iterdir())
        return sum(int((each / "schedstat").read_text().split()[0]) for each in threads)
    except OSError:
        return 0


def _bytes(desk: int) -> int:
    """Return the bytes that were sent and received at the desk so far."""
    lines = Path(f"/proc/{desk}/net/dev").read_text().splitlines()
    fields = next(line.split(":")[1].split() for line in lines if line.strip().startswith("eth0"))
    return int(fields[0]) + int(fields[8])
