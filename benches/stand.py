"""Servers for the benches: started on one CPU, ended by their process id, whatever happens."""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from benches.meter import BenchError, pinned
from headtohead.execute.subject.free_port import free_port

ROOT = Path(__file__).resolve().parent.parent
LOAD = ROOT / "target/release/h2h-load"
BUILT = ROOT / "build/benches"
KNOWN = BUILT / "h2h-known"
BARE = BUILT / "bare_epoll"
STARTS_WITHIN_S = 10.0
NO_LOG = {"access-log-off.conf.in": "access-log-off.conf"}
NO_CACHE = {"file-cache-off.conf.in": "file-cache-off.conf"}
APACHE_FILES = {
    "httpd.conf.in": "httpd.conf",
    "listen-http-static-v1.conf.in": "listen.conf",
    "gzip-off.conf.in": "gzip-off.conf",
    **NO_LOG,
}
NGINX_FILES = {"nginx.conf.in": "nginx.conf", "listen-http-static-v1.conf.in": "listen.conf", **NO_LOG, **NO_CACHE}
TLS_FILES = {
    "nginx.conf.in": "nginx.conf",
    "listen-http-static-tls-v1.conf.in": "listen.conf",
    "http-2-http-static-tls-v1.conf.in": "http-2.conf",
    **NO_LOG,
    **NO_CACHE,
}
SETTINGS = {
    "workers": "1",
    "gzip": "off",
    "access_log": "off",
    "sendfile": "off",
    "file_cache": "off",
    "ktls": "off",
    "http_version": "2",
}
"""The settings of the subjects; the files of HTTP/1.1 in the clear do not have the last two."""


@dataclass(frozen=True)
class Server:
    """A server that runs."""

    port: int
    pids: tuple[int, ...]
    """The processes whose CPU time is the server's."""

    @property
    def url(self) -> str:
        """Where it is, without a path."""
        return f"http://127.0.0.1:{self.port}"


def need_cpus() -> None:
    """Raise ``BenchError`` unless CPUs 0 and 1 are ours: one for the server, one for the client."""
    if not {0, 1} <= os.sched_getaffinity(0):
        raise BenchError("CPUs 0 and 1 are needed, one for the server, one for the client. Run on a machine with two.")


@contextmanager
def folder() -> Iterator[Path]:
    """Give a private folder that vanishes afterwards."""
    with tempfile.TemporaryDirectory(prefix="h2h-bench-") as made:
        yield Path(made)


@contextmanager
def known(*words: str, cpu: int = 0) -> Iterator[Server]:
    """Run a server of known behavior."""
    with announced([str(KNOWN), *words], cpu=cpu) as server:
        yield server


@contextmanager
def responder(body: Path, *, cpu: int = 0) -> Iterator[Server]:
    """Run the least server; it serves ``body`` as ``/article.html``."""
    with announced([str(LOAD), "respond", "--port", "0", "--body", str(body)], cpu=cpu) as server:
        yield server


@contextmanager
def announced(argv: Sequence[str], *, cpu: int) -> Iterator[Server]:
    """Run a server that prints ``listening on ADDRESS``."""
    with pinned(cpu):
        child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    try:
        line = child.stdout.readline() if child.stdout else ""
        if not line.startswith("listening on "):
            raise BenchError(f"{argv[0]} does not listen. Run it by hand: {' '.join(argv)}")
        yield Server(int(line.rsplit(":", 1)[1]), (child.pid,))
    finally:
        end(child)


@contextmanager
def nginx(run: Path, data: Path, *, cpu: int = 0) -> Iterator[Server]:
    """Run nginx as the subject does, with one worker; ``data`` is served."""
    with _nginx(NGINX_FILES, run, data, cpu=cpu) as server:
        yield server


@contextmanager
def nginx_over_tls(run: Path, data: Path, *, cpu: int = 0) -> Iterator[Server]:
    """Run nginx over TLS with HTTP/2, as the subject does; its certificate is in ``run``."""
    make = ["make", "--silent", f"--directory={ROOT / 'subjects/nginx'}", f"OUT={run}", "KEY=rsa-2048"]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
    with _nginx(TLS_FILES, run, data, cpu=cpu) as server:
        yield server


@contextmanager
def _nginx(files: Mapping[str, str], run: Path, data: Path, *, cpu: int) -> Iterator[Server]:
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise BenchError("nginx is not installed. Run `headtohead setup --yes studies/first.toml`.")
    port = free_port()
    configure("nginx", files, run, {"port": str(port), "data": str(data), "sendfile": "on"})
    # As root nginx would give its worker to a user who may not read the private folder.
    user = ["-g", "user root;"] if os.geteuid() == 0 else []
    with pinned(cpu):
        child = subprocess.Popen([program, "-p", str(run), "-c", str(run / "nginx.conf"), *user], cwd=run)
    try:
        wait_for(child, port)
        yield Server(port, workers(child.pid))
    finally:
        end(child)


@contextmanager
def apache(run: Path, data: Path, *, cpu: int = 0) -> Iterator[Server]:
    """Run Apache httpd as the subject does, with its default number of threads; ``data`` is served."""
    program = shutil.which("apache2", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if program is None:
        raise BenchError("Apache httpd is not installed. Run `headtohead setup --yes studies/first.toml`.")
    port = free_port()
    configure(
        "apache-httpd",
        APACHE_FILES,
        run,
        {"workers*threads": "256", "threads": "256", "port": str(port), "data": str(data)},
    )
    with pinned(cpu):
        child = subprocess.Popen([program, "-f", str(run / "httpd.conf"), "-DFOREGROUND"], cwd=run)
    try:
        wait_for(child, port)
        yield Server(port, workers(child.pid))
    finally:
        end(child)


def configure(subject: str, files: Mapping[str, str], run: Path, words: Mapping[str, str]) -> None:
    """Write the configuration of a subject for a server on loopback; ``files`` are its templates and their names."""
    for template, file in files.items():
        text = (ROOT / "subjects" / subject / template).read_text(encoding="utf-8")
        for name, value in {"run": str(run), "build": str(run), "address": "127.0.0.1", **SETTINGS, **words}.items():
            text = text.replace(f"@{name}@", value)
        (run / file).write_text(text, encoding="utf-8")


def wait_for(child: subprocess.Popen[bytes], port: int) -> None:
    """Wait until the port takes connections; ``BenchError`` when the server ends or does not within its time."""
    until = time.monotonic() + STARTS_WITHIN_S
    while time.monotonic() < until and child.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except ConnectionRefusedError:
            time.sleep(0.02)
        else:
            return
    raise BenchError(f"the server on port {port} did not start within {STARTS_WITHIN_S:g} s. Its errors are above.")


def workers(pid: int) -> tuple[int, ...]:
    """Return a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    return (pid, *(int(child) for child in children.split()))


def end(child: "subprocess.Popen[bytes] | subprocess.Popen[str]") -> None:
    """End a server that we started: TERM, then KILL."""
    child.terminate()
    try:
        child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    if child.stdout is not None:
        child.stdout.close()


def article(into: Path) -> Path:
    """Write the data set of pages; return the 18.8 KiB page."""
    program = ROOT / "datasets/pages/generate.py"
    argv = [sys.executable, str(program), "--scale", "1", "--seed", "1", "--out", str(into)]
    subprocess.run(argv, check=True, stdout=subprocess.DEVNULL)
    return into / "article.html"
