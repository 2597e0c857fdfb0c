"""What tests of `headtohead race` have in common: servers, a certificate, and the command."""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from headtohead.execute.subject.free_port import free_port
from tests.end_to_end.command import headtohead
from tests.end_to_end.warm import Done

SERVER = Path(__file__).with_name("race_server.py")
PYTHON = "/usr/bin/python3"
NAMES = ("--name", "light", "--name", "heavy")
SHORT = ("--measure", "0.2s", "--budget", "1s")
"""Short runs, and, where there may be a verdict (``lenient``), no more blocks than the first interim analysis has."""


def race(place: Path, lane: Path, *words: str | Path, lenient: bool = False) -> Done:
    """Race in that folder; what this machine does meanwhile discards no run, and if lenient forbids no verdict."""
    return headtohead("race", *words, cwd=place, lane=lane, lenient=lenient)


@dataclass(frozen=True)
class Running:
    """A server that runs without headtohead."""

    process: subprocess.Popen[bytes]
    url: str


@contextmanager
def listening(argv: list[str], place: Path, *, port: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server in a folder, and wait until it listens."""
    server = subprocess.Popen(argv, cwd=place, stderr=subprocess.DEVNULL)
    try:
        for _ in range(3000):
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        yield server
    finally:
        server.kill()
        server.wait()


@contextmanager
def running(place: Path, *words: str) -> Iterator[Running]:
    """Run the server with these words."""
    port = free_port()
    with listening([PYTHON, "server.py", "--port", str(port), *words], place, port=port) as server:
        yield Running(server, f"http://127.0.0.1:{port}")


def certify(place: Path) -> None:
    """Make a certificate of localhost in a folder: key.pem, ca.pem, and both.pem."""
    made = "req -x509 -nodes -newkey ec -pkeyopt ec_paramgen_curve:P-256 -days 2 -subj /CN=localhost"
    names = ("-addext", "subjectAltName=DNS:localhost", "-addext", "basicConstraints=critical,CA:FALSE")
    files = ("-keyout", "key.pem", "-out", "ca.pem")
    subprocess.run(["openssl", *made.split(), *names, *files], cwd=place, check=True, capture_output=True)
    (place / "key.pem").chmod(0o644)  # the servers run as another user
    (place / "both.pem").write_text((place / "key.pem").read_text() + (place / "ca.pem").read_text())


def serve(*words: str) -> tuple[str, str]:
    """Return the option for the server with these words."""
    return "--serve", " ".join((PYTHON, "server.py", "--port", "@port@", *words))
