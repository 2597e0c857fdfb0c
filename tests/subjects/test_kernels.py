"""The kernels give the answers of their workload, and no compiler leaves their work out."""

import json
import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "subjects" / "c-kernels"
WORKLOAD = ROOT / "workloads" / "kernel-sweep-8"
KERNELS: tuple[str, ...] = tuple(tomllib.loads((WORKLOAD / "workload.toml").read_text())["load"]["kernel"])
TOLERANCE = 1e-9
LEAST_NS = 20_000
"""An iteration takes 200,000 ns or more; an empty one some tens."""


def build(out: Path, *words: str) -> Path:
    subprocess.run(["make", "--silent", f"--directory={SOURCE}", f"OUT={out}", *words], check=True)
    return out / "c-kernels"


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("kernels"))


@pytest.fixture(scope="session")
def optimized(tmp_path_factory: pytest.TempPathFactory) -> Path:
    flags = "CFLAGS=-std=c17 -O3 -ffinite-loops -fno-math-errno -flto -pthread"
    return build(tmp_path_factory.mktemp("optimized"), flags)


def ask(program: Path, folder: Path, *words: str, lines: str) -> subprocess.CompletedProcess[str]:
    cases = folder / "cases"
    cases.write_text(lines)
    argv = [str(program), "--cases", str(cases), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


def records(program: Path, folder: Path, *words: str) -> dict[str, dict[str, Any]]:
    lines = "".join(f"kernel={name}\n" for name in KERNELS)
    done = ask(program, folder, "--seconds", "0.01", *words, lines=lines)
    assert done.returncode == 0, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [record["case"]["kernel"] for record in found] == list(KERNELS)
    return {record["case"]["kernel"]: record for record in found}


def expected() -> dict[str, float]:
    answers = tomllib.loads((WORKLOAD / "answers.toml").read_text())["answers"]
    return {case.removeprefix("kernel="): float(answer) for case, answer in answers.items()}


def test_the_workload_asks_for_every_kernel_that_has_an_answer() -> None:
    assert set(KERNELS) == set(expected())


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_header_comment_states_source_counts_and_answer(kernel: str) -> None:
    comment = (SOURCE / "kernels" / f"{kernel}.c").read_text().split("*/")[0]
    for word in ("Source:", "Stresses:", "Iteration:", "Working set:", "Answer:"):
        assert word in comment
    stated = re.search(r"Answer:[^:]*: ([\d.]+)\.$", comment, re.MULTILINE)
    assert stated is not None
    assert float(stated[1]) == pytest.approx(expected()[kernel], rel=TOLERANCE)


@pytest.mark.real
def test_every_kernel_gives_its_answer(program: Path, tmp_path: Path) -> None:
    for kernel, record in records(program, tmp_path).items():
        assert record["answer"] == pytest.approx(expected()[kernel], rel=TOLERANCE), kernel


@pytest.mark.real
def test_the_answer_does_not_depend_on_how_hard_the_compiler_tried(optimized: Path, tmp_path: Path) -> None:
    for kernel, record in records(optimized, tmp_path).items():
        assert record["answer"] == pytest.approx(expected()[kernel], rel=TOLERANCE), kernel


@pytest.mark.real
def test_another_input_gives_another_answer_whatever_the_compiler_did(optimized: Path, tmp_path: Path) -> None:
    for kernel, record in records(optimized, tmp_path, "--input", "1.25").items():
        assert record["answer"] != pytest.approx(expected()[kernel], rel=1e-6), kernel


@pytest.mark.real
def test_no_work_vanishes_however_hard_the_compiler_tries(optimized: Path, tmp_path: Path) -> None:
    for kernel, record in records(optimized, tmp_path).items():
        assert record["elapsed_ns"] / record["work"] > LEAST_NS, kernel


@pytest.mark.real
def test_a_record_counts_the_iterations_of_all_copies_within_its_own_time(program: Path, tmp_path: Path) -> None:
    done = ask(program, tmp_path, "--seconds", "0.05", "--copies", "3", lines="kernel=fft\n")
    record = json.loads(done.stdout)
    assert (record["format"], record["record"], record["work_in"]) == (1, "batch", "iterations")
    assert record["metrics"] == {"copies": 3}
    assert record["work"] >= 3
    assert record["to_ns"] - record["from_ns"] == record["elapsed_ns"] >= 50_000_000


@pytest.mark.real
def test_a_disturbed_copy_ends_all_copies_and_the_program(program: Path, tmp_path: Path) -> None:
    limited = ["prlimit", "--as=200000000", "--", str(program)]  # room for the program, not for three arrays and more
    cases = tmp_path / "cases"
    cases.write_text("kernel=stream-triad\n")
    words = ["--cases", str(cases), "--seconds", "0.01", "--copies", "2"]
    assert subprocess.run([*limited, *words], capture_output=True, check=False).returncode == 0
    limited[1] = "--as=40000000"
    done = subprocess.run([*limited, *words], capture_output=True, text=True, check=False, timeout=20)
    assert (done.returncode, done.stdout) == (1, "")
    assert "stream-triad: Cannot allocate memory" in done.stderr


@pytest.mark.real
@pytest.mark.parametrize(
    ("words", "lines", "says"),
    [
        (("--seconds", "0.01"), "kernel=quicksort\n", "there is no kernel of 'kernel=quicksort'"),
        (("--seconds", "0.01"), "bits=2048\n", "the case 'bits=2048' names no kernel"),
        (("--seconds", "-1"), "kernel=fft\n", "'--seconds' is not understood"),
        (("--seconds", "nan"), "kernel=fft\n", "'--seconds' is not understood"),
        (("--seconds", "1", "--copies", "1.5"), "kernel=fft\n", "'--copies' is not understood"),
        (("--seconds", "1", "--copies", "257"), "kernel=fft\n", "'--copies' is not understood"),
        (("--seconds",), "kernel=fft\n", "'--seconds' is not understood"),
        ((), "kernel=fft\n", "usage: c-kernels"),
    ],
)
def test_wrong_words_are_named_and_nothing_is_run(
    program: Path, tmp_path: Path, *, words: tuple[str, ...], lines: str, says: str
) -> None:
    done = ask(program, tmp_path, *words, lines=lines)
    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr
