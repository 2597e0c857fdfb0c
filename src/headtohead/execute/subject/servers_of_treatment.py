"""The running system under test: the subject and the subjects that it needs, all on the same CPUs."""

import random
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.sandbox import Sandbox
from headtohead.execute.subject.fill_templates import names
from headtohead.execute.subject.server import Server
from headtohead.execute.subject.subjects_of_treatment import Part, reach_words
from headtohead.hosts.file_owners import name_of
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Argv, Subject

SOURCE = "source"
"""The template word for a copy of the subject's own folder: the subjects' user may not reach the repository."""
FAR_PORTS = range(20_000, 30_000)
"""Ports of another machine to choose from: below those that its kernel gives to clients."""
WARM_WITHIN_S = 600.0
"""Reading a data set into memory takes minutes at most."""


@dataclass
class SystemUnderTest:
    """The servers of one sandbox, started in the order of their parts and stopped in reverse.

    ``given`` has, by the part's name, the template words from outside: data, build, number of CPUs.
    """

    sandbox: Sandbox
    parts: Sequence[Part]
    given: Mapping[str, Mapping[str, Scalar]]
    servers: list[Server] = field(default_factory=list)

    def start(self) -> Server:
        """Start all parts, each once the earlier ones are ready; return the subject's own server."""
        while len(self.servers) < len(self.parts):
            self.next().start()
        return self.servers[-1]

    def next(self) -> Server:
        """Return the next part's server, not yet started; its words include the addresses of the earlier parts."""
        part = self.parts[len(self.servers)]
        reached = {each.factor: server.reach() for each, server in zip(self.parts, self.servers, strict=False)}
        folder = self.sandbox.folder(part.name) if part.factor else self.sandbox.run_dir
        taken = tuple(int(each.words["port"]) for each in self.servers)
        own: dict[str, Scalar] = {
            "run": str(folder),
            "interface": part.interface,
            "port": _port(self.sandbox, but=taken),
        }
        own["user"] = _user(self.sandbox)
        if names_source(part.subject):
            own[SOURCE] = str(self.sandbox.copy(Path(part.subject.folder), f"{SOURCE}-{part.name}"))
        reach = reach_words(part.subject, reached)
        words = {**part.settings, **reach, **self.given.get(part.name, {}), **own, **self.sandbox.addresses}
        self.servers.append(Server(part.subject, self.sandbox, words, part.name))
        return self.servers[-1]

    def warms(self) -> bool:
        """Return whether a part has data to read into memory once it is ready."""
        return any(server.warm is not None for server in self.servers)

    def warm(self) -> None:
        """Read data into memory before the load; in process, this counts as the subject's own memory."""
        for server in self.servers:
            if server.warm is not None:
                group = "subject" if server.in_process else "driver"
                server.do(server.warm, name=f"{server.name}-warm", within_s=WARM_WITHIN_S, group=group)

    def check_alive(self) -> None:
        """Raise SubjectError if a part has ended by itself; needed parts are checked first."""
        for server in self.servers:
            server.check_alive()

    def stop(self) -> dict[str, bool]:
        """Stop all parts, the last one first; return, by name, whether each ended by itself in time."""
        stopped: dict[str, bool] = {}
        with ExitStack() as rest:
            for server in self.servers:
                rest.callback(self._stop, server, stopped)
        return stopped

    def _stop(self, server: Server, stopped: dict[str, bool]) -> None:
        stopped[server.name] = False
        stopped[server.name] = server.stop()


def _user(sandbox: Sandbox) -> str:
    """Return the name of the user that programs run as."""
    there = sandbox.environment.elsewhere
    return name_of(sandbox.environment.user) if there is None else there.user_name


def _port(sandbox: Sandbox, *, but: Sequence[int]) -> int:
    """Return a free TCP port of the sandbox's machine that is not in ``but``."""
    there = sandbox.environment.elsewhere
    if there is None:
        return free_port(but=but)
    taken = there.listening_ports().union(but)
    return random.choice([each for each in FAR_PORTS if each not in taken])


def free_port(*, but: Sequence[int] = ()) -> int:
    """Return a free TCP port of the loopback address that is not in ``but``."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port not in but:
            return port


def names_source(subject: Subject) -> bool:
    """Return whether a program of the subject, or its ``reach``, names its folder, apart from its build."""
    return any(SOURCE in names(texts) for texts in (*_argvs(subject), tuple(subject.reach.values())))


def _argvs(subject: Subject) -> Iterator[Argv]:
    begins, prepare = subject.start or subject.client or subject.batch, subject.prepare
    yield () if subject.driver is None else subject.driver.argv
    steps = [subject.configuration, subject.counters, None if subject.start is None else subject.start.warm]
    if prepare is not None:
        steps += [prepare.init, prepare.load, None if prepare.check is None else prepare.check.step]
    yield from (step.argv for step in steps if step is not None)
    yield () if begins is None else begins.argv
    yield (subject.start.ready.argv or ()) if subject.start is not None else ()
