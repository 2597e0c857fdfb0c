"""Databases for the benches: private instances on a Unix socket alone, with the tables of other load programs."""

import hashlib
import os
import pwd
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benches.meter import BenchError, pinned
from benches.stand import end, folder, workers

ROWS = 100_000
"""Rows of the table that is read, some 20 MB: all of it is in memory."""
STARTS_WITHIN_S = 60.0
POSTGRES_USER = "postgres"
"""Who runs PostgreSQL where we are root: it refuses to be."""


@dataclass(frozen=True)
class Database:
    """A database that runs, and what is asked of it."""

    name: str
    protocol: str
    run: Path
    socket: Path
    """MariaDB's file, PostgreSQL's directory."""
    user: str
    database: str
    sql: str
    """One row by its key, from one to ``ROWS``."""
    answers: Path
    """An answer table with the columns id and checksum of that row."""
    process: subprocess.Popen[bytes]

    @property
    def pids(self) -> tuple[int, ...]:
        """The processes whose CPU time is the server's now."""
        return workers(self.process.pid)


def need(*programs: str, package: str) -> list[str]:
    """Return the programs' paths; ``BenchError`` says which package has one that is missing."""
    where = ":".join([os.environ.get("PATH", ""), "/usr/sbin", *_versions_of_postgresql()])
    found = {name: shutil.which(name, path=where) for name in programs}
    missing = [name for name, path in found.items() if path is None]
    if missing:
        raise BenchError(f"{', '.join(missing)} is not installed. Install {package}.")
    return [str(path) for path in found.values()]


@contextmanager
def mariadb(*, cpu: int = 0) -> Iterator[Database]:
    """Run MariaDB with sysbench's table ``sbtest1``, read by its point select."""
    make, server, client = need(
        "mariadb-install-db", "mariadbd", "mariadb", package="mariadb-server-core and mariadb-client-core"
    )
    (sysbench,) = need("sysbench", package="sysbench")
    with folder() as run:
        data, socket = run / "data", run / "mariadb.sock"
        as_root = ["--user=root"] if os.geteuid() == 0 else []
        words = ["--auth-root-authentication-method=normal", "--skip-test-db", *as_root]
        _do([make, "--no-defaults", f"--datadir={data}", *words])
        argv = [server, "--no-defaults", f"--datadir={data}", f"--socket={socket}", "--skip-networking", *as_root]
        ask = [client, "--no-defaults", f"--socket={socket}", "--user=root", "--batch", "--skip-column-names"]
        with _running([*argv, "--innodb-buffer-pool-size=256M"], asked=[*ask, "--execute=SELECT 1"], cpu=cpu) as child:
            _do([*ask, "--execute=CREATE DATABASE bench"])
            _do([sysbench, *sysbench_words(socket), "prepare"])
            rows = _do([*ask, "--execute=SELECT id, c FROM sbtest1 ORDER BY id", "bench"])
            answers = _answers(run, rows)
            sql = "SELECT c FROM sbtest1 WHERE id = ?"
            yield Database("MariaDB", "mysql", run, socket, "root", "bench", sql, answers, child)


@contextmanager
def postgresql(*, cpu: int = 0) -> Iterator[Database]:
    """Run PostgreSQL with pgbench's table ``pgbench_accounts``, read by its select-only script."""
    make, server, client, pgbench = need("initdb", "postgres", "psql", "pgbench", package="postgresql-15")
    with folder() as run:
        data = run / "data"
        data.mkdir()
        run.chmod(0o755)
        other = _other_user(data, run)
        _do([*other, make, f"--pgdata={data}", "--username=bench", "--auth=trust", "--no-locale", "--encoding=UTF8"])
        argv = [
            *other,
            server,
            "-D",
            str(data),
            "-k",
            str(run),
            "-c",
            "listen_addresses=",
            "-c",
            "unix_socket_permissions=0700",
            "-c",
            "shared_buffers=256MB",
        ]
        ask = [client, "--no-psqlrc", f"--host={run}", "--username=bench", "--no-align", "--tuples-only"]
        ready = [*ask, "--command=SELECT 1", "postgres"]
        with _running([*argv, "-c", "autovacuum=off"], asked=ready, cpu=cpu) as child:
            # pgbench's scale 1 has 100,000 accounts
            _do([pgbench, *pgbench_words(run), "--initialize", "--quiet", "--scale=1", "postgres"])
            select = "--command=SELECT aid, abalance FROM pgbench_accounts ORDER BY aid"
            rows = _do([*ask, "--field-separator=\t", select, "postgres"])
            answers = _answers(run, rows)
            sql = "SELECT abalance FROM pgbench_accounts WHERE aid = ?"
            yield Database("PostgreSQL", "postgresql", run, run, "bench", "postgres", sql, answers, child)


def sysbench_words(socket: Path) -> list[str]:
    """Return the words that sysbench prepares and reads the table by."""
    where = ["--db-driver=mysql", f"--mysql-socket={socket}", "--mysql-user=root", "--mysql-db=bench"]
    return ["oltp_point_select", *where, "--tables=1", f"--table-size={ROWS}", "--rand-type=uniform"]


def pgbench_words(directory: Path) -> list[str]:
    """Return the words by which pgbench finds the server."""
    return [f"--host={directory}", "--username=bench"]


def _answers(run: Path, rows: str) -> Path:
    """Write the answer table of lines ``id<TAB>value``; ``BenchError`` unless there is one for every row."""
    file = run / "row.csv"
    lines = [line.split("\t", 1) for line in rows.splitlines()]
    if len(lines) != ROWS:
        raise BenchError(f"the table has {len(lines)} rows, not {ROWS}. Its program may fill it otherwise.")
    sums = ((key, hashlib.sha256(f"{value}\n".encode()).hexdigest()) for key, value in lines)
    file.write_text("id,checksum\n" + "".join(f"{key},{each}\n" for key, each in sums), encoding="ascii")
    return file


def _versions_of_postgresql() -> list[str]:
    """Return where Debian keeps PostgreSQL's programs, the newest version first."""
    return [str(each) for each in sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]


def _other_user(*owned: Path) -> list[str]:
    """Return the words before a program that must not run as root, and give the folders to that user."""
    if os.geteuid() != 0:
        return []
    try:
        user = pwd.getpwnam(POSTGRES_USER)
    except KeyError:
        raise BenchError(f"there is no user {POSTGRES_USER}. Install postgresql-15, or do not run as root.") from None
    for each in owned:
        os.chown(each, user.pw_uid, user.pw_gid)
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


@contextmanager
def _running(argv: Sequence[str], *, asked: Sequence[str], cpu: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server on one CPU, ready once ``asked`` succeeds; what it prints is kept out of the table."""
    with pinned(cpu):
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + STARTS_WITHIN_S
        while subprocess.run(asked, capture_output=True, check=False).returncode != 0:
            if time.monotonic() > until or child.poll() is not None:
                raise BenchError(f"{argv[0]} does not start. Run it by hand: {' '.join(argv)}")
            time.sleep(0.1)
        yield child
    finally:
        end(child)


def _do(argv: Sequence[str]) -> str:
    """Run a program to its end; return what it printed. ``BenchError`` where it fails."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip()[-500:]
        raise BenchError(f"{argv[0]} ended with {done.returncode}: {said}. Run it by hand: {' '.join(argv)}")
    return done.stdout
