"""What Bonnie++ really printed becomes records, by the names of its columns; what it could not measure is no zero."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
PARSE = HERE.parents[1] / "subjects" / "bonnie" / "parse.py"
SAID = HERE / "bonnie" / "512.json"


def parse(said: Path, memory_mib: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, "-I", str(PARSE), str(said), memory_mib]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def records(said: Path = SAID, memory_mib: str = "unlimited") -> dict[str, dict[str, Any]]:
    done = parse(said, memory_mib)
    assert done.returncode == 0, done.stderr
    return {each["case"]["test"]: each for each in map(json.loads, done.stdout.splitlines())}


def spoiled(folder: Path, old: str, new: str) -> Path:
    """Return what was kept, with one text replaced."""
    text = SAID.read_text()
    assert text.count(old) == 1, old
    path = folder / "said"
    path.write_text(text.replace(old, new))
    return path


@pytest.mark.parametrize(
    ("test", "work", "work_in", "cpu_share", "longest_ns"),
    [
        ("putc", 2245 * 1024, "bytes", 0.39, 58_695_000),
        ("getc", 3443 * 1024, "bytes", 0.41, 13_103_000),
        ("seeks", 11_421, "operations", 0.17, 14_000_000),
        ("seq_create", 7858, "operations", 0.45, 12_176_000),
        ("ran_create", 8108, "operations", 0.49, 12_171_000),
    ],
)
def test_a_figure_stands_under_its_name_and_in_its_unit(
    test: str, work: int, work_in: str, cpu_share: float, longest_ns: int
) -> None:
    made = records()[test]

    assert (made["work"], made["work_in"], made["elapsed_ns"]) == (work, work_in, 1_000_000_000)
    assert made["metrics"]["program_cpu_share"] == cpu_share
    assert made["metrics"]["operation_latency_max_ns"] == longest_ns
    assert made["answer"] == "done"


@pytest.mark.parametrize("test", ["put_block", "rewrite", "get_block", "seq_stat", "seq_del", "ran_stat", "ran_del"])
def test_what_was_too_fast_has_a_reason_and_no_rate(test: str) -> None:
    made = records()[test]

    assert (made["work"], made["work_in"]) == (0, "nothing")
    assert "too fast to be measured" in made["why_not"]
    assert made["metrics"].keys() == {"operation_latency_max_ns", "page_cache"}


@pytest.mark.parametrize(("memory_mib", "cached"), [("unlimited", 1), ("257", 1), ("256", 0)])
def test_a_file_of_twice_the_memory_tells_of_the_disk(memory_mib: str, cached: int, tmp_path: Path) -> None:
    rates = spoiled(tmp_path, "2245,39,+++++,+++,+++++,+++", "2245,39,301322,7,510286,14")
    found = records(rates, memory_mib)

    assert [found[test]["metrics"]["page_cache"] for test in ("put_block", "rewrite", "seeks")] == [cached] * 3
    assert found["put_block"]["metrics"].get("disk_bytes_per_s") == (None if cached else 301_322 * 1024)
    assert [found[test]["metrics"]["page_cache"] for test in ("putc", "getc", "seq_create")] == [1, 1, 1]


@pytest.mark.parametrize(("told", "asked"), [("2G", 2048), ("2049M", 2049)])
def test_whole_gibibytes_are_told_as_such(told: str, asked: int, tmp_path: Path) -> None:
    said = spoiled(tmp_path, "512M,,", f"{told},,")
    said.write_text(said.read_text().replace('"size_mib": 512', f'"size_mib": {asked}'))
    assert records(said)["putc"]["work"] == 2245 * 1024


def test_a_test_without_a_figure_is_not_done(tmp_path: Path) -> None:
    skipped = records(spoiled(tmp_path, "2245,39", ","))["putc"]

    assert (skipped["answer"], skipped["work_in"]) == ("no figure but ''", "nothing")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("1.98,2.00a", "2.98,2.00a", "format '2.98'"),
        ("2245,39,", "2245,", "49 values of format '1.98' where 50 of 1.98 were expected"),
        ("512M,,", "256M,,", "it worked on 256M and 16 files, not on 512M and 16"),
    ],
)
def test_another_format_or_another_task_gives_no_record(old: str, new: str, says: str, tmp_path: Path) -> None:
    done = parse(spoiled(tmp_path, old, new), "unlimited")

    assert (done.returncode, done.stdout) == (1, "")
    assert says in done.stderr
