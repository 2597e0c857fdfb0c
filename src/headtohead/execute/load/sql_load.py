"""Load of SQL queries: the command line and the mix of queries."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.load.options import LoadOptions
from headtohead.execute.load.queries import Queries
from headtohead.execute.subject.server import Server
from headtohead.model.case import Case
from headtohead.model.errors import SubjectError
from headtohead.model.search import Trial

WRITE_SHARE = "write_share"


@dataclass(frozen=True)
class SqlLoad:
    """The queries to an sql subject; ``data`` is the folder of its data set."""

    options: LoadOptions
    server: Server
    data: Path

    def program(self) -> tuple[str, ...]:
        """Return the load generator with the options to reach the subject; in process, the subject's own client."""
        client = self.server.subject.client
        if client is not None:
            return tuple(self.server.filled(client.argv, "client.argv"))
        return "h2h-load", "sql", *_way(self.server)

    def place(self) -> tuple[str, ...]:
        """Return nothing: ``program`` gives the subject's address."""
        return ()

    def words(self, _: Trial) -> Iterator[str]:
        """Yield nothing: a connection lasts, and prepares its statements once."""
        yield from ()

    def mix(self, case: Case, *, start: int) -> Mapping[str, Any]:
        """Return the queries of a case."""
        return self._queries(start).mix(self.shares(case))

    def only(self, query: str, *, start: int) -> Mapping[str, Any]:
        """Return the mix of one query, with every result compared."""
        return self._queries(start).only(query)

    def shares(self, case: Case) -> Mapping[str, float]:
        """Return each query of a case with its share."""
        write_share = float(self.options.levels.get(WRITE_SHARE, 0))
        return self.options.workload.shares(write_share=write_share, only=self.options.load.query_of(case))

    def _queries(self, start: int) -> Queries:
        return Queries(self.options.workload, self.server.subject.protocol or "", self.data, start)


def _way(server: Server) -> Iterator[str]:
    """Yield the options to reach a server: its socket if it has one, whose name contains the port for PostgreSQL."""
    reach = server.reach()
    if "protocol" not in reach or not ({"socket", "port"} & reach.keys()):
        raise SubjectError(
            f"{server.subject.name} cannot be reached by a driver",
            why="Its reach lacks a protocol, or both a socket and a port.",
            remedy="See [reach] of its subject.toml.",
        )
    yield from ("--protocol", reach["protocol"])
    if "socket" in reach:
        yield from ("--socket", reach["socket"])
        if reach["protocol"] == "postgresql" and "port" in reach:
            yield from ("--port", reach["port"])
    else:
        yield from ("--host", reach.get("host", "127.0.0.1"), "--port", reach["port"])
    for name in ("user", "database"):
        if name in reach:
            yield from (f"--{name}", reach[name])
