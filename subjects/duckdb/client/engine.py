"""DuckDB in this process: opening, queries, interrupts, settings."""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import duckdb
from complaint import Complaint

PLACES = ("allowed_directories", "allowed_paths", "extension_directory", "home_directory", "secret_directory")
"""Settings about the place of this instance, such as the temporary directory; they are not reported."""
NEVER_NS = 1 << 62


class InterruptedQuery(Exception):  # noqa: N818 - it is no error
    """The query was ended by its deadline."""


class RefusedQuery(Exception):  # noqa: N818 - it is counted
    """The engine refused the query; the text is its message."""


class Seat:
    """A user's own connection, and the deadline of its query."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._deadline_ns = NEVER_NS
        self._asking = False

    def ask(self, sql: str, values: Sequence[object], *, until_ns: int) -> Sequence[Sequence[object]]:
        """Return all rows of a result. Raise RefusedQuery, or InterruptedQuery at ``until_ns`` (CLOCK_MONOTONIC)."""
        self._deadline_ns, self._asking = until_ns, True
        try:
            return self._connection.execute(sql, list(values)).fetchall()
        except duckdb.InterruptException as error:
            raise InterruptedQuery from error
        except duckdb.Error as error:
            raise RefusedQuery(str(error)) from error
        finally:
            self._asking = False

    def abandon(self) -> None:
        """Make its query overdue."""
        self._deadline_ns = 0

    def look(self, now_ns: int) -> None:
        """Interrupt the query if it is overdue."""
        if self._asking and now_ns >= self._deadline_ns:
            self._connection.interrupt()


class Engine:
    """A database with a connection for each user; a separate thread ends queries at their deadline."""

    def __init__(self, file: Path, *, threads: int, writes: bool) -> None:
        self._connection = connect(file, threads=threads, writes=writes)
        self._seats: list[Seat] = []
        self._over = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        """Start the watch."""
        self._watch.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        self._over.set()
        self._watch.join()
        self._connection.close()

    def seat(self) -> Seat:
        """Return a connection for one more user."""
        self._seats.append(Seat(self._connection.cursor()))
        return self._seats[-1]

    def _look(self) -> None:
        """Check for overdue queries every 10 ms, which costs a query of seconds nothing."""
        while not self._over.wait(0.01):
            for seat in tuple(self._seats):
                seat.look(time.monotonic_ns())


def connect(file: Path, *, threads: int, writes: bool = False) -> duckdb.DuckDBPyConnection:
    """Return a connection to a database. Raise Complaint if it cannot be opened. It downloads nothing."""
    settings: dict[str, str | int] = {
        "threads": threads,
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
    }
    try:
        return duckdb.connect(str(file), read_only=not writes, config=settings)
    except duckdb.Error as error:
        raise Complaint(f"the database {file}", why=str(error), remedy="Prepare it anew.") from error


def configuration(file: Path, *, threads: int) -> str:
    """Return a line for each setting: name, value, default, between tabs; the default is that of a new database."""
    with connect(file, threads=threads) as ours, duckdb.connect() as new:
        in_force, standard = _settings(ours), _settings(new)
    return "".join(f"{name}\t{value}\t{standard.get(name, '')}\n" for name, value in sorted(in_force.items()))


def _settings(connection: duckdb.DuckDBPyConnection) -> Mapping[str, str]:
    found = connection.execute("SELECT name, value FROM duckdb_settings()").fetchall()
    told = {name: value for name, value in found if name not in (*PLACES, "temp_directory")}
    return {name: " ".join(str("" if value is None else value).split()) for name, value in told.items()}
