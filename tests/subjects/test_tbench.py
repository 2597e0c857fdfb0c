"""What tbench really printed becomes a record; what went wrong, at either end, is not called right."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from tests.subjects.printed import Done, record
from tests.subjects.tbench_server import Server

CLIENT = find_home().subjects / "tbench" / "client"
SAID = Path(__file__).parent / "tbench"
FOUR = (SAID / "4-clients.out").read_text()


@contextmanager
def server(how: str = "honest") -> Iterator[int]:
    """Serve in a thread; yield the port."""
    with Server("127.0.0.1", 0, how=how) as serving:
        thread = threading.Thread(target=serving.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield int(serving.server_address[1])
        finally:
            serving.shutdown()
            thread.join()


def load(
    folder: Path, said: str = FOUR, *, how: str = "honest", ends: int = 0, clients: int = 4, seconds: int = 5
) -> Done:
    """Have a program that says what tbench once said load a server; return what came of it."""
    (folder / "said").write_text(said)
    program = folder / "tbench"
    program.write_text(f"#!/bin/sh\ncat '{folder}/said'\nexit {ends}\n")
    program.chmod(0o755)
    with server(how) as port:
        words = ["--program", str(program), "--address", "127.0.0.1", "--port", str(port)]
        argv = [sys.executable, "-I", str(CLIENT), *words, "--clients", str(clients), "--seconds", str(seconds)]
        return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)


def test_a_record_holds_what_tbench_printed_in_bytes_and_nanoseconds(tmp_path: Path) -> None:
    before_ns = time.monotonic_ns()
    found = record(load(tmp_path))
    after_ns = time.monotonic_ns()

    assert before_ns < found["to_ns"] < after_ns
    assert found["to_ns"] - found["from_ns"] == found["elapsed_ns"]
    assert {key: value for key, value in found.items() if key not in ("from_ns", "to_ns")} == {
        "format": 1,
        "record": "batch",
        "case": {"clients": 4},
        "work": 4 * 438_872_000,
        "work_in": "bytes",
        "elapsed_ns": 4_000_000_000,
        "answer": "right",
        "metrics": {
            "clients": 4,
            "client_least_bytes_per_s": 551_546_755 / 5,
            "operation_latency_mean_ns": 48_121,
            "operation_latency_max_ns": 24_183_000,
        },
    }


def test_all_that_tbench_said_is_kept(tmp_path: Path) -> None:
    assert load(tmp_path).stderr == FOUR


def test_the_mean_of_operations_weighs_each_kind_by_its_count(tmp_path: Path) -> None:
    rows = [line.split() for line in FOUR.partition("Per client")[0].splitlines() if line.startswith(" ")]
    told = [(int(row[1]), float(row[2])) for row in rows if len(row) == 4 and row[1].isdecimal()]

    mean_ns = record(load(tmp_path))["metrics"]["operation_latency_mean_ns"]

    assert len(told) == 14
    assert mean_ns == pytest.approx(1e6 * sum(n * ms for n, ms in told) / sum(n for n, _ in told), abs=1)


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        ("releasing clients\n", "releasing clients\nlost sync (39 24)\n", "lost sync (39 24)"),
        ("   0  cleanup   5 sec", "   1  cleanup   5 sec", "1 of 4 clients did not end by themselves"),
        ("Client 3 did", "Client three did", "Client three did 122455 lines and 552207692 bytes"),
        ("122455 lines and 552207692 bytes", "122455 lines and 0 bytes", "a client moved no bytes"),
        ("MB/sec  4 clients", "MB/sec  3 clients", "4 of 3 clients reported what they moved, 4 were requested"),
        ("Throughput 438.872", "Throughput 0.000", "a client moved no bytes"),
        (
            "Throughput 438.872",
            "Throughput 638.872",
            "all clients moved 2209239505 bytes, less than the 2555488000 of the throughput",
        ),
    ],
)
def test_what_went_wrong_at_the_clients_is_the_answer(old: str, new: str, answer: str, tmp_path: Path) -> None:
    assert FOUR.count(old) == 1
    assert record(load(tmp_path, FOUR.replace(old, new)))["answer"] == answer


def test_the_first_semaphore_of_a_machine_is_no_complaint(tmp_path: Path) -> None:
    said = FOUR.replace("releasing", "failed to create barrier semaphore \nreleasing")

    assert record(load(tmp_path, said))["answer"] == "right"


@pytest.mark.parametrize(
    ("how", "answer"),
    [
        ("spoils", "the server sent back other bytes than the 1 that it got"),
        ("shortens", "the server ended a response after 0 of 9 bytes"),
    ],
)
def test_a_server_that_answers_wrongly_is_found_out(how: str, answer: str, tmp_path: Path) -> None:
    assert record(load(tmp_path, how=how))["answer"] == answer


def test_clients_whose_server_was_lost_fail_with_what_they_said(tmp_path: Path) -> None:
    done = load(tmp_path, (SAID / "server-killed.out").read_text(), ends=1)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "client: tbench ended with 1: error reading header"


def test_clients_that_never_began_have_no_record(tmp_path: Path) -> None:
    begun = FOUR.partition("releasing")[0]
    done = load(tmp_path, f"{begun}FAILED TO START 4 CLIENTS (started 3)\n\nThroughput 0 MB/sec  4 clients  4 procs\n")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "client: FAILED TO START 4 CLIENTS (started 3)"


def test_a_second_alone_is_refused_as_tbench_would_tell_of_none(tmp_path: Path) -> None:
    assert load(tmp_path, seconds=1).returncode == 2


@pytest.mark.parametrize(("how", "ends"), [("honest", 0), ("spoils", 1), ("shortens", 1)])
def test_a_server_is_ready_when_it_answers_rightly(how: str, ends: int) -> None:
    with server(how) as port:
        argv = [sys.executable, "-I", str(CLIENT / "echo.py"), "127.0.0.1", str(port)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)

    assert (done.returncode, bool(done.stderr)) == (ends, bool(ends))
