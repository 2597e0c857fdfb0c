"""The NFS client and the private server: what is counted, what is checked, and how each failure is named."""

import contextlib
import errno
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.subjects.ganesha import Served, build, lacks, served

MIB = 1024 * 1024
HANDLES = """import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
handle, mount = ctypes.create_string_buffer(136), ctypes.c_int()
ctypes.c_uint.from_buffer(handle).value = 128
path = sys.argv[1]
assert libc.name_to_handle_at(-100, path.encode(), handle, ctypes.byref(mount), 0) == 0
def opened():
    found = libc.open_by_handle_at(-100, handle, os.O_RDONLY)
    return os.read(found, 9).decode() if found >= 0 else os.strerror(ctypes.get_errno())
print(opened())
os.rename(path, path + ".kept")
print(opened())
open(path, "w").write("another")
print(opened())
os.rename(path + ".kept", path)
print(opened())
"""

pytestmark = [pytest.mark.real, pytest.mark.skipif(bool(lacks()), reason=f"this machine lacks {lacks()}")]


@pytest.fixture(scope="module")
def programs() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:  # where another user may look
        Path(folder).chmod(0o755)
        build(Path(folder))
        yield Path(folder)


@pytest.fixture(scope="module")
def server(programs: Path) -> Iterator[Served]:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, served(programs, Path(folder)) as found:
        yield found


def record(server: Served, operation: str, *, processes: int, more: tuple[str, ...] = ()) -> dict[str, Any]:
    done = server.ask(*server.case(operation, processes=processes, size_mib=8, more=more))
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def fill(path: Path, *, size_mib: int) -> None:
    """Write a file, as far as the disk has room."""
    with contextlib.suppress(OSError), path.open("wb", buffering=0) as file:
        for _ in range(size_mib):
            file.write(bytes(MIB))


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize("processes", [1, 3])
def test_files_are_streamed_counted_checked_and_removed(server: Served, operation: str, processes: int) -> None:
    found = record(server, operation, processes=processes, more=("--in-flight", "4", "--whole-every", "3"))
    assert found["case"] == {"operation": operation, "processes": processes}
    assert (found["work"], found["work_in"]) == (processes * 8 * MIB, "bytes")
    assert found["elapsed_ns"] == found["to_ns"] - found["from_ns"] > 0
    assert found["answer"] == "right"
    assert server.files == []


@pytest.mark.parametrize("operation", ["read", "write"])
@pytest.mark.parametrize("byte", [0, 5_000_001, 8 * MIB - 1])
def test_a_spoiled_byte_is_found_and_the_answer_says_where(server: Served, operation: str, byte: int) -> None:
    found = record(server, operation, processes=2, more=("--spoil", str(byte)))
    assert found["answer"] == f"file 1 holds other bytes from {byte // 4096 * 4096} on"
    assert server.files == []


def test_a_spoiled_byte_in_a_page_s_number_is_found_in_every_block(server: Served) -> None:
    found = record(server, "read", processes=1, more=("--spoil", str(5 * MIB), "--whole-every", "1000"))
    assert found["answer"] == f"file 1 holds other bytes from {5 * MIB} on"


def test_without_room_the_client_says_what_is_missing(server: Served) -> None:
    done = server.ask(*server.case("write", processes=4, size_mib=1 << 20))
    assert (done.returncode, done.stdout) == (1, "")
    assert "there is no room: 4 files of 1048576 MiB" in done.stderr
    assert "MiB are left on the disk" in done.stderr
    assert server.files == []


@pytest.mark.parametrize("words", [("--operation", "append"), ("--block-kib", "6"), ("--processes", "0"), ("--size",)])
def test_words_that_are_none_end_the_program(server: Served, words: tuple[str, ...]) -> None:
    done = server.ask(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not understood" in done.stderr


def test_a_server_that_is_killed_meanwhile_is_named(programs: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder, served(programs, Path(folder)) as server:
        argv = server.argv(*server.case("write", processes=2, size_mib=1024))
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
            until = time.monotonic() + 60
            while len(server.files) < 2 and time.monotonic() < until:
                time.sleep(0.001)
            server.process.kill()
            said, error = client.communicate(timeout=60)
        assert (client.returncode, said) == (1, "")
        assert "nfs-stream: file " in error
        assert server.files == []


def test_a_disk_that_becomes_full_meanwhile_is_named(programs: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512m", "tmpfs", folder], check=True)
        try:
            with served(programs, Path(folder)) as server:
                argv = server.argv(*server.case("write", processes=1, size_mib=400))
                with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as client:
                    until = time.monotonic() + 60
                    while not server.files and time.monotonic() < until:
                        time.sleep(0.001)
                    fill(Path(folder) / "other", size_mib=300)
                    said, error = client.communicate(timeout=60)
                assert (client.returncode, said) == (1, "")
                assert "writing at byte" in error
                assert "No space left on the server's disk" in error
                assert server.files == []
        finally:
            subprocess.run(["umount", "--lazy", folder], check=True)


def test_a_handle_leads_to_its_file_and_to_no_other(programs: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("its bytes")
    argv = [sys.executable, "-c", HANDLES, str(tmp_path / "file")]
    environment = {**os.environ, "LD_PRELOAD": str(programs / "private.so")}
    done = subprocess.run(argv, capture_output=True, text=True, env=environment, check=False, timeout=60)
    stale = os.strerror(errno.ESTALE)
    assert done.stdout.splitlines() == ["its bytes", stale, stale, "its bytes"], done.stderr
