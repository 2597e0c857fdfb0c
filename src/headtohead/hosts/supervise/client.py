"""The client of ``h2h-probe supervise``, which owns everything that must end with a run."""

import contextlib
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self, TypeVar

from headtohead.hosts.host import Host, Process
from headtohead.hosts.supervise import messages
from headtohead.hosts.supervise.heartbeat import BEATS, Heartbeat
from headtohead.hosts.supervise.messages import Command, Limits
from headtohead.hosts.supervise.remove_leftovers import end_run
from headtohead.hosts.supervise.setup import Setup
from headtohead.model.errors import HeadToHeadError, HostError, SubjectError

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

ANSWER_WITHIN_S = 30.0
END_WITHIN_S = 60.0
KILLED_WITHIN_S = 5.0
LOG_LINES = 8
# What goes wrong in these is of the subject's own making.
SUBJECTS_OWN = frozenset({"start"})
Answer = TypeVar("Answer", bound="DataclassInstance")
REMEDY_DIED = "Run the study again: it resumes."


class Supervisor:
    """One run's supervise, as a context manager: after it nothing of the run is left, whatever happened inside.

    Every method sends one request and returns its answer. An answer that is an error is raised as HostError
    (SubjectError for ``start``) with supervise's own text; a dead supervise as HostError with the tail of its log.
    """

    def __init__(self, host: Host, setup: Setup, *, end_run: Callable[[str], object] = end_run) -> None:
        """``end_run`` ends and removes what a supervise that was killed has left of its run."""
        self._host = host
        self._end_run = end_run
        self._setup = setup
        self._process: Process | None = None
        self._owed = 0
        # A request longer than a pipe takes at once must not have a beat in its middle.
        self._writing = threading.Lock()
        self._heartbeat: Heartbeat | None = None

    def __enter__(self) -> Self:
        """Start supervise, and give it a sign of life from now on."""
        self._process = self._host.start(self._setup.argv(), log=self._setup.log)
        self._heartbeat = Heartbeat(partial(self._write, self._process), every_s=self._setup.lease_s / BEATS)
        self._heartbeat.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the run. After an error inside, a second one here would hide it, so it is not raised."""
        if self._process is None:
            return
        try:
            self._finish(self._process)
        except HeadToHeadError:
            if error is None:
                raise
        finally:
            self._process = None
            self._setup.log.unlink(missing_ok=True)

    def hello(self) -> messages.Hello:
        """Return supervise's version, and the zero of all times of this run."""
        return _typed(messages.Hello, self._ask("hello"))

    def group(self, name: str, limits: Limits) -> messages.Done:
        """Make a group of processes (``subject``, ``driver``) with its limits."""
        asked: dict[str, object] = {
            "name": name,
            "cpus": None if limits.cpus is None else list(limits.cpus),
            "cpu_quota": limits.cpu_quota,
            "cpu_period_us": limits.cpu_period_us,
            "memory_mib": limits.memory_mib,
        }
        if limits.memory is not None:
            asked["memory_policy"] = {"kind": limits.memory.kind, "nodes": list(limits.memory.nodes)}
        if limits.nofile is not None:
            asked["nofile"] = limits.nofile
        return _typed(messages.Done, self._ask("group", asked))

    def link(self, rate_mbit: int | None) -> messages.Linked:
        """Put the existing groups ``subject`` and ``driver`` into networks of their own, with a link between them.

        Each direction is limited to ``rate_mbit`` (Mbit/s), None for no limit. Call it once in a run, before any start.
        """
        return _typed(messages.Linked, self._ask("link", {"rate_mbit": rate_mbit}))

    def settings(self, levels: Mapping[str, str]) -> messages.Done:
        """Change settings of the system until the run ends: once, before its first program, which sees them changed."""
        return _typed(messages.Done, self._ask("settings", {"set": dict(levels)}))

    def userland(self, root: Path) -> messages.Done:
        """Give programs that are started inside another root: once in a run, before its first program."""
        return _typed(messages.Done, self._ask("userland", {"root": str(root)}))

    def start(self, name: str, command: Command) -> messages.Started:
        """Start a program in its group; SubjectError if it cannot be started."""
        asked: dict[str, object] = {
            "name": name,
            "group": command.group,
            "argv": list(command.argv),
            "env": dict(command.env),
            "cwd": str(command.cwd),
            "stdin": None if command.stdin is None else str(command.stdin),
            "stdout": str(command.stdout),
            "stderr": str(command.stderr),
        }
        if command.inside:
            asked["inside"] = True
        if command.nofile is not None:
            asked["nofile"] = command.nofile
        return _typed(messages.Started, self._ask("start", asked))

    def attach(self, group: str, pids: Sequence[int]) -> messages.Attached:
        """Count processes that already run, and their descendants, as a group's; nothing limits or ends them."""
        return _typed(messages.Attached, self._ask("attach", {"group": group, "pids": list(pids)}))

    def wait(self, name: str, *, within_s: float) -> messages.Waited:
        """Wait for a program to end, for at most that time."""
        return _typed(messages.Waited, self._ask("wait", {"name": name, "within_s": within_s}, takes_s=within_s))

    def alive(self, name: str) -> messages.Alive:
        """Return whether a program still runs."""
        return _typed(messages.Alive, self._ask("alive", {"name": name}))

    def read_back(self, group: str) -> messages.ReadBack:
        """Return what is in force for a group's processes."""
        return _typed(messages.ReadBack, self._ask("read_back", {"group": group}))

    def usage(self, group: str) -> messages.Usage:
        """Return the resources that a group has used so far."""
        return _typed(messages.Usage, self._ask("usage", {"group": group}))

    def watch(self, to: Path, *, every_ms: int = 100) -> messages.Watching:
        """Start the monitors, which write their readings to that file."""
        return _typed(messages.Watching, self._ask("watch", {"to": str(to), "every_ms": every_ms}))

    def unwatch(self) -> messages.Watched:
        """End the monitors; their file is complete after this."""
        return _typed(messages.Watched, self._ask("unwatch"))

    def gate(self, *, below_cpus: float, for_s: float, within_s: float, apart: Sequence[int] = ()) -> messages.Gate:
        """Wait until CPU used by other processes stays below a limit for ``for_s``, for at most ``within_s``.

        What they use on the CPUs ``apart`` is not waited for.
        """
        asked: dict[str, object] = {"below_cpus": below_cpus, "for_s": for_s, "within_s": within_s}
        asked["apart"] = list(apart)
        return _typed(messages.Gate, self._ask("gate", asked, takes_s=within_s + for_s))

    def own(self, path: Path) -> messages.Done:
        """Hand over a path to remove at the end; its last part must contain the run's id."""
        return _typed(messages.Done, self._ask("own", {"path": str(path)}))

    def stop(self, name: str, *, signal: str = "TERM", within_s: float) -> messages.Stopped:
        """End the whole group of a program: the signal first, KILL after that time."""
        asked: dict[str, object] = {"name": name, "signal": signal, "within_s": within_s}
        return _typed(messages.Stopped, self._ask("stop", asked, takes_s=within_s))

    def end(self) -> messages.Done:
        """End and remove everything of this run; supervise ends with it."""
        return _typed(messages.Done, self._ask("end", takes_s=END_WITHIN_S))

    def _ask(self, do: str, asked: Mapping[str, object] | None = None, *, takes_s: float = 0.0) -> Mapping[str, object]:
        process = self._running()
        try:
            self._owed += 1
            self._write(process, json.dumps({"do": do, **(asked or {})}))
            line = self._own_answer(process, within_s=takes_s + ANSWER_WITHIN_S)
        except HostError as silent:
            raise self._died(do, silent.why) from silent
        if line is None:
            raise self._died(do, "It ended.")
        answer = self._parsed(do, line)
        if "error" in answer:
            raise _as_error(do, answer["error"])
        return answer

    def _write(self, process: Process, line: str) -> None:
        with self._writing:
            process.write_line(line)

    def _own_answer(self, process: Process, *, within_s: float) -> str | None:
        """Return the answer to the last request; answers to earlier ones, interrupted by Ctrl-C, are skipped."""
        line = process.read_line(within_s=within_s)
        self._owed -= 1
        while self._owed > 0 and line is not None:
            line = process.read_line(within_s=within_s)
            self._owed -= 1
        return line

    def _parsed(self, do: str, line: str) -> Mapping[str, object]:
        try:
            answer = json.loads(line)
        except ValueError as garbled:
            raise self._died(do, f"It answered {line[:80]!r}, which is no JSON.") from garbled
        if not isinstance(answer, dict):
            raise self._died(do, f"It answered {line[:80]!r}, which is no JSON object.")
        return answer

    def _running(self) -> Process:
        if self._process is None:
            raise HostError("supervise is not running", why="It was not started, or it has ended.", remedy=REMEDY_DIED)
        return self._process

    def _died(self, do: str, why: str) -> HostError:
        tail = _tail(self._setup.log)
        said = f" It said: {tail}" if tail else " Its log is empty."
        return HostError(f"supervise did not answer to {do!r}", why=why + said, remedy=REMEDY_DIED)

    def _finish(self, process: Process) -> None:
        """Let supervise end the run: it does so when its input closes."""
        if self._heartbeat is not None:
            self._heartbeat.stop()
        process.close_input()
        try:
            status = process.wait(within_s=END_WITHIN_S)
        except HostError:
            process.kill()
            with contextlib.suppress(HostError):
                process.wait(within_s=KILLED_WITHIN_S)
            self._end_run(self._setup.run_id)
            raise
        if status != 0:
            self._end_run(self._setup.run_id)
            raise self._died("end", f"It ended with status {status}.")


def _typed(kind: type[Answer], answer: Mapping[str, object]) -> Answer:
    """Return an answer as its type: unknown fields are ignored, lists become tuples, a missing field is an error."""
    given: dict[str, object] = {}
    for each in fields(kind):
        if each.name in answer:
            value = answer[each.name]
            given[each.name] = tuple(value) if isinstance(value, list) else value
        elif each.default is MISSING:
            raise HostError(
                f"supervise left {each.name!r} out of an answer",
                why="headtohead and h2h-probe are of different versions.",
                remedy="Build the programs again (cargo build --release).",
            )
    return kind(**given)


def _as_error(do: str, error: object) -> HeadToHeadError:
    said: Mapping[str, object] = error if isinstance(error, dict) else {"what": str(error)}
    kind = SubjectError if do in SUBJECTS_OWN else HostError
    return kind(
        str(said.get("what", f"supervise refused {do!r}")),
        why=str(said.get("why", "It gave no reason.")),
        remedy=str(said.get("remedy", "See the run's log.")),
    )


def _tail(log: Path) -> str:
    try:
        lines = log.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    return " / ".join(line.strip() for line in lines[-LOG_LINES:] if line.strip())
