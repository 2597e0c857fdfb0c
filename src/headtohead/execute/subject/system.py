"""The system under test as it runs: the subject, and before it what it needs, all on the same CPUs."""

import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from headtohead.execute.sandbox import Stand
from headtohead.execute.subject.components import Part, reach_words
from headtohead.execute.subject.server import Server
from headtohead.execute.subject.templates import names
from headtohead.model.quantity import Scalar
from headtohead.model.study.subject import Argv, Subject

SOURCE = "source"
"""The word for a copy of the subject's own folder: the user of subjects need not reach the repository."""
WARM_WITHIN_S = 600.0
"""Reading a data set into memory takes minutes at most."""


@dataclass
class System:
    """Servers in one stand, started in the order of their parts, stopped in the opposite one.

    ``given`` holds, by the part's name, the words that are not made here: data, build, number of CPUs.
    """

    stand: Stand
    parts: Sequence[Part]
    given: Mapping[str, Mapping[str, Scalar]]
    servers: list[Server] = field(default_factory=list)

    def start(self) -> Server:
        """Start all parts, each once those before it are ready; return the subject's own server."""
        while len(self.servers) < len(self.parts):
            self.next().start()
        return self.servers[-1]

    def next(self) -> Server:
        """Return the next part's server, to be started: its words tell where those before it are reached."""
        part = self.parts[len(self.servers)]
        reached = {each.factor: server.reach() for each, server in zip(self.parts, self.servers, strict=False)}
        folder = self.stand.folder(part.name) if part.factor else self.stand.run_dir
        taken = tuple(int(each.words["port"]) for each in self.servers)
        own: dict[str, Scalar] = {"run": str(folder), "interface": part.interface, "port": free_port(but=taken)}
        if names_source(part.subject):
            own[SOURCE] = str(self.stand.copy(Path(part.subject.folder), f"{SOURCE}-{part.name}"))
        reach = reach_words(part.subject, reached)
        words = {**part.settings, **reach, **self.given.get(part.name, {}), **own, **self.stand.addresses}
        self.servers.append(Server(part.subject, self.stand, words, part.name))
        return self.servers[-1]

    def warms(self) -> bool:
        """Whether a part has something to read in once it is ready."""
        return any(server.warm is not None for server in self.servers)

    def warm(self) -> None:
        """Read in what should be in memory before the load comes; in process that is the subject's own memory."""
        for server in self.servers:
            if server.warm is not None:
                group = "subject" if server.in_process else "driver"
                server.do(server.warm, name=f"{server.name}-warm", within_s=WARM_WITHIN_S, group=group)

    def check_alive(self) -> None:
        """Raise SubjectError where a part has ended by itself; that of what others need comes first."""
        for server in self.servers:
            server.check_alive()

    def stop(self) -> dict[str, bool]:
        """Stop all parts, the last first; return for each by its name whether all of it ended in time by itself."""
        stopped: dict[str, bool] = {}
        with ExitStack() as rest:
            for server in self.servers:
                rest.callback(self._stop, server, stopped)
        return stopped

    def _stop(self, server: Server, stopped: dict[str, bool]) -> None:
        stopped[server.name] = False
        stopped[server.name] = server.stop()


def free_port(*, but: Sequence[int] = ()) -> int:
    """Return a TCP port of the loopback address that nobody listens on, and that is not given out already."""
    while True:
        with socket.socket() as asker:
            asker.bind(("127.0.0.1", 0))
            port: int = asker.getsockname()[1]
        if port not in but:
            return port


def names_source(subject: Subject) -> bool:
    """Whether what is run of a subject, once it is built, names its folder."""
    return any(SOURCE in names(argv) for argv in _argvs(subject))


def _argvs(subject: Subject) -> Iterator[Argv]:
    begins, prepare = subject.start or subject.client or subject.batch, subject.prepare
    yield () if subject.driver is None else subject.driver.argv
    steps = [subject.configuration, subject.counters, None if subject.start is None else subject.start.warm]
    if prepare is not None:
        steps += [prepare.init, prepare.load, None if prepare.check is None else prepare.check.step]
    yield from (step.argv for step in steps if step is not None)
    yield () if begins is None else begins.argv
    yield (subject.start.ready.argv or ()) if subject.start is not None else ()
