"""Servers asked over a link, for real: a client program that lies, and a server that is lost in mid-run."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headtohead.describe.home import Home
from tests.contract.bench import need, need_cpus, one_run, pairs, question, study_text
from tests.contract.homes import HOME, home_with
from tests.contract.leftovers import left_by_us, nothing

IPERF3 = next(each for each in pairs(HOME) if each.subject.name == "iperf3")
LYING = """format = 1
name   = "lying"
title  = "iperf3 whose client program tells of another test"
serves = ["net/tcp-stream-v1"]

[start]
argv     = ["iperf3", "--server", "--bind", "@address@", "--port", "@port@"]
ready    = { argv = ["iperf3", "--client", "@address@", "--port", "@port@", "--bytes", "1K"] }
within_s = 10

[driver]
argv  = ["python3", "-I", "@source@/client.py", "@operation@", "@address@", "@port@", "1", "@seconds@", "@omit_s@"]
parse = ["python3", "parse.py", "@stdout@", "@stderr@", "@link@"]
"""
LOST_WITHIN_S = 60.0

pytestmark = pytest.mark.real


@pytest.fixture(autouse=True)
def installed() -> None:
    need(*IPERF3.subjects)
    need_cpus(IPERF3)


def lying(folder: Path) -> Home:
    """Return the content with a client program that streams once where it is asked for two streams, and says two."""
    home = home_with(folder, "lying", LYING)
    for name in ("client.py", "parse.py"):
        text = (HOME.subjects / "iperf3" / name).read_text()
        text = text.replace('"streams": int(streams)', '"streams": 2')
        (home.subjects / "lying" / name).write_text(text)
    return home


def test_a_client_program_that_did_another_test_is_refused(tmp_path: Path) -> None:
    text = (
        study_text(IPERF3)
        .replace('"iperf3"', '"lying"')
        .replace("[experiment.load]", '[experiment.load]\noperation = "read"')
    )

    recorded = one_run(question(text, tmp_path, home=lying(tmp_path)), tmp_path)

    assert recorded.run.status == "invalid"
    assert any("another test than was asked for" in each for each in recorded.run.reasons)
    assert left_by_us() == nothing()


def test_a_server_that_is_lost_in_mid_run_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    text = study_text(IPERF3).replace("seconds = 1", f"seconds = {LOST_WITHIN_S:.0f}")

    with killed_in_mid_run("iperf3\0--server"):
        recorded = one_run(question(text, tmp_path), tmp_path)

    assert recorded.run.status == "failed"
    assert recorded.run.reasons[0].startswith("failed: iperf3 ended in mid-run: It ended by the signal KILL")
    assert "measure" in [phase.name for phase in recorded.run.phases]
    assert max(phase.to_ns for phase in recorded.run.phases) < LOST_WITHIN_S * 1e9
    assert left_by_us() == nothing()


@contextmanager
def killed_in_mid_run(server: str) -> Iterator[None]:
    """Kill a server of ours, told by the beginning of its command line, once its client program is at work."""
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.05):
            if any("--time" in argv for _, argv in ours("iperf3\0--client")):
                time.sleep(0.5)
                for pid, _ in ours(server):
                    os.kill(pid, signal.SIGKILL)
                return

    killer = threading.Thread(target=look)
    killer.start()
    try:
        yield
    finally:
        over.set()
        killer.join()


def ours(begins: str) -> list[tuple[int, str]]:
    """Return the processes of this test's runs whose command line begins so, each with that."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment, argv = (folder / "environ").read_bytes(), (folder / "cmdline").read_text()
        except OSError:
            continue
        if f"HEADTOHEAD_OWNER={os.getpid()}-".encode() in environment and argv.startswith(begins):
            found.append((int(folder.name), argv))
    return found
