"""From `headtohead new` to a measured study, with nothing changed but how much is measured."""

import contextlib
import http.client
import json
import statistics
import subprocess
import time
from pathlib import Path

import pytest

from headtohead.describe.skeletons import skeleton
from headtohead.describe.subject.subjects import read_subject
from headtohead.execute.subject.free_port import free_port
from tests.contract.bench import need
from tests.contract.homes import HOME
from tests.contract.leftovers import left_behind, nothing
from tests.end_to_end.command import headtohead
from tests.last_attempts import last_attempts

pytestmark = pytest.mark.real

DELAYED_S = 0.04
"""The shortest time after which Linux acknowledges by itself what it has received (TCP_DELACK_MIN)."""
STARTED_WITHIN_S = 60.0
KEPT_OPEN = 60
"""Requests on one connection: the first ones are acknowledged at once."""


def test_a_server_that_new_writes_does_not_wait_for_acknowledgments(tmp_path: Path) -> None:
    server = tmp_path / "server.py"
    server.write_bytes(skeleton("subject", "mine")["subjects/mine/server.py"])
    (tmp_path / "page.html").write_bytes(b"x" * 5_000)
    port = free_port()
    with subprocess.Popen(
        ["/usr/bin/python3", server, str(port), tmp_path, "HTTP/1.1"], stderr=subprocess.DEVNULL
    ) as process:
        try:
            times_s = request_times_s(port)
        finally:
            process.kill()

    assert statistics.median(times_s[KEPT_OPEN // 2 :]) < DELAYED_S / 2


def request_times_s(port: int) -> list[float]:
    """Return how long each request on one connection to a server takes."""
    until_s, times_s = time.monotonic() + STARTED_WITHIN_S, list[float]()
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        while connection.sock is None:
            with contextlib.suppress(ConnectionRefusedError):
                connection.connect()
            assert time.monotonic() < until_s
            time.sleep(0.02)
        for _ in range(KEPT_OPEN):
            began_s = time.monotonic()
            connection.request("GET", "/page.html")
            assert len(connection.getresponse().read()) == 5_000
            times_s.append(time.monotonic() - began_s)
    return times_s


def test_what_new_writes_is_measured_next_to_nginx(tmp_path: Path, lane: Path) -> None:
    need(read_subject(HOME.subjects / "nginx"))
    for kind in ("subject", "workload", "study"):
        assert headtohead("new", kind, "mine", cwd=tmp_path).returncode == 0
    need(read_subject(tmp_path / "subjects" / "mine"))
    study = tmp_path / "mine.toml"
    text = study.read_text().replace("looks    = [6, 10, 16]", "looks = [2]")
    study.write_text(f"{text}\n[experiment.load]\nwarm_up_s = 0.1\nmeasure_s = 0.4\n")

    done = headtohead("run", "mine.toml", cwd=tmp_path, lane=lane)

    assert done.returncode == 0, done.stderr
    (folder,) = (tmp_path / "results").iterdir()
    runs = [json.loads(each.read_text()) for each in sorted(folder.glob("runs/*/run.json"))]
    assert [each["status"] for each in last_attempts(runs)] == ["valid"] * 4
    assert left_behind(done.owner, cache=lane) == nothing()
