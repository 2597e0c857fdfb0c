"""What fio really said becomes records; bytes that were not moved, or are other ones, are not called verified."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PARSE = HERE.parents[1] / "subjects" / "fio" / "parse.py"
WRITE, READ = HERE / "fio" / "write-direct-2.json", HERE / "fio" / "read-buffered-2.json"
MIB = 1024 * 1024


def parse(said: Path, memory_mib: str = "unlimited") -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(PARSE), str(said), memory_mib]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def record(said: Path, memory_mib: str = "unlimited") -> dict[str, Any]:
    done = parse(said, memory_mib)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def spoiled(folder: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Return what was kept of two processes that wrote, with something changed."""
    said = json.loads(WRITE.read_text())
    change(said)
    path = folder / "said"
    path.write_text(json.dumps(said))
    return path


def test_the_bytes_of_all_processes_count_until_the_last_of_them_is_done() -> None:
    made = record(WRITE)

    assert made["case"] == {"access": "direct", "operation": "write", "processes": 2}
    assert (made["work"], made["work_in"], made["elapsed_ns"]) == (64 * MIB, "bytes", 12_000_000)
    assert made["answer"] == "verified"
    assert made["metrics"]["disk_bytes_per_s"] == pytest.approx(64 * MIB / 0.012)
    assert made["metrics"]["client_least_bytes_per_s"] == pytest.approx(32 * MIB / 0.012)
    assert made["metrics"]["operation_latency_max_ns"] == 889_335
    assert 0 < made["to_ns"] - made["from_ns"] < 1_000_000_000


@pytest.mark.parametrize(("memory_mib", "cached"), [("unlimited", 1), ("33", 1), ("32", 0)])
def test_buffered_files_are_the_disks_where_they_are_twice_the_memory_and_only_there(
    memory_mib: str, *, cached: int
) -> None:
    metrics = record(READ, memory_mib)["metrics"]

    assert metrics["page_cache"] == cached
    assert ("disk_bytes_per_s" in metrics) == (not cached)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda said: said["timed"][1].update(error=5), "2 of 2 processes reported, 1 with errors"),
        (lambda said: said["timed"].pop(), "1 of 2 processes reported"),
        (lambda said: said["timed"][0]["write"].update(io_bytes=MIB), "34603008 of 67108864 bytes were moved"),
        (lambda said: said["timed"][0]["write"].update(short_ios=1), "1 of them cut short or dropped"),
        (lambda said: said["compared"].update(wrong="bad magic"), "other content than was written: bad magic"),
        (lambda said: said["compared"].update(bytes=MIB), "other content than was written: 1048576 bytes are right"),
    ],
)
def test_what_speaks_against_a_pass_is_its_answer(
    change: Callable[[dict[str, Any]], None], says: str, tmp_path: Path
) -> None:
    assert says in record(spoiled(tmp_path, change))["answer"]


def test_a_pass_shorter_than_fios_clock_has_no_record(tmp_path: Path) -> None:
    def at_once(said: dict[str, Any]) -> None:
        for job in said["timed"]:
            job["write"]["runtime"] = 0

    done = parse(spoiled(tmp_path, at_once))

    assert (done.returncode, done.stdout) == (1, "")
    assert "less than a millisecond" in done.stderr
