"""The kernels give the answers of their workloads, and no compiler leaves their work out."""

import json
import re
import subprocess
from itertools import product
from pathlib import Path

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.subject.subjects import read_subject
from headtohead.model.study.subject import Range
from tests.subjects.kernels import (
    KERNELS,
    SOURCE,
    Made,
    ask,
    asked_of,
    build,
    built,
    expected,
    head,
    least_ns,
    records,
    why_not,
)

TOLERANCE = 1e-9
ALL = [Made(*each) for each in product(("gcc", "clang"), (64, 32), ("-O2", "-O3", "-O3 -march=native"))]
HARDEST = "-std=c17 -O3 -ffinite-loops -fno-math-errno -flto -ffp-contract=off -pthread"
"""What lets a compiler drop more work than any level of the factor: it sees all files at once."""


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ALL[0], tmp_path_factory.mktemp("kernels"))


@pytest.fixture(scope="session")
def hardest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("hardest"), f"CFLAGS={HARDEST}")


def test_the_workloads_ask_for_kernels_that_there_are_and_that_have_an_answer() -> None:
    assert len(KERNELS) == 34
    assert asked_of("kernel-sweep") == KERNELS
    assert set(expected()) == set(KERNELS)
    assert set(asked_of("kernel-sweep-8")) == set(expected("kernel-sweep-8")) < set(KERNELS)


@pytest.mark.parametrize(
    "page", [SOURCE / "README.md", SOURCE.parents[1] / "docs/reference/interfaces/batch-kernels-v1.md"]
)
def test_every_kernel_has_a_row_in_each_table(page: Path) -> None:
    assert tuple(re.findall(r"^\| `?([a-z0-9-]+)`? (?:\* )?\|", page.read_text(), re.MULTILINE)[-34:]) == KERNELS


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_header_comment_states_source_counts_and_answer(kernel: str) -> None:
    comment = head(kernel)
    for word in ("Source:", "Stresses:", "Iteration:", "Working set:", "Answer:"):
        assert word in comment
    stated = re.search(r"Answer:[^:]*: ([\d.]+)\.$", comment, re.MULTILINE)
    assert stated is not None
    assert float(stated[1]) == pytest.approx(expected()[kernel], rel=TOLERANCE)


def test_the_subject_has_the_levels_that_are_tested_here() -> None:
    factors = read_subject(SOURCE, home=find_home()).factors
    levels = [factors[name].levels for name in Made._fields]
    assert list(product(*(() if isinstance(each, Range) else each for each in levels))) == ALL
    assert tuple(factors[name].default for name in Made._fields) == ALL[0]


@pytest.mark.real
@pytest.mark.parametrize("made", ALL, ids=str)
def test_every_kernel_gives_its_answer_in_its_time_however_it_is_compiled(
    made: Made, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    reason = why_not(made.compiler, made.bits)
    if reason:
        pytest.skip(reason)
    (tmp_path / "out").mkdir()
    ours = request.getfixturevalue("program") if made == ALL[0] else built(made, tmp_path / "out")
    for kernel, record in records(ours, tmp_path).items():
        assert record["answer"] == pytest.approx(expected()[kernel], rel=TOLERANCE), kernel
        assert record["elapsed_ns"] / record["work"] > least_ns(kernel), kernel


@pytest.mark.real
def test_the_answer_and_the_work_stay_however_hard_the_compiler_tries(hardest: Path, tmp_path: Path) -> None:
    for kernel, record in records(hardest, tmp_path).items():
        assert record["answer"] == pytest.approx(expected()[kernel], rel=TOLERANCE), kernel
        assert record["elapsed_ns"] / record["work"] > least_ns(kernel), kernel


@pytest.mark.real
def test_another_input_gives_another_answer_whatever_the_compiler_did(hardest: Path, tmp_path: Path) -> None:
    for kernel, record in records(hardest, tmp_path, "--input", "1.25").items():
        assert record["answer"] != pytest.approx(expected()[kernel], rel=1e-6), kernel


@pytest.mark.real
def test_it_lists_the_kernels_in_the_order_of_the_alphabet(program: Path) -> None:
    done = subprocess.run([program, "--list"], capture_output=True, text=True, check=True)
    assert tuple(done.stdout.split()) == KERNELS


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
    done = subprocess.run([*limited, *words], capture_output=True, text=True, check=False, timeout=60)
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
