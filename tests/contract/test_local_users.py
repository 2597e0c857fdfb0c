"""A hostile user of the same machine: no database lets him in while it loads or serves, and he reads no password."""

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headtohead.cli.commands.contract import rules_of_content
from headtohead.execute.context.study_context import StudyContext
from headtohead.execute.subject.server import Server
from headtohead.hosts.file_owners import name_of
from tests.contract.bench import Pair, environment, need, pairs, question, run_on, study_text
from tests.contract.homes import HOME, home_changed
from tests.hosts.nobody import as_nobody, as_user

ATTACKED = {
    "mariadb under forum-read",
    "postgresql under forum-read",
    "php-forum over mariadb under article",
    "java-forum over postgresql under article",
}
"""Each database alone and as part of a forum: all its data sets are loaded by the same programs."""
PAIRS = [each for each in pairs(HOME) if str(each) in ATTACKED]
FILE_SERVERS = [each for each in pairs(HOME) if each.subject.name in {"samba", "nfs-ganesha"}]
NFS_PORT = 2049
OPEN = 0o755
SEEN = "seen"
"""What a query returns to a user who was let in."""

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user too"),
]


def test_each_database_that_serves_is_attacked() -> None:
    served = {
        part.name for each in pairs(HOME) for part in each.subjects if part.start and part.serves[0].startswith("sql/")
    }
    assert {str(each) for each in PAIRS} == ATTACKED
    assert served == {part.name for each in PAIRS for part in each.subjects if part.name in served}


@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_another_user_gets_into_no_database_and_reads_no_password(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*pair.subjects)
    data = pair.workload.data
    assert data is not None
    home = home_changed(tmp_path, data.set, repr(secrets.token_hex()))  # of which there is no prepared copy
    asked = question(study_text(pair), tmp_path, home=home)
    context = StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content())
    attacked: list[str] = []
    let_in: list[str] = []
    start = Server.start

    def attacks(server: Server) -> None:
        start(server)
        if server.subject.reach.get("protocol") in WAYS:
            attacked.append(server.name)
            let_in.extend(_let_in(server))
            let_in.extend(_told(context.passwords.values()))

    monkeypatch.setattr(Server, "start", attacks)
    recorded = run_on(context, asked, tmp_path)

    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    assert len(attacked) >= 2, "once while its data load, once in the run"
    assert let_in == []
    written = [each for each in (tmp_path / "results").rglob("*") if each.is_file()]
    assert written
    for each in context.passwords.values():
        assert not [file for file in written if each.encode() in file.read_bytes()]
    for pristine in context.passwords:
        beside = pristine.with_name(f"{pristine.name}.json")
        assert as_nobody("cat", str(beside)).returncode != 0
        assert as_nobody("ls", str(pristine)).returncode != 0


@pytest.mark.parametrize("pair", FILE_SERVERS, ids=str)
def test_another_user_reaches_no_file_server(pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    need(*pair.subjects)
    asked = question(study_text(pair), tmp_path)
    context = StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content())
    tried: list[str] = []
    start = Server.start

    def attacks(server: Server) -> None:
        start(server)  # its own client program has reached it now
        for address in (str(server.words["address"]), "127.0.0.1"):
            for port in {int(server.words["port"]), NFS_PORT}:
                connects = as_nobody("timeout", "2", "bash", "-c", f": < /dev/tcp/{address}/{port}")
                tried.append(f"{address} {port} {connects.returncode}")
        assert as_nobody("ls", str(server.folder)).returncode != 0

    monkeypatch.setattr(Server, "start", attacks)
    recorded = run_on(context, asked, tmp_path)

    assert (recorded.run.status, recorded.run.reasons) == ("valid", ())
    assert tried
    assert not [each for each in tried if each.endswith(" 0")]


@pytest.mark.parametrize("pair", [each for each in FILE_SERVERS if each.subject.name == "samba"], ids=str)
def test_even_in_its_own_network_samba_lets_no_guest_in(
    pair: Pair, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need(*pair.subjects)
    asked = question(study_text(pair), tmp_path)
    context = StudyContext(environment(), asked.study, asked.home.known_datasets(), rules_of_content())
    codes: dict[str, int | None] = {}
    start = Server.start

    def tries(server: Server) -> None:
        start(server)
        reach = ["/usr/bin/smbclient", *server.filled(("//@address@/share", "--port=@port@"), "test")]
        reach += ["--configfile", f"{server.folder}/client.conf", "--command=ls"]
        for who, proof in {
            "guest": ["--user=%"],
            "wrong": [f"--user={name_of(server.supervised.environment.user)}%wrong"],
            "right": [f"--authentication-file={server.folder}/credentials"],
        }.items():
            server.supervised.begin(f"try-{who}", [*reach, *proof], group="driver", at=server.folder)
            codes[who] = server.supervised.supervisor.wait(f"try-{who}", within_s=60).code

    monkeypatch.setattr(Server, "start", tries)
    run_on(context, asked, tmp_path)

    assert codes["right"] == 0
    assert 0 not in (codes["guest"], codes["wrong"])


def _mysql(place: str, port: str, user: str, database: str) -> list[str]:
    del database
    way = [f"--socket={place}"] if place.startswith("/") else [f"--host={place}", f"--port={port}"]
    return ["mariadb", "--no-defaults", *way, f"--user={user}", "--batch", f"--execute=SELECT '{SEEN}'"]


def _postgresql(place: str, port: str, user: str, database: str) -> list[str]:
    words = [f"--host={place}", f"--port={port}", f"--username={user}", f"--command=SELECT '{SEEN}'"]
    return ["psql", "--no-psqlrc", "--no-password", *words, database]


WAYS = {"mysql": (_mysql, ("",)), "postgresql": (_postgresql, ("postgres", "h2h"))}
"""By protocol: how a client asks, and the databases that it may ask for."""


def _let_in(server: Server) -> Iterator[str]:
    """Yield each way in which another user was let in, or the server's own user was kept out."""
    reach = server.reach()
    ask, databases = WAYS[reach["protocol"]]
    socket, port, own = reach["socket"], reach["port"], name_of(server.supervised.environment.user)
    known = "postgres" if reach["protocol"] == "postgresql" else own
    if SEEN not in as_user(own, *ask(socket, port, known, databases[0])).stdout:
        yield f"{own} was kept out"
    for place, folders_open in ((reach["host"], False), (socket, False), (socket, True)):
        with _opened(server, folders_open):
            for user in sorted({"root", "postgres", "forum", own}):
                for database in databases:
                    tried = as_nobody(*ask(place, port, user, database))
                    if tried.returncode == 0 or SEEN in tried.stdout:
                        yield f"{user} of {database} at {place}, folders open: {folders_open}"


@contextmanager
def _opened(server: Server, folders_open: bool) -> Iterator[None]:
    """Open the folders above a socket to all users, so that only the server itself can refuse one."""
    folders = [each for each in (server.folder, *server.folder.parents) if each.is_relative_to(server.supervised.ours)]
    modes = {each: each.stat().st_mode & 0o7777 for each in folders}
    try:
        for each in folders if folders_open else ():
            each.chmod(OPEN)
        yield
    finally:
        for each, mode in modes.items():
            each.chmod(mode)


def _told(passwords: Iterable[str]) -> Iterator[str]:
    """Yield the command lines with a password in them."""
    words = [each.encode() for each in passwords]
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = file.read_bytes()
        except OSError:
            continue
        yield from (f"a password in {line!r}" for each in words if each in line)
