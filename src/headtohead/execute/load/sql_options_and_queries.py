"""Load of SQL queries: the load generator's options that only SQL has, and the queries of each case."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from headtohead.execute.load.common_options import LoadOptions
from headtohead.execute.load.query_mix import Queries
from headtohead.execute.subject.server import Server
from headtohead.execute.supervise_process_of_run import LOOPBACK, SupervisedRun
from headtohead.model.case import Case
from headtohead.model.errors import SubjectError
from headtohead.model.machine.link import SOCKET, Reach
from headtohead.model.study.trials import Trial

WRITE_SHARE = "write_share"


@dataclass(frozen=True)
class SqlLoad:
    """The queries to an sql subject from a supervised run; ``data`` is the folder of its data set there."""

    options: LoadOptions
    server: Server
    sender: SupervisedRun
    data: Path

    def program(self) -> tuple[str, ...]:
        """Return the load generator with the options to reach the subject; in process, the subject's own client."""
        client = self.server.subject.client
        if client is not None:
            return tuple(self.server.filled(client.argv, "client.argv"))
        return "h2h-load", "sql", *_way(self.server, self.sender, reach=self.options.request.treatment.reach)

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


def _way(server: Server, sender: SupervisedRun, *, reach: Reach | None) -> Iterator[str]:
    """Yield the options to reach a server: over TCP with its password, or through its socket.

    The name of PostgreSQL's socket contains the port.
    """
    by_tcp = reach == "tcp"
    fields = server.reach()
    missing = {"protocol", "port"} if by_tcp else {"protocol", SOCKET}
    if not missing <= fields.keys():
        raise SubjectError(
            f"{server.subject.name} cannot be reached by a driver",
            why=f"Its reach lacks {' or '.join(sorted(missing - fields.keys()))}.",
            remedy="See [reach] of its subject.toml.",
        )
    yield from ("--protocol", fields["protocol"])
    if by_tcp:
        yield from ("--host", fields.get("host", LOOPBACK), "--port", fields["port"])
        if "password" in fields:
            yield from ("--password-file", str(_password_file(sender, fields["password"])))
    else:
        yield from ("--socket", fields[SOCKET])
        if fields["protocol"] == "postgresql" and "port" in fields:
            yield from ("--port", fields["port"])
    for name in ("user", "database"):
        if name in fields:
            yield from (f"--{name}", fields[name])


def _password_file(sender: SupervisedRun, password: str) -> Path:
    """Return the file with the password, which only the programs' user may read: everybody can read command lines."""
    path = sender.input / "password"
    return path if sender.environment.files.plain((path,)) else sender.give(path.name, f"{password}\n")
