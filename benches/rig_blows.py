"""One blow against a study on a rig: what is killed or pulled, and what is left on the machines afterwards."""

import contextlib
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Barrier

from benches.kept_runs import Victim
from headtohead.hosts import paths, processes
from tests.rig.build import Rig, rig
from tests.rig.leftovers import eventually, left_on

GONE_WITHIN_S = 45.0
BEGUN_WITHIN_S = 240.0
AGAIN_AFTER_S = 0.02
HURRIED = ("-X", "faulthandler", "-m", "tests.end_to_end.hurried")
STRANGER = ("sleep", "86397")
STUDY = """format = 1
title = "To be struck"
seed = {seed}

[[experiment]]
name = "pages"
question = "Is anything lost or left?"
workload = "static-page"
looks = [16]

[experiment.factors]
subject = ["nginx"]
server = "each"
cpus = ["all"]

[experiment.load]
connections = [4]
warm_up_s = 0.1
measure_s = 0.4
"""


@dataclass
class Studied(Victim):
    """The study of a lane."""

    lab: Rig

    @property
    def command(self) -> list[str]:
        """The command that starts or resumes it, at the desk."""
        words = (*HURRIED, "run", self.study, "--bench", self.lab.bench_file, "--results", self.results)
        return list(self.lab.python(*words))


@dataclass
class Lane:
    """A rig, its study, and a process of somebody else on each machine."""

    lab: Rig
    folder: Path
    strangers: Mapping[str, "subprocess.Popen[bytes]"]
    rng: random.Random
    number: int = 0

    def __post_init__(self) -> None:
        """Write the first study."""
        self.begin_another()

    def begin_another(self) -> None:
        """Write a new study, which is carried out from now on."""
        self.number += 1
        study = self.folder / f"study-{self.number}.toml"
        study.write_text(STUDY.format(seed=self.number))
        self.victim = Studied("rig", study, self.folder / f"results-{self.number}", self.lab)

    def touched(self) -> list[str]:
        """Return whose process was ended though it was not ours."""
        return [f"somebody else's process on {name} was ended" for name, each in self.strangers.items() if each.poll()]

    def left(self, *, but: int = 0) -> list[str]:
        """Return what is left on the machines, and the processes at the desk; ``but`` is headtohead itself."""
        found = [
            f"{name}: {each}"
            for name, machine in self.lab.machines.items()
            for each in left_on(machine, but=self.strangers[name].pid)
        ]
        return [*found, *(f"desk: process {pid}" for pid in self.lab.desk.members() - {self.lab.desk.pid, but})]


@contextlib.contextmanager
def lane(folder: Path, seed: int) -> Iterator[Lane]:
    """Build a rig with its study; nothing of it is left afterwards."""
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        lab = stack.enter_context(rig(servers=2, drivers=2))
        strangers = {}
        for name, machine in lab.machines.items():
            argv = ("setpriv", "--pdeathsig", "KILL", *machine.enter(*STRANGER))  # it ends with the bench
            strangers[name] = stack.enter_context(subprocess.Popen(argv))
            stack.callback(strangers[name].kill)
        yield Lane(lab, folder, strangers, random.Random(seed))


@dataclass
class Seen:
    """What was seen of a blow: whether the study still ran, when nothing was left, and what was wrong."""

    met: bool = True
    gone_s: float = 0.0
    wrong: list[str] = field(default_factory=list)


def strike(own: Lane, kind: str, after_s: float, begun: Barrier, *, early: bool) -> Seen:
    """Start or resume the study, strike it after a while, and wait until nothing is left.

    The time counts from the first run on; from the start if ``early``.
    """
    seen, said = Seen(), own.folder / "said"
    with said.open("w") as output:
        argv, env = own.victim.command, dict(own.victim.environment)
        process = subprocess.Popen(argv, stdout=output, stderr=output, env=env, start_new_session=True)
    try:
        if not early:
            eventually(lambda: _runs(own) or process.poll() is not None, within_s=BEGUN_WITHIN_S)
        begun.wait()
        time.sleep(after_s)
        seen.met = process.poll() is None
        while (mend := BLOWS[kind](own, process)) is None and process.poll() is None:
            time.sleep(AGAIN_AFTER_S)  # nothing to strike yet
        began_s = time.monotonic()

        def gone() -> bool:
            # A study that had its last run writes its report, with no connection any more.
            ended = process.poll() is not None or own.victim.ended
            return ended and not own.left(but=process.pid)

        if not eventually(gone, within_s=GONE_WITHIN_S):
            left = own.left()
            process.send_signal(signal.SIGABRT)  # it prints where it is
            process.wait()
            where = said.read_text(errors="replace")[-3000:]
            seen.wrong.append(f"{kind} after {after_s:.2f} s: left {left}\n{where}")
        seen.gone_s = time.monotonic() - began_s
        (mend or _nothing)()
    finally:
        process.kill()
        process.wait()
    if "Traceback" in (text := said.read_text(errors="replace")):
        seen.wrong.append(f"{kind} after {after_s:.2f} s: {text[-2000:]}")
    seen.wrong += own.touched()
    return seen


def _runs(own: Lane) -> bool:
    """Return whether a run is under way on a server."""
    servers = (machine for name, machine in own.lab.machines.items() if name.startswith("server"))
    # Not by the environment of its programs: nginx writes the title of its process over that.
    return any(processes.run_of_supervise(pid, paths.PROC) for each in servers for pid in each.members())


def _nothing() -> None:
    """Mend nothing."""


Mend = Callable[[], None] | None
"""It makes the rig whole again; None where there was nothing to strike."""


def _controller(_: Lane, process: "subprocess.Popen[bytes]") -> Mend:
    process.send_signal(signal.SIGKILL)
    return _nothing


def _connection(own: Lane, _: "subprocess.Popen[bytes]") -> Mend:
    """Kill the SSH client that holds one of the shared connections."""
    holders = sorted(pid for pid in own.lab.desk.members() if b"ControlMaster=yes" in _words(pid))
    return _killed([own.rng.choice(holders)] if holders else [])


def _cable(own: Lane, role: str) -> Mend:
    name = own.rng.choice([each for each in own.lab.machines if each.startswith(role)])
    own.lab.cable(name, plugged=False)
    return lambda: own.lab.cable(name, plugged=True)


def _driver_processes(own: Lane, _: "subprocess.Popen[bytes]") -> Mend:
    """Kill all of a driver's processes but the sshd that listens, and the stranger's."""
    name = own.rng.choice([each for each in own.lab.machines if each.startswith("driver")])
    machine = own.lab.machines[name]
    return _killed(machine.members() - {machine.pid, own.strangers[name].pid})


def _words(pid: int) -> bytes:
    try:
        return (paths.PROC / str(pid) / "cmdline").read_bytes()
    except OSError:
        return b""


def _killed(pids: Collection[int]) -> Mend:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return _nothing if pids else None


BLOWS: Mapping[str, Callable[[Lane, "subprocess.Popen[bytes]"], Mend]] = {
    "controller": _controller,
    "connection": _connection,
    "driver's cable": lambda own, _: _cable(own, "driver"),
    "server's cable": lambda own, _: _cable(own, "server"),
    "driver's processes": _driver_processes,
}
