"""The system under test as it runs: the subject, and before it what it needs, all on the same CPUs."""

import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from headtohead.execute.parts import Part, reach_words
from headtohead.execute.server import Server
from headtohead.execute.stand import Stand
from headtohead.model.quantity import Scalar

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
        words = {**part.settings, **reach_words(part.subject, reached), **self.given.get(part.name, {}), **own}
        self.servers.append(Server(part.subject, self.stand, words, part.name))
        return self.servers[-1]

    def warms(self) -> bool:
        """Whether a part has something to read in once it is ready."""
        return any(part.subject.start is not None and part.subject.start.warm is not None for part in self.parts)

    def warm(self) -> None:
        """Read in what should be in memory before the load comes."""
        for server in self.servers:
            start = server.subject.start
            if start is not None and start.warm is not None:
                server.do(start.warm, name=f"{server.name}-warm", within_s=WARM_WITHIN_S, group="driver")

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
