"""Ten programs do what they should, and what they made is not believed unseen."""

import json
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headtohead.describe.home import find_home
from headtohead.describe.subject.subjects import read_subject
from tests.contract.bench import need

Done = subprocess.CompletedProcess[str]
HOME = find_home()
SUBJECT = HOME.subjects / "programs"
GENERATE = HOME.datasets / "corpus" / "generate.py"
PROGRAMS = ("bzip2", "gawk", "gcc", "perl", "python3", "sort", "sqlite3", "x264", "xz", "zstd")
JUDGED_BY = {"bzip2": "text.txt", "xz": "text.txt", "zstd": "log.txt"}
"""Of programs that pack, the input is what must come out again; of the others, an answer of their own name is right."""


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus")
    subprocess.run([sys.executable, str(GENERATE), "--scale", "0.01", "--seed", "3", "--out", str(out)], check=True)
    return out


def ask(folder: Path, corpus: Path, *programs: str, seconds: str = "0.001", copies: str = "1") -> Done:
    need(read_subject(SUBJECT, home=HOME))
    (folder / "cases").write_text("".join(f"program={each}\n" for each in programs))
    words = ["--data", str(corpus), "--cases", str(folder / "cases"), "--seconds", seconds, "--copies", copies]
    argv = ["/usr/bin/python3", "-I", str(SUBJECT / "sweep"), *words, "--own", str(folder / "own")]
    return subprocess.run(argv, capture_output=True, text=True, check=False, timeout=60)


def records(done: Done) -> list[dict[str, Any]]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def spoiled(corpus: Path, folder: Path, *, file: str, change: Callable[[str], str]) -> Path:
    """Return the data set with one of its files changed."""
    shutil.copytree(corpus, folder / "spoiled")
    path = folder / "spoiled" / file
    path.write_text(change(path.read_text()))
    return path.parent


def test_the_workload_asks_for_all_ten() -> None:
    text = (HOME.workloads / "program-sweep" / "workload.toml").read_text()
    page = (HOME.root / "docs/reference/interfaces/batch-programs-v1.md").read_text()
    for name in PROGRAMS:
        assert f'"{name}"' in text
        assert f"| `{name}` |" in page


@pytest.mark.real
def test_two_copies_of_all_programs_are_right_and_count_what_each_did_in_its_own_time(
    tmp_path: Path, corpus: Path
) -> None:
    found = records(ask(tmp_path, corpus, *PROGRAMS, copies="2"))

    assert [each["case"] for each in found] == [{"program": name} for name in PROGRAMS]
    for each in found:
        assert (each["answer"], each["work_in"], each["metrics"]) == ("right", "iterations", {"copies": 2})
        assert each["work"] >= 2
        assert 0 < each["elapsed_ns"] <= (each["to_ns"] - each["from_ns"]) * 1.001


@pytest.mark.real
@pytest.mark.parametrize("name", [each for each in PROGRAMS if each != "x264"])
def test_what_a_program_made_is_held_against_the_answers(tmp_path: Path, corpus: Path, name: str) -> None:
    key = JUDGED_BY.get(name, name)

    def change(answers: str) -> str:
        line = next(each for each in answers.splitlines() if each.startswith(f"{key},"))
        return answers.replace(line, line[:-4] + ("beef" if line[-4:] != "beef" else "cafe"))

    (record,) = records(ask(tmp_path, spoiled(corpus, tmp_path, file="answers.csv", change=change), name))

    assert record["answer"].startswith("copy 0: what") or record["answer"].startswith("copy 0: its output")
    assert record["answer"].endswith("the right length and other bytes")


@pytest.mark.real
def test_a_program_that_fails_ends_all_copies_and_says_what_it_said(tmp_path: Path, corpus: Path) -> None:
    wrong = spoiled(corpus, tmp_path, file="program.c", change=lambda text: text.replace("unsigned", "unsinged", 1))

    done = ask(tmp_path, wrong, "gcc", copies="2")

    assert (done.returncode, done.stdout) == (1, "")
    assert "/usr/bin/gcc ended with 1" in done.stderr
    assert "unsinged" in done.stderr


@pytest.mark.real
@pytest.mark.parametrize(
    ("program", "words", "says"),
    [
        ("awk", {}, "there is no program of 'program=awk'"),
        ("xz", {"seconds": "0"}, "--seconds is above 0"),
        ("xz", {"copies": "0"}, "--copies is from 1"),
    ],
)
def test_wrong_words_are_named_and_nothing_is_run(
    tmp_path: Path, corpus: Path, *, program: str, words: dict[str, str], says: str
) -> None:
    done = ask(tmp_path, corpus, program, **words)

    assert (done.returncode, done.stdout) == (2, "")
    assert says in done.stderr


FILM = runpy.run_path(str(SUBJECT / "sweep" / "film.py"))
FRAME = bytes(8 * 8 * 3 // 2)
PARAMETERS, WHOLE, LATER, REST = b"\0\0\0\1\x67\x88", b"\0\0\1\x65\x88", b"\0\0\1\x41\x9a", b"\0\0\1\x41\x40"
"""Units of a stream: parameters; slices that begin a frame (of its own; of differences); one within a frame."""


def film_complaint(stream: bytes, shown: bytes) -> str | None:
    said: str | None = FILM["film_complaint"](stream, FRAME * 2, shown, size=(8, 8), least_db=30.0)
    return said


def test_a_film_is_right_with_all_its_frames_and_close_to_what_was_encoded() -> None:
    stream = PARAMETERS + WHOLE + LATER + REST
    near, far = bytes([3]) * len(FRAME) * 2, bytes([9]) * len(FRAME) * 2

    assert film_complaint(stream, near) is None
    assert film_complaint(stream, far) == "frame 0 is 29.0 dB close, where 30 are wanted"
    assert film_complaint(PARAMETERS + WHOLE + REST, near) == "the stream holds 1 frames of 2"
    assert film_complaint(stream, FRAME) == "96 bytes were decoded of 192"
