"""A supervise that follows a script instead of owning processes."""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from headtohead.hosts.fake.readings import WatchedTime, columns, write_readings
from headtohead.hosts.fake.script import NS_PER_S, Clock, Launch, Outcome, Script
from headtohead.hosts.kernel_files import cpu_text
from headtohead.hosts.paths import work_dir

FIRST_PID = 5_000
ADDRESSES = {"subject": "192.0.2.1", "driver": "192.0.2.2"}
Answer = dict[str, Any]


@dataclass
class FakeProgram:
    """A program of a script: its start and end in ns of the clock (``to_ns`` None: until it is stopped)."""

    launch: Launch
    outcome: Outcome
    pid: int
    to_ns: int | None

    def cpu_ns(self, at_ns: int) -> float:
        """Return the CPU time used until an instant."""
        until_ns = at_ns if self.to_ns is None else min(at_ns, self.to_ns)
        return max(0, until_ns - self.launch.at_ns) * self.outcome.cpus_busy

    def runs(self, at_ns: int) -> bool:
        """Return whether it runs at an instant."""
        return self.to_ns is None or at_ns < self.to_ns


@dataclass
class FakeSupervise:
    """Speaks the protocol of docs/reference/supervise.md; keeps the requests in ``requests``."""

    argv: Sequence[str]
    script: Script
    clock: Clock
    requests: list[Mapping[str, Any]] = field(default_factory=list)
    groups: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    programs: dict[str, FakeProgram] = field(default_factory=dict)
    owned: list[Path] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the run directory, as the real one does when it starts."""
        self.run_dir = Path(self.argv[self.argv.index("--run-dir") + 1])
        work_dir(self.run_dir).mkdir(parents=True)
        self.zero_ns = self.clock.now_ns()
        self._watched: tuple[Path, int, int] | None = None
        self._linked = False
        self.settings: Mapping[str, str] | None = None
        self.userland: str | None = None
        self.dead = False

    def answer_line(self, line: str) -> str | None:
        """Return the answer to one request, None after the script has let supervise die."""
        request = json.loads(line)
        self.requests.append(request)
        self.clock.sleep(self.script.request_s)
        answer: Answer = {} if self.dead else getattr(self, f"_{request['do']}")(request)
        given = None if self.dead else self.script.answer(request, answer)
        if given is None:
            self.dead = True
            return None
        return json.dumps({"t_ns": self.clock.now_ns() - self.zero_ns, **given})

    def close(self) -> int:
        """End and remove everything; return the exit status."""
        if self._watched is not None:
            self._unwatch({})
        for program in self.programs.values():
            program.to_ns = self.clock.now_ns() if program.to_ns is None else program.to_ns
        for path in (self.run_dir, *self.owned):
            shutil.rmtree(path, ignore_errors=True)
            path.unlink(missing_ok=True)
        return self.script.end_status

    def _hello(self, _: Mapping[str, Any]) -> Answer:
        self.zero_ns = self.clock.now_ns()
        said = {"version": "0.1.0", "run_dir": str(self.run_dir), "zero_ns": self.zero_ns}
        confined = {"private_files": self.script.private_files, "domains": self.script.domains}
        return {**said, "cgroups": self.script.cgroups, "uid": self.script.uid, **confined}

    def _group(self, request: Mapping[str, Any]) -> Answer:
        if request["name"] in self.groups:
            return _error(f'there is a group "{request["name"]}" already', "Each name may be used once in a run.")
        self.groups[request["name"]] = request
        return {}

    def _link(self, request: Mapping[str, Any]) -> Answer:
        if self._linked or self.programs or not ADDRESSES.keys() <= self.groups.keys():
            return _error("the link cannot be made now", "There is one, a program was started, or a group is missing.")
        self._linked = True
        device = {"device": "h2h0", "mtu": 1500, "congestion": "cubic"}
        return {**ADDRESSES, **device, "rate_mbit": request["rate_mbit"]}

    def _settings(self, request: Mapping[str, Any]) -> Answer:
        self.settings = request["set"]
        return {}

    def _userland(self, request: Mapping[str, Any]) -> Answer:
        self.userland = request["root"]
        return {}

    def _start(self, request: Mapping[str, Any]) -> Answer:
        group = self.groups.get(request["group"])
        if group is None or request["name"] in self.programs:
            return _error(f"{request['name']} cannot be started", "Its group is unknown, or its name is taken.")
        launch = Launch(
            name=request["name"],
            group=request["group"],
            argv=tuple(request["argv"]),
            env=request["env"],
            cwd=Path(request["cwd"]),
            stdin=Path(request["stdin"]) if request["stdin"] else None,
            cpus=tuple(group["cpus"]) if group["cpus"] is not None else None,
            cpu_quota=group["cpu_quota"],
            zero_ns=self.zero_ns,
            at_ns=self.clock.now_ns(),
        )
        outcome = self.script.program(launch)
        for path, text in ((request["stdout"], outcome.stdout), (request["stderr"], outcome.stderr)):
            with Path(path).open("a") as file:
                file.write(text)
        ends_ns = None if outcome.takes_s is None else launch.at_ns + round(outcome.takes_s * NS_PER_S)
        pid = FIRST_PID + len(self.programs)
        self.programs[launch.name] = FakeProgram(launch, outcome, pid, ends_ns)
        return {"pid": pid}

    def _attach(self, request: Mapping[str, Any]) -> Answer:
        return {"processes": len(request["pids"])}

    def _wait(self, request: Mapping[str, Any]) -> Answer:
        program = self.programs[request["name"]]
        last_ns = self.clock.now_ns() + round(request["within_s"] * NS_PER_S)
        if program.to_ns is None or program.to_ns > last_ns:
            self.clock.sleep_until(last_ns)
            return {"exited": False}
        self.clock.sleep_until(program.to_ns)
        return {"exited": True, "code": program.outcome.code, "signal": program.outcome.signal}

    def _alive(self, request: Mapping[str, Any]) -> Answer:
        program = self.programs[request["name"]]
        if program.runs(self.clock.now_ns()):
            return {"alive": True}
        return {"alive": False, "code": program.outcome.code, "signal": program.outcome.signal}

    def _read_back(self, request: Mapping[str, Any]) -> Answer:
        """Return the limits that the group requested: this machine grants all of them."""
        asked = self.groups[request["group"]]
        running = self._running(request["group"])
        cpus = self.script.machine_cpus if asked["cpus"] is None else asked["cpus"]
        return {
            "cpus": list(cpus) if running else [],
            "cpu_quota": asked["cpu_quota"],
            "cpu_period_us": asked["cpu_period_us"],
            "memory_mib": asked["memory_mib"],
            "uids": [self.script.uid] if running else [],
            "processes": sum(each.outcome.processes for each in running),
            "threads": sum(each.outcome.threads for each in running),
            "nofile": [asked["nofile"]] if "nofile" in asked else [],
            "settings": self.settings,
            "userland": "own" if self.userland is not None and running else None,
            "network": self._network(request["group"]) if running else None,
            "memory_policies": _policies(asked.get("memory_policy")) if running else [],
        }

    def _usage(self, request: Mapping[str, Any]) -> Answer:
        members = [each for each in self.programs.values() if each.launch.group == request["group"]]
        running = self._running(request["group"])
        return {
            "cpu_ns": round(sum(each.cpu_ns(self.clock.now_ns()) for each in members)),
            "memory_peak_bytes": sum(each.outcome.memory_bytes for each in members),
            "processes": sum(each.outcome.processes for each in running),
            "threads": sum(each.outcome.threads for each in running),
            "throttled_periods": 0,
            "throttled_ns": 0,
            "oom_kills": 0,
            "run_delay_ns": 0,
        }

    def _watch(self, request: Mapping[str, Any]) -> Answer:
        self._watched = (Path(request["to"]), request["every_ms"], self.clock.now_ns())
        return {"columns": list(columns(self.script, linked=self._linked))}

    def _unwatch(self, _: Mapping[str, Any]) -> Answer:
        if self._watched is None:
            return _error("Nothing is watched", "There was no watch before.")
        to, every_ms, from_ns = self._watched
        self._watched = None
        window = WatchedTime(self.zero_ns, from_ns, self.clock.now_ns(), every_ms, linked=self._linked)
        return {
            "readings": write_readings(to, window, programs=self.programs.values(), script=self.script),
            "cpu_ns": 1_000_000,
        }

    def _gate(self, request: Mapping[str, Any]) -> Answer:
        quiet = self.script.foreign_cpus < request["below_cpus"]
        waited_s = request["for_s"] if quiet else request["within_s"]
        self.clock.sleep(waited_s)
        return {"quiet": quiet, "waited_s": waited_s, "foreign_cpus": self.script.foreign_cpus, "apart_cpus": 0.0}

    def _own(self, request: Mapping[str, Any]) -> Answer:
        self.owned.append(Path(request["path"]))
        return {}

    def _stop(self, request: Mapping[str, Any]) -> Answer:
        program = self.programs[request["name"]]
        stopped = program.runs(self.clock.now_ns())
        if stopped:
            self.clock.sleep(self.script.stop_s)
        for each in self._running(program.launch.group):
            each.to_ns = self.clock.now_ns()
        took_ns = round(self.script.stop_s * NS_PER_S) if stopped else 0
        ended = {"code": program.outcome.code, "signal": program.outcome.signal}
        return {**ended, "killed": False, "took_ns": took_ns, "left_over": 0}

    def _end(self, _: Mapping[str, Any]) -> Answer:
        self.close()
        return {}

    def _network(self, group: str) -> str:
        return "own" if self._linked and group in ADDRESSES else "host"

    def _running(self, group: str) -> list[FakeProgram]:
        now_ns = self.clock.now_ns()
        return [each for each in self.programs.values() if each.launch.group == group and each.runs(now_ns)]


def _policies(asked: Mapping[str, Any] | None) -> list[str] | None:
    """Return what every mapping shows in /proc/PID/numa_maps, if nodes were requested."""
    return None if asked is None else [f"{asked['kind']}:{cpu_text(asked['nodes'])}"]


def _error(what: str, why: str) -> Answer:
    return {"error": {"what": what, "why": why, "remedy": "Correct the test."}}
