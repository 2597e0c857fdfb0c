"""What dbench really printed becomes a record; an operation that failed, or never came, is not called right."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PARSE = HERE.parents[1] / "subjects" / "dbench" / "parse.py"
FOUR, MANY = HERE / "dbench" / "4-clients.json", HERE / "dbench" / "64-clients.json"


def parse(said: Path) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(PARSE), str(said)]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def record(said: Path) -> dict[str, Any]:
    done = parse(said)
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def spoiled(folder: Path, old: str, new: str) -> Path:
    """Return what was kept of 64 clients, with one text replaced in every line."""
    said = json.loads(MANY.read_text())
    lines = [line.replace(old, new) for line in said["said"]]
    assert lines != said["said"]
    path = folder / "said"
    path.write_text(json.dumps({**said, "said": lines}))
    return path


@pytest.mark.parametrize(("said", "clients", "rate"), [(FOUR, 4, 460.604e6), (MANY, 64, 653.108e6)])
def test_work_over_elapsed_time_is_the_throughput_that_dbench_printed(said: Path, *, clients: int, rate: float) -> None:
    made = record(said)

    assert made["case"] == {"clients": clients}
    assert made["work"] * 1e9 / made["elapsed_ns"] == pytest.approx(rate, rel=1e-9)
    assert made["elapsed_ns"] == made["to_ns"] - made["from_ns"] == 4_000_000_000
    assert made["answer"] == "right"


def test_latencies_are_those_of_the_total_and_of_the_table() -> None:
    metrics = record(MANY)["metrics"]

    assert metrics["operation_latency_max_ns"] == pytest.approx(549.372e6)
    assert metrics["operation_latency_mean_ns"] == pytest.approx(0.5229e6, rel=1e-3)
    assert (metrics["clients"], metrics["page_cache"]) == (64, 1)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("releasing clients", "[9] open ./x failed for handle 9 (No such file)", "open ./x failed for handle 9"),
        ("releasing clients", "[9] wrote 4 bytes, expected to write 8 bytes", "wrote 4 bytes, expected to write 8"),
        ("64 clients  64 procs", "63 clients  63 procs", "63 of 64 clients were at work"),
        (" WriteX         53472", " WriteX             3", "too few operations WriteX for 64 clients"),
        (" Flush           7128", " Flood           7128", "too few operations Flush for 64 clients"),
        ("Throughput 653.108", "Throughput 0", "nothing was moved"),
    ],
)
def test_what_speaks_against_a_case_is_its_answer(old: str, new: str, says: str, tmp_path: Path) -> None:
    assert says in record(spoiled(tmp_path, old, new))["answer"]


def test_the_first_semaphore_of_a_machine_is_no_complaint(tmp_path: Path) -> None:
    said = spoiled(tmp_path, "releasing clients", "failed to create barrier semaphore ")
    assert record(said)["answer"] == "right"


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("execute", "warmup", "after 4 s not all of its clients had begun"),
        ("execute", "", "its 5 s ended before the first was over"),
        ("Throughput", "Output", "without a table and a throughput (its last words: Output 653.108 MB/sec"),
    ],
)
def test_without_a_measured_second_or_a_total_it_says_why_and_what_helps(
    old: str, new: str, says: str, tmp_path: Path
) -> None:
    done = parse(spoiled(tmp_path, old, new))

    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
    assert "raise the load's seconds (now 5) for 64 clients" in done.stderr


def test_clients_that_take_longer_to_begin_than_the_whole_time_are_told_how_much_longer() -> None:
    done = parse(HERE / "dbench" / "256-clients-3-s.json")

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "parse.py: dbench measured nothing: after 11 s not all of its clients had begun; "
        "raise the load's seconds (now 3) for 256 clients above that\n"
    )
