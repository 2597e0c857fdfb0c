"""What smbtorture's nbench really printed becomes a record; what went wrong, at either end, is not called right."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from tests.subjects.printed import Done, record

CLIENT = find_home().subjects / "samba" / "client"
SAID = Path(__file__).parent / "samba"
FOUR = (SAID / "4-clients.out").read_text()

SHARE = """#!/usr/bin/python3
import shutil, sys
where, how = {where!r}, {how!r}
told = sys.argv[-1].removeprefix("--command=").split()
if how == "refuses":
    sys.exit("NT_STATUS_ACCESS_DENIED opening remote file")
source, target = (told[1], where + "/" + told[2]) if told[0] == "put" else (where + "/" + told[1], told[2])
shutil.copy(source, target)
if told[0] == "get" and how == "spoils":
    with open(target, "r+b") as file:
        file.seek(-1, 2)
        last = file.read(1)[0]
        file.seek(-1, 2)
        file.write(bytes([last ^ 1]))
if told[0] == "put" and how == "forgets":
    for name in ("proof-8", "proof-9"):
        open(where + "/" + name, "wb").close()
"""
"""A share that is a directory, in place of smbclient: it keeps files, or does not."""


def load(
    folder: Path, said: str = FOUR, *, how: str = "keeps", ends: int = 0, clients: int = 4, seconds: int = 4
) -> Done:
    """Have a program that says what nbench once said load a share; return what came of it."""
    (folder / "said").write_text(said)
    for name in ("share", "own"):
        (folder / name).mkdir()
    programs = {
        "smbtorture": f"#!/bin/sh\ncat '{folder}/said'\nexit {ends}\n",
        "smbclient": SHARE.format(where=str(folder / "share"), how=how),
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    words = {
        **{f"--{name}": folder / name for name in (*programs, "own")},
        **{"--load": folder / "load", "--configuration": folder / "client.conf", "--credentials": folder / "proof"},
        **{"--address": "192.0.2.1", "--port": 14450, "--clients": clients, "--seconds": seconds},
    }
    argv = [sys.executable, "-I", str(CLIENT), *(str(word) for pair in words.items() for word in pair)]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=300)


def test_a_record_holds_what_nbench_printed_in_bytes_and_nanoseconds(tmp_path: Path) -> None:
    before_ns = time.monotonic_ns()
    found = record(load(tmp_path))
    after_ns = time.monotonic_ns()

    assert before_ns < found["to_ns"] < after_ns
    assert found["to_ns"] - found["from_ns"] == found["elapsed_ns"]
    assert {key: value for key, value in found.items() if key not in ("from_ns", "to_ns")} == {
        "format": 1,
        "record": "batch",
        "case": {"clients": 4},
        "work": 4 * 95_797_700,
        "work_in": "bytes",
        "elapsed_ns": 4_000_000_000,
        "answer": "right",
        "metrics": {"clients": 4},
    }


def test_all_that_nbench_said_is_kept_and_no_file_of_ours_beside_the_share(tmp_path: Path) -> None:
    assert load(tmp_path).stderr == FOUR
    assert list((tmp_path / "own").iterdir()) == []


def test_clients_that_take_long_to_begin_are_left_out_of_the_time_by_a_warm_up(tmp_path: Path) -> None:
    found = record(load(tmp_path, (SAID / "256-clients-20-s.out").read_text(), clients=256, seconds=20))

    assert (found["answer"], found["elapsed_ns"]) == ("right", 21_000_000_000)
    assert found["work"] * 1e9 / found["elapsed_ns"] == pytest.approx(236_835_000)


def test_clients_that_take_long_to_begin_are_no_measurement_without_one(tmp_path: Path) -> None:
    found = record(load(tmp_path, (SAID / "256-clients-8-s.out").read_text(), clients=256, seconds=8))

    why = "256 clients took over a second to begin: set 20 seconds, which include a warm-up"
    assert found["answer"] == why


@pytest.mark.parametrize(
    ("old", "new", "answer"),
    [
        (
            "4 clients started\n",
            "4 clients started\n[12] Warning: ReadX got count 0 expected 4096\n",
            "[12] Warning: ReadX got count 0 expected 4096",
        ),
        ("4 clients started\n", "3 clients started\n", "3 clients began, 4 were requested"),
        ("success: nbench\n", "", "nbench reported no success"),
        ("Throughput 95.7977", "Throughput 0", "no bytes were moved"),
    ],
)
def test_what_went_wrong_at_the_clients_is_the_answer(old: str, new: str, answer: str, tmp_path: Path) -> None:
    assert FOUR.count(old) == 1
    assert record(load(tmp_path, FOUR.replace(old, new)))["answer"] == answer


@pytest.mark.parametrize("how", ["spoils", "forgets"])
def test_a_share_that_gives_back_another_file_is_found_out(how: str, tmp_path: Path) -> None:
    answer = record(load(tmp_path, how=how))["answer"]

    assert answer == "the server returned another file than the one that was put there"


def test_a_share_that_refuses_a_file_fails_with_what_it_said(tmp_path: Path) -> None:
    done = load(tmp_path, how="refuses")

    assert (done.returncode, done.stdout) == (1, "")
    why = "the server did not put sent-8 proof-8: NT_STATUS_ACCESS_DENIED opening remote file"
    assert done.stderr.splitlines()[-1] == f"client: {why}"


def test_clients_whose_server_was_lost_fail_with_what_they_said(tmp_path: Path) -> None:
    done = load(tmp_path, (SAID / "server-killed.out").read_text(), ends=1, clients=3, seconds=8)

    why = "[7658] Error: Unlink should have succeeded - NT_STATUS_CONNECTION_DISCONNECTED"
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == f"client: nbench ended with 1: {why}"


def test_a_second_alone_is_refused_as_nbench_would_hardly_begin(tmp_path: Path) -> None:
    assert load(tmp_path, seconds=1).returncode == 2
